package sqlemit

import (
	"sync"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// statementMemory is memory that the building of one statement after another takes: its text, the columns of its
// blocks, and the expressions that name the columns of derived tables. Nothing of it is part of the returned text.
type statementMemory struct {
	text    []byte
	columns []outputColumn // the first usedColumns are taken
	names   []derivedColumnExpr
	// usedColumns and usedNames count the elements that the statement has.
	usedColumns, usedNames int
}

// derivedColumnExpr is the expression that names a column of a derived table.
type derivedColumnExpr struct {
	sqlexpr.Column
	parts [2]sqlexpr.Name
}

const (
	// maxKeptColumns is the number of columns, and of names of columns, that are kept for the next statement. A statement
	// with more of them allocates the others.
	maxKeptColumns = 256
	// maxKeptBufferBytes is the size of the largest text whose buffer is kept, in bytes.
	maxKeptBufferBytes = 64 << 10
)

var statementMemories = sync.Pool{New: func() any {
	return &statementMemory{text: make([]byte, 0, 4096), columns: make([]outputColumn, maxKeptColumns), names: make([]derivedColumnExpr, maxKeptColumns)}
}}

// release keeps the memory for the next statement, without what this one has in it.
func (m *statementMemory) release(text []byte) {
	if cap(text) > maxKeptBufferBytes {
		return
	}
	clear(m.columns[:m.usedColumns])
	clear(m.names[:m.usedNames])
	m.text, m.usedColumns, m.usedNames = text[:0], 0, 0
	statementMemories.Put(m)
}

// newColumns returns an empty list of columns with room for n.
func (m *statementMemory) newColumns(n int) []outputColumn {
	from := m.usedColumns
	if n > len(m.columns)-from {
		return make([]outputColumn, 0, n)
	}
	m.usedColumns += n
	return m.columns[from:from:m.usedColumns]
}

// newDerivedColumnExprs returns memory for n names of columns.
func (m *statementMemory) newDerivedColumnExprs(n int) []derivedColumnExpr {
	from := m.usedNames
	if n > len(m.names)-from {
		return make([]derivedColumnExpr, n)
	}
	m.usedNames += n
	return m.names[from:m.usedNames:m.usedNames]
}

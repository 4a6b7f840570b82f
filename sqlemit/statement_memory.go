package sqlemit

import (
	"sync"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// statementMemory is memory that the building of one statement after another takes: its text, its blocks and their
// columns, and the expressions that name the columns of derived tables. Nothing of it is part of the returned text.
type statementMemory struct {
	text    []byte
	blocks  reusedValues[selectBlock]
	scopes  reusedValues[columnScope]
	tables  reusedValues[derivedTable]
	columns reusedValues[outputColumn]
	names   reusedValues[derivedColumnExpr]
	scans   []*plan.Scan
	aliases []string
	derived []derivedRows
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
	// maxKeptBlocks is the number of blocks that are kept, and of their lists of columns and of tables.
	maxKeptBlocks = 32
	// maxKeptBufferBytes is the size of the largest text whose buffer is kept, in bytes.
	maxKeptBufferBytes = 64 << 10
)

var statementMemories = sync.Pool{New: func() any {
	return &statementMemory{
		text:    make([]byte, 0, 4096),
		blocks:  newReusedValues[selectBlock](maxKeptBlocks),
		scopes:  newReusedValues[columnScope](maxKeptBlocks),
		tables:  newReusedValues[derivedTable](maxKeptBlocks),
		columns: newReusedValues[outputColumn](maxKeptColumns),
		names:   newReusedValues[derivedColumnExpr](maxKeptColumns),
		scans:   make([]*plan.Scan, 0, maxKeptBlocks),
		aliases: make([]string, 0, maxNamesSearchedLinearly),
		derived: make([]derivedRows, 0, maxKeptBlocks),
	}
}}

// release keeps the memory for the next statement, without what this one has in it.
func (m *statementMemory) release(w *writer) {
	if cap(w.buf) > maxKeptBufferBytes {
		return
	}
	m.text = w.buf[:0]
	m.blocks.releaseAll()
	m.scopes.releaseAll()
	m.tables.releaseAll()
	m.columns.releaseAll()
	m.names.releaseAll()
	clearUsedElements(m.scans, len(w.scans))
	clearUsedElements(m.aliases, len(w.names.few))
	clearUsedElements(m.derived, len(w.derivedColumns.tables))
	statementMemories.Put(m)
}

// newBlock is a block in this memory.
func (m *statementMemory) newBlock(b selectBlock) *selectBlock {
	block := &m.blocks.take(1)[0]
	*block = b
	return block
}

// newScope is a list of columns in this memory.
func (m *statementMemory) newScope(cols []outputColumn) *columnScope {
	s := &m.scopes.take(1)[0]
	s.cols = cols
	return s
}

// newDerivedTable is a derived table in this memory.
func (m *statementMemory) newDerivedTable(b *selectBlock, alias string) *derivedTable {
	t := &m.tables.take(1)[0]
	t.block, t.alias = b, alias
	return t
}

// newColumns returns an empty list of columns with room for n.
func (m *statementMemory) newColumns(n int) []outputColumn { return m.columns.take(n)[:0] }

// newDerivedColumnExprs returns memory for n names of columns.
func (m *statementMemory) newDerivedColumnExprs(n int) []derivedColumnExpr { return m.names.take(n) }

// reusedValues are values of which the first used ones are taken.
type reusedValues[T any] struct {
	values []T
	used   int
}

func newReusedValues[T any](n int) reusedValues[T] { return reusedValues[T]{values: make([]T, n)} }

// take returns n empty values, newly allocated ones where fewer are left.
func (r *reusedValues[T]) take(n int) []T {
	from := r.used
	if n > len(r.values)-from {
		return make([]T, n)
	}
	r.used += n
	return r.values[from:r.used:r.used]
}

// releaseAll gives all values back.
func (r *reusedValues[T]) releaseAll() {
	clear(r.values[:r.used])
	r.used = 0
}

// clearUsedElements empties a list, of which a statement has used the first elements.
func clearUsedElements[T any](list []T, used int) { clear(list[:min(used, cap(list))]) }

package sqlemit

import (
	"sync"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// reusableStatementBuffers is memory that the building of one statement after another takes: its text, its blocks and their
// columns, and the expressions that name the columns of derived tables. Nothing of it is part of the returned text.
type reusableStatementBuffers struct {
	writer  writer
	text    []byte
	blocks  preallocatedValues[selectBlock]
	scopes  preallocatedValues[columnScope]
	tables  preallocatedValues[derivedTable]
	columns preallocatedValues[outputColumn]
	names   preallocatedValues[derivedColumnExpr]
	scans   []*plan.Scan
	aliases []string
	derived []derivedTableColumnTypes
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

var statementBuffersPool = sync.Pool{New: func() any {
	return &reusableStatementBuffers{
		text:    make([]byte, 0, 4096),
		blocks:  newPreallocatedValues[selectBlock](maxKeptBlocks),
		scopes:  newPreallocatedValues[columnScope](maxKeptBlocks),
		tables:  newPreallocatedValues[derivedTable](maxKeptBlocks),
		columns: newPreallocatedValues[outputColumn](maxKeptColumns),
		names:   newPreallocatedValues[derivedColumnExpr](maxKeptColumns),
		scans:   make([]*plan.Scan, 0, maxKeptBlocks),
		aliases: make([]string, 0, maxNamesSearchedLinearly),
		derived: make([]derivedTableColumnTypes, 0, maxKeptBlocks),
	}
}}

// returnToPool keeps the memory for the next statement, without what this one has in it.
func (m *reusableStatementBuffers) returnToPool(w *writer) {
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
	m.writer = writer{}
	statementBuffersPool.Put(m)
}

// newBlock returns a block in this memory.
func (m *reusableStatementBuffers) newBlock(b selectBlock) *selectBlock {
	block := &m.blocks.takeEmptyValues(1)[0]
	*block = b
	return block
}

// newColumnScope returns a list of columns in this memory.
func (m *reusableStatementBuffers) newColumnScope(cols []outputColumn) *columnScope {
	s := &m.scopes.takeEmptyValues(1)[0]
	s.cols = cols
	return s
}

// newDerivedTable returns a derived table in this memory.
func (m *reusableStatementBuffers) newDerivedTable(b *selectBlock, alias string) *derivedTable {
	t := &m.tables.takeEmptyValues(1)[0]
	t.block, t.alias = b, alias
	return t
}

// newColumns returns an empty list of columns with room for n.
func (m *reusableStatementBuffers) newColumns(n int) []outputColumn {
	return m.columns.takeEmptyValues(n)[:0]
}

// newDerivedColumnExprs returns memory for n names of columns.
func (m *reusableStatementBuffers) newDerivedColumnExprs(n int) []derivedColumnExpr {
	return m.names.takeEmptyValues(n)
}

// preallocatedValues are values of which the first used ones are taken.
type preallocatedValues[T any] struct {
	values []T
	used   int
}

func newPreallocatedValues[T any](n int) preallocatedValues[T] {
	return preallocatedValues[T]{values: make([]T, n)}
}

// takeEmptyValues returns n empty values, newly allocated ones where fewer are left.
func (r *preallocatedValues[T]) takeEmptyValues(n int) []T {
	from := r.used
	if n > len(r.values)-from {
		return make([]T, n)
	}
	r.used += n
	return r.values[from:r.used:r.used]
}

// releaseAll gives all values back.
func (r *preallocatedValues[T]) releaseAll() {
	clear(r.values[:r.used])
	r.used = 0
}

// clearUsedElements empties a list, of which a statement has used the first elements.
func clearUsedElements[T any](list []T, used int) { clear(list[:min(used, cap(list))]) }

package postgres

import (
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxStatementsWithCachedColumns bounds the statements whose columns a pool remembers.
const maxStatementsWithCachedColumns = 256

// resultColumnCache remembers the columns of statements, so that a repeated statement takes one
// round trip. An entry is only a guess: the server describes the columns at each execution,
// and a wrong guess is evicted. The server keeps nothing: decision 0024.
type resultColumnCache struct {
	mu                 sync.Mutex
	columnsByStatement map[string][]resultColumn
}

// resultColumn is the server's description of a column.
type resultColumn struct {
	name     string
	oid      uint32
	modifier int32
}

func resultColumnsOf(fields []pgconn.FieldDescription) []resultColumn {
	columns := make([]resultColumn, len(fields))
	for i, f := range fields {
		columns[i] = resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	}
	return columns
}

func (c *resultColumnCache) columnsOfStatement(sql string) []resultColumn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.columnsByStatement[sql]
}

func (c *resultColumnCache) rememberColumns(sql string, columns []resultColumn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.columnsByStatement) >= maxStatementsWithCachedColumns || c.columnsByStatement == nil {
		c.columnsByStatement = make(map[string][]resultColumn)
	}
	c.columnsByStatement[sql] = columns
}

func (c *resultColumnCache) evictStatement(sql string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.columnsByStatement, sql)
}

// hasSameColumns reports whether the server's description equals the cached columns.
func hasSameColumns(columns []resultColumn, fields []pgconn.FieldDescription) bool {
	return slices.EqualFunc(columns, fields, func(c resultColumn, f pgconn.FieldDescription) bool {
		return c == resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	})
}

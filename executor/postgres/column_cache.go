package postgres

import (
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxCachedStatements bounds the statements whose columns a pool remembers.
const maxCachedStatements = 256

// columnCache remembers the columns of statements, so that a repeated statement takes one
// round trip. An entry is only a guess: the server describes the columns at each execution,
// and a wrong guess is evicted. The server keeps nothing: decision 0024.
type columnCache struct {
	mu   sync.Mutex
	seen map[string][]resultColumn
}

// resultColumn is the server's description of a column.
type resultColumn struct {
	name     string
	oid      uint32
	modifier int32
}

func columnsOf(fields []pgconn.FieldDescription) []resultColumn {
	columns := make([]resultColumn, len(fields))
	for i, f := range fields {
		columns[i] = resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	}
	return columns
}

func (c *columnCache) get(sql string) []resultColumn {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen[sql]
}

func (c *columnCache) put(sql string, columns []resultColumn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen) >= maxCachedStatements || c.seen == nil {
		c.seen = make(map[string][]resultColumn)
	}
	c.seen[sql] = columns
}

func (c *columnCache) evict(sql string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.seen, sql)
}

// sameColumns reports whether the server's description equals the cached columns.
func sameColumns(columns []resultColumn, fields []pgconn.FieldDescription) bool {
	return slices.EqualFunc(columns, fields, func(c resultColumn, f pgconn.FieldDescription) bool {
		return c == resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	})
}

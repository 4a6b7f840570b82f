package postgres

import (
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// mostDescribed is how many statements a pool remembers the columns of.
const mostDescribed = 256

// described remembers the columns of statements, so that one that comes again takes
// one round trip. What is remembered is only ever a guess: the server describes the
// columns anew each time, and a guess that was wrong is forgotten. Nothing is kept on
// the server: decision 0024.
type described struct {
	mu   sync.Mutex
	seen map[string][]resultColumn
}

// resultColumn is what the server says of a column.
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

func (d *described) columns(sql string) []resultColumn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen[sql]
}

func (d *described) remember(sql string, columns []resultColumn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.seen) >= mostDescribed || d.seen == nil {
		d.seen = make(map[string][]resultColumn)
	}
	d.seen[sql] = columns
}

func (d *described) forget(sql string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.seen, sql)
}

// matches reports whether the server describes what was remembered.
func matches(columns []resultColumn, fields []pgconn.FieldDescription) bool {
	return slices.EqualFunc(columns, fields, func(c resultColumn, f pgconn.FieldDescription) bool {
		return c == resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	})
}

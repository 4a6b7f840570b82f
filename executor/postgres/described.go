package postgres

import (
	"slices"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// mostDescribed and longestDescribed bound what a pool remembers of statements:
	// their number, and the bytes of each.
	mostDescribed    = 256
	longestDescribed = 16 << 10
)

// described remembers the columns of statements, so that one that comes again takes
// one round trip. What is remembered is only ever a guess: the server describes the
// columns anew each time, and a guess that was wrong is forgotten.
type described struct {
	seen *lru.Cache[string, description]
	// keeps says that statements may be kept prepared on the server. It turns false for
	// good when one is not found again: there is a pooler in between.
	keeps   atomic.Bool
	keptFor time.Duration
}

type description struct {
	columns []resultColumn
	// lasting says that the statement means the same whenever it is parsed.
	lasting bool
}

// resultColumn is what the server says of a column.
type resultColumn struct {
	name     string
	oid      uint32
	modifier int32
}

func newDescribed(keeps bool) *described {
	seen, err := lru.New[string, description](mostDescribed)
	if err != nil {
		panic(err) // the size is a constant
	}
	d := &described{seen: seen, keptFor: keptFor}
	d.keeps.Store(keeps)
	return d
}

func columnsOf(fields []pgconn.FieldDescription) []resultColumn {
	columns := make([]resultColumn, len(fields))
	for i, f := range fields {
		columns[i] = resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	}
	return columns
}

func (d *described) remember(sql string, columns []resultColumn) {
	if len(sql) <= longestDescribed {
		d.seen.Add(sql, description{columns, !momentary.MatchString(sql)})
	}
}

// matches reports whether the server describes what was remembered.
func (d description) matches(fields []pgconn.FieldDescription) bool {
	return slices.EqualFunc(d.columns, fields, func(c resultColumn, f pgconn.FieldDescription) bool {
		return c == resultColumn{f.Name, f.DataTypeOID, f.TypeModifier}
	})
}

package tables

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// Table is one table or view of a warehouse.
type Table struct {
	Schema string
	Name   string
	// InDefault reports whether a statement finds the table by its name alone.
	InDefault bool
	View      bool
	// Empty reports whether the catalog counts no rows; false where it does not count.
	Empty   bool
	Comment string
	Columns []Column
	// PrimaryKey and UniqueKeys are those that the warehouse enforces. No column of the
	// primary key holds a null.
	PrimaryKey  []string
	UniqueKeys  [][]string
	ForeignKeys []ForeignKey
}

// Column is one column of a table.
type Column struct {
	Name string
	// Type is the type as the warehouse spells it; empty for a column of SQLite without
	// a declared type.
	Type     string
	Datatype Datatype
	Nullable bool
	Comment  string
}

// ForeignKey is a declared reference to the columns of another table. The lists are paired
// by position.
type ForeignKey struct {
	Name       string
	Columns    []string
	Schema     string
	Table      string
	References []string
}

// Options choose the tables.
type Options struct {
	// Schemas to read; none means the default schema of the connection.
	Schemas []string
	// Views reads database views, too.
	Views bool
	// Keep returns whether a table is wanted; nil means every table is. Columns are not
	// known yet.
	Keep func(Table) bool
}

// CatalogStatementTimeout bounds each statement that reads a catalog.
const CatalogStatementTimeout = 30 * time.Second

// maxCatalogRows bounds the rows of one statement: a catalog of more columns is rejected.
const maxCatalogRows = 500_000

// SupportedDialects lists those whose tables can be read.
func SupportedDialects() []string {
	return []string{"duckdb", "sqlite", "postgres", "redshift", "mysql", "mariadb", "tidb", "starrocks", "doris", "clickhouse"}
}

// ListStatement returns the statement that lists all tables and views of a warehouse, with their schema, their name, and whether they are in the
// default schema as its first columns; ok is false for a dialect without one.
func ListStatement(dialect string) (sql string, ok bool) {
	s, ok := catalogStatementsForDialect(dialect, false)
	return s.tables, ok
}

// Read returns the tables that the options choose, sorted by schema and name, with their columns in
// order. The error is an *executor.Error, of code config for a dialect that is not in Dialects.
func Read(ctx context.Context, e executor.Executor, o Options) ([]Table, error) {
	s, ok := catalogStatementsForDialect(e.Dialect(), len(o.Schemas) == 0)
	if !ok {
		return nil, &executor.Error{
			Code:    executor.CodeConfig,
			Message: "the tables of a warehouse of dialect " + e.Dialect() + " cannot be listed",
			Hint:    "the dialects are " + strings.Join(SupportedDialects(), ", "),
		}
	}
	r := catalogReader{e: e, index: map[tableID]int{}}
	if err := r.readTables(ctx, s.tables, o); err != nil || len(r.list) == 0 {
		return nil, err
	}
	if err := r.readColumns(ctx, s.columns); err != nil {
		return nil, err
	}
	if s.keys != "" {
		if err := r.readKeys(ctx, s.keys); err != nil {
			return nil, err
		}
	}
	if s.foreignKeys != "" {
		if err := r.readForeignKeys(ctx, s.foreignKeys); err != nil {
			return nil, err
		}
	}
	return r.list, nil
}

// tableID is what identifies a table.
type tableID struct{ schema, name string }

// catalogReader assembles tables from the rows of the statements.
type catalogReader struct {
	e     executor.Executor
	list  []Table
	index map[tableID]int
}

func (r *catalogReader) readTables(ctx context.Context, statement string, o Options) error {
	rows, err := queryCatalogRows(ctx, r.e, statement)
	if err != nil {
		return err
	}
	for _, row := range rows {
		t := Table{Schema: row[0].text, Name: row[1].text, InDefault: row[2].isTrue(), View: row[3].isTrue(), Comment: row[4].text, Empty: row[5].isTrue()}
		switch {
		case t.View && !o.Views:
		case len(o.Schemas) > 0 && !slices.Contains(o.Schemas, t.Schema):
		case o.Keep != nil && !o.Keep(t):
		default:
			r.list = append(r.list, t)
		}
	}
	slices.SortFunc(r.list, func(a, b Table) int {
		if c := strings.Compare(a.Schema, b.Schema); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	for i, t := range r.list {
		r.index[tableID{t.Schema, t.Name}] = i
	}
	return nil
}

// findTable returns the table of a row that begins with schema and name, nil if it is not wanted.
func (r *catalogReader) findTable(row []catalogValue) *Table {
	i, ok := r.index[tableID{row[0].text, row[1].text}]
	if !ok {
		return nil
	}
	return &r.list[i]
}

func (r *catalogReader) readColumns(ctx context.Context, statement string) error {
	rows, err := queryCatalogRows(ctx, r.e, statement)
	if err != nil {
		return err
	}
	dialect := r.e.Dialect()
	for _, row := range rows {
		if t := r.findTable(row); t != nil {
			t.Columns = append(t.Columns, Column{
				Name: row[2].text, Type: row[3].text, Datatype: DatatypeOfWarehouseType(dialect, row[3].text),
				Nullable: row[4].isTrue(), Comment: row[5].text,
			})
		}
	}
	return nil
}

// readKeys reads one row for each column of a key.
func (r *catalogReader) readKeys(ctx context.Context, statement string) error {
	rows, err := queryCatalogRows(ctx, r.e, statement)
	if err != nil {
		return err
	}
	for _, group := range groupRowsByPrefix(rows, 3) {
		t := r.findTable(group[0])
		if t == nil {
			continue
		}
		columns := make([]string, len(group))
		usable := true
		for i, row := range group {
			columns[i] = row[4].text
			usable = usable && t.hasColumn(columns[i])
		}
		switch {
		case !usable: // an index over an expression
		case group[0][3].isTrue():
			t.PrimaryKey = columns
		case !slices.ContainsFunc(t.UniqueKeys, func(k []string) bool { return slices.Equal(k, columns) }):
			t.UniqueKeys = append(t.UniqueKeys, columns)
		}
	}
	for i := range r.list {
		t := &r.list[i]
		t.UniqueKeys = slices.DeleteFunc(t.UniqueKeys, func(k []string) bool { return slices.Equal(k, t.PrimaryKey) })
	}
	return nil
}

// readForeignKeys reads one row for each column of a foreign key. A reference that names no
// columns is one to the primary key.
func (r *catalogReader) readForeignKeys(ctx context.Context, statement string) error {
	rows, err := queryCatalogRows(ctx, r.e, statement)
	if err != nil {
		return err
	}
	for _, group := range groupRowsByPrefix(rows, 3) {
		t := r.findTable(group[0])
		if t == nil {
			continue
		}
		key := ForeignKey{Name: group[0][2].text, Schema: group[0][4].text, Table: group[0][5].text}
		target := r.findTable([]catalogValue{group[0][4], group[0][5]})
		for i, row := range group {
			key.Columns = append(key.Columns, row[3].text)
			to := row[6].text
			if row[6].null && target != nil && i < len(target.PrimaryKey) {
				to = target.PrimaryKey[i]
			}
			key.References = append(key.References, to)
		}
		t.ForeignKeys = append(t.ForeignKeys, key)
	}
	return nil
}

func (t *Table) hasColumn(name string) bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// groupRowsByPrefix splits rows where one of the first n values changes.
func groupRowsByPrefix(rows [][]catalogValue, n int) [][][]catalogValue {
	var out [][][]catalogValue
	for i, row := range rows {
		if i == 0 || !slices.Equal(row[:n], rows[i-1][:n]) {
			out = append(out, nil)
		}
		last := len(out) - 1
		out[last] = append(out[last], row)
	}
	return out
}

package sqlemit

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TableName is the name of a table, with the parts before it.
type TableName = []sqlexpr.Name

// TableColumn is a column of a table that CreateTable makes.
type TableColumn struct {
	Name string
	Type TableColumnType
}

// TableColumnType is the type of a TableColumn.
type TableColumnType uint8

// The types of columns.
const (
	ColumnText TableColumnType = iota
	ColumnInteger
	ColumnTimestamp
)

// CreateTableAs prints the statement that makes a table with the rows of a SELECT of the dialect.
func CreateTableAs(table sqlexpr.DatasetTableOrQuery, selected string, d *Dialect, opt FormatOptions) string {
	w := newTableWriter(d, len(selected))
	w.pretty = opt.Pretty
	w.appendText("CREATE TABLE ")
	w.printTableName(table.Table)
	w.appendText(d.tableEngine)
	w.appendText(" AS")
	w.printClauseSpace()
	w.appendText(selected)
	return string(w.buf)
}

func newTableWriter(d *Dialect, more int) *writer {
	return &writer{d: d, buf: make([]byte, 0, more+256)}
}

// CreateTable prints the statement that makes an empty table.
func CreateTable(table TableName, columns []TableColumn, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("CREATE TABLE ")
	w.printTableName(table)
	w.appendText(" (")
	for i, c := range columns {
		if i > 0 {
			w.appendText(", ")
		}
		w.printQuotedName(c.Name)
		w.appendByte(' ')
		w.appendText(d.columnTypeName(c.Type))
	}
	w.appendByte(')')
	w.appendText(d.tableEngine)
	return string(w.buf)
}

// columnTypeName returns the name of a type in the definition of a column.
func (d *Dialect) columnTypeName(t TableColumnType) string {
	switch {
	case t == ColumnInteger:
		return "BIGINT"
	case t == ColumnText:
		return "VARCHAR(255)"
	case d.isMySQLFamily():
		return "DATETIME(6)"
	case d.name == "sqlite":
		return "TEXT"
	}
	return "TIMESTAMP"
}

func (d *Dialect) isMySQLFamily() bool {
	return d.name == "mysql" || d.name == "mariadb" || d.name == "tidb"
}

// DropTable prints the statement that removes a table, which need not exist.
func DropTable(table TableName, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("DROP TABLE IF EXISTS ")
	w.printTableName(table)
	return string(w.buf)
}

// RenameTable prints the statement that gives a table another name in its schema.
func RenameTable(table TableName, to sqlexpr.Name, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("ALTER TABLE ")
	w.printTableName(table)
	w.appendText(" RENAME TO ")
	w.printName(to)
	return string(w.buf)
}

// RenameTables prints the statement of the MySQL family that renames tables, all of them or none; each is followed by its new name.
func RenameTables(names []TableName, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("RENAME TABLE ")
	for i, name := range names {
		switch {
		case i%2 == 1:
			w.appendText(" TO ")
		case i > 0:
			w.appendText(", ")
		}
		w.printTableName(name)
	}
	return string(w.buf)
}

// ChangeColumnToInteger prints the statement that stores the values of a column as integers of 64 bits; "" where the dialect has none.
func ChangeColumnToInteger(table TableName, column string, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("ALTER TABLE ")
	w.printTableName(table)
	switch {
	case d.isMySQLFamily():
		w.appendText(" MODIFY COLUMN ")
		w.printQuotedName(column)
	case d.name == "duckdb" || d.name == "postgres":
		w.appendText(" ALTER COLUMN ")
		w.printQuotedName(column)
		w.appendText(" TYPE")
	default:
		return ""
	}
	w.appendText(" BIGINT")
	return string(w.buf)
}

// CreateIndex prints the statement that makes an index over columns of a table.
func CreateIndex(name sqlexpr.Name, table TableName, columns []string, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("CREATE INDEX ")
	if d.name == "sqlite" { // where the index has the schema, and the table is in it
		w.printTableName(append(append(TableName{}, table[:len(table)-1]...), name))
		table = table[len(table)-1:]
	} else {
		w.printName(name)
	}
	w.appendText(" ON ")
	w.printTableName(table)
	w.appendText(" (")
	w.printQuotedNames(columns)
	w.appendByte(')')
	return string(w.buf)
}

func (w *writer) printQuotedNames(names []string) {
	for i, name := range names {
		if i > 0 {
			w.appendText(", ")
		}
		w.printQuotedName(name)
	}
}

// GrantSelect prints the statement that lets a role read a table. A role of the MySQL family may have a host, as in reader@localhost.
func GrantSelect(table TableName, role string, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("GRANT SELECT ON ")
	w.printTableName(table)
	w.appendText(" TO ")
	at := strings.LastIndexByte(role, '@')
	if d.isMySQLFamily() && at >= 0 {
		w.printQuotedName(role[:at])
		w.appendByte('@')
		role = role[at+1:]
	}
	w.printQuotedName(role)
	return string(w.buf)
}

// InsertSelect prints the statement that adds the rows of a SELECT of the dialect to a table.
func InsertSelect(table TableName, columns []string, selected string, d *Dialect) string {
	w := newTableWriter(d, len(selected))
	w.printInsertInto(table, columns)
	w.appendText(selected)
	return string(w.buf)
}

func (w *writer) printInsertInto(table TableName, columns []string) {
	w.appendText("INSERT INTO ")
	w.printTableName(table)
	w.appendText(" (")
	w.printQuotedNames(columns)
	w.appendText(") ")
}

// InsertRow prints the statement that adds a row of expressions to a table. Count is a table whose number of rows is the value of the last column,
// which has no expression.
func InsertRow(table TableName, columns []string, row []sqlexpr.Expr, count TableName, d *Dialect) (string, error) {
	w := newTableWriter(d, 0)
	w.printInsertInto(table, columns)
	w.appendText("SELECT ")
	for _, e := range row {
		w.printExpr(e, precAny)
		w.appendText(", ")
	}
	w.appendText("COUNT(*) FROM ")
	w.printTableName(count)
	return w.finish()
}

// DeleteRows prints the statement that removes the rows of a table that meet a condition over its columns.
func DeleteRows(table TableName, cond sqlexpr.Expr, d *Dialect) (string, error) {
	w := newTableWriter(d, 0)
	w.appendText("DELETE FROM ")
	w.printTableName(table)
	w.appendText(" WHERE ")
	w.printExpr(cond, precAny)
	return w.finish()
}

// UpdateRows prints the statement that sets columns of the rows of a table that meet a condition.
func UpdateRows(table TableName, columns []string, values []sqlexpr.Expr, cond sqlexpr.Expr, d *Dialect) (string, error) {
	w := newTableWriter(d, 0)
	w.appendText("UPDATE ")
	w.printTableName(table)
	w.appendText(" SET ")
	for i, name := range columns {
		if i > 0 {
			w.appendText(", ")
		}
		w.printQuotedName(name)
		w.appendText(" = ")
		w.printExpr(values[i], precAny)
	}
	w.appendText(" WHERE ")
	w.printExpr(cond, precAny)
	return w.finish()
}

// SelectValues prints the statement that reads expressions over the columns of a table, or over none where the name is empty.
func SelectValues(values []sqlexpr.Expr, table TableName, cond sqlexpr.Expr, d *Dialect) (string, error) {
	w := newTableWriter(d, 0)
	w.appendText("SELECT ")
	for i, e := range values {
		if i > 0 {
			w.appendText(", ")
		}
		w.printExpr(e, precAny)
		w.appendText(" AS ")
		w.printQuotedName("c" + strconv.Itoa(i))
	}
	if len(table) > 0 {
		w.appendText(" FROM ")
		w.printTableName(table)
	}
	if cond != nil {
		w.appendText(" WHERE ")
		w.printExpr(cond, precAny)
	}
	return w.finish()
}

func (w *writer) finish() (string, error) {
	if w.shouldStopPrinting() {
		return "", w.err
	}
	return string(w.buf), nil
}

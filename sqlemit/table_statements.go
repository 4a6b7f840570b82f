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
	w.appendText(d.tables.engine)
	w.appendText(" AS")
	w.printClauseSpace()
	w.appendText(selected)
	return string(w.buf)
}

// CreateSchema prints the statement that makes a schema.
func CreateSchema(name sqlexpr.Name, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("CREATE SCHEMA ")
	w.printName(name)
	return string(w.buf)
}

// ReplaceTableAs prints the statement of SwapReplace, which makes a table with the rows of a SELECT of the dialect in the place of another one, if any.
func ReplaceTableAs(table TableName, selected string, d *Dialect) string {
	w := newTableWriter(d, len(selected))
	w.appendText("CREATE OR REPLACE TABLE ")
	w.printTableName(table)
	w.appendText(d.tables.replaced)
	w.appendText(" AS ")
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
		w.appendText([...]string{ColumnText: d.tables.text, ColumnInteger: d.tables.integer, ColumnTimestamp: d.tables.timestamp}[c.Type])
	}
	w.appendByte(')')
	w.appendText(d.tables.engine)
	return string(w.buf)
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

// RenameTables prints the statement of SwapTogether and SwapExchange that renames tables, all of them or none; each is followed by its new name.
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

// ExchangeTables prints the statement of SwapExchange that gives two tables the name of the other one.
func ExchangeTables(a, b TableName, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("EXCHANGE TABLES ")
	w.printTableName(a)
	w.appendText(" AND ")
	w.printTableName(b)
	return string(w.buf)
}

// ChangeColumnToInteger prints the statement that stores the values of a column as integers of 64 bits; "" where the dialect has none.
func ChangeColumnToInteger(table TableName, column string, d *Dialect) string {
	style := d.tables.toInteger
	if style == (literalAffixes{}) {
		return ""
	}
	w := newTableWriter(d, 0)
	w.appendText("ALTER TABLE ")
	w.printTableName(table)
	w.appendText(style.prefix)
	w.printQuotedName(column)
	w.appendText(style.suffix)
	return string(w.buf)
}

// CreateIndex prints the statement that makes an index over columns of a table.
func CreateIndex(name sqlexpr.Name, table TableName, columns []string, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText("CREATE INDEX ")
	if d.tables.indexInSchema {
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

// GrantSelect prints the statement that lets a role read a table. A role of the MySQL family may have a host, as in reader@localhost. One of BigQuery
// has its kind, as in user:ada@example.com.
func GrantSelect(table TableName, role string, d *Dialect) string {
	w := newTableWriter(d, 0)
	w.appendText(d.tables.grant.before)
	w.printTableName(table)
	w.appendText(d.tables.grant.to)
	d.tables.grant.role(w, role)
	return string(w.buf)
}

func printRoleWithHost(w *writer, role string) {
	if at := strings.LastIndexByte(role, '@'); at >= 0 {
		w.printQuotedName(role[:at])
		w.appendByte('@')
		role = role[at+1:]
	}
	w.printQuotedName(role)
}

func (w *writer) printRoleName(role string) { w.printName(sqlexpr.Name{Text: role}) }

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

// SelectComparedTexts prints the statement that reads texts as a column of a SELECT of the dialect compares them: those that are equal once, in the order
// of the column. The SELECT itself adds no row.
func SelectComparedTexts(selected, column string, texts []string, d *Dialect) (string, error) {
	w := newTableWriter(d, len(selected))
	w.appendText("SELECT ")
	w.printQuotedName(column)
	w.appendText(" FROM (SELECT ")
	w.printQuotedName(column)
	w.appendText(" FROM (")
	w.appendText(selected)
	w.appendText(") AS selected WHERE 1 = 0")
	for _, text := range texts {
		w.appendText(" UNION ALL SELECT ")
		w.printExpr(&sqlexpr.String{Value: text}, precAny)
	}
	w.appendText(") AS compared GROUP BY ")
	w.printQuotedName(column)
	w.appendText(" ORDER BY ")
	w.printQuotedName(column)
	return w.finish()
}

func (w *writer) finish() (string, error) {
	if w.shouldStopPrinting() {
		return "", w.err
	}
	return string(w.buf), nil
}

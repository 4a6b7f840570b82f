package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// CreateTableAs prints the statement that makes a table with the rows of a SELECT of the dialect.
func CreateTableAs(table sqlexpr.DatasetTableOrQuery, selected string, d *Dialect, opt FormatOptions) string {
	w := &writer{d: d, pretty: opt.Pretty, buf: make([]byte, 0, len(selected)+256)}
	w.appendText("CREATE TABLE ")
	w.printTableName(table.Table)
	w.appendText(d.tableEngine)
	w.appendText(" AS")
	w.printClauseSpace()
	w.appendText(selected)
	return string(w.buf)
}

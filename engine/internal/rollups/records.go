package rollups

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// controlTable records how the tables of rollups were built, in a row for each.
const controlTable = "semlayer_rollups"

// The columns of the control table.
const (
	controlName       = "name"
	controlDefinition = "definition"
	controlAsOf       = "as_of"
	controlFullAsOf   = "full_as_of"
	controlBuiltAt    = "built_at"
	controlRowCount   = "row_count"
	controlCut        = "cut"
	controlFreshness  = "freshness"
)

var controlColumns = []sqlemit.TableColumn{
	{Name: controlName, Type: sqlemit.ColumnText}, {Name: controlDefinition, Type: sqlemit.ColumnText},
	{Name: controlAsOf, Type: sqlemit.ColumnTimestamp}, {Name: controlFullAsOf, Type: sqlemit.ColumnTimestamp}, {Name: controlBuiltAt, Type: sqlemit.ColumnTimestamp},
	{Name: controlRowCount, Type: sqlemit.ColumnInteger}, {Name: controlCut, Type: sqlemit.ColumnTimestamp}, {Name: controlFreshness, Type: sqlemit.ColumnText},
}

// Record is a row of the control table, without the number of rows. Times that are zero are not known.
type Record struct {
	Definition                   string
	AsOf, FullAsOf, BuiltAt, Cut time.Time
	Freshness                    string
}

// readRecordColumns are the columns that a Record is read from, in order.
var readRecordColumns = []string{controlDefinition, controlAsOf, controlFullAsOf, controlBuiltAt, controlCut, controlFreshness}

// NewRecord reads a row of readRecordColumns.
func NewRecord(row []*string) Record {
	text := func(i int) string {
		if i >= len(row) || row[i] == nil {
			return ""
		}
		return *row[i]
	}
	return Record{Definition: text(0), AsOf: ParseTime(text(1)), FullAsOf: ParseTime(text(2)), BuiltAt: ParseTime(text(3)), Cut: ParseTime(text(4)), Freshness: text(5)}
}

// ControlQuery returns the statement that reads all records: the columns of a record, and the name of the rollup.
func ControlQuery(control sqlemit.TableName, d *sqlemit.Dialect) (string, error) {
	return sqlemit.SelectValues(append(recordColumns(), newColumn(controlName)), control, nil, d)
}

// ControlQueryTypes returns the types of the columns of ControlQuery.
func ControlQueryTypes() []sqlexpr.Type {
	at := sqlexpr.TypeTimestamp
	return []sqlexpr.Type{sqlexpr.TypeString, at, at, at, at, sqlexpr.TypeString, sqlexpr.TypeString}
}

// recordColumns are the columns of readRecordColumns in a statement over the control table.
func recordColumns() []sqlexpr.Expr {
	columns := make([]sqlexpr.Expr, len(readRecordColumns), len(readRecordColumns)+1)
	for i, name := range readRecordColumns {
		columns[i] = newColumn(name)
	}
	return columns
}

// ControlTable returns the control table of a connection.
func ControlTable(t *plan.RollupTarget) sqlemit.TableName {
	return t.Table(sqlexpr.DatasetTableOrQuery{Table: sqlemit.TableName{{Text: controlTable}}}).Table
}

// newColumn returns a column in a statement over one table.
func newColumn(name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: true}}}
}

// isRollupRow returns the condition for the row of a rollup.
func isRollupRow(r *catalog.Rollup) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: newColumn(controlName), R: &sqlexpr.String{Value: r.Name}}
}

// newTimeValue returns a time as a constant; NULL for zero.
func newTimeValue(t time.Time) sqlexpr.Expr {
	if t.IsZero() {
		return &sqlexpr.Cast{X: &sqlexpr.Null{}, To: sqlexpr.TypeName{Type: sqlexpr.TypeTimestamp}} // the type of a bare NULL may be another
	}
	return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: t.UTC().Format("2006-01-02 15:04:05.999999")}
}

// replaceRecordStatements returns the statements that replace the row of a rollup, whose rows are those of a table. Outside of a transaction the new row
// comes first: until the other one is gone, a reader finds one of the two, and what it records is true of the table.
func replaceRecordStatements(control sqlemit.TableName, r *catalog.Rollup, x Record, table sqlemit.TableName, d *sqlemit.Dialect) ([]string, error) {
	remove, err := sqlemit.DeleteRows(control, isRollupRow(r), d)
	if err != nil {
		return nil, err
	}
	isOther := &sqlexpr.Binary{Op: sqlexpr.OpNe, L: newColumn(controlAsOf), R: newTimeValue(x.AsOf)}
	removeOthers, err := sqlemit.DeleteRows(control, &sqlexpr.Binary{Op: sqlexpr.OpAnd, L: isRollupRow(r), R: isOther}, d)
	if err != nil {
		return nil, err
	}
	add, err := sqlemit.InsertRow(control,
		[]string{controlName, controlDefinition, controlAsOf, controlFullAsOf, controlBuiltAt, controlCut, controlFreshness, controlRowCount},
		[]sqlexpr.Expr{
			&sqlexpr.String{Value: r.Name}, &sqlexpr.String{Value: x.Definition}, newTimeValue(x.AsOf), newTimeValue(x.FullAsOf), newTimeValue(x.BuiltAt), newTimeValue(x.Cut),
			&sqlexpr.String{Value: x.Freshness},
		}, table, d)
	if d.TableWriting().Begin == "" {
		return []string{add, removeOthers}, err
	}
	return []string{remove, add}, err
}

// ParseTime reads a timestamp, which is in UTC where it does not name another offset; zero for any other text.
func ParseTime(text string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999Z07", "2006-01-02 15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	return time.Time{}
}

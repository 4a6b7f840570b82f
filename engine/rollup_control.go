package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// rollupControlTable records how the tables of rollups were built, in a row for each.
const rollupControlTable = "semlayer_rollups"

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

var rollupControlColumns = []sqlemit.TableColumn{
	{Name: controlName, Type: sqlemit.ColumnText}, {Name: controlDefinition, Type: sqlemit.ColumnText},
	{Name: controlAsOf, Type: sqlemit.ColumnTimestamp}, {Name: controlFullAsOf, Type: sqlemit.ColumnTimestamp}, {Name: controlBuiltAt, Type: sqlemit.ColumnTimestamp},
	{Name: controlRowCount, Type: sqlemit.ColumnInteger}, {Name: controlCut, Type: sqlemit.ColumnTimestamp}, {Name: controlFreshness, Type: sqlemit.ColumnText},
}

// rollupRecord is a row of the control table, without the number of rows. Times that are zero are not known.
type rollupRecord struct {
	definition                   string
	asOf, fullAsOf, builtAt, cut time.Time
	freshness                    string
}

// readRecordColumns are the columns that a rollupRecord is read from, in order.
var readRecordColumns = []string{controlDefinition, controlAsOf, controlFullAsOf, controlBuiltAt, controlCut, controlFreshness}

// newRollupRecord reads a row of readRecordColumns.
func newRollupRecord(row []*string) rollupRecord {
	text := func(i int) string {
		if i >= len(row) || row[i] == nil {
			return ""
		}
		return *row[i]
	}
	return rollupRecord{definition: text(0), asOf: parseAsOf(text(1)), fullAsOf: parseAsOf(text(2)), builtAt: parseAsOf(text(3)), cut: parseAsOf(text(4)), freshness: text(5)}
}

// rollupControlQuery returns the statement that reads the control table of a connection; "" where the connection has none.
func (e *Engine) rollupControlQuery(t compileTarget) string {
	to := e.rollupTarget(t)
	if !to.Recorded || t.dialect == nil {
		return ""
	}
	columns := make([]sqlexpr.Expr, len(readRecordColumns)+1)
	for i, name := range readRecordColumns {
		columns[i] = newControlColumn(name)
	}
	columns[len(readRecordColumns)] = newControlColumn(controlName)
	sql, err := sqlemit.SelectValues(columns, controlTableOf(to), nil, t.dialect)
	if err != nil {
		return ""
	}
	return sql
}

// controlTableOf returns the control table of a connection.
func controlTableOf(t *plan.RollupTarget) sqlemit.TableName {
	return t.Table(sqlexpr.DatasetTableOrQuery{Table: sqlemit.TableName{{Text: rollupControlTable}}}).Table
}

// askRollupControl reads the control table.
func (e *Engine) askRollupControl(ctx context.Context, t compileTarget, sql string) (rollupState, error) {
	c := &compiledQuery{target: t, sql: sql}
	for i := range len(readRecordColumns) + 1 {
		c.columns = append(c.columns, planner.OutputColumn{Name: "c" + strconv.Itoa(i), Type: sqlexpr.TypeString})
	}
	for _, i := range []int{1, 2, 3, 4} {
		c.columns[i].Type = sqlexpr.TypeTimestamp
	}
	result, err := e.runStatement(ctx, c, e.config.MaxAnswerBytes)
	if err != nil {
		return rollupState{}, err
	}
	var rows []map[string]*string
	if err := json.Unmarshal(result.Rows, &rows); err != nil {
		return rollupState{}, err
	}
	out := rollupState{records: map[string]rollupRecord{}}
	for _, r := range rows {
		row := make([]*string, len(c.columns))
		for i, column := range c.columns {
			row[i] = r[column.Name]
		}
		if name := row[len(readRecordColumns)]; name != nil {
			out.records[*name] = newRollupRecord(row)
		}
	}
	return out, nil
}

// definitionOf returns whether the table of a rollup was built by the definition of the model.
func (e *Engine) definitionOf(name string, x rollupRecord, t compileTarget) string {
	switch x.definition {
	case "":
		return describe.RollupDefinitionUnknown
	case e.definitions.of(name, t):
		return describe.RollupDefinitionCurrent
	}
	return describe.RollupDefinitionChanged
}

// newControlColumn returns a column of the control table, in a statement over that table alone.
func newControlColumn(name string) sqlexpr.Expr { return newTableColumn(name) }

// newTableColumn returns a column in a statement over one table.
func newTableColumn(name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: true}}}
}

// isRollupRow returns the condition for the row of a rollup.
func isRollupRow(r *catalog.Rollup) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: newControlColumn(controlName), R: &sqlexpr.String{Value: r.Name}}
}

// newTimeValue returns a time as a constant; NULL for zero.
func newTimeValue(t time.Time) sqlexpr.Expr {
	if t.IsZero() {
		return &sqlexpr.Null{}
	}
	return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: t.UTC().Format("2006-01-02 15:04:05.999999")}
}

// replaceRecordStatements returns the statements that replace the row of a rollup, whose rows are those of a table.
func replaceRecordStatements(control sqlemit.TableName, r *catalog.Rollup, x rollupRecord, table sqlemit.TableName, d *sqlemit.Dialect) ([]string, error) {
	remove, err := sqlemit.DeleteRows(control, isRollupRow(r), d)
	if err != nil {
		return nil, err
	}
	add, err := sqlemit.InsertRow(control,
		[]string{controlName, controlDefinition, controlAsOf, controlFullAsOf, controlBuiltAt, controlCut, controlFreshness, controlRowCount},
		[]sqlexpr.Expr{
			&sqlexpr.String{Value: r.Name}, &sqlexpr.String{Value: x.definition}, newTimeValue(x.asOf), newTimeValue(x.fullAsOf), newTimeValue(x.builtAt), newTimeValue(x.cut),
			&sqlexpr.String{Value: x.freshness},
		}, table, d)
	return []string{remove, add}, err
}

// The names of tables while one is built: that of the table, shortened, with what it is for and eight hexadecimal digits. The first five are the hours
// of the warehouse's clock, so that the name of a table that is left over has its age; the others are random.
const (
	rollupNewMark = "__new"
	rollupOldMark = "__old"
	rollupIndex   = "__ix"
	// maxRollupStem bounds the part of a name that comes from that of the table, so that every engine keeps the whole.
	maxRollupStem = 40
	leftOverHours = 24
)

func hoursOf(t time.Time) int64 { return t.Unix() / int64(time.Hour/time.Second) }

// newBuildName returns the name of a table of a build.
func newBuildName(of sqlexpr.Name, mark string, at time.Time) sqlexpr.Name {
	return sqlexpr.Name{Text: rollupStem(of) + mark + fmt.Sprintf("%05x%03x", hoursOf(at)&0xFFFFF, rand.IntN(0x1000)), Quoted: of.Quoted}
}

// newIndexName returns the name of an index of a build. It stays as long as the table does.
func newIndexName(of sqlexpr.Name) sqlexpr.Name {
	return sqlexpr.Name{Text: rollupStem(of) + rollupIndex + fmt.Sprintf("%08x", rand.Uint32()), Quoted: of.Quoted}
}

func rollupStem(of sqlexpr.Name) string {
	cut := len(of.Text)
	if cut > maxRollupStem {
		for cut = maxRollupStem; cut > 0 && of.Text[cut]&0xC0 == 0x80; cut-- { // inside of a letter
		}
	}
	return of.Text[:cut]
}

// isLeftOver reports whether a name is that of a table of a build that ended more than a day ago.
func isLeftOver(name string, of sqlexpr.Name, now time.Time) bool {
	stem := rollupStem(of)
	if len(name) != len(stem)+len(rollupNewMark)+8 || !strings.EqualFold(name[:len(stem)], stem) {
		return false
	}
	rest := strings.ToLower(name[len(stem):])
	if !strings.HasPrefix(rest, rollupNewMark) && !strings.HasPrefix(rest, rollupOldMark) {
		return false
	}
	hours, err := strconv.ParseInt(rest[len(rollupNewMark):len(rollupNewMark)+5], 16, 64)
	return err == nil && hoursOf(now)-hours > leftOverHours
}

package querysql

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// DetailStatements returns the statements of a query for the rows of a dataset, whose columns are those of its plan by position; none
// where SQL cannot say it.
func (m Model) DetailStatements(q *query.DetailQuery, columns []planner.OutputColumn) []Statement {
	d := m.Catalog.Dataset(q.From)
	plain := len(q.With)+len(q.Sequences)+len(q.Params)+len(q.Removed) == 0 && q.Saved == "" && q.View == "" && q.AsOf == "" && m.isDefaultClock(q.TimeZone, q.WeekStart)
	if d == nil || !plain {
		return nil
	}
	names := datasetColumnNames{m: m, dataset: d}
	from := func() string { return quoteName(d.Name) }
	out := []Statement{
		m.writeDetailSelect("rows", q, columns, names, false, from),
		m.writeDetailSelect("rows derived", q, columns, names, false, func() string { return "(SELECT * FROM " + from() + `) AS "t"` }),
		m.writeDetailSelect("rows with parameters", q, columns, names, true, from),
	}
	if out[0].SQL == "" {
		joined := joinedNames{names, newJoinBuilder(d)}
		out = append(out, m.writeDetailSelect("rows of joins", q, columns, joined, false, joined.joins.text.String))
	}
	return slices.DeleteFunc(out, func(s Statement) bool { return s.SQL == "" })
}

// writeDetailSelect writes a query over a relation; from is asked last, when all names are known.
func (m Model) writeDetailSelect(form string, q *query.DetailQuery, columns []planner.OutputColumn, names sqlNames, bind bool, from func() string) Statement {
	w := &statementPartWriter{Model: m, names: names, bind: bind}
	var items, where []string
	for _, text := range q.Fields {
		field, grain, _ := strings.Cut(text, ":")
		if w.failed = w.failed || field == "*"; !w.failed {
			items = append(items, w.bucketSQL(w.fieldSQL(m.qualifyWithRoot(q.From, field)), grain))
		}
	}
	if w.failed || len(items) != len(columns) {
		return Statement{}
	}
	if q.TimeRange != nil {
		where = w.timeRangeConditions(q.TimeRange, m.qualifyWithRoot(q.From, q.TimeRange.Dimension))
	}
	if q.WhereSQL != "" {
		for _, conjunct := range sqlexpr.SplitConjuncts(w.parseExpression(q.WhereSQL)) {
			where = append(where, "("+w.expressionSQL(conjunct, func(path []string) string {
				if len(path) == 1 {
					return w.fieldSQL(m.qualifyWithRoot(q.From, path[0]))
				}
				return ""
			})+")")
		}
	}
	sql := "SELECT " + strings.Join(items, ", ") + " FROM " + from()
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	var order []int
	var desc []bool
	for _, o := range q.OrderBy {
		at := slices.IndexFunc(columns, func(c planner.OutputColumn) bool { return strings.EqualFold(c.Name, o.Key) })
		w.failed = w.failed || at < 0
		order, desc = append(order, at), append(desc, o.Desc)
	}
	sql += w.orderAndLimitSQL(order, desc, q.Limit, q.Offset)
	if w.failed {
		return Statement{}
	}
	return Statement{Form: form, SQL: sql, Params: w.params}
}

// qualifyWithRoot returns a bare name as a field of the root where the root has it.
func (m Model) qualifyWithRoot(root, text string) string {
	if d := m.Catalog.Dataset(root); !strings.Contains(text, ".") && d.Field(text) != nil {
		return d.Name + "." + d.Field(text).Name
	}
	return text
}

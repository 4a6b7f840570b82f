package detail

import (
	"context"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The values of a field are those of the rows of its dataset:
//
//	rows ──where_sql, like──► Aggregate by value compute count ──► Sort ──► Offset ──► Limit
//	rows ──where_sql──► Aggregate compute min, max

// The columns of the statements.
const (
	columnNameOfValue      = "value"
	columnNameOfValueCount = "count"
	columnNameOfMin        = "min"
	columnNameOfMax        = "max"
)

// ValueQueriesOfOneField are the statements that read the values of a field.
type ValueQueriesOfOneField struct {
	Field *catalog.Field
	// Values has the columns value and count, the most frequent first, and one row more than the query requests.
	Values *plan.PlannedQuery
	// Bounds has one row with the columns min and max of all rows; nil for a type without an order of sizes, and
	// where the query has a text that the values contain.
	Bounds *plan.PlannedQuery
	// Frequent has the most frequent values, with or without the text; nil where the query has no such text.
	Frequent *plan.PlannedQuery
}

// PlanValues plans the statements of a query of values; frequent is how many values the last of them has. Errors are as
// of metric.Plan.
func PlanValues(ctx context.Context, cat *catalog.Catalog, q *query.ValuesQuery, frequent int64, t plan.Target) (*ValueQueriesOfOneField, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := resolveValuesField(cat, q.Field, t)
	if err != nil {
		t.Uses.AddDimension(q.Field)
		return nil, err
	}
	t.Uses.AddDimension(f.QualifiedName())
	withoutDefaults := false // what a view leaves out by default is still a value
	rows := &query.DetailQuery{From: f.Dataset.Name, WhereSQL: q.WhereSQL, Defaults: &withoutDefaults}
	src := newQueryWithRoot(ctx, cat, rows, StatementConditionsAndLimit{}, f.Dataset, t)
	shown := projectedField{text: f.QualifiedName(), ref: resolve.Ref{Field: f}, name: columnNameOfValue, typ: f.Type}
	where, err := src.resolveWhere()
	if err != nil {
		return nil, err
	}
	if where, err = src.withViewConditions(where); err != nil {
		return nil, err
	}
	bound, err := src.bindParams([]projectedField{shown}, where)
	if err != nil {
		return nil, err
	}
	a := &resolvedQuery{rooted: src, fields: []projectedField{shown}, where: where}
	routes, err := a.findRoutes()
	if err != nil {
		return nil, err
	}
	v := &valuesPlanner{a, routes, lod.NewTables(src.in, bound)}
	out := &ValueQueriesOfOneField{Field: f}
	if out.Values, err = v.planValuesPage(q.Like, q.Offset, q.Limit+1); err != nil {
		return nil, err
	}
	if q.Like != "" {
		out.Frequent, err = v.planValuesPage("", 0, frequent)
	} else if f.Encoding != nil || hasMinAndMax(f.Type) {
		out.Bounds, err = v.planMinAndMax()
	}
	return out, err
}

// hasMinAndMax reports whether the least and the greatest value of a type mean something.
func hasMinAndMax(t sqlexpr.Type) bool {
	switch t {
	case sqlexpr.TypeDate, sqlexpr.TypeTimestamp, sqlexpr.TypeTimestampTZ, sqlexpr.TypeInt, sqlexpr.TypeDecimal, sqlexpr.TypeFloat:
		return true
	}
	return false
}

// resolveValuesField finds the field that a reference names, as group_by does. The path of a role leads to a field of
// its target, whose values are all those of the target.
func resolveValuesField(cat *catalog.Catalog, text string, t plan.Target) (*catalog.Field, error) {
	parts, err := resolve.SplitPath(text)
	if err != nil {
		return nil, &planerr.Error{
			Code: planerr.CodeUnknownDimension, Message: planerr.ClipText(text) + " is not a field reference", Candidates: nearestGroupableFields(cat, text, t),
		}
	}
	names := &resolve.Resolver{Cat: cat, Homes: cat.Datasets}
	ref, err := names.Resolve(parts)
	if err != nil {
		return nil, err
	}
	f := ref.Field
	if f.IsNoDimension() {
		return nil, &planerr.Error{
			Code: planerr.CodeUnknownDimension, Message: f.QualifiedName() + " is declared not to be a dimension", Candidates: nearestGroupableFields(cat, text, t),
		}
	}
	if err := f.ErrorForDialect(t.Dialect); err != nil {
		return nil, err
	}
	return f, nil
}

// nearestGroupableFields lists the groupable fields nearest to a name.
func nearestGroupableFields(cat *catalog.Catalog, near string, t plan.Target) []string {
	var names []string
	for f := range cat.AllFields() {
		if f.ErrorForDialect(t.Dialect) == nil && !f.IsNoDimension() {
			names = append(names, f.QualifiedName())
		}
	}
	return suggest.Nearest(near, names, resolve.MaxCandidates)
}

// valuesPlanner plans statements over the same rows.
type valuesPlanner struct {
	query  *resolvedQuery
	routes []joinpath.Route
	tables joins.Tables
}

// planInputRows returns the rows that the query admits, and the expression that reads the field. With a text, only rows whose
// value contains it are among them.
func (v *valuesPlanner) planInputRows(like string) (plan.Node, sqlexpr.Expr, error) {
	r := fieldReader{v.query.rooted.root, joins.New(v.query.rooted.cat, v.query.rooted.in.Target.Dialect, v.query.rooted.in.Target.Caps, v.query.rooted.root, v.tables), v.routes}
	value, err := r.readRef(v.query.fields[0].ref)
	if err != nil {
		return nil, nil, err
	}
	value = joins.TruncateDateFieldToDay(value, v.query.fields[0].ref.Field)
	filters, err := v.query.rowFilters(r)
	if err != nil {
		return nil, nil, err
	}
	if like != "" {
		filters = append(filters, rowFilter{"like", []sqlexpr.Expr{newContainsCondition(value, v.query.fields[0].typ, like)}})
	}
	from, err := r.tree.Plan()
	if err != nil {
		return nil, nil, err
	}
	for _, f := range filters {
		from = &plan.Filter{Input: from, Conds: f.conds, Why: f.why}
	}
	return from, value, nil
}

// newContainsCondition returns the condition that a value as text contains a text, ignoring case. The engine lowers both, so that
// its own rules decide which letters are the same. The text is a constant and not a pattern.
func newContainsCondition(value sqlexpr.Expr, typ sqlexpr.Type, text string) sqlexpr.Expr {
	if typ != sqlexpr.TypeString {
		value = &sqlexpr.Cast{X: value, To: sqlexpr.TypeName{Type: sqlexpr.TypeString, Name: "VARCHAR"}}
	}
	lower := func(e sqlexpr.Expr) sqlexpr.Expr {
		return newFunctionCall(sqlexpr.FnLower, e)
	}
	return newFunctionCall(sqlexpr.FnContains, lower(value), lower(&sqlexpr.String{Value: text}))
}

func newFunctionCall(fn sqlexpr.Func, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: sqlexpr.InfoOfFunction(fn).Name}, Args: args}
}

// planValuesPage returns a page of the values with their counts.
func (v *valuesPlanner) planValuesPage(like string, offset, limit int64) (*plan.PlannedQuery, error) {
	from, value, err := v.planInputRows(like)
	if err != nil {
		return nil, err
	}
	typ := v.query.fields[0].typ
	var root plan.Node = &plan.Aggregate{
		Input: from, Home: v.query.rooted.root.Name, Why: strings.TrimSpace("values of " + v.query.fields[0].text),
		Keys:     []plan.NamedExpr{{Name: columnNameOfValue, Expr: value, Type: typ}},
		Measures: []plan.NamedExpr{{Name: columnNameOfValueCount, Expr: &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}, Type: sqlexpr.TypeInt}},
	}
	root = &plan.Sort{Input: root, Keys: []plan.SortKey{{Col: 1, Desc: true, NotNull: true}, {Col: 0}}}
	if offset > 0 {
		root = &plan.Offset{Input: root, N: offset}
	}
	return v.newTwoColumnPlan(&plan.Limit{Input: root, N: limit}, typ, columnNameOfValue, sqlexpr.TypeInt, columnNameOfValueCount), nil
}

// planMinAndMax returns the least and the greatest value.
func (v *valuesPlanner) planMinAndMax() (*plan.PlannedQuery, error) {
	from, value, err := v.planInputRows("")
	if err != nil {
		return nil, err
	}
	typ := v.query.fields[0].typ
	root := &plan.Aggregate{
		Input: from, Home: v.query.rooted.root.Name, Why: "bounds of " + v.query.fields[0].text,
		Measures: []plan.NamedExpr{
			{Name: columnNameOfMin, Expr: newFunctionCall(sqlexpr.FnMin, value), Type: typ},
			{Name: columnNameOfMax, Expr: newFunctionCall(sqlexpr.FnMax, value), Type: typ},
		},
	}
	return v.newTwoColumnPlan(root, typ, columnNameOfMin, typ, columnNameOfMax), nil
}

// newTwoColumnPlan returns a statement of two columns.
func (v *valuesPlanner) newTwoColumnPlan(root plan.Node, firstType sqlexpr.Type, first string, secondType sqlexpr.Type, second string) *plan.PlannedQuery {
	return &plan.PlannedQuery{
		Root:    ranked.ReplaceMissingAggregates(root, &v.query.rooted.in.Target.Caps),
		Columns: []plan.OutputColumn{{Name: first, Type: firstType}, {Name: second, Type: secondType}},
	}
}

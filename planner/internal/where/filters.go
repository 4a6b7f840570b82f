package where

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// WhereSQLKey is the key of the condition that may name result columns.
const WhereSQLKey = "where_sql"

// Conditions are the conditions of a query, each where it applies.
type Conditions struct {
	Refs       resolve.Refs // what sqlexpr.Ref{ID ≥ 0} means in a condition
	Population []Conjunct   // conjuncts of context_filter
	Input      []Conjunct   // conjuncts of where_sql over input rows
	Result     []sqlexpr.Expr
	// ReadsNow: a condition depends on the time from which relative ranges count.
	ReadsNow bool
}

// Conjunct is one conjunct over fields: sqlexpr.Ref{ID: index into predicates.refs}. In a query
// with distinct, Ref{ID < 0} is the group -(ID+1).
type Conjunct struct {
	Text  string // as the query writes it
	Expr  sqlexpr.Expr
	Refs  []int
	Range *AxisRange // nil where the conjunct filters the input of all branches
	// WhereReached: the conjunct acts on the rows of branches that lead to its fields, and not on others.
	WhereReached bool
	Filter       string // of filters of a view; "" for any other conjunct
	// Member is the subquery among whose rows the value of expr, one reference, is; nil for a condition.
	Member *members.InCondition
}

// AxisRange is the interval of a time axis whose buckets a conjunct keeps.
type AxisRange struct {
	Axis     *catalog.Field
	Interval timerange.Interval
}

// IsOver reports whether the range is there, and bounds the buckets of an axis.
func (a *AxisRange) IsOver(axis *catalog.Field) bool { return a != nil && a.Axis == axis }

// conjunct is one AND-ed part of a condition with its names resolved: in expr,
// sqlexpr.Ref{ID ≥ 0} is a field (index into the references) and Ref{ID < 0} is
// the result column -(ID+1).
type conjunct struct {
	text    string
	expr    sqlexpr.Expr
	fields  []int
	columns []int
	filter  string // of filters of a view; "" for any other
}

// filterReader resolves the conditions of a query. It numbers the references of all of
// them as it meets them.
type filterReader struct {
	in      *scope.Env
	sel     scope.Selection
	groups  []scope.Group
	columns []measure.Column
	refs    resolve.Refs
}

// ResolveFilters parses both conditions and decides for each conjunct whether
// it filters input rows or result rows.
func ResolveFilters(in *scope.Env, sel scope.Selection, groups []scope.Group, cols measure.Expansion) (Conditions, error) {
	if err := in.ContextError(); err != nil {
		return Conditions{}, err
	}
	if in.Keys.ContextFilter == "" && in.Keys.WhereSQL == "" && len(in.Members) == 0 && in.View == nil {
		return Conditions{}, nil
	}
	f := filterReader{in: in, sel: sel, groups: groups, columns: cols.Columns}
	var out Conditions
	var err error
	if out.Population, f.refs, err = f.viewWhere(); err != nil {
		return out, err
	}
	context, err := f.parseConjuncts("context_filter", in.Keys.ContextFilter)
	if err != nil {
		return out, err
	}
	for _, c := range context {
		out.Population = append(out.Population, Conjunct{Expr: c.expr, Refs: c.fields})
	}
	where, err := f.parseConjuncts(WhereSQLKey, in.Keys.WhereSQL)
	if err != nil {
		return out, err
	}
	filters, refs, err := f.viewFilters(slices.Concat(context, where)...)
	if err != nil {
		return out, err
	}
	where, f.refs = append(where, filters...), refs
	if out.Input, err = f.resolveSubqueryConditions(); err != nil {
		return out, err
	}
	if in.Query.Distinct {
		for _, c := range where {
			out.Input = append(out.Input, Conjunct{Expr: c.expr, Refs: c.fields, WhereReached: c.filter != "", Filter: c.filter})
		}
		out.Refs = f.refs
		return out, nil
	}
	times := newTimeConditionReader(&f, cols.MeasureRefs)
	for _, c := range where {
		switch {
		case len(c.columns) == 0:
			out = times.withConjunct(out, c)
		case f.areAllGrouped(c.fields):
			out.Result = append(out.Result, f.rewriteOverResult(c.expr))
		default:
			return out, f.unsupportedPredicateError(c)
		}
	}
	out.Refs = f.refs
	return out, nil
}

// rewriteOverResult returns a condition over the columns of the result.
func (f *filterReader) rewriteOverResult(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		switch {
		case r.ID < 0:
			return &sqlexpr.Ref{Position: r.Position, ID: -r.ID - 1}
		default:
			return &sqlexpr.Ref{Position: r.Position, ID: f.groupCarryingRef(r.ID)}
		}
	})
}

// groupCarryingRef finds the group that carries a field's stored value; -1 when none does.
func (f *filterReader) groupCarryingRef(ref int) int {
	return slices.IndexFunc(f.groups, func(g scope.Group) bool {
		return g.IsFieldNotExpression() && g.HasStoredValue() && g.Ref.IsSame(f.refs[ref])
	})
}

func (f *filterReader) areAllGrouped(refs []int) bool {
	return !slices.ContainsFunc(refs, func(r int) bool { return f.groupCarryingRef(r) < 0 })
}

// parseConjuncts parses a condition, checks it against the rules for text from
// outside, and resolves its names.
func (f *filterReader) parseConjuncts(key, text string) ([]conjunct, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	root, err := resolve.ParseCondition(key, text)
	if err != nil {
		return nil, err
	}
	if f.in.Keys.AsOf != "" {
		root = f.in.Times.ResolveNow(root)
	}
	var out []conjunct
	for _, e := range sqlexpr.SplitConjuncts(root) {
		c, err := f.resolveColumnsOfCondition(e, key, root)
		if err != nil {
			return nil, err
		}
		if f.mayNameComputedTexts() {
			if err := resolve.CheckTextFunctionCost(key, c.expr, f.estimateTextBytesOfName); err != nil {
				return nil, err
			}
		}
		if c.expr, err = coerce.CoerceCondition(key, c.expr, f.typeOfName, f.in.Target.Caps.ZonesApart); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// resolveColumnsOfCondition replaces every column of a conjunct by what it names. The conjunct is
// a part of condition, which is the query's key.
func (f *filterReader) resolveColumnsOfCondition(e sqlexpr.Expr, key string, condition sqlexpr.Expr) (conjunct, error) {
	c := conjunct{text: sqlexpr.Format(e)}
	results := key == WhereSQLKey
	isResult := func(name string) bool { return results && f.findResultColumn(name) >= 0 }
	var failed error
	c.expr = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		r, err := f.resolveName(col, results)
		switch {
		case err != nil:
			f.in.Target.Uses.AddFiltered(sqlexpr.FormatPath(resolve.NameTexts(col.Path)...))
			failed = f.sel.Names.SuggestConditionRetry(err, col, key, condition, isResult)
			return x
		case r.ID < 0:
			c.columns = append(c.columns, -r.ID-1)
			if i := -r.ID - 1; f.in.Target.Uses != nil && i < len(f.groups) && f.groups[i].IsFieldNotExpression() {
				f.in.Target.Uses.AddFiltered(f.groups[i].Ref.Field.QualifiedName())
			}
		default:
			c.fields = append(c.fields, r.ID)
			if uses := f.in.Target.Uses; uses != nil {
				uses.AddFiltered(f.refs[r.ID].Field.QualifiedName())
			}
		}
		return r
	})
	return c, failed
}

func (f *filterReader) resolveName(col *sqlexpr.Column, results bool) (*sqlexpr.Ref, error) {
	parts := resolve.NameTexts(col.Path)
	if len(parts) == 1 {
		if r, err := f.resolveResultName(parts[0], results); r != nil || err != nil {
			return r, err
		}
	}
	ref, err := f.sel.Names.Resolve(parts)
	if err != nil {
		return nil, err
	}
	if ref.Field.Encoding != nil {
		return nil, EncodedFieldInFilterError(ref)
	}
	return &sqlexpr.Ref{Position: col.Position, ID: f.refs.IndexOrAdd(ref)}, nil
}

// resolveResultName resolves a bare name as a result column. It returns nil when the
// name is to be read as a field.
func (f *filterReader) resolveResultName(name string, results bool) (*sqlexpr.Ref, error) {
	if results {
		if i := f.findResultColumn(name); i >= 0 {
			return &sqlexpr.Ref{ID: -i - 1}, nil
		}
	}
	m := f.in.Cat.Metric(name)
	if m == nil {
		return nil, nil
	}
	if slices.Contains(f.sel.Metrics, m) && results {
		return nil, f.severalMetricColumnsError(m)
	}
	if len(f.in.Cat.FieldsNamed(name)) > 0 {
		return nil, nil
	}
	if !results {
		return nil, metricInContextFilterError(m)
	}
	return nil, f.unselectedMetricError(m)
}

// findResultColumn finds a result column by name: a metric column, or a group-by
// whose column is not a plain field name (order_date__month, origin__city).
func (f *filterReader) findResultColumn(name string) int {
	for i, col := range f.columns {
		if strings.EqualFold(col.Name, name) {
			return len(f.groups) + i
		}
	}
	for i, g := range f.groups {
		if strings.EqualFold(g.Name, name) && (g.HasGivenName() || g.IsRemainder || g.OnAxis || !g.HasStoredValue() || len(g.Ref.Prefix) > 0) {
			return i
		}
	}
	return -1
}

// mayNameComputedTexts reports whether a condition may name what a text of the query makes.
func (f *filterReader) mayNameComputedTexts() bool {
	return f.in.Cat.IsExtendedForQuery() || slices.ContainsFunc(f.groups, func(g scope.Group) bool { return g.Expression != nil })
}

// estimateTextBytesOfName estimates the bytes of a resolved name as text: 0 for what the query does not make.
func (f *filterReader) estimateTextBytesOfName(e sqlexpr.Expr) int {
	r, ok := e.(*sqlexpr.Ref)
	switch {
	case !ok:
		return 0
	case r.ID >= 0:
		return f.refs[r.ID].Field.TextBytes
	case -r.ID-1 < len(f.groups):
		return f.groups[-r.ID-1].EstimatedValueTextBytes()
	case -r.ID-1-len(f.groups) < len(f.columns):
		return f.columns[-r.ID-1-len(f.groups)].Metric.TextBytes
	}
	return 0
}

// typeOfName returns the type of a resolved name: a field, or a result column.
func (f *filterReader) typeOfName(e sqlexpr.Expr) sqlexpr.Type {
	r, ok := e.(*sqlexpr.Ref)
	switch {
	case !ok:
		return sqlexpr.TypeUnknown
	case r.ID >= 0:
		return f.refs[r.ID].Field.Type
	case -r.ID-1 < len(f.groups):
		return f.groups[-r.ID-1].Type
	default:
		return f.columns[-r.ID-1-len(f.groups)].Typ
	}
}

package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/resolve"
)

// WhereKey is the key of the condition that may name result columns.
const WhereKey = "where_sql"

// predicates are the conditions of a query, each where it applies.
type predicates struct {
	refs       resolve.Refs // what sqlexpr.Ref{ID ≥ 0} means in a condition
	population []predicate  // conjuncts of context_filter
	input      []predicate  // conjuncts of where_sql over input rows
	result     []sqlexpr.Expr
}

// predicate is one conjunct over fields: sqlexpr.Ref{ID: index into predicates.refs}.
type predicate struct {
	expr sqlexpr.Expr
	refs []int
}

// conjunct is one AND-ed part of a condition with its names resolved: in expr,
// sqlexpr.Ref{ID ≥ 0} is a field (index into the references) and Ref{ID < 0} is
// the result column -(ID+1).
type conjunct struct {
	text    string
	expr    sqlexpr.Expr
	fields  []int
	columns []int
}

// filterReader resolves the conditions of a query. It numbers the references of all of
// them as it meets them.
type filterReader struct {
	in      *Env
	sel     Selection
	groups  []Group
	columns []column
	refs    resolve.Refs
}

// resolveFilters parses both conditions and decides for each conjunct whether
// it filters input rows or result rows.
func resolveFilters(in *Env, sel Selection, groups []Group, cols Expansion) (predicates, error) {
	if err := in.contextError(); err != nil {
		return predicates{}, err
	}
	if in.Query.ContextFilter == "" && in.Query.WhereSQL == "" {
		return predicates{}, nil
	}
	f := filterReader{in: in, sel: sel, groups: groups, columns: cols.columns}
	var out predicates
	context, err := f.conjuncts("context_filter", in.Query.ContextFilter)
	if err != nil {
		return out, err
	}
	for _, c := range context {
		out.population = append(out.population, predicate{expr: c.expr, refs: c.fields})
	}
	where, err := f.conjuncts(WhereKey, in.Query.WhereSQL)
	if err != nil {
		return out, err
	}
	windowed := slices.ContainsFunc(cols.measureRefs, func(u *MeasureRef) bool { return u.window != nil })
	for _, c := range where {
		switch {
		case len(c.columns) == 0 && (!windowed || len(c.fields) == 0 || !f.allGrouped(c.fields)):
			out.input = append(out.input, predicate{expr: c.expr, refs: c.fields})
		case f.allGrouped(c.fields):
			out.result = append(out.result, f.bindToResult(c.expr))
		default:
			return out, f.unsupportedPredicateError(c)
		}
	}
	out.refs = f.refs
	return out, nil
}

// bindToResult is a condition over the columns of the result.
func (f *filterReader) bindToResult(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		switch {
		case !ok:
			return nil
		case r.ID < 0:
			return &sqlexpr.Ref{At: r.At, ID: -r.ID - 1}
		default:
			return &sqlexpr.Ref{At: r.At, ID: f.groupOf(r.ID)}
		}
	})
}

// groupOf finds the group that carries a field's stored value; -1 when none does.
func (f *filterReader) groupOf(ref int) int {
	return slices.IndexFunc(f.groups, func(g Group) bool {
		return !g.OnAxis && g.isRaw() && g.Ref.IsSame(f.refs[ref])
	})
}

func (f *filterReader) allGrouped(refs []int) bool {
	return !slices.ContainsFunc(refs, func(r int) bool { return f.groupOf(r) < 0 })
}

// conjuncts parses a condition, checks it against the rules for text from
// outside, and resolves its names.
func (f *filterReader) conjuncts(key, text string) ([]conjunct, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	root, err := resolve.ParseCondition(key, text)
	if err != nil {
		return nil, err
	}
	var out []conjunct
	for _, e := range sqlexpr.Conjuncts(root) {
		c, err := f.resolveNames(e, key, root)
		if err != nil {
			return nil, err
		}
		if c.expr, err = coerce.Condition(key, c.expr, f.leafType, f.in.Target.Caps.ZonesApart); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// resolveNames replaces every column of a conjunct by what it names. The conjunct is
// a part of condition, which is the query's key.
func (f *filterReader) resolveNames(e sqlexpr.Expr, key string, condition sqlexpr.Expr) (conjunct, error) {
	c := conjunct{text: sqlexpr.Format(e)}
	results := key == WhereKey
	isResult := func(name string) bool { return results && f.resultColumn(name) >= 0 }
	var failed error
	c.expr = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		r, err := f.resolveName(col, results)
		switch {
		case err != nil:
			failed = f.sel.names.SuggestSingleQuotes(err, col, key, condition, isResult)
			return x
		case r.ID < 0:
			c.columns = append(c.columns, -r.ID-1)
		default:
			c.fields = append(c.fields, r.ID)
		}
		return r
	})
	return c, failed
}

func (f *filterReader) resolveName(col *sqlexpr.Column, results bool) (*sqlexpr.Ref, error) {
	parts := resolve.Parts(col.Path)
	if len(parts) == 1 {
		if r, err := f.resultName(parts[0], results); r != nil || err != nil {
			return r, err
		}
	}
	ref, err := f.sel.names.Resolve(parts)
	if err != nil {
		return nil, err
	}
	if ref.Field.Encoding != nil {
		return nil, EncodedFilterError(ref)
	}
	return &sqlexpr.Ref{At: col.At, ID: f.refs.Index(ref)}, nil
}

// resultName resolves a bare name as a result column. It returns nil when the
// name is to be read as a field.
func (f *filterReader) resultName(name string, results bool) (*sqlexpr.Ref, error) {
	if results {
		if i := f.resultColumn(name); i >= 0 {
			return &sqlexpr.Ref{ID: -i - 1}, nil
		}
	}
	m := f.in.Cat.Metric(name)
	if m == nil {
		return nil, nil
	}
	if slices.Contains(f.sel.Metrics, m) && results {
		return nil, f.severalColumnsError(m)
	}
	if len(f.in.Cat.FieldsNamed(name)) > 0 {
		return nil, nil
	}
	if !results {
		return nil, metricInContextError(m)
	}
	return nil, f.unselectedMetricError(m)
}

// resultColumn finds a result column by name: a metric column, or a group-by
// whose column is not a plain field name (order_date__month, origin__city).
func (f *filterReader) resultColumn(name string) int {
	for i, col := range f.columns {
		if strings.EqualFold(col.name, name) {
			return len(f.groups) + i
		}
	}
	for i, g := range f.groups {
		if strings.EqualFold(g.Name, name) && (g.isNamed() || g.OnAxis || !g.isRaw() || len(g.Ref.Prefix) > 0) {
			return i
		}
	}
	return -1
}

// leafType is the type of a resolved name: a field, or a result column.
func (f *filterReader) leafType(e sqlexpr.Expr) sqlexpr.Type {
	r, ok := e.(*sqlexpr.Ref)
	switch {
	case !ok:
		return sqlexpr.TypeUnknown
	case r.ID >= 0:
		return f.refs[r.ID].Field.Type
	case -r.ID-1 < len(f.groups):
		return f.groups[-r.ID-1].Type
	default:
		return f.columns[-r.ID-1-len(f.groups)].typ
	}
}

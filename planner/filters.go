package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// whereKey is the key of the condition that may name result columns.
const whereKey = "where_sql"

// conjunct is one AND-ed part of a condition with its names resolved: in expr,
// sqlexpr.Ref{ID ≥ 0} is a field (index into build.refs) and Ref{ID < 0} is
// the result column -(ID+1).
type conjunct struct {
	text    string
	expr    sqlexpr.Expr
	fields  []int
	columns []int
}

// resolveFilters parses both conditions and decides for each conjunct whether
// it filters input rows or result rows.
func (b *build) resolveFilters() error {
	context, err := b.conjuncts("context_filter", b.q.ContextFilter)
	if err != nil {
		return err
	}
	for _, c := range context {
		b.context = append(b.context, cond{expr: c.expr, refs: c.fields})
	}
	where, err := b.conjuncts(whereKey, b.q.WhereSQL)
	if err != nil {
		return err
	}
	for _, c := range where {
		if err := b.placeConjunct(c); err != nil {
			return err
		}
	}
	return nil
}

// placeConjunct puts a conjunct of where_sql before or after aggregation.
func (b *build) placeConjunct(c conjunct) error {
	onlyFields := len(c.columns) == 0
	if onlyFields && !(b.hasWindow() && len(c.fields) > 0 && b.allGrouped(c.fields)) {
		b.input = append(b.input, cond{expr: c.expr, refs: c.fields})
		return nil
	}
	if !b.allGrouped(c.fields) {
		if err := b.crossLayer(c); err != nil {
			return err
		}
		return b.unprojected(c)
	}
	b.result = append(b.result, sqlexpr.Rewrite(c.expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		switch {
		case !ok:
			return nil
		case r.ID < 0:
			return &sqlexpr.Ref{At: r.At, ID: -r.ID - 1}
		default:
			return &sqlexpr.Ref{At: r.At, ID: b.groupOf(r.ID)}
		}
	}))
	return nil
}

func (b *build) hasWindow() bool {
	for _, u := range b.uses {
		if u.window != nil {
			return true
		}
	}
	return false
}

// groupOf finds the group that carries a field's stored value; -1 when none does.
func (b *build) groupOf(ref int) int {
	return slices.IndexFunc(b.groups, func(g group) bool {
		return !g.metricTime && g.raw() && g.ref.Same(b.refs[ref])
	})
}

func (b *build) allGrouped(refs []int) bool {
	return !slices.ContainsFunc(refs, func(r int) bool { return b.groupOf(r) < 0 })
}

// unprojected is the error of a conjunct that mixes a metric with a field that
// the result does not carry.
func (b *build) unprojected(c conjunct) error {
	var missing []string
	groups := slices.Clone(b.q.GroupBy)
	for _, r := range c.fields {
		if name := b.refs[r].String(); b.groupOf(r) < 0 && !slices.Contains(missing, name) {
			missing = append(missing, name)
			groups = append(groups, b.refItem(r))
		}
	}
	return &planerr.Error{
		Code: planerr.CodeResultFilterUnprojected,
		Message: "the condition " + c.text + " compares result columns with " + strings.Join(missing, ", ") +
			", which the query does not group by; group by it, or split the condition with AND",
		Fragment: map[string]any{"group_by": groups},
	}
}

// conjuncts parses a condition, checks it against the rules for text from
// outside, and resolves its names.
func (b *build) conjuncts(key, text string) ([]conjunct, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	root, err := scope.ParseCondition(key, text)
	if err != nil {
		return nil, err
	}
	var out []conjunct
	for _, e := range sqlexpr.Conjuncts(root) {
		c := conjunct{text: sqlexpr.Format(e)}
		if c.expr, err = b.resolveNames(e, key, root, &c); err != nil {
			return nil, err
		}
		if c.expr, err = coerce.Condition(key, c.expr, b.leafType, b.target.Caps.ZonesApart); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// resolveNames replaces every column of a conjunct by what it names. The conjunct is
// a part of condition, which is the query's key.
func (b *build) resolveNames(e sqlexpr.Expr, key string, condition sqlexpr.Expr, c *conjunct) (sqlexpr.Expr, error) {
	results := key == whereKey
	isResult := func(name string) bool { return results && b.resultColumn(name) >= 0 }
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		r, err := b.resolveName(col, results, c)
		if err != nil {
			failed = b.res.SuggestSingleQuotes(err, col, key, condition, isResult)
			return x
		}
		return r
	})
	return out, failed
}

func (b *build) resolveName(col *sqlexpr.Column, results bool, c *conjunct) (sqlexpr.Expr, error) {
	parts := scope.Parts(col.Path)
	if len(parts) == 1 {
		if r, err := b.resultName(parts[0], results, c); r != nil || err != nil {
			return r, err
		}
	}
	ref, err := b.res.Resolve(parts)
	if err != nil {
		return nil, err
	}
	if ref.Field.Encoding != nil {
		return nil, encodedInFilter(ref)
	}
	id := b.refID(ref)
	c.fields = append(c.fields, id)
	return &sqlexpr.Ref{At: col.At, ID: id}, nil
}

// encodedInFilter refuses a column whose stored code is not what it means.
func encodedInFilter(ref scope.Ref) error {
	return &planerr.Error{
		Code:           planerr.CodeUnsupportedFilter,
		Message:        ref.String() + " stores time as " + ref.Field.Encoding.Text + " codes, which a condition would compare as they are stored",
		SuggestedRetry: "use time_range with dimension " + ref.String(),
	}
}

// refID numbers a reference for use in conditions.
func (b *build) refID(ref scope.Ref) int {
	for i, r := range b.refs {
		if r.Same(ref) {
			return i
		}
	}
	b.refs = append(b.refs, ref)
	return len(b.refs) - 1
}

// resultName resolves a bare name as a result column. It returns nil when the
// name is to be read as a field.
func (b *build) resultName(name string, results bool, c *conjunct) (sqlexpr.Expr, error) {
	if results {
		if i := b.resultColumn(name); i >= 0 {
			c.columns = append(c.columns, i)
			return &sqlexpr.Ref{ID: -i - 1}, nil
		}
	}
	m := b.cat.Metric(name)
	if m == nil {
		return nil, nil
	}
	if slices.Contains(b.metrics, m) && results {
		return nil, b.expandedName(m)
	}
	if len(b.cat.FieldsNamed(name)) > 0 {
		return nil, nil
	}
	if !results {
		return nil, b.metricInContext(m)
	}
	return nil, b.notSelected(m)
}

// resultColumn finds a result column by name: a metric column, or a group-by
// whose column is no plain field name (order_date__month, origin__city).
func (b *build) resultColumn(name string) int {
	for i, col := range b.columns {
		if strings.EqualFold(col.name, name) {
			return len(b.groups) + i
		}
	}
	for i, g := range b.groups {
		if strings.EqualFold(g.name, name) && (g.metricTime || !g.raw() || len(g.ref.Prefix) > 0) {
			return i
		}
	}
	return -1
}

// expandedName is the error of a metric whose columns carry a tag or a
// parameter value in their names.
func (b *build) expandedName(m *catalog.Metric) error {
	var names []string
	for _, col := range b.columns {
		if col.metric == m {
			names = append(names, col.name)
		}
	}
	return &planerr.Error{
		Code:       planerr.CodeUnsupportedFilter,
		Message:    m.Name + " has several result columns here; name the one that is meant",
		Metrics:    []string{m.Name},
		Candidates: names[:min(len(names), scope.MaxCandidates)],
	}
}

func (b *build) metricInContext(m *catalog.Metric) error {
	return &planerr.Error{
		Code:           planerr.CodeUnsupportedFilter,
		Message:        "context_filter is applied before aggregation, so it cannot name the metric " + m.Name,
		Metrics:        []string{m.Name},
		SuggestedRetry: "put the condition on " + m.Name + " into where_sql and select the metric",
	}
}

func (b *build) notSelected(m *catalog.Metric) error {
	selected := make([]string, len(b.metrics))
	for i, s := range b.metrics {
		selected[i] = s.Name
	}
	return &planerr.Error{
		Code:       planerr.CodeResultFilterMetricNotSelected,
		Message:    "where_sql names the metric " + m.Name + ", which the query does not select",
		Metrics:    []string{m.Name},
		Candidates: suggest.Nearest(m.Name, selected, scope.MaxCandidates),
		Fragment:   map[string]any{"metrics": append(slices.Clone(b.q.Metrics), m.Name)},
	}
}

// refItem is the group-by item that groups by a reference.
func (b *build) refItem(ref int) query.GroupBy { return query.GroupBy{Field: b.refs[ref].String()} }

// leafType is the type of a resolved name: a field, or a result column.
func (b *build) leafType(e sqlexpr.Expr) sqlexpr.Type {
	r, ok := e.(*sqlexpr.Ref)
	switch {
	case !ok:
		return sqlexpr.TypeUnknown
	case r.ID >= 0:
		return b.refs[r.ID].Field.Type
	case -r.ID-1 < len(b.groups):
		return b.groups[-r.ID-1].typ
	default:
		return b.columns[-r.ID-1-len(b.groups)].typ
	}
}

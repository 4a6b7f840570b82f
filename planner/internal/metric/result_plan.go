package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// resultPlanner plans what happens to the matched branches of a query.
type resultPlanner struct{ q *resolvedQuery }

// assembleResult computes the result columns and adds what applies to results.
func assembleResult(q *resolvedQuery, in *CombinedBranches) (*plan.PlannedQuery, error) {
	a := resultPlanner{q}
	ranges, err := where.DescribeRelativeRanges(a.q.in)
	if err != nil {
		return nil, err
	}
	approximate := approximateColumnNames(a.q.in, a.q.cols)
	out := &plan.PlannedQuery{
		Columns:  a.outputColumns(in, approximate),
		Warnings: slices.Concat(nonAdditiveWindowWarnings(a.q.cols), approximateWarning(a.q.cols, approximate), a.oncePerGroupWarning(in)), ResolvedRanges: ranges,
	}
	if a.q.levels.HasTotals() {
		out.Level = rollup.Column
	}
	root := a.planResultRows(in)
	if conds := a.resultConditions(); len(conds) > 0 {
		root = &plan.Filter{Input: root, Conds: conds, Why: "result"}
	}
	keys, err := a.sortKeys()
	if err != nil {
		return nil, err
	}
	if q := a.q.in.Query; a.q.levels.HasTotals() && (q.Limit != nil || q.Offset > 0) {
		root = a.limitFirstLevel(root, keys)
	}
	if len(keys) > 0 {
		root = &plan.Sort{Input: root, Keys: keys}
	}
	if offset := a.q.in.Query.Offset; offset > 0 && !a.q.levels.HasTotals() {
		root = &plan.Offset{Input: root, N: offset}
	}
	if a.q.in.Query.Limit != nil {
		limit := *a.q.in.Query.Limit
		if !a.q.levels.HasTotals() {
			root = &plan.Limit{Input: root, N: limit}
		}
		out.Limit = &limit
	}
	out.Root = ranked.ReplaceMissingAggregates(root, a.q.in.Target.Caps)
	return out, nil
}

// projectColumns computes the result columns from the combined branches.
func (a resultPlanner) projectColumns(in *CombinedBranches) *plan.Project {
	cols := make([]plan.NamedExpr, 0, len(a.q.groups)+len(a.q.cols.Columns)+1) // with the level
	refs := make([]sqlexpr.Ref, len(a.q.groups))
	for i, g := range a.q.groups {
		refs[i].ID = i
		cols = append(cols, plan.NamedExpr{Name: g.Name, Expr: &refs[i], Type: in.keys[i].Type})
	}
	for _, c := range a.q.cols.Columns {
		if c.Expr == nil {
			continue
		}
		e := resultExpr(c, in, a.q.compare)
		if a.q.gapFill.FillsColumn(c, a.q.cols.MeasureRefs) && !a.q.gapFill.NeedsFilledMarker(a.q.cols) {
			e = a.q.gapFill.FillNullValue(e, in.filledRowCondition())
		}
		cols = append(cols, plan.NamedExpr{Name: c.Name, Type: c.Typ, Expr: e})
	}
	if a.q.gapFill.NeedsFilledMarker(a.q.cols) {
		cols = append(cols, a.q.gapFill.FilledMarkerColumn(in.filledRowCondition(), cols))
	}
	if a.q.levels.HasSeveralLevels() {
		level := naming.Unused(rollup.Column, func(name string) bool {
			return slices.ContainsFunc(cols, func(c plan.NamedExpr) bool { return strings.EqualFold(c.Name, name) })
		})
		cols = append(cols, plan.NamedExpr{Name: level, Expr: &sqlexpr.Ref{ID: len(a.q.groups)}, Type: sqlexpr.TypeInt})
	}
	return &plan.Project{Input: in.Node, Cols: cols}
}

func (a resultPlanner) outputColumns(in *CombinedBranches, approximate map[string]bool) []plan.OutputColumn {
	out := make([]plan.OutputColumn, 0, len(a.q.groups)+len(a.q.cols.Columns)+1)
	for i, g := range a.q.groups {
		out = append(out, plan.OutputColumn{Name: g.Name, Type: in.keys[i].Type})
	}
	for _, c := range a.q.cols.Columns {
		out = append(out, plan.OutputColumn{Name: c.Name, Metric: c.Metric.Name, Params: c.Params, TimeRange: c.Tag, Kind: c.Kind, Type: c.Typ, Approximate: approximate[c.Name]})
	}
	if a.q.levels.HasTotals() {
		out = append(out, plan.OutputColumn{Name: rollup.Column, Type: sqlexpr.TypeInt})
	}
	return out
}

// sortKeys returns the level, where the result shows several, and the requested keys followed by the group-bys not among them, so
// that equal keys, a limit and an offset leave nothing to chance. Without order_by,
// limit and offset the order is free.
func (a resultPlanner) sortKeys() ([]plan.SortKey, error) {
	var keys []plan.SortKey
	has := func(col int) bool {
		return slices.ContainsFunc(keys, func(k plan.SortKey) bool { return k.Col == col })
	}
	if a.q.levels.HasTotals() {
		keys = append(keys, plan.SortKey{Col: a.levelColumnIndex(), NotNull: true})
	}
	for _, o := range a.q.in.Query.OrderBy {
		col, err := a.findOrderColumn(o)
		if err != nil {
			return nil, err
		}
		if !has(col) {
			keys = append(keys, plan.SortKey{Col: col, Desc: o.Desc, NullsFirst: o.NullsFirst})
		}
	}
	if q := a.q.in.Query; len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == 0 {
		return nil, nil
	}
	for i := range a.q.groups {
		if !has(i) {
			keys = append(keys, plan.SortKey{Col: i})
		}
	}
	return keys, nil
}

// findOrderColumn finds the output column that an order key names.
func (a resultPlanner) findOrderColumn(o query.OrderBy) (int, error) {
	names := a.outputNames()
	if i := slices.Index(names, o.Key); i >= 0 {
		return i, nil
	}
	meant, hasDirection := o.WithDirectionOfKey()
	isColumn := hasDirection && slices.Contains(names, meant.Key)
	if m := a.q.in.Cat.Metric(meant.Key); m != nil && slices.Contains(a.q.sel.Metrics, m) && !isColumn {
		return 0, a.multiColumnOrderKeyError(m, o)
	}
	nearest := suggest.Nearest(meant.Key, names, resolve.MaxCandidates)
	e := &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    "order_by names " + o.Key + ", which is not a column of this result",
		Candidates: nearest,
	}
	if isColumn {
		e.Message += "; the direction is the key desc"
		e.Fragment = map[string]any{"order_by": ReplaceOrderKey(a.q.in.Query.OrderBy, o, meant.Key)}
	} else if g := scope.IndexOfGroupSpelledAs(a.q.groups, meant.Key); g >= 0 {
		e.Fragment = map[string]any{"order_by": ReplaceOrderKey(a.q.in.Query.OrderBy, o, a.q.groups[g].Name)}
	} else if len(nearest) > 0 {
		e.Fragment = map[string]any{"order_by": ReplaceOrderKey(a.q.in.Query.OrderBy, o, nearest[0])}
	}
	return 0, e
}

func (a resultPlanner) outputNames() []string {
	names := make([]string, 0, len(a.q.groups)+len(a.q.cols.Columns))
	for _, g := range a.q.groups {
		names = append(names, g.Name)
	}
	for _, c := range a.q.cols.Columns {
		names = append(names, c.Name)
	}
	return names
}

// multiColumnOrderKeyError returns the error of ordering by a metric that has several
// columns.
func (a resultPlanner) multiColumnOrderKeyError(m *catalog.Metric, o query.OrderBy) error {
	names := measure.ValueColumnNamesOfMetric(a.q.cols.Columns, m)
	return &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    m.Name + " has several columns here; order by one of them",
		Metrics:    []string{m.Name},
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
		Fragment:   map[string]any{"order_by": ReplaceOrderKey(a.q.in.Query.OrderBy, o, names[0])},
	}
}

// ReplaceOrderKey returns the orders with another key in place of one that is unknown. A direction that the unknown key
// holds becomes that of its order.
func ReplaceOrderKey(orders []query.OrderBy, old query.OrderBy, key string) []query.OrderBy {
	out := slices.Clone(orders)
	for i, o := range out {
		if o == old {
			out[i], _ = o.WithDirectionOfKey()
			out[i].Key = key
		}
	}
	return out
}

package refine

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// resultPlanner plans what happens to the matched branches of a query.
type resultPlanner struct{ q *branch.Query }

// Plan computes the result columns and adds what applies to results.
func Plan(q *branch.Query, in *combine.Combined) (*plan.PlannedQuery, error) {
	a := resultPlanner{q}
	ranges, err := where.DescribeRelativeRanges(a.q.In)
	if err != nil {
		return nil, err
	}
	approximate := approximateColumnNames(a.q.In, a.q.Cols)
	out := &plan.PlannedQuery{
		Columns:  a.outputColumns(in, approximate),
		Warnings: slices.Concat(nonAdditiveWindowWarnings(a.q.Cols), attributePartitionWarning(q), approximateWarning(a.q.Cols, approximate), a.oncePerGroupWarning(in), a.conditionLimitsWindowsWarnings()), ResolvedRanges: ranges,
		ReadsNow: a.q.Conds.ReadsNow, Rollups: a.q.In.Rollups.Report(),
	}
	if err := a.q.In.Rollups.Check(a.q.In.Query); err != nil {
		return nil, err
	}
	if a.q.Levels.HasTotals() {
		out.Level = levels.Column
	}
	out.ResolvedCompare = resolvedComparisons(q)
	out.Count = planRowCount(a, in)
	keys, err := a.sortKeys()
	if err != nil {
		return nil, err
	}
	if a.q.In.Query.Limit != nil {
		limit := *a.q.In.Query.Limit
		out.Limit = &limit
	}
	out.Root = a.planResultRows(in)
	for _, pass := range rowPasses {
		out.Root = pass.run(a, out.Root, keys)
	}
	return out, nil
}

// resolvedComparisons describes the earlier ranges of compare, where a response has them: not those of whole periods of a calendar, whose
// days only the warehouse has.
func resolvedComparisons(a *branch.Query) []plan.ResolvedCompare {
	q := a.In.Query
	if !q.Compare.HasResolvedRanges() {
		return nil
	}
	var out []plan.ResolvedCompare
	for i, c := range q.Compare {
		if c.Offset != nil && a.In.Cat.Period(c.Offset.Unit) != nil {
			continue
		}
		earlier := a.In.Times.NewResolvedTimeRange("", "", a.Ranges[measure.FirstPreviousRangeIndex+i].Interval)
		out = append(out, plan.ResolvedCompare{Name: c.Name, Start: earlier.Start, End: earlier.End})
	}
	return out
}

// filterResult keeps the rows that meet the conditions on the result.
func filterResult(a resultPlanner, rows plan.Node) plan.Node {
	if conds := a.resultConditions(); len(conds) > 0 {
		return &plan.Filter{Input: rows, Conds: conds, Why: "result"}
	}
	return rows
}

// ProjectColumns computes the result columns of a query from its combined branches.
func ProjectColumns(q *branch.Query, in *combine.Combined) *plan.Project {
	return resultPlanner{q}.projectColumns(in)
}

// projectColumns computes the result columns from the combined branches.
func (a resultPlanner) projectColumns(in *combine.Combined) *plan.Project {
	cols := make([]plan.NamedExpr, 0, len(a.q.Groups)+len(a.q.Cols.Columns))
	refs := make([]sqlexpr.Ref, len(a.q.Groups))
	for i := range a.q.Groups {
		refs[i].ID = i
		cols = append(cols, plan.NamedExpr{Name: a.q.Groups[i].Name, Expr: &refs[i], Type: in.Keys[i].Type})
	}
	for _, c := range a.q.Cols.Columns {
		if c.Expr == nil {
			continue
		}
		e := resultExpr(c, in, a.q.Compare)
		if a.q.GapFill.FillsColumn(c, a.q.Cols.MeasureRefs) && !a.q.GapFill.NeedsFilledMarker(a.q.Cols) {
			e = a.q.GapFill.FillNullValue(e, in.FilledRowCondition())
		}
		cols = append(cols, plan.NamedExpr{Name: c.Name, Type: c.Typ, Expr: e})
	}
	if a.q.GapFill.NeedsFilledMarker(a.q.Cols) {
		cols = append(cols, a.q.GapFill.FilledMarkerColumn(in.FilledRowCondition(), cols))
	}
	if a.q.Levels.HasSeveralLevels() {
		level := naming.Unused(levels.Column, func(name string) bool {
			return slices.ContainsFunc(cols, func(c plan.NamedExpr) bool { return strings.EqualFold(c.Name, name) })
		})
		cols = append(cols, plan.NamedExpr{Name: level, Expr: &sqlexpr.Ref{ID: len(a.q.Groups)}, Type: sqlexpr.TypeInt})
	}
	return &plan.Project{Input: in.Node, Cols: cols}
}

func (a resultPlanner) outputColumns(in *combine.Combined, approximate map[string]bool) []plan.OutputColumn {
	out := make([]plan.OutputColumn, 0, len(a.q.Groups)+len(a.q.Cols.Columns))
	for i := range a.q.Groups {
		out = append(out, plan.OutputColumn{Name: a.q.Groups[i].Name, Type: in.Keys[i].Type})
	}
	for i := range a.q.Cols.Columns {
		c := &a.q.Cols.Columns[i]
		out = append(out, plan.OutputColumn{Name: c.Name, Metric: c.Metric.Name, Params: c.Params, TimeRange: c.Tag, Kind: c.Kind, Type: c.Typ, Approximate: approximate[c.Name]})
	}
	if a.q.Levels.HasTotals() {
		out = append(out, plan.OutputColumn{Name: levels.Column, Type: sqlexpr.TypeInt})
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
	if a.q.Levels.HasTotals() {
		keys = append(keys, plan.SortKey{Col: a.levelColumnIndex(), NotNull: true})
	}
	for _, o := range a.q.In.Query.OrderBy {
		col, err := a.findOrderColumn(o)
		if err != nil {
			return nil, err
		}
		if !has(col) {
			keys = append(keys, plan.SortKey{Col: col, Desc: o.Desc, NullsFirst: o.NullsFirst})
		}
	}
	if q := a.q.In.Query; len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == 0 {
		return nil, nil
	}
	for i := range a.q.Groups {
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
	if m := a.q.In.Cat.Metric(meant.Key); m != nil && slices.Contains(a.q.Sel.Metrics, m) && !isColumn {
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
		e.Fragment = map[string]any{"order_by": retry.ReplaceOrderKey(a.q.In.Query.OrderBy, o, meant.Key)}
	} else if g := scope.IndexOfGroupSpelledAs(a.q.Groups, meant.Key); g >= 0 {
		e.Fragment = map[string]any{"order_by": retry.ReplaceOrderKey(a.q.In.Query.OrderBy, o, a.q.Groups[g].Name)}
	} else if len(nearest) > 0 {
		e.Fragment = map[string]any{"order_by": retry.ReplaceOrderKey(a.q.In.Query.OrderBy, o, nearest[0])}
	}
	return 0, e
}

func (a resultPlanner) outputNames() []string {
	names := make([]string, 0, len(a.q.Groups)+len(a.q.Cols.Columns))
	for _, g := range a.q.Groups {
		names = append(names, g.Name)
	}
	for _, c := range a.q.Cols.Columns {
		names = append(names, c.Name)
	}
	return names
}

// multiColumnOrderKeyError returns the error of ordering by a metric that has several
// columns.
func (a resultPlanner) multiColumnOrderKeyError(m *catalog.Metric, o query.OrderBy) error {
	names := measure.ValueColumnNamesOfMetric(a.q.Cols.Columns, m)
	return &planerr.Error{
		Code:       planerr.CodeUnknownOrderKey,
		Message:    m.Name + " has several columns here; order by one of them",
		Metrics:    []string{m.Name},
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
		Fragment:   map[string]any{"order_by": retry.ReplaceOrderKey(a.q.In.Query.OrderBy, o, names[0])},
	}
}

// planRowCount counts the rows of level 0 that result conditions leave; nil where the query does not ask for it. It plans the rows once
// more, because the limit of a query with totals adds positions to them.
func planRowCount(a resultPlanner, in *combine.Combined) *plan.RowCount {
	q := a.q.In.Query
	if !q.Count {
		return nil
	}
	rows := filterResult(a, a.planResultRows(in))
	if a.q.Levels.HasTotals() {
		own := levels.IsOneOf(&sqlexpr.Ref{ID: a.levelColumnIndex()}, []int{0})
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{own}, Why: "count"}
	}
	return &plan.RowCount{
		Root:     ranked.ReplaceMissingAggregates(build.CountRows(rows), &a.q.In.Target.Caps),
		IsResult: q.Limit == nil && q.Offset == 0,
	}
}

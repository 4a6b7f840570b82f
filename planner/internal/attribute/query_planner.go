package attribute

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// attributionQueryPlanner is one query of an attribution being planned: both windows in one scan,
// each number a pair of columns.
type attributionQueryPlanner struct {
	*attributionRequest
	analysis metricArithmetic
	in       *scope.Env
	sel      scope.Selection
	groups   []scope.Group
	bindings scope.Bindings
	x        *measure.Expander
	exprs    []plan.NamedExpr // over measure references
	columns  resultColumnLayout
	members  []composedMember
}

// newAttributionQueryPlanner starts a query grouped by a dimension, or by nothing.
func (f querySetBuilder) newAttributionQueryPlanner(read metricArithmetic, dimension string) (*attributionQueryPlanner, error) {
	in := f.newMetricEnv(f.newMetricQuery(dimension))
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return nil, err
	}
	groups, err := scope.ResolveGroups(in, sel)
	if err != nil {
		return nil, err
	}
	bound, err := scope.BindParams(in, sel)
	if err != nil {
		return nil, err
	}
	return &attributionQueryPlanner{
		attributionRequest: f.attributionRequest, analysis: read, in: in, sel: sel, groups: groups, bindings: bound,
		x: measure.NewExpander(in, sel, groups, bound), columns: resultColumnLayout{bucket: -1},
	}, nil
}

// addValuePair adds a number's two columns.
func (f *attributionQueryPlanner) addValuePair(value func(tag int) (sqlexpr.Expr, error), set int) (windowColumnPair, error) {
	var at [2]int
	for side := range at {
		e, err := value(windowRangeIndex(set, side))
		if err != nil {
			return windowColumnPair{}, err
		}
		at[side] = len(f.groups) + len(f.exprs)
		f.exprs = append(f.exprs, plan.NamedExpr{Expr: e, Type: f.x.TypeOf(e)})
	}
	return windowColumnPair{at[0], at[1]}, nil
}

// addMetric adds a metric's value.
func (f *attributionQueryPlanner) addMetric(m *catalog.Metric, axis *catalog.Field) (windowColumnPair, error) {
	return f.addValuePair(func(tag int) (sqlexpr.Expr, error) {
		return f.x.MetricValue(m, measure.Context{Choice: f.bindings.ChoiceOfFirstBoundValues(), Tag: tag, Axis: axis, Owner: f.metric.Name})
	}, 0)
}

// addMeasure adds one measure under a filter.
func (f *attributionQueryPlanner) addMeasure(u measure.Ref, set int) (windowColumnPair, error) {
	return f.addValuePair(func(tag int) (sqlexpr.Expr, error) {
		tagged := u
		tagged.Tag = tag
		return f.x.AddMeasureRef(tagged, f.bindings.ChoiceOfFirstBoundValues(), f.metric.Name), nil
	}, set)
}

// addMeasuresOrMetric adds what every query fetches: the measures, or the metric itself.
func (f *attributionQueryPlanner) addMeasuresOrMetric() error {
	if f.analysis.formula.Strategy == attribution.UnsupportedStrategy {
		at, err := f.addMetric(f.metric, nil)
		f.columns.value = &at
		return err
	}
	for _, l := range f.analysis.leaves {
		at, err := f.addMeasure(measure.Ref{RefKey: measure.RefKey{Measure: l.measure, Axis: l.axis}, Where: l.where}, l.set)
		if err != nil {
			return err
		}
		f.columns.leaves = append(f.columns.leaves, at)
	}
	return nil
}

// combineBranches plans the query up to where its branches meet.
func (f *attributionQueryPlanner) combineBranches() (*combine.Combined, error) {
	combined, err := metric.PlanCombinedBranches(f.in, f.sel, f.groups, f.bindings, f.x.Expansion())
	if err != nil {
		return nil, err
	}
	return combined, f.in.Rollups.Check(f.in.Query)
}

// assembleQuery puts the query together; most bounds its rows to the heaviest, 0 keeps all.
func (f *attributionQueryPlanner) assembleQuery(combined *combine.Combined, most int) *plan.PlannedQuery {
	project := &plan.Project{Input: ranked.ReplaceMissingAggregates(combined.Node, f.in.Target.Caps)}
	out := &plan.PlannedQuery{Root: project, Rollups: f.in.Rollups.Report()}
	names := naming.NewNamer()
	for i, g := range f.groups {
		project.Cols = append(project.Cols, plan.NamedExpr{Name: names.UniqueName(g.Name), Expr: &sqlexpr.Ref{ID: i}, Type: combined.Node.Schema()[i].Type})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: project.Cols[i].Name, Type: project.Cols[i].Type})
	}
	for i, c := range f.exprs {
		c.Name, c.Expr = names.UniqueName(valueColumnName(i)), combined.RewriteOverColumns(c.Expr)
		project.Cols = append(project.Cols, c)
		out.Columns = append(out.Columns, plan.OutputColumn{Name: c.Name, Metric: f.metric.Name, Type: c.Type})
	}
	if most == 0 {
		return out
	}
	sort := &plan.Sort{Input: project}
	for _, w := range f.segmentSizeExprs() {
		name := names.UniqueName("weight")
		sort.Keys = append(sort.Keys, plan.SortKey{Col: len(project.Cols), Desc: true})
		project.Cols = append(project.Cols, plan.NamedExpr{Name: name, Expr: combined.RewriteOverColumns(w), Type: sqlexpr.TypeUnknown})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: name, Type: sqlexpr.TypeUnknown})
	}
	for i := range f.groups {
		sort.Keys = append(sort.Keys, plan.SortKey{Col: i})
	}
	out.Root = &plan.Limit{Input: sort, N: int64(most) + 1}
	return out
}

// segmentSizeExprs returns what segments are kept by when there are too many, over uses: the
// combined size of what they contribute to, as attribution.Decompose has it.
func (f *attributionQueryPlanner) segmentSizeExprs() []sqlexpr.Expr {
	formula := f.analysis.formula
	switch formula.Strategy {
	case attribution.TermWiseStrategy:
		l := formula.Sum
		l.Const = 0
		return []sqlexpr.Expr{f.combinedSizeExpr(l)}
	case attribution.MixShiftStrategy:
		return []sqlexpr.Expr{f.combinedSizeExpr(formula.Num), f.combinedSizeExpr(formula.Den)}
	case attribution.FactorShapleyStrategy:
		var sum sqlexpr.Expr
		for _, l := range formula.Factors {
			sum = newAdditionExpr(sum, f.combinedSizeExpr(l))
		}
		return []sqlexpr.Expr{sum}
	}
	at := f.columns.value
	if !f.isNumericMetric() {
		return nil
	}
	return []sqlexpr.Expr{newAdditionExpr(absExpr(build.CoalesceToNumber(f.columnExpr(at.baseline), "0")), absExpr(build.CoalesceToNumber(f.columnExpr(at.current), "0")))}
}

// isNumericMetric reports whether the metric's value is a number for certain.
func (f *attributionQueryPlanner) isNumericMetric() bool {
	if t := f.exprs[0].Type; t != sqlexpr.TypeUnknown {
		return t.IsNumeric()
	}
	for _, u := range f.x.MeasureRefs() {
		if agg := u.Measure.Agg; (agg == catalog.AggMin || agg == catalog.AggMax) && !u.Measure.Type.IsNumeric() {
			return false
		}
	}
	return true
}

func (f *attributionQueryPlanner) columnExpr(col int) sqlexpr.Expr {
	return f.exprs[col-len(f.groups)].Expr
}

// combinedSizeExpr is |baseline| + |current| of a sum.
func (f *attributionQueryPlanner) combinedSizeExpr(l attribution.LinearCombination) sqlexpr.Expr {
	side := func(pick func(windowColumnPair) int) sqlexpr.Expr {
		var sum sqlexpr.Expr
		for _, t := range l.Terms {
			x := build.CoalesceToNumber(f.columnExpr(pick(f.columns.leaves[t.Leaf])), "0")
			if t.Coef != 1 {
				x = &sqlexpr.Binary{Op: sqlexpr.OpMul, L: coerce.NumberLiteral(strconv.FormatFloat(t.Coef, 'g', -1, 64)), R: x}
			}
			sum = newAdditionExpr(sum, x)
		}
		if sum == nil {
			return coerce.NumberLiteral("0")
		}
		return absExpr(sum)
	}
	return newAdditionExpr(side(func(c windowColumnPair) int { return c.baseline }), side(func(c windowColumnPair) int { return c.current }))
}

func newAdditionExpr(l, r sqlexpr.Expr) sqlexpr.Expr {
	if l == nil {
		return r
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: l, R: r}
}

func absExpr(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnAbs, Name: sqlexpr.Name{Text: "ABS"}, Args: []sqlexpr.Expr{x}}
}

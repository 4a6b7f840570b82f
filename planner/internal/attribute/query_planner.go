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
	request  *attributionRequest
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
	in := f.windows.request.newMetricEnv(f.newMetricQuery(dimension))
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
		request: f.windows.request, analysis: read, in: in, sel: sel, groups: groups, bindings: bound,
		x: measure.NewExpander(in, sel, groups, bound), columns: resultColumnLayout{bucket: -1},
	}, nil
}

// addValuePair adds a number's two columns.
func (p *attributionQueryPlanner) addValuePair(value func(tag int) (sqlexpr.Expr, error), set int) (windowColumnPair, error) {
	var at [2]int
	for side := range at {
		e, err := value(windowRangeIndex(set, side))
		if err != nil {
			return windowColumnPair{}, err
		}
		at[side] = len(p.groups) + len(p.exprs)
		p.exprs = append(p.exprs, plan.NamedExpr{Expr: e, Type: p.x.TypeOf(e)})
	}
	return windowColumnPair{at[0], at[1]}, nil
}

// addMetric adds a metric's value.
func (p *attributionQueryPlanner) addMetric(m *catalog.Metric, axis *catalog.Field) (windowColumnPair, error) {
	return p.addValuePair(func(tag int) (sqlexpr.Expr, error) {
		return p.x.MetricValue(m, measure.Context{Choice: p.bindings.ChoiceOfFirstBoundValues(), Tag: tag, Axis: axis, Owner: p.request.metric.Name})
	}, 0)
}

// addMeasure adds one measure under a filter.
func (p *attributionQueryPlanner) addMeasure(u measure.Ref, set int) (windowColumnPair, error) {
	return p.addValuePair(func(tag int) (sqlexpr.Expr, error) {
		tagged := u
		tagged.Tag = tag
		return p.x.AddMeasureRef(tagged, p.bindings.ChoiceOfFirstBoundValues(), p.request.metric.Name), nil
	}, set)
}

// addMeasuresOrMetric adds what every query fetches: the measures, or the metric itself.
func (p *attributionQueryPlanner) addMeasuresOrMetric() error {
	if p.analysis.formula.Strategy == attribution.UnsupportedStrategy {
		at, err := p.addMetric(p.request.metric, nil)
		p.columns.value = &at
		return err
	}
	for _, l := range p.analysis.leaves {
		at, err := p.addMeasure(measure.Ref{RefKey: measure.RefKey{Measure: l.measure, Axis: l.axis}, Where: l.where}, l.set)
		if err != nil {
			return err
		}
		p.columns.leaves = append(p.columns.leaves, at)
	}
	return nil
}

// combineBranches plans the query up to where its branches meet.
func (p *attributionQueryPlanner) combineBranches() (*combine.Combined, error) {
	combined, err := metric.PlanCombinedBranches(p.in, p.sel, p.groups, p.bindings, p.x.Expansion())
	if err != nil {
		return nil, err
	}
	return combined, p.in.Rollups.Check(p.in.Query)
}

// assembleQuery puts the query together; most bounds its rows to the heaviest, 0 keeps all.
func (p *attributionQueryPlanner) assembleQuery(combined *combine.Combined, most int) *plan.PlannedQuery {
	project := &plan.Project{Input: ranked.ReplaceMissingAggregates(combined.Node, &p.in.Target.Caps)}
	out := &plan.PlannedQuery{Root: project, Rollups: p.in.Rollups.Report()}
	names := naming.NewNamer()
	for i, g := range p.groups {
		project.Cols = append(project.Cols, plan.NamedExpr{Name: names.UniqueName(g.Name), Expr: &sqlexpr.Ref{ID: i}, Type: combined.Node.Schema()[i].Type})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: project.Cols[i].Name, Type: project.Cols[i].Type})
	}
	for i, c := range p.exprs {
		c.Name, c.Expr = names.UniqueName(valueColumnName(i)), combined.RewriteOverColumns(c.Expr)
		project.Cols = append(project.Cols, c)
		out.Columns = append(out.Columns, plan.OutputColumn{Name: c.Name, Metric: p.request.metric.Name, Type: c.Type})
	}
	if most == 0 {
		return out
	}
	sort := &plan.Sort{Input: project}
	for _, w := range p.segmentSizeExprs() {
		name := names.UniqueName("weight")
		sort.Keys = append(sort.Keys, plan.SortKey{Col: len(project.Cols), Desc: true})
		project.Cols = append(project.Cols, plan.NamedExpr{Name: name, Expr: combined.RewriteOverColumns(w), Type: sqlexpr.TypeUnknown})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: name, Type: sqlexpr.TypeUnknown})
	}
	for i := range p.groups {
		sort.Keys = append(sort.Keys, plan.SortKey{Col: i})
	}
	out.Root = &plan.Limit{Input: sort, N: int64(most) + 1}
	return out
}

// segmentSizeExprs returns what segments are kept by when there are too many, over uses: the
// combined size of what they contribute to, as attribution.Decompose has it.
func (p *attributionQueryPlanner) segmentSizeExprs() []sqlexpr.Expr {
	formula := p.analysis.formula
	switch formula.Strategy {
	case attribution.TermWiseStrategy:
		l := formula.Sum
		l.Const = 0
		return []sqlexpr.Expr{p.combinedSizeExpr(l)}
	case attribution.MixShiftStrategy:
		return []sqlexpr.Expr{p.combinedSizeExpr(formula.Num), p.combinedSizeExpr(formula.Den)}
	case attribution.FactorShapleyStrategy:
		var sum sqlexpr.Expr
		for _, l := range formula.Factors {
			sum = newAdditionExpr(sum, p.combinedSizeExpr(l))
		}
		return []sqlexpr.Expr{sum}
	}
	at := p.columns.value
	if !p.isNumericMetric() {
		return nil
	}
	return []sqlexpr.Expr{newAdditionExpr(absExpr(build.CoalesceToNumber(p.columnExpr(at.baseline), "0")), absExpr(build.CoalesceToNumber(p.columnExpr(at.current), "0")))}
}

// isNumericMetric reports whether the metric's value is a number for certain.
func (p *attributionQueryPlanner) isNumericMetric() bool {
	if t := p.exprs[0].Type; t != sqlexpr.TypeUnknown {
		return t.IsNumeric()
	}
	for _, u := range p.x.MeasureRefs() {
		if agg := u.Measure.Agg; (agg == catalog.AggMin || agg == catalog.AggMax) && !u.Measure.Type.IsNumeric() {
			return false
		}
	}
	return true
}

func (p *attributionQueryPlanner) columnExpr(col int) sqlexpr.Expr {
	return p.exprs[col-len(p.groups)].Expr
}

// combinedSizeExpr is |baseline| + |current| of a sum.
func (p *attributionQueryPlanner) combinedSizeExpr(l attribution.LinearCombination) sqlexpr.Expr {
	side := func(pick func(windowColumnPair) int) sqlexpr.Expr {
		var sum sqlexpr.Expr
		for _, t := range l.Terms {
			x := build.CoalesceToNumber(p.columnExpr(pick(p.columns.leaves[t.Leaf])), "0")
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

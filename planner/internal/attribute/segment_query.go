package attribute

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/plan"
)

// segmentQuery is one query of an attribution being planned: both windows in one scan,
// each number a pair of columns.
type segmentQuery struct {
	*request
	analysis analysis
	in       *metric.Env
	sel      metric.Selection
	groups   []metric.Group
	bindings metric.Bindings
	x        *metric.Expander
	exprs    []plan.NamedExpr // over measure references
	columns  columnLayout
	members  []composedMember
}

// newSegmentQuery starts a query grouped by a dimension, or by nothing.
func (f querySet) newSegmentQuery(read analysis, dimension string) (*segmentQuery, error) {
	in := f.newEnv(f.query(dimension))
	sel, err := metric.Select(in)
	if err != nil {
		return nil, err
	}
	groups, err := metric.Groups(in, sel)
	if err != nil {
		return nil, err
	}
	bound, err := metric.Bind(in, sel)
	if err != nil {
		return nil, err
	}
	return &segmentQuery{
		request: f.request, analysis: read, in: in, sel: sel, groups: groups, bindings: bound,
		x: metric.NewExpander(in, sel, groups, bound), columns: columnLayout{bucket: -1},
	}, nil
}

// addWindowPair adds a number's two columns.
func (f *segmentQuery) addWindowPair(value func(tag int) (sqlexpr.Expr, error), set int) (windowColumns, error) {
	var at [2]int
	for side := range at {
		e, err := value(windowTag(set, side))
		if err != nil {
			return windowColumns{}, err
		}
		at[side] = len(f.groups) + len(f.exprs)
		f.exprs = append(f.exprs, plan.NamedExpr{Expr: e, Type: f.x.TypeOf(e)})
	}
	return windowColumns{at[0], at[1]}, nil
}

// addMetric adds a metric's value.
func (f *segmentQuery) addMetric(m *catalog.Metric, axis *catalog.Field) (windowColumns, error) {
	return f.addWindowPair(func(tag int) (sqlexpr.Expr, error) {
		return f.x.Value(m, metric.EvalContext{Choice: f.bindings.FirstChoice(), Tag: tag, Axis: axis, Owner: f.metric.Name})
	}, 0)
}

// addMeasure adds one measure under a filter.
func (f *segmentQuery) addMeasure(u metric.MeasureRef, set int) (windowColumns, error) {
	return f.addWindowPair(func(tag int) (sqlexpr.Expr, error) {
		tagged := u
		tagged.Tag = tag
		return f.x.AddMeasureRef(tagged, f.bindings.FirstChoice(), f.metric.Name), nil
	}, set)
}

// addValues adds what every query fetches: the measures, or the metric itself.
func (f *segmentQuery) addValues() error {
	if f.analysis.formula.Strategy == attribution.Unsupported {
		at, err := f.addMetric(f.metric, nil)
		f.columns.value = &at
		return err
	}
	for _, l := range f.analysis.leaves {
		at, err := f.addMeasure(metric.MeasureRef{MeasureKey: metric.MeasureKey{Measure: l.measure, Axis: l.axis}, Where: l.where}, l.set)
		if err != nil {
			return err
		}
		f.columns.leaves = append(f.columns.leaves, at)
	}
	return nil
}

// combine plans the query up to where its branches meet.
func (f *segmentQuery) combine() (*metric.CombinedBranches, error) {
	return metric.Combine(f.in, f.sel, f.groups, f.bindings, f.x.Expansion())
}

// assemble puts the query together; most bounds its rows to the heaviest, 0 keeps all.
func (f *segmentQuery) assemble(combined *metric.CombinedBranches, most int) *plan.Planned {
	project := &plan.Project{Input: combined.Node}
	out := &plan.Planned{Root: project}
	names := metric.NewNamer()
	for i, g := range f.groups {
		project.Cols = append(project.Cols, plan.NamedExpr{Name: names.UniqueName(g.Name), Expr: &sqlexpr.Ref{ID: i}, Type: combined.Node.Schema()[i].Type})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: project.Cols[i].Name, Type: project.Cols[i].Type})
	}
	for i, c := range f.exprs {
		c.Name, c.Expr = names.UniqueName(columnName(i)), combined.Rebind(c.Expr)
		project.Cols = append(project.Cols, c)
		out.Columns = append(out.Columns, plan.OutputColumn{Name: c.Name, Metric: f.metric.Name, Type: c.Type})
	}
	if most == 0 {
		return out
	}
	sort := &plan.Sort{Input: project}
	for _, w := range f.keepWeights() {
		name := names.UniqueName("weight")
		sort.Keys = append(sort.Keys, plan.SortKey{Col: len(project.Cols), Desc: true})
		project.Cols = append(project.Cols, plan.NamedExpr{Name: name, Expr: combined.Rebind(w), Type: sqlexpr.TypeUnknown})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: name, Type: sqlexpr.TypeUnknown})
	}
	for i := range f.groups {
		sort.Keys = append(sort.Keys, plan.SortKey{Col: i})
	}
	out.Root = &plan.Limit{Input: sort, N: int64(most) + 1}
	return out
}

// keepWeights are what segments are kept by when there are too many, over uses: the
// combined size of what they contribute to, as attribution.Decompose has it.
func (f *segmentQuery) keepWeights() []sqlexpr.Expr {
	formula := f.analysis.formula
	switch formula.Strategy {
	case attribution.TermWise:
		l := formula.Sum
		l.Const = 0
		return []sqlexpr.Expr{f.sizeExpr(l)}
	case attribution.MixShift:
		return []sqlexpr.Expr{f.sizeExpr(formula.Num), f.sizeExpr(formula.Den)}
	case attribution.FactorShapley:
		var sum sqlexpr.Expr
		for _, l := range formula.Factors {
			sum = addExprs(sum, f.sizeExpr(l))
		}
		return []sqlexpr.Expr{sum}
	}
	at := f.columns.value
	if !f.isNumeric() {
		return nil
	}
	return []sqlexpr.Expr{addExprs(absExpr(metric.Coalesce(f.columnExpr(at.baseline), "0")), absExpr(metric.Coalesce(f.columnExpr(at.current), "0")))}
}

// isNumeric reports whether the metric's value is a number for certain.
func (f *segmentQuery) isNumeric() bool {
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

func (f *segmentQuery) columnExpr(col int) sqlexpr.Expr { return f.exprs[col-len(f.groups)].Expr }

// sizeExpr is |baseline| + |current| of a sum.
func (f *segmentQuery) sizeExpr(l attribution.Linear) sqlexpr.Expr {
	side := func(pick func(windowColumns) int) sqlexpr.Expr {
		var sum sqlexpr.Expr
		for _, t := range l.Terms {
			x := metric.Coalesce(f.columnExpr(pick(f.columns.leaves[t.Leaf])), "0")
			if t.Coef != 1 {
				x = &sqlexpr.Binary{Op: sqlexpr.OpMul, L: coerce.Number(strconv.FormatFloat(t.Coef, 'g', -1, 64)), R: x}
			}
			sum = addExprs(sum, x)
		}
		if sum == nil {
			return coerce.Number("0")
		}
		return absExpr(sum)
	}
	return addExprs(side(func(c windowColumns) int { return c.baseline }), side(func(c windowColumns) int { return c.current }))
}

func addExprs(l, r sqlexpr.Expr) sqlexpr.Expr {
	if l == nil {
		return r
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: l, R: r}
}

func absExpr(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnAbs, Name: sqlexpr.Name{Text: "ABS"}, Args: []sqlexpr.Expr{x}}
}

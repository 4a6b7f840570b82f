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

// fetch is one query of an attribution being planned: both windows in one scan,
// each number a pair of columns.
type fetch struct {
	*request
	read     analysis
	in       *metric.Env
	sel      metric.Selection
	groups   []metric.Group
	bindings metric.Bindings
	x        *metric.Expander
	cols     []plan.Named // over uses
	layout   layout
	members  []memberOf
}

// fetch starts a query grouped by a dimension, or by nothing.
func (f fetches) fetch(read analysis, dimension string) (*fetch, error) {
	in := f.env(f.query(dimension))
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
	return &fetch{
		request: f.request, read: read, in: in, sel: sel, groups: groups, bindings: bound,
		x: metric.NewExpander(in, sel, groups, bound), layout: layout{bucket: -1},
	}, nil
}

// pair adds a number's two columns.
func (f *fetch) pair(value func(tag int) (sqlexpr.Expr, error), set int) (cells, error) {
	var at [2]int
	for side := range at {
		e, err := value(sideTag(set, side))
		if err != nil {
			return cells{}, err
		}
		at[side] = len(f.groups) + len(f.cols)
		f.cols = append(f.cols, plan.Named{Expr: e, Type: f.x.TypeOf(e)})
	}
	return cells{at[0], at[1]}, nil
}

// metricPair adds a metric's value.
func (f *fetch) metricPair(m *catalog.Metric, axis *catalog.Field) (cells, error) {
	return f.pair(func(tag int) (sqlexpr.Expr, error) {
		return f.x.Value(m, metric.Setting{Choice: f.bindings.First(), Tag: tag, Axis: axis, Owner: f.metric.Name})
	}, 0)
}

// usePair adds one measure under a filter.
func (f *fetch) usePair(u metric.Use, set int) (cells, error) {
	return f.pair(func(tag int) (sqlexpr.Expr, error) {
		tagged := u
		tagged.Tag = tag
		return f.x.Use(tagged, f.bindings.First(), f.metric.Name), nil
	}, set)
}

// numbers adds what every query fetches: the measures, or the metric itself.
func (f *fetch) numbers() error {
	if f.read.formula.Strategy == attribution.Unsupported {
		at, err := f.metricPair(f.metric, nil)
		f.layout.value = &at
		return err
	}
	for _, l := range f.read.leaves {
		at, err := f.usePair(metric.Use{UseKey: metric.UseKey{Measure: l.measure, Axis: l.axis}, Where: l.where}, l.set)
		if err != nil {
			return err
		}
		f.layout.leaves = append(f.layout.leaves, at)
	}
	return nil
}

// combine plans the query up to where its branches meet.
func (f *fetch) combine() (*metric.Combined, error) {
	return metric.Combine(f.in, f.sel, f.groups, f.bindings, f.x.Expansion())
}

// finish puts the query together; most bounds its rows to the heaviest, 0 keeps all.
func (f *fetch) finish(combined *metric.Combined, most int) *plan.Planned {
	project := &plan.Project{Input: combined.Node}
	out := &plan.Planned{Root: project}
	names := metric.NewNamer()
	for i, g := range f.groups {
		project.Cols = append(project.Cols, plan.Named{Name: names.Take(g.Name), Expr: &sqlexpr.Ref{ID: i}, Type: combined.Node.Schema()[i].Type})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: project.Cols[i].Name, Type: project.Cols[i].Type})
	}
	for i, c := range f.cols {
		c.Name, c.Expr = names.Take(columnName(i)), combined.Located(c.Expr)
		project.Cols = append(project.Cols, c)
		out.Columns = append(out.Columns, plan.OutputColumn{Name: c.Name, Metric: f.metric.Name, Type: c.Type})
	}
	if most == 0 {
		return out
	}
	sort := &plan.Sort{Input: project}
	for _, w := range f.weights() {
		name := names.Take("weight")
		sort.Keys = append(sort.Keys, plan.SortKey{Col: len(project.Cols), Desc: true})
		project.Cols = append(project.Cols, plan.Named{Name: name, Expr: combined.Located(w), Type: sqlexpr.TypeUnknown})
		out.Columns = append(out.Columns, plan.OutputColumn{Name: name, Type: sqlexpr.TypeUnknown})
	}
	for i := range f.groups {
		sort.Keys = append(sort.Keys, plan.SortKey{Col: i})
	}
	out.Root = &plan.Limit{Input: sort, N: int64(most) + 1}
	return out
}

// weights are what segments are kept by when there are too many, over uses: the
// combined size of what they contribute to, as attribution.Decompose has it.
func (f *fetch) weights() []sqlexpr.Expr {
	formula := f.read.formula
	switch formula.Strategy {
	case attribution.TermWise:
		l := formula.Sum
		l.Const = 0
		return []sqlexpr.Expr{f.sizeOf(l)}
	case attribution.MixShift:
		return []sqlexpr.Expr{f.sizeOf(formula.Num), f.sizeOf(formula.Den)}
	case attribution.FactorShapley:
		var sum sqlexpr.Expr
		for _, l := range formula.Factors {
			sum = plus(sum, f.sizeOf(l))
		}
		return []sqlexpr.Expr{sum}
	}
	at := f.layout.value
	if !f.numeric() {
		return nil
	}
	return []sqlexpr.Expr{plus(absolute(metric.Coalesce(f.cellExpr(at.baseline), "0")), absolute(metric.Coalesce(f.cellExpr(at.current), "0")))}
}

// numeric reports whether the metric's value is a number for certain.
func (f *fetch) numeric() bool {
	if t := f.cols[0].Type; t != sqlexpr.TypeUnknown {
		return t.IsNumeric()
	}
	for _, u := range f.x.Uses() {
		if agg := u.Measure.Agg; (agg == catalog.AggMin || agg == catalog.AggMax) && !u.Measure.Type.IsNumeric() {
			return false
		}
	}
	return true
}

func (f *fetch) cellExpr(col int) sqlexpr.Expr { return f.cols[col-len(f.groups)].Expr }

// sizeOf is |baseline| + |current| of a sum.
func (f *fetch) sizeOf(l attribution.Linear) sqlexpr.Expr {
	side := func(pick func(cells) int) sqlexpr.Expr {
		var sum sqlexpr.Expr
		for _, t := range l.Terms {
			x := metric.Coalesce(f.cellExpr(pick(f.layout.leaves[t.Leaf])), "0")
			if t.Coef != 1 {
				x = &sqlexpr.Binary{Op: sqlexpr.OpMul, L: coerce.Number(strconv.FormatFloat(t.Coef, 'g', -1, 64)), R: x}
			}
			sum = plus(sum, x)
		}
		if sum == nil {
			return coerce.Number("0")
		}
		return absolute(sum)
	}
	return plus(side(func(c cells) int { return c.baseline }), side(func(c cells) int { return c.current }))
}

func plus(l, r sqlexpr.Expr) sqlexpr.Expr {
	if l == nil {
		return r
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: l, R: r}
}

func absolute(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnAbs, Name: sqlexpr.Name{Text: "ABS"}, Args: []sqlexpr.Expr{x}}
}

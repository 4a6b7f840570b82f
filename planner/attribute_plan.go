package planner

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// cells are the columns of one number in the baseline and the current window.
type cells struct{ baseline, current int }

// layout says which columns of a query's rows hold what.
type layout struct {
	leaves           []cells
	value            *cells // the metric itself, where its formula is unsupported
	members          []*cells
	base, complement *cells
	bucket           int // of a window metric's last buckets; -1 for none
}

// attributed is one dimension: its name in the answer, how a condition names
// it, and its type.
type attributed struct {
	name   string
	column *sqlexpr.Column
	typ    sqlexpr.Type
	coded  bool // stores time codes, which a condition cannot name
	layout layout
}

// memberOf is one member of a composed metric; the coefficient is nil where
// the composition is not linear.
type memberOf struct {
	metric      *catalog.Metric
	coefficient *float64
}

// fetch is one query of an attribution being planned: both windows in one scan,
// each number a pair of columns.
type fetch struct {
	*build
	a      *attributing
	cols   []plan.Named // over uses
	layout layout
}

// fetch starts a query grouped by a dimension, or by nothing.
func (a *attributing) fetch(dimension string) (*fetch, error) {
	f := &fetch{a: a, layout: layout{bucket: -1}}
	f.build = &build{cat: a.planner.cat, target: a.target, q: a.query(dimension), tagged: true}
	f.values, f.useIndex = map[valueKey]sqlexpr.Expr{}, map[useKey]int{}
	for _, phase := range []func() error{f.selectMetrics, f.resolveGroups, f.bindParams} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return f, nil
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
		f.cols = append(f.cols, plan.Named{Expr: e, Type: f.typeOf(e)})
	}
	return cells{at[0], at[1]}, nil
}

// metricPair adds a metric's value.
func (f *fetch) metricPair(m *catalog.Metric, axis *catalog.Field) (cells, error) {
	return f.pair(func(tag int) (sqlexpr.Expr, error) {
		e := f.a.env(f.build)
		e.tag, e.axis = tag, axis
		return f.build.value(m, e)
	}, 0)
}

// usePair adds one measure under a filter.
func (f *fetch) usePair(u use, set int) (cells, error) {
	return f.pair(func(tag int) (sqlexpr.Expr, error) {
		u := u
		u.tag = tag
		return f.useMeasure(u, make(boundParams, len(f.bindings)), f.a.metric.Name), nil
	}, set)
}

// numbers adds what every query fetches: the measures, or the metric itself.
func (f *fetch) numbers() error {
	if f.a.out.formula.Strategy == attribution.Unsupported {
		at, err := f.metricPair(f.a.metric, nil)
		f.layout.value = &at
		return err
	}
	for _, l := range f.a.out.leaves {
		at, err := f.usePair(use{useKey: useKey{measure: l.measure, axis: l.axis}, where: l.where}, l.set)
		if err != nil {
			return err
		}
		f.layout.leaves = append(f.layout.leaves, at)
	}
	return nil
}

// finish runs the remaining phases and puts the query together; most bounds its
// rows to the heaviest, 0 keeps all.
func (f *fetch) finish(most int) (*Planned, error) {
	for _, phase := range []func() error{f.resolveFilters, f.checkParams, f.resolveRanges, f.formBranches, f.planBranches} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	if len(f.result) > 0 {
		return nil, internal("a condition of an attribution was placed after aggregation")
	}
	combined := f.combine()
	project := &plan.Project{Input: combined}
	out := &Planned{}
	names := newNamer()
	for i, g := range f.groups {
		project.Cols = append(project.Cols, plan.Named{Name: names.take(g.name), Expr: &sqlexpr.Ref{ID: i}, Type: combined.Schema()[i].Type})
		out.Columns = append(out.Columns, OutputColumn{Name: project.Cols[i].Name, Type: project.Cols[i].Type})
	}
	for i, c := range f.cols {
		c.Name, c.Expr = names.take(columnName(i)), f.located(c.Expr)
		project.Cols = append(project.Cols, c)
		out.Columns = append(out.Columns, OutputColumn{Name: c.Name, Metric: f.a.metric.Name, Type: c.Type})
	}
	out.Root = project
	if most == 0 {
		return out, nil
	}
	sort := &plan.Sort{Input: project}
	for _, w := range f.weights() {
		name := names.take("weight")
		sort.Keys = append(sort.Keys, plan.SortKey{Col: len(project.Cols), Desc: true})
		project.Cols = append(project.Cols, plan.Named{Name: name, Expr: f.located(w), Type: sqlexpr.TypeUnknown})
		out.Columns = append(out.Columns, OutputColumn{Name: name, Type: sqlexpr.TypeUnknown})
	}
	for i := range f.groups {
		sort.Keys = append(sort.Keys, plan.SortKey{Col: i})
	}
	out.Root = &plan.Limit{Input: sort, N: int64(most) + 1}
	return out, nil
}

// weights are what segments are kept by when there are too many, over uses: the
// combined size of what they contribute to, as attribution.Decompose has it.
func (f *fetch) weights() []sqlexpr.Expr {
	formula := f.a.out.formula
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
	return []sqlexpr.Expr{plus(absolute(coalesce(f.cellExpr(at.baseline), "0")), absolute(coalesce(f.cellExpr(at.current), "0")))}
}

// numeric reports whether the metric's value is a number for certain.
func (f *fetch) numeric() bool {
	if t := f.cols[0].Type; t != sqlexpr.TypeUnknown {
		return t.IsNumeric()
	}
	for _, u := range f.uses {
		if agg := u.measure.Agg; (agg == catalog.AggMin || agg == catalog.AggMax) && !u.measure.Type.IsNumeric() {
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
			x := coalesce(f.cellExpr(pick(f.layout.leaves[t.Leaf])), "0")
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

// planTotals plans the query over the whole windows, with the breakdowns that
// only totals have.
func (a *attributing) planTotals() error {
	if a.last != nil {
		return a.planLastTotals()
	}
	f, err := a.fetch("")
	if err != nil {
		return err
	}
	if err := f.numbers(); err != nil {
		return err
	}
	if err := f.breakdowns(); err != nil {
		return err
	}
	planned, err := f.finish(0)
	if err != nil {
		return a.inTerms(err, -1)
	}
	a.noteTimeDimension(f)
	a.out.Totals, a.out.totals = planned, f.layout
	return nil
}

// noteTimeDimension says which dimension the windows turned out to be over.
func (a *attributing) noteTimeDimension(f *fetch) {
	seen := map[string]bool{}
	for _, br := range f.branches {
		name := br.rangeRef(f.ranges[0]).String()
		seen[name] = true
		a.out.compared.TimeDimension = name
	}
	if len(seen) > 1 {
		a.out.compared.TimeDimension = metricTime
	}
}

// planDimensions plans one query for each dimension.
func (a *attributing) planDimensions() error {
	for i, name := range a.q.Dimensions {
		if err := a.planDimension(name); err != nil {
			return a.inTerms(err, i)
		}
	}
	return nil
}

func (a *attributing) planDimension(name string) error {
	if name == metricTime {
		return &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    "metric_time is what the windows are over; a change between them is attributed to other dimensions",
			Candidates: a.bestDimensions(scope.MaxCandidates),
		}
	}
	if a.last != nil {
		return a.planLastDimension(name)
	}
	if len(a.metric.Windowed(a.target.Dialect)) == 0 {
		// What the metric plane refuses is refused here, in the same words.
		if _, err := a.planner.planMetrics(a.ctx, a.query(name), a.target); err != nil {
			return err
		}
	}
	f, err := a.fetch(name)
	if err != nil {
		return err
	}
	if err := f.numbers(); err != nil {
		return err
	}
	planned, err := f.finish(a.out.values)
	if err != nil {
		return err
	}
	a.addDimension(name, f.groups[0], planned, f.layout)
	return nil
}

func (a *attributing) addDimension(name string, g group, planned *Planned, l layout) {
	a.out.Dimensions = append(a.out.Dimensions, planned)
	a.out.dimensions = append(a.out.dimensions, attributed{
		name: name, column: columnOf(g.ref), typ: g.typ, coded: g.ref.Field.Encoding != nil, layout: l,
	})
}

package planner

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// window is a metric's window with its parameters bound and its place in this
// query known.
type window struct {
	key        string
	metric     *catalog.Metric
	owner      string // the selected metric that contains it
	spec       *catalog.Window
	n          int // offset count, periods, preceding, buckets or n
	typ        sqlexpr.Type
	second     *catalog.Measure
	secondSlot int
	timed      bool // ordered by time, or split by its buckets
	axisGroup  int  // the group that carries the axis; -1 when not timed
}

// windowValue registers the use of a windowed metric.
func (b *build) windowValue(m *catalog.Metric, e env) (sqlexpr.Expr, error) {
	measure, where, err := b.windowBase(m, e)
	if err != nil {
		return nil, err
	}
	if lod := b.cat.AppendLODFieldsIn(nil, measure.Arg, b.target.Dialect); len(lod) > 0 {
		return nil, b.windowOverLOD(m, lod[0], e.owner)
	}
	w := &window{metric: m, owner: e.owner, spec: m.Window, axisGroup: -1, typ: m.Window.Type(measure.Type)}
	if w.n, err = b.windowCount(m, e); err != nil {
		return nil, err
	}
	if f := m.Window.Frame; f != nil {
		w.second = f.Second
	}
	u := use{useKey: useKey{measure: measure, axis: b.measureAxis(m, measure, e.axis), tag: e.tag}, where: where, window: w}
	if err := b.placeWindow(&u); err != nil {
		return nil, err
	}
	w.key = strconv.Itoa(m.ID) + ":" + strconv.Itoa(w.n)
	return b.useMeasure(u, e.params, e.owner), nil
}

// windowBase is the plain aggregate under a window, with the filter of a
// filtered metric folded in.
func (b *build) windowBase(m *catalog.Metric, e env) (*catalog.Measure, sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		return b.plainMeasure(m, e)
	}
	if base := m.Window.Base.For(b.target.Dialect); base != nil {
		return base, nil, nil
	}
	return b.plainMeasure(m, e)
}

// windowCount is the number that the window's family takes; 0 when it takes
// none.
func (b *build) windowCount(m *catalog.Metric, e env) (int, error) {
	c := m.Window.Count()
	if c.Param == "" {
		return c.N, nil
	}
	lit, err := b.paramLiteral(m, c.Param, e)
	if err != nil {
		return 0, err
	}
	number, ok := lit.(*sqlexpr.Number)
	n := 0
	if ok {
		n, err = strconv.Atoi(number.Text)
	}
	least := 1
	if m.Window.Frame != nil {
		least = 0
	}
	if !ok || err != nil || n < least || n > maxWindow {
		i := slices.IndexFunc(m.Params, func(p *catalog.Param) bool { return p.Name == c.Param })
		return 0, b.outOfDomain(m.Params[i], "the window of "+m.Name+" needs a whole number from "+strconv.Itoa(least)+" to "+strconv.Itoa(maxWindow))
	}
	return n, nil
}

// maxWindow bounds how many buckets a window may span.
const maxWindow = limits.WindowBuckets

// placeWindow finds the window's time axis among the group-bys and checks what
// the window asks of the query.
func (b *build) placeWindow(u *use) error {
	w := u.window
	if err := b.checkExcludes(w); err != nil {
		return err
	}
	if err := b.checkWindowFunction(w); err != nil {
		return err
	}
	w.timed = w.spec.RequiresTimeAxis()
	if !w.timed {
		return nil
	}
	group, err := b.axisGroup(u)
	if err != nil {
		return err
	}
	w.axisGroup = group
	grain := b.groups[group].grain
	if reset := w.spec.ResetGrain(); reset != sqlexpr.GrainNone && reset < grain {
		return &planerr.Error{
			Code:     planerr.CodeWindowResetTooFine,
			Message:  w.metric.Name + " resets every " + reset.String() + ", which is finer than the queried " + grain.String(),
			Metrics:  []string{w.owner},
			Fragment: map[string]any{"group_by": b.regrain(group, reset)},
		}
	}
	if w.spec.Offset != nil {
		return b.checkOffset(w, group)
	}
	return b.checkFullWindow(u)
}

// checkFullWindow refuses a full window of calendar buckets where one bucket may
// be several rows of the partition: engines count rows, and none of them counts
// distinct buckets inside a frame.
func (b *build) checkFullWindow(u *use) error {
	w := u.window
	f := w.spec.Frame
	if f == nil || !f.RequireFullWindow || !f.Range || f.Unbounded || f.PartitionScope || !w.spec.OrderedByTime() || w.spec.EffectivePartition().Mode == "query_dimensions" {
		return nil
	}
	kept, split := []query.GroupBy{}, ""
	for _, g := range b.groups {
		if b.onAxis(g, u.axis) {
			kept = append(kept, g.item)
		} else {
			split = g.name
		}
	}
	if split == "" {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "the window of " + w.metric.Name + " wants every bucket of its range, and " + split + " makes several rows of one bucket in its partition",
		Metrics:  []string{w.owner},
		Fragment: map[string]any{"group_by": kept},
	}
}

// axisGroup finds the group-by that carries the window's axis: the finest one
// where there are several, which the others must be coarser buckets of.
func (b *build) axisGroup(u *use) (int, error) {
	best := -1
	for i, g := range b.groups {
		if b.onAxis(g, u.axis) && !g.raw() && (best < 0 || g.grain < b.groups[best].grain) {
			best = i
		}
	}
	if best < 0 {
		return 0, b.missingAxis(u)
	}
	for i, g := range b.groups {
		if i == best || !b.onAxis(g, u.axis) {
			continue
		}
		if g.raw() || !b.groups[best].grain.Subdivides(g.grain) {
			return 0, &planerr.Error{
				Code:     planerr.CodeNotImplemented,
				Message:  "the window of " + u.window.metric.Name + " needs one calendar grain, and " + g.name + " splits the buckets of " + b.groups[best].name,
				Metrics:  []string{u.window.owner},
				Fragment: map[string]any{"group_by": slices.Delete(slices.Clone(b.q.GroupBy), i, i+1)},
			}
		}
	}
	return best, nil
}

// onAxis reports whether a group reads a time axis, by either of its names.
func (b *build) onAxis(g group, axis *catalog.Field) bool {
	return g.metricTime || axis != nil && g.ref.Field == axis && len(g.ref.Prefix) == 0
}

// missingAxis is the error of a time-ordered window whose axis is not grouped.
func (b *build) missingAxis(u *use) error {
	w := u.window
	grain := w.naturalGrain()
	if u.axis != nil {
		grain = max(grain, u.axis.StoredGrain())
	}
	groups := slices.Clone(b.q.GroupBy)
	for i, g := range b.groups {
		if b.onAxis(g, u.axis) {
			groups[i].Grain = grain.String() // grouped raw: give it a grain
			return b.axisError(w, groups)
		}
	}
	return b.axisError(w, append([]query.GroupBy{{Field: metricTime, Grain: grain.String()}}, groups...))
}

func (b *build) axisError(w *window, groups []query.GroupBy) error {
	return &planerr.Error{
		Code:     planerr.CodeUnknownDimension,
		Message:  "the window of " + w.metric.Name + " runs over time, so the query must group by its time axis with a grain",
		Metrics:  []string{w.owner},
		Fragment: map[string]any{"group_by": groups},
		// Where another metric cannot be grouped by that axis, this is what is left to say.
		SuggestedRetry: "group by " + groups[0].Field + " with a grain, and ask apart for metrics that it does not group",
	}
}

// naturalGrain is the grain at which a window is most likely meant.
func (w *window) naturalGrain() sqlexpr.Grain {
	switch {
	case w.spec.Offset != nil:
		return w.spec.Offset.Grain
	case w.spec.ResetGrain() == sqlexpr.GrainWeek, w.spec.ResetGrain() == sqlexpr.GrainMonth:
		return sqlexpr.GrainDay
	default:
		return sqlexpr.GrainMonth
	}
}

// regrain is the query's group_by with the grain of one item changed.
func (b *build) regrain(group int, grain sqlexpr.Grain) []query.GroupBy {
	groups := slices.Clone(b.q.GroupBy)
	groups[group].Grain = grain.String()
	return groups
}

// checkExcludes wants every excluded dimension grouped, of all windows at once,
// so that one retry is enough.
func (b *build) checkExcludes(w *window) error {
	var missing []query.GroupBy
	blamed, owner := w.metric.Name, w.owner
	for _, selected := range b.metrics {
		for _, m := range selected.Windowed(b.target.Dialect) {
			for _, f := range m.Window.EffectivePartition().Exclude {
				item := query.GroupBy{Field: f.Qualified()}
				if b.groupsField(f) || slices.Contains(missing, item) {
					continue
				}
				if len(missing) == 0 {
					blamed, owner = m.Name, selected.Name
				}
				missing = append(missing, item)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	names := make([]string, len(b.groups))
	for i, g := range b.groups {
		names[i] = g.item.Field
	}
	return &planerr.Error{
		Code:       planerr.CodeWindowExcludeNotGrouped,
		Message:    "the window of " + blamed + " leaves " + missing[0].Field + " out of its partition, which the query does not group by",
		Metrics:    []string{owner},
		Candidates: names,
		Fragment:   map[string]any{"group_by": append(slices.Clone(b.q.GroupBy), missing...)},
	}
}

// groups reports whether the group is a dimension named by dataset.field: the
// same field on a path that the query names is another dimension.
func (g group) groups(f *catalog.Field) bool {
	return !g.metricTime && g.ref.Field == f && len(g.ref.Prefix) == 0
}

func (b *build) groupsField(f *catalog.Field) bool {
	return slices.ContainsFunc(b.groups, func(g group) bool { return g.groups(f) })
}

// windowOverLOD refuses a window whose base aggregates level-of-detail values.
func (b *build) windowOverLOD(m *catalog.Metric, lod *catalog.Field, owner string) error {
	e := &planerr.Error{
		Code:           planerr.CodeNotImplemented,
		Message:        m.Name + " is a window over the level-of-detail field " + lod.Qualified() + ", which is not supported",
		Metrics:        []string{owner},
		SuggestedRetry: "query the metric that " + m.Name + " is built on without its window",
	}
	if rest := without(b.q.Metrics, owner); len(rest) > 0 && len(rest) < len(b.q.Metrics) {
		e.Fragment = map[string]any{"metrics": rest}
	}
	return e
}

package measure

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// atMetricValue returns the value of a metric at another level: arithmetic over values of tables. The rows of the query are those
// that its members have at the level of the query, which are registered too.
func atMetricValue(x *Expander, m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	if err := checkWindowOverLevel(x, m, at.Owner); err != nil {
		return nil, err
	}
	form := m.Forms.ForDialect(x.in.Target.Dialect)
	l := levelExpander{x: x, metric: m, form: form, at: at}
	if err := l.countMetric(); err != nil {
		return nil, err
	}
	if err := l.registerRows(); err != nil || x.rowsOnly {
		return &sqlexpr.Null{}, err
	}
	key := metricValueKey{metric: m, params: at.Choice.Key(), tag: at.Tag, axis: at.Axis}
	if x.base != nil && x.base.Spec.Offset != nil {
		key.moved = x.base.key
	}
	if v, known := x.tableValues[key]; known {
		return v, nil
	}
	if err := l.resolve(); err != nil {
		return nil, err
	}
	if err := l.checkMovedBucket(); err != nil {
		return nil, err
	}
	var failed error
	v := sqlexpr.Rewrite(form.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if failed != nil {
			return e
		}
		var out sqlexpr.Expr
		switch e := e.(type) {
		case *sqlexpr.Call:
			if sqlexpr.InfoOfFunction(e.Fn).Class != sqlexpr.ClassAggregate {
				return nil
			}
			out, failed = l.outerAggregate(e)
		case *sqlexpr.Ref:
			out, failed = l.valueAtKeptGroups(form.Operands[e.ID])
		default:
			return nil
		}
		if failed != nil {
			return e
		}
		return out
	})
	isOfTables := true
	for r := range sqlexpr.Refs(v) {
		isOfTables = isOfTables && x.out.MeasureRefs[r.ID].Level != nil
	}
	if failed == nil && isOfTables {
		x.addTableValue(key, v)
	}
	return v, failed
}

// levelExpander expands one metric at another level.
type levelExpander struct {
	x      *Expander
	metric *catalog.Metric
	form   *catalog.ArithmeticOverOperands
	at     Context

	table LevelTable // what its tables have in common
	// inside and over expand what is computed for the kept groups, without and with the included ones. Nil until one is needed.
	inside, over *tableExpander
}

// tableExpander expands what one table is computed from.
type tableExpander struct {
	x      *Expander
	index  int // of the table
	values map[string]int
}

// countMetric rejects more metrics at other levels than a query may have.
func (l *levelExpander) countMetric() error {
	if l.x.atLevels == nil {
		l.x.atLevels = map[*catalog.Metric]bool{}
	}
	if l.x.atLevels[l.metric] = true; len(l.x.atLevels) <= limits.QueryMetricsAtLevels {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeBadRequest, Location: l.metric.At.Location, Metrics: []string{l.at.Owner}, Fragment: retry.DropMetric(l.x.in, l.at.Owner),
		Message: "a query may have at most " + strconv.Itoa(limits.QueryMetricsAtLevels) + " metrics at other levels",
	}
}

// resolve resolves the groups that the level keeps and adds, and the fields whose conditions do not count.
func (l *levelExpander) resolve() error {
	block, x := l.metric.At, l.x
	l.table = LevelTable{Metric: l.metric, Owner: l.at.Owner, Tag: l.at.Tag, Bound: x.bound}
	key, names := "exclude", block.Exclude
	if block.HasOnly {
		key, names = "only", block.Only
	}
	named := make([]bool, len(x.groups))
	for _, text := range names {
		groups, err := l.groupsNamed(key, text)
		if err != nil {
			return err
		}
		for _, g := range groups {
			named[g] = true
		}
	}
	for i, g := range x.groups {
		if g.IsRemainder {
			named[i] = named[i-1]
		}
		if named[i] == block.HasOnly {
			l.table.Kept = append(l.table.Kept, i)
		}
	}
	l.table.KeepsAll = len(l.table.Kept) == len(x.groups)
	for _, text := range block.Unfiltered {
		if text == scope.MetricTime {
			l.table.UnfilteredAxis = true
			continue
		}
		ref, err := l.fieldNamed("unfiltered", text)
		if err != nil {
			return err
		}
		l.table.Unfiltered = append(l.table.Unfiltered, ref)
	}
	taken := naming.NewNamer()
	for _, g := range x.groups {
		taken.UniqueName(g.Name)
	}
	for i, g := range block.Include {
		added, err := l.includedGroup(g, len(l.table.Kept)+i)
		if err != nil {
			return err
		}
		added.Name = taken.UniqueName(added.Name)
		l.table.Added = append(l.table.Added, added)
	}
	return nil
}

// groupsNamed lists the group-bys that a text means: the column of one, or all of a field, in any grain or part. metric_time is the axis.
func (l *levelExpander) groupsNamed(key, text string) ([]int, error) {
	var out []int
	for i, g := range l.x.groups {
		if !g.IsRemainder && strings.EqualFold(g.Name, text) || text == scope.MetricTime && l.isAxis(g) {
			out = append(out, i)
		}
	}
	if len(out) > 0 || text == scope.MetricTime {
		return out, nil
	}
	ref, err := l.fieldNamed(key, text)
	if err != nil {
		return nil, err
	}
	for i, g := range l.x.groups {
		if !g.IsRemainder && g.IsFieldNotExpression() && g.Ref.IsSame(ref) {
			out = append(out, i)
		}
	}
	return out, nil
}

// isAxis reports whether a group is the time axis of the metric.
func (l *levelExpander) isAxis(g scope.Group) bool {
	axis := l.metric.TimeAxisField()
	return !g.IsRemainder && (g.OnAxis || axis != nil && g.IsUnprefixedField(axis))
}

// fieldNamed resolves a field that a list of the level names.
func (l *levelExpander) fieldNamed(key, text string) (resolve.Ref, error) {
	if i := slices.IndexFunc(l.x.groups, func(g scope.Group) bool { return strings.EqualFold(g.Name, text) && g.IsFieldNotExpression() }); i >= 0 {
		return l.x.groups[i].Ref, nil
	}
	parts, err := resolve.SplitPath(text)
	if err != nil {
		return resolve.Ref{}, l.placed(&planerr.Error{Code: planerr.CodeUnknownDimension, Message: text + " is not a field reference"}, key, text)
	}
	ref, err := l.x.names.Resolve(parts)
	if names := l.modelNames(); err != nil && names != nil {
		if inModel, failed := names.Resolve(parts); failed == nil {
			return inModel, nil
		}
	}
	if err != nil {
		return resolve.Ref{}, l.placed(err, key, text)
	}
	return ref, nil
}

// modelNames finds the names of the model for a metric of the model: the view of a query need not show what its metrics read. It is nil where the names
// of the query are those of the metric.
func (l *levelExpander) modelNames() *resolve.Resolver {
	cat := l.x.names.Cat
	if cat.ScopeView() == nil || !slices.Contains(cat.Metrics, l.metric) {
		return nil
	}
	names := *l.x.names
	names.Cat = cat.WithoutView()
	return &names
}

// includedGroup resolves an included group, as a group-by at a position.
func (l *levelExpander) includedGroup(g catalog.IncludedGroup, position int) (scope.Group, error) {
	item := query.GroupBy{Field: g.Reference}
	if part, isPart := sqlexpr.ParseTimePart(g.Unit); isPart && part != sqlexpr.PartNone && l.x.in.Cat.Period(g.Unit) == nil {
		item.Part = g.Unit
	} else {
		item.Grain = g.Unit
	}
	q := *l.x.in.Query
	q.GroupBy = []query.GroupBy{item} // which a retry changes
	in := l.x.in.WithQuery(&q)
	added, err := scope.ResolveGroup(in, scope.Selection{Metrics: l.x.metrics, Names: l.x.names}, item)
	if names := l.modelNames(); err != nil && names != nil {
		if inModel, failed := scope.ResolveGroup(in, scope.Selection{Metrics: l.x.metrics, Names: names}, item); failed == nil {
			inModel.Ref, err = alongOnlyPath(names, inModel.Ref), nil
			added = inModel
		}
	}
	if err != nil {
		return added, l.placed(err, "include", scope.AppendUnit(g.Reference, g.Unit))
	}
	added.Index = position
	return added, nil
}

// alongOnlyPath returns a reference with the path to its field, which a view need not follow: that of the model, where the homes have one.
func alongOnlyPath(names *resolve.Resolver, ref resolve.Ref) resolve.Ref {
	if ref.Field == nil || len(ref.Prefix) > 0 {
		return ref
	}
	for _, home := range names.Homes {
		if paths := names.Cat.SafePaths(home, ref.Field.Dataset, 2); len(paths) == 1 && len(paths[0]) > 0 {
			ref.Prefix = paths[0]
			return ref
		}
	}
	return ref
}

// placed puts an error of a text of the level in its place, with a retry that changes the text and nothing else of the query.
func (l *levelExpander) placed(err error, key, text string) error {
	var e *planerr.Error
	if !errors.As(err, &e) {
		return err
	}
	out := *e
	out.Location, out.Metrics, out.Fragment = l.metric.At.Location, []string{l.at.Owner}, nil
	out.Message = "at." + key + " of " + l.metric.Name + ": " + e.Message
	better := e.Respelling
	if groups, ok := e.Fragment["group_by"].([]query.GroupBy); ok && len(groups) == 1 {
		better = scope.AppendUnit(groups[0].Field, groups[0].Unit())
	}
	out.Fragment = replaceLevelTextRetry(l.x.in, l.metric, text, better)
	if out.Fragment == nil {
		out.SuggestedRetry = "leave out " + l.at.Owner
		out.Fragment = retry.DropMetric(l.x.in, l.at.Owner)
	}
	return &out
}

// replaceLevelTextRetry returns the metrics of the query with another text in the lists of a metric's level; nil for a metric of the model.
func replaceLevelTextRetry(in *scope.Env, m *catalog.Metric, text, better string) map[string]any {
	items := in.Query.MetricItemsNamed(in.Query.Metrics)
	i := slices.IndexFunc(items.Inline, func(q query.InlineMetric) bool { return q.Name == m.Name && q.At != nil })
	if i < 0 || better == "" {
		return nil
	}
	level := *items.Inline[i].At
	for _, list := range []*[]string{&level.Include, &level.Exclude, &level.Only, &level.Unfiltered} {
		if slices.Contains(*list, text) {
			*list = naming.Replace(*list, text, better, "")
		}
	}
	items.Inline[i].At = &level
	return map[string]any{"metrics": items}
}

// inLevel puts an error of what is inside of the level in its place. A retry changes what the level includes, where that is enough.
func (l *levelExpander) inLevel(err error) error {
	var e *planerr.Error
	if !errors.As(err, &e) || e.Code == planerr.CodeInternal {
		return err
	}
	out := *e
	out.Location, out.Metrics = l.metric.At.Location, []string{l.at.Owner}
	out.Fragment = nil
	if groups, ok := e.Fragment["group_by"].([]query.GroupBy); ok && len(e.Fragment) == 1 {
		out.Fragment = l.includeRetry(groups)
	}
	if out.Fragment == nil {
		out.SuggestedRetry, out.Fragment = "leave out "+l.at.Owner, retry.DropMetric(l.x.in, l.at.Owner)
	}
	return &out
}

// includeRetry returns the metrics of the query with another list of included groups: those of the inner query that the level does not keep.
// It is nil where the level includes none, and where a kept group would be another.
func (l *levelExpander) includeRetry(inner []query.GroupBy) map[string]any {
	var include []string
	for _, g := range inner {
		if slices.ContainsFunc(l.table.Kept, func(i int) bool { return l.x.groups[i].Item == g }) {
			continue
		}
		include = append(include, scope.AppendUnit(g.Field, cmp.Or(g.Grain, g.Part)))
	}
	items := l.x.in.Query.MetricItemsNamed(l.x.in.Query.Metrics)
	i := slices.IndexFunc(items.Inline, func(q query.InlineMetric) bool { return q.Name == l.metric.Name && q.At != nil })
	if i < 0 || len(l.metric.At.Include) == 0 || len(inner)-len(include) < len(l.table.Kept) {
		return nil
	}
	level := *items.Inline[i].At
	level.Include = include
	items.Inline[i].At = &level
	return map[string]any{"metrics": items}
}

// levelNotImplementedError returns the error of what no metric at another level has.
func levelNotImplementedError(x *Expander, m *catalog.Metric, owner, message string) error {
	e := scope.NotImplementedError(message, "leave out "+owner, owner)
	e.Location, e.Fragment = m.At.Location, retry.DropMetric(x.in, owner)
	return e
}

// checkWindowOverLevel rejects a window over the metric, unless it is an offset, or compares the places of the rows in range. Their values
// join the rows.
func checkWindowOverLevel(x *Expander, m *catalog.Metric, owner string) error {
	switch w := x.base; {
	case w == nil:
		return nil
	case w.Spec.Offset == nil && w.Spec.Rank == nil && w.Spec.Value == nil:
		return levelNotImplementedError(x, m, owner, m.Name+" is at another level; offsets, ranks and windows of the type value are possible over it, and "+w.Metric.Name+" is another window")
	case w.Spec.Offset != nil && (w.Spec.Offset.Period != nil || x.groups[w.AxisGroup].Period != nil):
		return levelNotImplementedError(x, m, owner, w.Metric.Name+" looks at another period of a calendar, which is not implemented over "+m.Name+", a metric at another level")
	case w.Spec.Offset == nil && w.ReadsBeyondRange():
		return levelNotImplementedError(x, m, owner, w.Metric.Name+" has the population all, which is not implemented over "+m.Name+", a metric at another level")
	}
	for _, member := range m.MemberMetricsOnDialect(x.in.Target.Dialect) {
		if member.IsMadeOfWindows(x.in.Target.Dialect) {
			return levelNotImplementedError(x, m, owner, m.Name+" is at another level with a window inside, and a window over it is not implemented")
		}
	}
	return nil
}

// registerRows registers what the metric reads at the level of the query, whose groups are rows of the result.
func (l *levelExpander) registerRows() error {
	before, base := l.x.rowsOnly, l.x.base
	defer func() { l.x.rowsOnly, l.x.base = before, base }()
	if l.x.rowsOnly = true; base != nil && base.Spec.Offset != nil && !l.x.insideMoved {
		l.x.base = nil // the rows of other buckets are in the tables
	}
	for _, o := range l.form.Operands {
		if _, err := l.x.operandValue(l.metric, o, l.at); err != nil {
			return err
		}
	}
	if w := l.x.base; w != nil && w.Spec.Offset == nil {
		for i, u := range l.x.out.MeasureRefs {
			if u.RowsOnly && u.InputOf == w { // the window distinguishes the rows that have data
				l.x.markRead(i)
			}
		}
	}
	return nil
}

// newTable adds a table, of which inside expands what it is computed from.
func (l *levelExpander) newTable(added []scope.Group) *tableExpander {
	x := l.x
	q := *x.in.Query
	q.GroupBy, q.Totals, q.Shares, q.Compare, q.Fill, q.Top, q.TimeRanges = nil, nil, nil, nil, nil, nil, nil
	groups := make([]scope.Group, 0, len(l.table.Kept)+len(added))
	for _, i := range l.table.Kept {
		groups = append(groups, x.groups[i])
	}
	groups = append(groups, added...)
	for i := range groups {
		groups[i].Index = i
		q.GroupBy = append(q.GroupBy, groups[i].Item)
	}
	inside := scope.Selection{Metrics: l.metric.MemberMetricsOnDialect(x.in.Target.Dialect), Names: x.names}
	out := &tableExpander{NewExpander(x.in.WithQuery(&q), inside, groups, x.bound), len(x.out.LevelTables), map[string]int{}}
	out.x.atLevels, out.x.hasTotals = x.atLevels, x.hasTotals
	table := l.table
	table.Added = added
	if w := x.base; w != nil && w.Spec.Offset != nil {
		if !x.insideMoved {
			table.MovedBy = w
		}
		inner := *w
		inner.AxisGroup = slices.Index(table.Kept, w.AxisGroup)
		inner.Buckets = inner.AxisGroup
		out.x.base, out.x.insideMoved = &inner, true
	}
	l.x.out.LevelTables = append(l.x.out.LevelTables, &table)
	return out
}

// checkMovedBucket rejects an offset over a metric that leaves out the buckets.
func (l *levelExpander) checkMovedBucket() error {
	w := l.x.base
	if w == nil || w.Spec.Offset == nil || slices.Contains(l.table.Kept, w.AxisGroup) {
		return nil
	}
	return levelNotImplementedError(l.x, l.metric, l.at.Owner, w.Metric.Name+" looks at another bucket of "+l.x.groups[w.AxisGroup].Name+", which "+l.metric.Name+" leaves out")
}

// valueAtKeptGroups returns the value of an operand at the kept groups.
func (l *levelExpander) valueAtKeptGroups(o catalog.Operand) (sqlexpr.Expr, error) {
	if l.table.KeepsAll && !l.table.IsUnfiltered() {
		return l.x.operandValue(l.metric, o, l.at) // the groups of the query
	}
	if l.inside == nil {
		l.inside = l.newTable(nil)
	}
	v, err := l.inside.x.operandValue(l.metric, o, l.at)
	if err != nil {
		return nil, l.inLevel(err)
	}
	return sqlexpr.RewriteRefs(v, func(r *sqlexpr.Ref) sqlexpr.Expr {
		u := l.inside.x.out.MeasureRefs[r.ID]
		return l.addValue(l.inside, levelValue{Expr: r, Type: u.valueType(), IsZero: u.Window == nil && u.IsZeroOverNoRows(), Approximate: u.IsApproximate(l.x.in)})
	}), nil
}

// outerAggregate returns an aggregate over the rows of the included groups.
func (l *levelExpander) outerAggregate(call *sqlexpr.Call) (sqlexpr.Expr, error) {
	if l.over == nil {
		l.over = l.newTable(l.table.Added)
		for _, o := range l.form.Operands {
			if _, err := l.over.x.operandValue(l.metric, o, l.at); err != nil { // COUNT(*) counts the rows of all
				return nil, l.inLevel(err)
			}
		}
	}
	agg, _ := catalog.AggOfCall(call)
	measure := &catalog.Measure{Name: strings.ToLower(sqlexpr.Format(call)), Agg: agg, Options: catalog.AggOptionsOfCall(call)}
	args := make([]sqlexpr.Expr, 3)
	for i, arg := range call.Args {
		var err error
		if args[i], err = l.argumentOverInnerRows(arg); err != nil {
			return nil, err
		}
	}
	approximate := false
	if args[0] != nil {
		// What is known of the argument is its type.
		measure.Arg = &sqlexpr.DeclaredTypeExpr{X: &sqlexpr.Null{}, Type: sqlexpr.TypeOf(args[0], l.typeOfInnerValue)}
		for r := range sqlexpr.Refs(args[0]) {
			approximate = approximate || r.ID >= 0 && l.over.x.out.MeasureRefs[r.ID].IsApproximate(l.x.in)
		}
	}
	if err := aggregates.CheckTarget(l.x.in, measure, []string{l.at.Owner}); err != nil {
		return nil, err
	}
	e := aggregates.Call(l.x.in, measure, args[0], args[2])
	if err := l.x.out.Sizes.AddToQuerySize(e); err != nil {
		return nil, err
	}
	return l.addValue(l.over, levelValue{
		Expr: e, Type: sqlexpr.TypeOf(e, l.typeOfInnerValue), IsZero: measure.IsZeroOverNoRows(), Approximate: approximate || aggregates.IsApproximateAggregate(l.x.in, measure),
	}), nil
}

// argumentOverInnerRows rewrites an argument over the operands of the form and the included columns to one over what a row of the
// table holds.
func (l *levelExpander) argumentOverInnerRows(arg sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(arg, func(e sqlexpr.Expr) sqlexpr.Expr {
		switch e := e.(type) {
		case *sqlexpr.Ref:
			v, err := l.over.x.operandValue(l.metric, l.form.Operands[e.ID], l.at)
			if err != nil {
				failed = err
				return e
			}
			return v
		case *sqlexpr.Column:
			i := l.metric.At.IncludedNamed([]string{e.Path[0].Text})
			return &sqlexpr.Ref{Position: e.Position, ID: -i - 1}
		}
		return nil
	})
	return out, failed
}

func (l *levelExpander) typeOfInnerValue(leaf sqlexpr.Expr) sqlexpr.Type {
	switch r, ok := leaf.(*sqlexpr.Ref); {
	case !ok:
		return sqlexpr.TypeUnknown
	case r.ID < 0:
		return l.table.Added[-r.ID-1].Type
	default:
		return l.over.x.out.MeasureRefs[r.ID].valueType()
	}
}

// numberOf returns the number of a value, which gets one where it has none yet.
func (tables *tableExpander) numberOf(key string) (at int, known bool) {
	if at, known = tables.values[key]; !known {
		at = len(tables.values)
		tables.values[key] = at
	}
	return at, known
}

// addValue adds a value to a table, once, and returns the reference to it.
func (l *levelExpander) addValue(t *tableExpander, v levelValue) sqlexpr.Expr {
	key := sqlexpr.Format(v.Expr)
	at, known := t.numberOf(key)
	if !known {
		l.x.out.LevelTables[t.index].Values = append(l.x.out.LevelTables[t.index].Values, v)
	}
	l.x.out.LevelTables[t.index].Inner = t.x.out
	first := t.x.out.MeasureRefs[0]
	u := Ref{RefKey: RefKey{Measure: first.Measure, Axis: first.Axis, Tag: l.at.Tag}, Level: &levelUse{t.index, at}, levelType: v.Type, levelZero: v.IsZero, levelApproximate: v.Approximate}
	return l.x.AddMeasureRef(u, l.at.Choice, l.at.Owner)
}

// IsApproximate reports whether the target approximates a measure reference. A window is not asked.
func (u *Ref) IsApproximate(in *scope.Env) bool {
	if u.Level != nil {
		return u.levelApproximate
	}
	return aggregates.IsApproximate(in, u.Measure)
}

// IsZeroOverNoRows reports whether the value over no rows is 0.
func (u *Ref) IsZeroOverNoRows() bool {
	if u.Level != nil {
		return u.levelZero
	}
	return u.Measure.IsZeroOverNoRows()
}

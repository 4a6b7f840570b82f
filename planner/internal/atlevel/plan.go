package atlevel

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/internal/window"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

// PlanTables plans the tables of a query. The rows are those of another query with more group-bys, or of the query itself, and the
// kept values those of its top.
func PlanTables(a, rows *branch.Query, kept *top.Kept) ([]branch.LevelTable, error) {
	if c := a.Compare; c.AreOverWindows() {
		owner := a.Cols.LevelTables[0].Owner
		e := scope.NotImplementedError("compare of windows by buckets is not implemented beside "+owner+", a metric at another level", "leave out "+owner, owner)
		e.Fragment = retry.DropMetric(a.In, owner)
		return nil, e
	}
	out := make([]branch.LevelTable, len(a.Cols.LevelTables))
	for i, t := range a.Cols.LevelTables {
		if err := a.In.ContextError(); err != nil {
			return nil, err
		}
		if !isRead(a.Cols, i) {
			continue
		}
		var err error
		if out[i], err = (tablePlanner{a, rows, t}).plan(kept); err != nil {
			return nil, inTable(a.In, t, err)
		}
	}
	return out, nil
}

// isRead reports whether a column reads a table; without columns all are read.
func isRead(cols measure.Expansion, table int) bool {
	var reads func(e sqlexpr.Expr) bool
	reads = func(e sqlexpr.Expr) bool {
		for r := range sqlexpr.Refs(e) {
			u := cols.MeasureRefs[r.ID]
			if u.Level != nil && u.Level.Table == table || u.Window != nil && (reads(u.Window.Base.Expr) || reads(u.Window.Current)) {
				return true
			}
		}
		return false
	}
	return len(cols.Columns) == 0 || slices.ContainsFunc(cols.Columns, func(c measure.Column) bool { return reads(c.Expr) || reads(c.Previous) })
}

// tablePlanner plans one table of a query.
type tablePlanner struct {
	query, rows *branch.Query
	table       *measure.LevelTable
}

func (p tablePlanner) plan(kept *top.Kept) (branch.LevelTable, error) {
	if err := p.checkWindows(); err != nil {
		return branch.LevelTable{}, err
	}
	query, levelOf, err := p.innerQuery()
	if err != nil {
		return branch.LevelTable{}, err
	}
	if kept, err = p.keptValues(kept); err != nil {
		return branch.LevelTable{}, err
	}
	query.Top = nil
	if kept != nil {
		query.Top = kept.Spec
	}
	query.Conds, query.Ranges, query.Cols = p.countedConditions(query)
	if query.Cols, err = where.ReadCutBuckets(query.In, query.Groups, query.Ranges, query.Conds, query.Cols); err != nil {
		return branch.LevelTable{}, err
	}
	query.LevelsAreBranches = len(query.Cols.LevelTables) > 0 && CanBeBranches(&query)
	inner := &query
	router := inner
	if p.rows != p.query || !p.table.KeepsAll {
		joined := p.joinedRows(query)
		router = &joined
	}
	branches, slots, err := branch.Build(router)
	if err != nil {
		return branch.LevelTable{}, err
	}
	if err := branch.CheckSameAxisStorage(p.query.In.Query, inner.Groups, branches); err != nil {
		return branch.LevelTable{}, err
	}
	if query.LevelTables, err = PlanTables(inner, router, kept); err != nil {
		return branch.LevelTable{}, err
	}
	combined, err := window.Plan(inner, branch.RouteFinder{Q: router, Branches: branches}, slots, kept)
	if err != nil {
		return branch.LevelTable{}, err
	}
	return branch.LevelTable{Table: p.table, Node: p.valuesByGroup(inner, combined), Levels: levelOf}, nil
}

// checkWindows rejects what windows inside of a level do not meet.
func (p tablePlanner) checkWindows() error {
	var what string
	switch {
	case p.table.MovedBy != nil && p.query.GapFill != nil:
		what = "fill adds rows"
	case !p.table.HasWindows():
		return nil
	case p.query.GapFill != nil && len(p.table.Added) == 0:
		what = "fill adds rows"
	case p.query.Compare.MeetOnMovedBuckets():
		what = "compare moves buckets"
	default:
		return nil
	}
	return scope.NotImplementedError(what+", which is not implemented for "+p.table.Metric.Name+", a metric at another level with a window", "leave out "+p.table.Owner, p.table.Owner)
}

// innerMeasures returns what is computed for the groups of the table. A window has a value on each row of the query, so that the
// groups of the other measures are rows too, where no aggregate runs over them.
func (p tablePlanner) innerMeasures() measure.Expansion {
	cols := p.table.Inner
	if len(p.table.Added) > 0 || !p.table.HasWindows() {
		return cols
	}
	cols.MeasureRefs = slices.Clone(cols.MeasureRefs)
	for _, u := range p.query.Cols.MeasureRefs {
		if u.Window != nil || u.Level != nil {
			continue
		}
		rows := *u
		rows.InputOf, rows.Read, rows.RefKey.Window, rows.Tag, rows.RowsOnly = nil, measure.InputRead{}, "", p.table.Tag, true
		cols.MeasureRefs = append(cols.MeasureRefs, &rows)
	}
	return cols
}

// joinedRows returns the query whose rows the table is computed from: they are joined as those of the outer query, whose joins may drop
// some. The groups of the inner query come first in both.
func (p tablePlanner) joinedRows(inner branch.Query) branch.Query {
	groups := slices.Clip(inner.Groups)
	for i, g := range p.rows.Groups {
		if !slices.Contains(p.table.Kept, i) {
			groups = append(groups, g)
		}
	}
	inner.Groups = where.SetTypesOfMetricTimeGroupBys(groups, inner.Cols.MeasureRefs)
	inner.In, inner.Groups = groupedBy(inner)
	return inner
}

// groupedBy returns the environment of the query that groups by the groups of an inner one, and these as items of it: errors name them by
// their place.
func groupedBy(inner branch.Query) (*scope.Env, []scope.Group) {
	q, groups := *inner.In.Query, slices.Clone(inner.Groups)
	q.GroupBy, q.Totals, q.Shares, q.Top, q.Fill, q.TimeRanges = nil, nil, nil, nil, nil, nil
	if inner.Compare == nil {
		q.Compare = nil
	}
	for i := range groups {
		groups[i].Index = i
		q.GroupBy = append(q.GroupBy, groups[i].Item)
	}
	return inner.In.WithQuery(&q), groups
}

// innerQuery returns the query that the table is computed from, and for each level of the query the level that its rows have there; nil
// where they have one.
func (p tablePlanner) innerQuery() (branch.Query, []int, error) {
	inner := *p.query
	groups := make([]scope.Group, 0, len(p.table.Kept)+len(p.table.Added))
	for _, g := range p.table.Kept {
		groups = append(groups, p.query.Groups[g])
	}
	inner.Cols = p.innerMeasures()
	inner.Groups = where.SetTypesOfMetricTimeGroupBys(append(groups, p.table.Added...), inner.Cols.MeasureRefs)
	inner.Conds.Result = nil
	inner.GapFill, inner.LevelTables = nil, nil
	var levelOf []int
	inner.Levels, levelOf = p.innerLevels()
	bucket, err := p.comparedBucket()
	switch {
	case err != nil:
		return inner, nil, err
	case bucket >= 0:
		// Its earlier rows move to the buckets that they meet.
		inner.Compare = p.query.Compare.OverGroups(p.query.In, bucket, inner.Groups, inner.Levels, inner.Cols.MeasureRefs)
	default:
		inner.Compare = nil
		inner.Ranges, inner.Cols.MeasureRefs = p.ownRange(inner)
	}
	inner.In, inner.Groups = groupedBy(inner)
	inner.Lod = lod.NewPlanner(inner.In, inner.Groups, p.table.Bound, inner.Cols, inner.Conds)
	return inner, levelOf, nil
}

// innerLevels returns the levels of the inner query: of each level of the query the kept groups, and the included ones.
func (p tablePlanner) innerLevels() (levels.Levels, []int) {
	if !p.query.Levels.HasSeveralLevels() {
		return levels.Levels{}, nil
	}
	var out levels.Levels
	levelOf := make([]int, len(p.query.Levels.GroupSets))
	for level, set := range p.query.Levels.GroupSets {
		inside := []int{}
		for i, g := range p.table.Kept {
			if slices.Contains(set, g) {
				inside = append(inside, i)
			}
		}
		for i := range p.table.Added {
			inside = append(inside, len(p.table.Kept)+i)
		}
		at := out.LevelOfGroupSet(inside)
		if at < 0 {
			at = len(out.GroupSets)
			out.GroupSets = append(out.GroupSets, inside)
		}
		levelOf[level] = at
	}
	if len(out.GroupSets) == 1 {
		return levels.Levels{}, nil
	}
	out.ShownCount = len(out.GroupSets)
	return out, levelOf
}

// comparedBucket returns the kept group that carries the buckets of compare; -1 for none.
func (p tablePlanner) comparedBucket() (int, error) {
	c := p.query.Compare
	if !c.MeetOnMovedBuckets() {
		return -1, nil
	}
	bucket := slices.Index(p.table.Kept, c.BucketGroup())
	if bucket >= 0 && (len(c.ByPeriods()) > 0 || c[0].HasAttributes(p.query.Groups)) {
		return -1, scope.NotImplementedError("compare moves the buckets of a calendar, or attributes of buckets, which is not implemented for "+p.table.Metric.Name+", a metric at another level",
			"leave out "+p.table.Owner, p.table.Owner)
	}
	return bucket, nil
}

// ownRange returns the range of the table, and the measure references as those of the only range.
func (p tablePlanner) ownRange(inner branch.Query) ([]where.Range, []*measure.Ref) {
	if p.table.Tag < 0 {
		return inner.Ranges, inner.Cols.MeasureRefs
	}
	ranges := inner.Ranges
	if len(ranges) > 1 {
		ranges = ranges[p.table.Tag : p.table.Tag+1]
	}
	return ranges, branch.WithoutTags(inner.Cols.MeasureRefs)
}

// keptValues returns the kept values of top for the groups of the table; nil where none of them matters.
func (p tablePlanner) keptValues(kept *top.Kept) (*top.Kept, error) {
	if kept == nil {
		return nil, nil
	}
	spec, ok := kept.Spec.OverGroups(p.table.Kept)
	switch {
	case ok:
		return &top.Kept{Spec: spec, Node: kept.Node, Shared: true, Why: kept.Why}, nil
	case kept.Spec.MergesOthers && !slices.Contains(p.table.Kept, kept.Spec.Dimension):
		return nil, nil // the others are among the rows
	}
	return nil, scope.NotImplementedError(p.table.Metric.Name+" leaves out a group that top chooses values in, which is not implemented",
		"leave out "+p.table.Owner, p.table.Owner)
}

// valuesByGroup returns the rows of the table.
func (p tablePlanner) valuesByGroup(inner *branch.Query, combined *combine.Combined) plan.Node {
	keys := combined.Keys[:len(p.table.Kept):len(p.table.Kept)]
	names := naming.NewNamer()
	cols := make([]plan.NamedExpr, 0, len(keys)+1+len(p.table.Values))
	for i, c := range keys {
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName(c.Name), Expr: &sqlexpr.Ref{ID: i}, Type: c.Type})
	}
	if inner.Levels.HasSeveralLevels() {
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName(levels.Column), Expr: &sqlexpr.Ref{ID: len(inner.Groups)}, Type: sqlexpr.TypeInt})
	}
	values := make([]plan.NamedExpr, len(p.table.Values))
	for i, v := range p.table.Values {
		values[i] = plan.NamedExpr{Name: names.UniqueName(p.table.Metric.Name), Expr: p.overColumns(v.Expr, combined), Type: v.Type}
	}
	if len(p.table.Added) == 0 {
		return &plan.Project{Input: combined.Node, Cols: append(cols, values...)}
	}
	return &plan.Aggregate{Input: combined.Node, Keys: cols, Measures: values, Why: "at"}
}

// overColumns returns the expression of a value over the columns of the inner rows.
func (p tablePlanner) overColumns(e sqlexpr.Expr, combined *combine.Combined) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		switch {
		case r.ID < 0:
			return &sqlexpr.Ref{Position: r.Position, ID: len(p.table.Kept) - r.ID - 1}
		}
		return combined.RewriteOverColumns(r)
	})
}

// inTable puts an error of what a table is computed from into the place of the metric, whose level a retry leaves as it is.
func inTable(in *scope.Env, t *measure.LevelTable, err error) error {
	var e *planerr.Error
	if !errors.As(err, &e) || e.Code == planerr.CodeInternal {
		return err
	}
	out := *e
	out.Location, out.Metrics = t.Metric.At.Location, []string{t.Owner}
	out.SuggestedRetry, out.Fragment = "leave out "+t.Owner, retry.DropMetric(in, t.Owner)
	return &out
}

// CanBeBranches reports whether the tables of metrics at other levels have the rows of the query themselves, as its branches
// do: their groups are those of the query, and so are their conditions. Otherwise the rows of the query are those of its branches,
// which the tables are joined to.
func CanBeBranches(a *branch.Query) bool {
	if a.Top != nil || a.GapFill != nil || a.Compare != nil || a.Levels.HasSeveralLevels() && a.Levels.LevelOfGroupSet(nil) >= 0 {
		return false
	}
	isWindow := func(u *measure.Ref) bool { return u.Window != nil }
	isOther := func(t *measure.LevelTable) bool {
		return !t.KeepsAll || t.IsUnfiltered() || len(t.Added) == 0 || slices.ContainsFunc(t.Added, func(g scope.Group) bool { return dropsRows(a, g) })
	}
	return !slices.ContainsFunc(a.Cols.MeasureRefs, isWindow) && !slices.ContainsFunc(a.Cols.LevelTables, isOther)
}

// dropsRows reports whether a join that an included group needs drops rows of a measure.
func dropsRows(a *branch.Query, g scope.Group) bool {
	return g.Ref.Field != nil && slices.ContainsFunc(a.Cols.MeasureRefs, func(u *measure.Ref) bool { return branch.MayDropRows(a.In, u.Measure.Home, g.Ref) })
}

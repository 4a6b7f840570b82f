package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// plannedBranch is a planned branch.
type plannedBranch struct {
	node    plan.Node
	columns []int               // per member, its column among those that are not keys
	width   int                 // number of columns that are not keys
	first   int                 // index of the first of them where all branches are matched
	rows    int                 // of the column that counts the rows of a bucket; -1 where nothing reads it
	once    []*homeRowCollector // of the branch and of those of its windows, where joins repeat rows of the home
}

// planBranches plans each branch. All of them have the same kept values of top, nil where the
// query has no top. The router may be that of another query over the same rows.
func planBranches(a *resolvedQuery, r branchJoinRouteFinder, kept *top.Kept) ([]plannedBranch, error) {
	names := naming.NewNamer()
	for _, g := range a.groups {
		names.UniqueName(g.Name)
	}
	spent, first, level := a.cols.Sizes, a.resultRowKeyColumnCount(), ""
	if a.levels.HasSeveralLevels() {
		level = names.UniqueName(rollup.Column)
	}
	out := make([]plannedBranch, len(r.branches))
	var filled []groupedBranch
	for i, br := range r.branches {
		if err := a.in.ContextError(); err != nil {
			return nil, err
		}
		grouped, err := planBranch(a, r, br, kept, names, level, spent)
		if err != nil {
			return nil, err
		}
		spent = grouped.branch.sizes
		if a.gapFill != nil {
			filled = append(filled, grouped)
			continue
		}
		if out[i], err = grouped.addWindows(names, first); err != nil {
			return nil, err
		}
		first += out[i].width
	}
	if a.gapFill != nil {
		return finishFilledBranches(a.gapFill, filled, names, first)
	}
	return out, nil
}

// planBranch plans a branch up to its aggregates.
func planBranch(a *resolvedQuery, r branchJoinRouteFinder, br *measureBranch, kept *top.Kept, names *naming.Namer, level string, spent measure.Sizes) (groupedBranch, error) {
	if br.window != nil {
		return planWindowBase(newWindowBasePlanner(a, br, kept, level, spent), r, names)
	}
	routing, err := r.findBranchJoinRoutes(br)
	if err != nil {
		return groupedBranch{}, err
	}
	p, err := newBranchPlanner(a, br, routing, kept, level, spent)
	if err != nil {
		return groupedBranch{}, err
	}
	if br.read.Kind != measure.ReadKindBucketRows {
		return planRecomputedWindowBranch(p, names, len(r.branches), r.q != a)
	}
	return planBranchAggregates(p, names, len(r.branches), r.q != a)
}

// groupedBranch is a branch before its windows.
type groupedBranch struct {
	branch  *branchPlanner
	node    plan.Node
	slots   []int               // per member, its aggregate
	seconds map[int]int         // of members with two
	rows    int                 // the aggregate that counts the rows of a bucket; -1 where nothing reads it
	inputs  map[int]int         // of a window over an expression: per measure reference, its column
	inner   []*homeRowCollector // of the branches that a window over an expression reads
}

func (g groupedBranch) homeRowCollectors() []*homeRowCollector {
	if g.branch.once == nil {
		return g.inner
	}
	return append(slices.Clone(g.inner), g.branch.once)
}

// branchPlanner plans one branch.
type branchPlanner struct {
	q         *resolvedQuery
	br        *measureBranch
	routing   branchJoinRoutes
	kept      *top.Kept
	tree      *joins.Tree
	home      *joins.Node
	level     string // the name of the level column; "" where the query has one level
	calendars *calendarJoins
	groupKeys []plan.NamedExpr
	once      *homeRowCollector // nil where no join repeats rows of the home
	// isOfSnapshot is the condition on the rows that a semi-additive measure is over; nil for all.
	isOfSnapshot sqlexpr.Expr
	sizes        measure.Sizes // of what the query has expanded to
}

func newBranchPlanner(a *resolvedQuery, br *measureBranch, way branchJoinRoutes, kept *top.Kept, level string, spent measure.Sizes) (*branchPlanner, error) {
	tree := joins.New(a.in.Cat, a.in.Target.Dialect, a.in.Target.Caps, way.root, a.lod.newLODTableFunc(nil))
	p := &branchPlanner{q: a, br: br, routing: way, kept: kept, tree: tree, home: tree.JoinPath(tree.Root(), way.home, false), level: level, sizes: spent}
	p.calendars = &calendarJoins{branch: p}
	if !way.oncePerGroup {
		return p, nil
	}
	var err error
	p.once, err = newHomeRowCollector(p)
	return p, err
}

// newWindowBasePlanner returns the planner of a branch that is a window over an expression: it reads other branches, and no
// rows of its own.
func newWindowBasePlanner(a *resolvedQuery, br *measureBranch, kept *top.Kept, level string, spent measure.Sizes) *branchPlanner {
	p := &branchPlanner{q: a, br: br, kept: kept, level: level, sizes: spent}
	p.calendars = &calendarJoins{branch: p}
	return p
}

// planAggregates plans the branch up to its aggregates.
func (p *branchPlanner) planAggregates(names *naming.Namer, branches int) (groupedBranch, error) {
	filters, err := p.listGroupKeysAndFilters()
	if err != nil {
		return groupedBranch{}, err
	}
	ranged, err := newCompareRangeAsGroupKeyPlanner(p)
	if err != nil {
		return groupedBranch{}, err
	}
	if ranged != nil {
		return ranged.planAggregates(filters, names, branches)
	}
	measures, slots, seconds, err := p.buildMeasureAggregates(names, nil)
	if err != nil {
		return groupedBranch{}, err
	}
	counts, rows, err := newRowCountMeasures(p, names)
	if err != nil {
		return groupedBranch{}, err
	}
	if rows >= 0 {
		rows += len(measures)
	}
	measures = append(measures, counts...)
	from, keys, err := p.branchInputRows(filters)
	if err != nil {
		return groupedBranch{}, err
	}
	node := p.groupBranchRows(from, keys, measures, branches)
	if p.movesBuckets() {
		node = p.movePreviousBuckets(node) // of a branch without windows
	}
	return groupedBranch{branch: p, node: node, slots: slots, seconds: seconds, rows: rows}, nil
}

// listGroupKeysAndFilters makes the keys of all groups, and returns the conditions on the rows of the branch.
func (p *branchPlanner) listGroupKeysAndFilters() ([]filterNodeConditions, error) {
	if _, err := (groupKeyBuilder{p}).listGroupKeys(); err != nil {
		return nil, err
	}
	return p.branchInputFilters(p.q.conds.Input)
}

// branchInputRows returns the rows of the branch with their keys.
func (p *branchPlanner) branchInputRows(filters []filterNodeConditions) (plan.Node, []plan.NamedExpr, error) {
	from, err := p.tree.Plan()
	if err != nil {
		return nil, nil, err
	}
	from = p.calendars.joinCalendars(from)
	for _, f := range filters {
		from = f.addFilterAndSemiJoins(from)
	}
	from, keys, kept := p.kept.Join(from, p.tree, p.groupKeys, p.moveKeysToCurrentRange(p.groupKeys))
	return top.FilterKept(from, kept), keys, nil
}

// addWindows adds the windows of the branch. first is the index of its first column that is not a key
// where all branches are matched.
func (g groupedBranch) addWindows(names *naming.Namer, first int) (plannedBranch, error) {
	node, columns, rows, err := g.planWindows(names)
	if err != nil {
		return plannedBranch{}, err
	}
	return plannedBranch{node, columns, len(node.Schema()) - g.branch.q.resultRowKeyColumnCount(), first, rows, g.homeRowCollectors()}, nil
}

// groupBranchRows groups the rows of the branch.
func (p *branchPlanner) groupBranchRows(rows plan.Node, keys, measures []plan.NamedExpr, branches int) plan.Node {
	home, why := p.br.home.Name, p.explainText(branches)
	if p.once != nil {
		return p.once.aggregateByHomeRow(rows, keys, measures, why)
	}
	if p.q.levels.HasSeveralLevels() {
		return &plan.GroupingSets{Input: rows, Keys: keys, Sets: p.q.levels.GroupSets, Level: p.level, Measures: measures, Home: home, Why: why}
	}
	return &plan.Aggregate{Input: rows, Keys: keys, Measures: measures, Home: home, Why: why}
}

// makeRowDroppingJoins makes the joins that drop rows, whether the branch reads their datasets or not.
func (p *branchPlanner) makeRowDroppingJoins() {
	for _, r := range p.routing.routes {
		inner := p.q.in.Cat.AppendInnerJoinPathsOfExpr(nil, &sqlexpr.Ref{ID: r.Ref.Field.ID}, p.q.in.Target.Dialect)
		if len(inner) == 0 && !slices.ContainsFunc(r.Path, func(s catalog.JoinStep) bool { return s.Rel.JoinType == catalog.JoinInner }) {
			continue
		}
		at := p.tree.JoinPath(p.tree.Root(), r.Path, r.Named)
		for _, path := range inner {
			p.tree.JoinPath(at, path, false)
		}
	}
	for _, path := range p.br.inner {
		p.tree.JoinPath(p.home, path, false)
	}
}

// exprOfRef returns the expression that reads a reference in this branch.
func (p *branchPlanner) exprOfRef(ref resolve.Ref) (sqlexpr.Expr, error) {
	for _, r := range p.routing.routes {
		if r.Ref.IsSame(ref) {
			return p.tree.FieldExpr(p.tree.JoinPath(p.tree.Root(), r.Path, r.Named), ref.Field, "")
		}
	}
	return nil, scope.InternalError("no route to %s in the branch of %s", ref, p.br.home.Name)
}

// groupKey returns the key of a group, which is made once. A condition that reads it may come before the other keys.
func (p *branchPlanner) groupKey(group int) (plan.NamedExpr, error) {
	if p.groupKeys == nil {
		p.groupKeys = make([]plan.NamedExpr, len(p.q.groups))
	}
	key := &p.groupKeys[group]
	if key.Expr != nil {
		return *key, nil
	}
	var err error
	if p.q.groups[group].Expression != nil {
		*key, err = p.groupKeyOfExpression(p.q.groups[group])
	} else {
		*key, err = groupKeyBuilder{p}.fieldGroupKey(group)
	}
	return *key, err
}

// filterNodeConditions is what becomes one node of the plan: conditions that come from one place.
type filterNodeConditions struct {
	why     string
	conds   []sqlexpr.Expr
	members []boundSubqueryCondition
}

// branchInputFilters returns the branch's input conditions, with those of where_sql.
func (p *branchPlanner) branchInputFilters(filter []where.Conjunct) ([]filterNodeConditions, error) {
	var out []filterNodeConditions
	for _, part := range []struct {
		why   string
		conds []where.Conjunct
	}{{"context_filter", p.routing.population}, {where.WhereSQLKey, filter}} {
		if len(part.conds) == 0 {
			continue
		}
		bound, err := p.rewritePredicatesOverBranch(part.conds)
		if err != nil {
			return nil, err
		}
		among, err := bindSubqueryConditions(p, part.conds)
		if err != nil {
			return nil, err
		}
		out = append(out, filterNodeConditions{why: part.why, conds: bound, members: among})
	}
	if len(p.q.ranges) == 0 {
		return out, nil
	}
	conds, err := p.newBranchRangeConditions().timeRangeConditions()
	if err != nil {
		return nil, err
	}
	return append(out, filterNodeConditions{why: "time_range", conds: conds}), nil
}

// rewritePredicatesOverBranch returns conditions over the columns of the branch.
func (p *branchPlanner) rewritePredicatesOverBranch(conds []where.Conjunct) ([]sqlexpr.Expr, error) {
	out := make([]sqlexpr.Expr, 0, len(conds))
	for _, c := range conds {
		if c.Member != nil {
			continue
		}
		if err := p.sizes.AddToQuerySize(c.Expr); err != nil {
			return nil, err
		}
		e, err := build.RewriteRefs(c.Expr, func(id int) (sqlexpr.Expr, error) {
			if id < 0 {
				key := p.groupKeys[-id-1].Expr
				return key, p.sizes.AddToQuerySize(key)
			}
			return p.exprOfRef(p.q.conds.Refs[id])
		})
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

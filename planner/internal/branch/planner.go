package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// Grouped is a planned branch: a row for each group, with the columns of its members after the keys.
type Grouped struct {
	Branch *Planner
	Node   plan.Node
	Slots  []int // per member, its column among those that are not keys
	Rows   int   // the column that counts the rows of a group; -1 where nothing reads it
}

// Planner plans one branch.
type Planner struct {
	Q         *Query
	Br        *Branch
	Routing   Routes
	Kept      *top.Kept
	Tree      *joins.Tree
	home      *joins.Node
	Level     string // the name of the level column; "" where the query has one level
	Calendars *calendarJoins
	groupKeys []plan.NamedExpr
	Once      *HomeRowCollector // nil where no join repeats rows of the home
	// isOfSnapshot is the condition on the rows that a semi-additive measure is over; nil for all.
	isOfSnapshot sqlexpr.Expr
	rolled       *rolledTable  // nil: the branch reads the base tables
	Sizes        measure.Sizes // of what the query has expanded to
}

// newPlanner returns the planner of a branch that reads its rows along the routes.
func newPlanner(a *Query, br *Branch, way Routes, kept *top.Kept, level string, spent measure.Sizes) (*Planner, error) {
	tree := joins.New(a.In.Cat, a.In.Target.Dialect, a.In.Target.Caps, way.Root, a.Lod.newTables(nil))
	p := &Planner{Q: a.ofBranch(br), Br: br, Routing: way, Kept: kept, Tree: tree, home: tree.JoinPath(tree.Root(), way.home, false), Level: level, Sizes: spent}
	p.Calendars = &calendarJoins{branch: p}
	if !way.oncePerGroup {
		return p, nil
	}
	var err error
	p.Once, err = newHomeRowCollector(p)
	return p, err
}

// planPlain plans the branch up to its aggregates.
func (p *Planner) planPlain(names *naming.Namer, branches int) (Grouped, error) {
	filters, err := p.ListGroupKeysAndFilters()
	if err != nil {
		return Grouped{}, err
	}
	ranged, err := newCompareRangeAsGroupKeyPlanner(p)
	if err != nil {
		return Grouped{}, err
	}
	if ranged != nil {
		return ranged.planAggregates(filters, names, branches)
	}
	measures, slots, err := p.buildMeasureAggregates(names, nil)
	if err != nil {
		return Grouped{}, err
	}
	counts, rows, err := newRowCountMeasures(p, names)
	if err != nil {
		return Grouped{}, err
	}
	if rows >= 0 {
		rows += len(measures)
	}
	measures = append(measures, counts...)
	from, keys, err := p.BranchInputRows(filters)
	if err != nil {
		return Grouped{}, err
	}
	node := p.GroupBranchRows(from, keys, measures, branches)
	return Grouped{Branch: p, Node: node, Slots: slots, Rows: rows}, nil
}

// ListGroupKeysAndFilters makes the keys of all groups, and returns the conditions on the rows of the branch.
func (p *Planner) ListGroupKeysAndFilters() ([]FilterNode, error) {
	if _, err := listGroupKeys(p); err != nil {
		return nil, err
	}
	return p.branchInputFilters(p.Q.Conds.Input)
}

// BranchInputRows returns the rows of the branch with their keys.
func (p *Planner) BranchInputRows(filters []FilterNode) (plan.Node, []plan.NamedExpr, error) {
	from, err := p.Tree.Plan()
	if err != nil {
		return nil, nil, err
	}
	from = p.Calendars.joinCalendars(from)
	for _, f := range filters {
		from = f.addFilterAndSemiJoins(from)
	}
	moved, err := moveKeysToCurrentRange(p, p.groupKeys)
	if err != nil {
		return nil, nil, err
	}
	from, keys, kept := p.Kept.Join(from, p.Tree, p.groupKeys, moved)
	return top.FilterKept(from, kept), keys, nil
}

// GroupBranchRows groups the rows of the branch.
func (p *Planner) GroupBranchRows(rows plan.Node, keys, measures []plan.NamedExpr, branches int) plan.Node {
	home, why := p.Br.Home.Name, p.explainText(branches)
	if p.Once != nil {
		return p.Once.aggregateByHomeRow(rows, keys, measures, why)
	}
	if p.Q.Levels.HasSeveralLevels() {
		return &plan.GroupingSets{Input: rows, Keys: keys, Sets: p.Q.Levels.GroupSets, Level: p.Level, Measures: measures, Home: home, Why: why}
	}
	return &plan.Aggregate{Input: rows, Keys: keys, Measures: measures, Home: home, Why: why}
}

// MakeRowDroppingJoins makes the joins that drop rows, whether the branch reads their datasets or not.
func (p *Planner) MakeRowDroppingJoins() {
	for _, r := range p.Routing.routes {
		inner := p.Q.In.Cat.AppendInnerJoinPathsOfExpr(nil, &sqlexpr.Ref{ID: r.Ref.Field.ID}, p.Q.In.Target.Dialect)
		if len(inner) == 0 && !slices.ContainsFunc(r.Path, func(s catalog.JoinStep) bool { return s.Rel.JoinType == catalog.JoinInner }) {
			continue
		}
		at := p.Tree.JoinPath(p.Tree.Root(), r.Path, r.Named)
		for _, path := range inner {
			p.Tree.JoinPath(at, path, false)
		}
	}
	for _, path := range p.Br.inner {
		p.Tree.JoinPath(p.home, path, false)
	}
}

// exprOfRef returns the expression that reads a reference in this branch.
func (p *Planner) exprOfRef(ref resolve.Ref) (sqlexpr.Expr, error) {
	for _, r := range p.Routing.routes {
		if r.Ref.IsSame(ref) {
			return joins.PathFieldExpr(p.Tree, r.Path, r.Named, ref.Field)
		}
	}
	return nil, scope.InternalError("no route to %s in the branch of %s", ref, p.Br.Home.Name)
}

// groupKey returns the key of a group, which is made once. A condition that reads it may come before the other keys.
func (p *Planner) groupKey(group int) (plan.NamedExpr, error) {
	if p.groupKeys == nil {
		p.groupKeys = make([]plan.NamedExpr, len(p.Q.Groups))
	}
	key := &p.groupKeys[group]
	if key.Expr != nil {
		return *key, nil
	}
	var err error
	if p.Q.Groups[group].Expression != nil {
		*key, err = p.groupKeyOfExpression(p.Q.Groups[group])
	} else {
		*key, err = fieldGroupKey(p, group)
	}
	return *key, err
}

// FilterNode is what becomes one node of the plan: conditions that come from one place.
type FilterNode struct {
	why     string
	conds   []sqlexpr.Expr
	members []boundSubqueryCondition
}

// branchInputFilters returns the branch's input conditions, with those of where_sql.
func (p *Planner) branchInputFilters(filter []where.Conjunct) ([]FilterNode, error) {
	var out []FilterNode
	for _, part := range []struct {
		why   string
		conds []where.Conjunct
	}{{"context_filter", p.rolled.withoutAbsorbed(p.Routing.population)}, {where.WhereSQLKey, p.rolled.withoutAbsorbed(p.Br.inputFilters(filter))}} {
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
		out = append(out, FilterNode{why: part.why, conds: bound, members: among})
	}
	if len(p.Q.Ranges) == 0 && !p.Br.ScanRange.Beyond {
		return out, nil
	}
	conds, err := p.NewBranchRangeConditions().timeRangeConditions()
	if err != nil {
		return nil, err
	}
	return append(out, FilterNode{why: "time_range", conds: conds}), nil
}

// inputFilters returns the conditions that filter the rows of the branch. A range of its axis chooses the buckets that are shown
// where it reads others too.
func (br *Branch) inputFilters(conds []where.Conjunct) []where.Conjunct {
	if !br.ScanRange.Beyond || !slices.ContainsFunc(conds, br.isShownRange) {
		return conds
	}
	return slices.DeleteFunc(slices.Clone(conds), br.isShownRange)
}

// isShownRange reports whether a condition is a range of the axis of the branch.
func (br *Branch) isShownRange(c where.Conjunct) bool { return c.Range.IsOver(br.Axis) }

// rewritePredicatesOverBranch returns conditions over the columns of the branch.
func (p *Planner) rewritePredicatesOverBranch(conds []where.Conjunct) ([]sqlexpr.Expr, error) {
	out := make([]sqlexpr.Expr, 0, len(conds))
	for _, c := range conds {
		if c.Member != nil {
			continue
		}
		if err := p.Sizes.AddToQuerySize(c.Expr); err != nil {
			return nil, err
		}
		if onBuckets, ok, err := p.rolled.conditionOnBuckets(c); ok || err != nil {
			if err != nil {
				return nil, err
			}
			out = append(out, onBuckets...)
			continue
		}
		e, err := build.RewriteRefs(c.Expr, func(id int) (sqlexpr.Expr, error) {
			if id < 0 {
				key := p.groupKeys[-id-1].Expr
				return key, p.Sizes.AddToQuerySize(key)
			}
			return p.exprOfRef(p.Q.Conds.Refs[id])
		})
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// IsReadByWindow reports whether a member of the branch is the input of a window.
func (br *Branch) IsReadByWindow() bool {
	return slices.ContainsFunc(br.Members, func(u Member) bool { return u.Ref.InputOf != nil })
}

package grouping

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
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
	Q         *branch.Query
	Br        *branch.Branch
	Routing   branch.Routes
	Kept      *top.Kept
	Tree      *joins.Tree
	Home      *joins.Node
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
func newPlanner(a *branch.Query, br *branch.Branch, way branch.Routes, kept *top.Kept, level string, spent measure.Sizes) (*Planner, error) {
	tree := joins.New(a.In.Cat, a.In.Target.Dialect, a.In.Target.Caps, way.Root, a.Lod.NewTables(nil))
	p := &Planner{Q: a.OfBranch(br), Br: br, Routing: way, Kept: kept, Tree: tree, Home: tree.JoinPath(tree.Root(), way.Home, false), Level: level, Sizes: spent}
	p.Calendars = &calendarJoins{branch: p}
	if !way.OncePerGroup {
		return p, nil
	}
	var err error
	p.Once, err = newHomeRowCollector(p)
	return p, err
}

// PlanPlain plans the branch up to its aggregates.
func (p *Planner) PlanPlain(names *naming.Namer, branches int) (Grouped, error) {
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
	measures, slots, err := p.BuildAggregates(names, nil)
	if err != nil {
		return Grouped{}, err
	}
	counts, rows, err := NewRowCounts(p, names)
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
	if _, err := ListGroupKeys(p); err != nil {
		return nil, err
	}
	return p.InputFilters(p.Q.Conds.Input)
}

// BranchInputRows returns the rows of the branch with their keys.
func (p *Planner) BranchInputRows(filters []FilterNode) (plan.Node, []plan.NamedExpr, error) {
	from, err := p.Tree.Plan()
	if err != nil {
		return nil, nil, err
	}
	from = p.Calendars.JoinCalendars(from)
	for _, f := range filters {
		from = f.Over(from)
	}
	moved, err := MoveKeysToCurrentRange(p, p.groupKeys)
	if err != nil {
		return nil, nil, err
	}
	from, keys, kept := p.Kept.Join(from, p.Tree, p.groupKeys, moved)
	return top.FilterKept(from, kept), keys, nil
}

// GroupBranchRows groups the rows of the branch.
func (p *Planner) GroupBranchRows(rows plan.Node, keys, measures []plan.NamedExpr, branches int) plan.Node {
	home, why := p.Br.Home.Name, p.ExplainText(branches)
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
	for _, r := range p.Routing.Refs {
		inner := p.Q.In.Cat.AppendInnerJoinPathsOfExpr(nil, &sqlexpr.Ref{ID: r.Ref.Field.ID}, p.Q.In.Target.Dialect)
		if len(inner) == 0 && !slices.ContainsFunc(r.Path, func(s catalog.JoinStep) bool { return s.Rel.JoinType == catalog.JoinInner }) {
			continue
		}
		at := p.Tree.JoinPath(p.Tree.Root(), r.Path, r.Named)
		for _, path := range inner {
			p.Tree.JoinPath(at, path, false)
		}
	}
	for _, path := range p.Br.Inner {
		p.Tree.JoinPath(p.Home, path, false)
	}
}

// exprOfRef returns the expression that reads a reference in this branch.
func (p *Planner) exprOfRef(ref resolve.Ref) (sqlexpr.Expr, error) {
	for _, r := range p.Routing.Refs {
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
	Why     string
	Conds   []sqlexpr.Expr
	Members []SubqueryCondition
}

// InputFilters returns the branch's input conditions, with those of where_sql.
func (p *Planner) InputFilters(filter []where.Conjunct) ([]FilterNode, error) {
	var out []FilterNode
	for _, part := range []struct {
		why   string
		conds []where.Conjunct
	}{{"context_filter", p.rolled.withoutAbsorbed(p.Routing.Population)}, {where.WhereSQLKey, p.rolled.withoutAbsorbed(p.Br.InputFilters(filter))}} {
		if len(part.conds) == 0 {
			continue
		}
		bound, err := p.RewritePredicates(part.conds)
		if err != nil {
			return nil, err
		}
		among, err := SubqueryConditions(p, part.conds)
		if err != nil {
			return nil, err
		}
		out = append(out, FilterNode{Why: part.why, Conds: bound, Members: among})
	}
	if len(p.Q.Ranges) == 0 && !p.Br.ScanRange.Beyond {
		return out, nil
	}
	conds, err := p.NewBranchRangeConditions().timeRangeConditions()
	if err != nil {
		return nil, err
	}
	return append(out, FilterNode{Why: "time_range", Conds: conds}), nil
}

// RewritePredicates returns conditions over the columns of the branch.
func (p *Planner) RewritePredicates(conds []where.Conjunct) ([]sqlexpr.Expr, error) {
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

// ExplainText describes for EXPLAIN how the branch differs from the others.
func (p *Planner) ExplainText(branches int) string {
	br := p.Br
	var parts []string
	if p.Q.Compare != nil && br.ScanRange.Tag >= 0 {
		parts = append(parts, p.Q.Ranges[br.ScanRange.Tag].TextOfCompare())
	}
	if br.Axis != nil {
		parts = append(parts, "metric_time = "+br.Axis.QualifiedName())
	}
	if branches > 1 && len(br.Members) > 0 {
		parts = append(parts, "for "+strings.Join(br.MetricNames(), ", "))
	}
	return strings.Join(parts, "; ")
}

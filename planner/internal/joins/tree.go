package joins

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/plan"
)

// Tree is the join tree of one branch.
type Tree struct {
	cat     *catalog.Catalog
	dialect string
	caps    plan.Capabilities
	exact   bool // string columns are cast to text; see castTextFieldForExactComparison
	nodes   []*Node
	aliases []string // that differ in more than case
	tables  Tables
	// joinedGrains: the grain of a joined table reads other joined tables.
	joinedGrains bool
	// keepsUnmatched: INNER relationships join as LEFT ones; InnerJoinMatchConditions drop the rows. conditioned is the
	// number of nodes that it has dealt with.
	keepsUnmatched bool
	conditioned    int
	stored         *StoredRoot // nil: the root is read from the source of its dataset
	// few is the memory of nodes and aliases of a tree that joins few datasets.
	few struct {
		root    Node
		nodes   [4]*Node
		aliases [4]string
	}
}

// Tables are what a tree needs beside the sources of its datasets.
type Tables struct {
	Planner TablePlanner     // nil for a tree that needs nothing
	Outer   []*catalog.Field // the level-of-detail fields in whose tables the tree is, the outermost first
	Clock   clock.Clock      // of the query, on whose calendar the periods of sequences are
}

// TablePlanner plans what trees need beside the sources of their datasets.
type TablePlanner interface {
	// PlanLODTable plans the table of the last of some level-of-detail fields, each of which is in the table of the one before it.
	// Variant identifies the bindings of the field's parameters; only the planner interprets it.
	PlanLODTable(fields []*catalog.Field, variant string) (*LODTable, error)
	// StepConditions returns the conditions of the query that choose the rows of a step of a sequence, over a tree whose root is the
	// dataset of the step.
	StepConditions(*Tree) ([]sqlexpr.Expr, error)
}

// LODTable is a level-of-detail field's table: one row per grain key, the
// grain's fields as its first columns, each as TruncateDateFieldToDay makes it. Value computes the field from the
// columns of a joined row, which are all NULL for a key without rows.
type LODTable struct {
	Node plan.Node
	// ForeignKeys: the first columns are the foreign keys that name the rows of the grain, none of them NULL.
	ForeignKeys bool
	Value       func(column func(i int) sqlexpr.Expr) sqlexpr.Expr
}

// Node is one joined dataset.
type Node struct {
	Dataset  *catalog.Dataset
	Alias    string
	parent   *Node
	step     catalog.JoinStep
	children []*Node
	nullable bool // an outer row may have no match here
	required bool // rows without a match are not wanted
	kept     bool // rows without a match stay, also along an INNER relationship
	derived  []*lodJoin
	table    substituteTable // nil: the source of the dataset
	virtual  bool            // no join: all that was read of the dataset is stored at the root
	admits   *catalog.Field  // the rule that filters the source; nil where table admits rows, or all are
}

// lodJoin is a level-of-detail table joined to its carrier.
type lodJoin struct {
	field   *catalog.Field
	variant string
	alias   string
	node    plan.Node
	on      []plan.JoinEquality
	value   sqlexpr.Expr
}

// maxAliasBytes is the most bytes of a name that every engine distinguishes:
// PostgreSQL truncates longer names.
const maxAliasBytes = 60

// New starts a tree at a root dataset. Expressions are taken in their variant
// for the dialect, whose capabilities are caps.
func New(cat *catalog.Catalog, dialect string, caps plan.Capabilities, root *catalog.Dataset, tables Tables) *Tree {
	t := &Tree{cat: cat, dialect: dialect, caps: caps, exact: caps.TextByCast, tables: tables}
	t.aliases = t.few.aliases[:0]
	t.few.root.Dataset, t.few.root.Alias = root, t.reserveAlias(root.Name)
	t.nodes = append(t.few.nodes[:0], &t.few.root)
	t.nodes[0].table = newSequenceTable(t, root)
	t.nodes[0].admitRows(t)
	return t
}

// Root returns the node of the root dataset.
func (t *Tree) Root() *Node { return t.nodes[0] }

// JoinPath follows a path from a node, adding the joins that are not there yet.
// Named marks a path that the query spelled out; its datasets are aliased by
// the path, so that two roles of one dataset can be told apart.
func (t *Tree) JoinPath(at *Node, path []catalog.JoinStep, named bool) *Node {
	for i, s := range path {
		at = t.findOrAddChild(at, s, path[:i+1], named)
	}
	return at
}

func (t *Tree) findOrAddChild(at *Node, s catalog.JoinStep, path []catalog.JoinStep, named bool) *Node {
	for _, c := range at.children {
		if c.step == s {
			return c
		}
	}
	name := s.TargetDataset().Name
	if named {
		parts := make([]string, len(path))
		for i, p := range path {
			parts[i] = p.Rel.Name
		}
		if path := strings.Join(parts, "__"); len(path) <= maxAliasBytes {
			name = path
		}
	}
	c := &Node{
		Dataset:  s.TargetDataset(),
		Alias:    t.reserveAlias(name),
		parent:   at,
		step:     s,
		nullable: at.nullable || s.Rel.JoinType == catalog.JoinLeft || t.keepsUnmatched,
		kept:     t.keepsUnmatched,
	}
	if s.Rel.Valid != nil {
		c.table = t.validitySubstituteTable(c)
	} else if c.Dataset.Sequence != nil {
		c.table = newSequenceTable(t, c.Dataset)
	} else if table := newDayKeyTable(t, c); table != nil {
		c.table = table
	}
	c.virtual = t.stored.mayHold(at, s)
	c.admitRows(t)
	at.children = append(at.children, c)
	t.nodes = append(t.nodes, c)
	return c
}

// UniqueAlias reserves an alias for a table that a caller joins to the tree itself.
func (t *Tree) UniqueAlias(name string) string { return t.reserveAlias(name) }

// reserveAlias reserves a table alias, numbered when the name is taken. Engines that
// fold aliases must not see two that differ in case alone.
func (t *Tree) reserveAlias(name string) string {
	alias := name
	for i := 2; slices.ContainsFunc(t.aliases, func(taken string) bool { return strings.EqualFold(taken, alias) }); i++ {
		alias = name + "_" + strconv.Itoa(i)
	}
	t.aliases = append(t.aliases, alias)
	return alias
}

// Plan returns the tree as plan nodes: the root's scan with every join added in the
// order in which it was requested.
func (t *Tree) Plan() (plan.Node, error) {
	// Conditions first: binding a key may add a derived table to its node.
	var few [4]joinCondition
	conditions := slices.Grow(few[:0], len(t.nodes))[:len(t.nodes)]
	for at := range t.nodes {
		i := at
		if t.stored != nil { // a condition may read its left side by a join before it, which was not made until then
			i = len(t.nodes) - 1 - at
		}
		if n := t.nodes[i]; n.parent != nil && !n.virtual {
			on, err := t.joinConditionOf(n)
			if err != nil {
				return nil, err
			}
			conditions[i] = on
		}
	}
	order := joinSequencer{waits: t.joinedGrains}
	for i, n := range t.nodes {
		if n.virtual {
			continue
		}
		rows, err := n.planTable(t)
		if err != nil {
			return nil, err
		}
		if n.parent == nil {
			order.startAtRoot(n.Alias, rows)
		} else {
			order.addJoin(n.Alias, &plan.Join{
				Right: rows, Kind: n.joinKind(), On: conditions[i].on, Valid: conditions[i].valid,
				Relationship: n.step.Rel.Name, Cardinality: cardinalityText(n.step),
			})
		}
		for _, l := range n.derived {
			order.addJoin(l.alias, &plan.Join{Right: l.node, Kind: plan.LeftJoin, On: l.on, Cardinality: "one row per grain key"})
		}
	}
	return order.out, nil
}

// RequireMatch makes the joins down to a node INNER: rows that have no match there
// are not wanted.
func (t *Tree) RequireMatch(n *Node) {
	for ; n.parent != nil; n = n.parent {
		n.required, n.nullable = true, false
	}
}

func (n *Node) joinKind() plan.JoinKind {
	if n.required || !n.kept && n.step.Rel.JoinType == catalog.JoinInner {
		return plan.InnerJoin
	}
	return plan.LeftJoin
}

func cardinalityText(s catalog.JoinStep) string {
	if s.Reverse {
		return s.Rel.Cardinality.String() + ", reversed"
	}
	return s.Rel.Cardinality.String()
}

// joinCondition is the condition of a join.
type joinCondition struct {
	on    []plan.JoinEquality
	valid *plan.JoinValidity // nil where the equality is the whole condition
}

func (t *Tree) joinConditionOf(n *Node) (joinCondition, error) {
	rel := n.step.Rel
	if rel.Err != nil {
		return joinCondition{}, rel.Err
	}
	if rel.Valid != nil {
		return t.validityJoinCondition(n)
	}
	on, err := t.relationshipEquality(n)
	return joinCondition{on: on}, err
}

// relationshipEquality pairs the columns of a node's relationship.
func (t *Tree) relationshipEquality(n *Node) ([]plan.JoinEquality, error) {
	left, right := n.step.Rel.FromFields, n.step.Rel.ToFields
	if n.step.Reverse {
		left, right = right, left
	}
	on := make([]plan.JoinEquality, len(left))
	for i := range left {
		l, err := t.FieldExpr(n.parent, left[i], "")
		if err != nil {
			return nil, err
		}
		r, err := n.keyExpr(t, i)
		if err != nil {
			return nil, err
		}
		on[i] = equalityOfFields(left[i], right[i], l, r)
	}
	return on, nil
}

// keyExpr returns a column of the key of a node, by its place in the relationship.
func (n *Node) keyExpr(t *Tree, i int) (sqlexpr.Expr, error) {
	if days, ok := n.table.(*dayKeyTable); ok {
		return days.keyColumn(n.Alias, i), nil
	}
	return t.fieldExprWithoutMatchGuard(n, n.keyFields()[i], "")
}

// equalityOfFields returns the equality of two fields. A date beside a timestamp is marked, for engines that store both as texts; texts of
// one type are compared as they are, which an index serves.
func equalityOfFields(left, right *catalog.Field, l, r sqlexpr.Expr) plan.JoinEquality {
	if left.Type != right.Type && left.Type.IsDateOrTimestamp() && right.Type.IsDateOrTimestamp() {
		if marked := sqlexpr.DeclareComparedTimes([]sqlexpr.Expr{l, r}, []sqlexpr.Type{left.Type, right.Type}); marked != nil {
			l, r = marked[0], marked[1]
		}
	}
	return plan.JoinEquality{Left: l, Right: r, Integers: left.Type == sqlexpr.TypeInt && right.Type == sqlexpr.TypeInt}
}

// columnOfTable returns a column of a node's table.
func (n *Node) columnOfTable(name sqlexpr.Name) *sqlexpr.Column {
	if n.table != nil {
		return n.table.findOrAddQualifiedColumn(n.Alias, name)
	}
	return sqlexpr.NewTwoPartColumn(n.Alias, name)
}

// planTable returns the table of a node: the source of its dataset, or what is read in its place.
func (n *Node) planTable(t *Tree) (plan.Node, error) {
	if n.table != nil {
		return n.table.planRows(n.Alias)
	}
	scan := &plan.Scan{Dataset: n.Dataset.Name, Source: n.Dataset.Source, Alias: n.Alias, Freshness: n.Dataset.Freshness}
	if n.admits == nil {
		return scan, nil
	}
	rule, err := t.fieldExprWithoutMatchGuard(n, n.admits, "")
	return &plan.Filter{Input: scan, Conds: []sqlexpr.Expr{rule}, Why: policyOf(n.Dataset), Rule: true}, err
}

// PlanRoot returns the table of the root again, with the columns that the tree has read of it.
func (t *Tree) PlanRoot() (plan.Node, error) { return t.Root().planTable(t) }

// KeepUnmatched makes the joins that follow keep the rows without a match, also along INNER relationships.
// InnerJoinMatchConditions are the conditions that drop them.
func (t *Tree) KeepUnmatched() { t.keepsUnmatched = true }

// InnerJoinMatchConditions returns the conditions that rows have a match along the INNER relationships that joined the
// tree since the last call.
func (t *Tree) InnerJoinMatchConditions() ([]sqlexpr.Expr, error) {
	var out []sqlexpr.Expr
	for ; t.conditioned < len(t.nodes); t.conditioned++ {
		n := t.nodes[t.conditioned]
		if !n.kept || n.required || n.step.Rel.JoinType != catalog.JoinInner {
			continue
		}
		matched, err := t.matchMarker(n)
		if err != nil {
			return nil, err
		}
		out = append(out, &sqlexpr.IsNull{Not: true, X: matched})
	}
	return out, nil
}

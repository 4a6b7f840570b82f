package joins

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Tree is the join tree of one branch.
type Tree struct {
	dialect string
	exact   bool // string columns are cast to text; see exactText
	nodes   []*Node
	aliases map[string]bool
	lod     LODSource
}

// LODSource plans the table of a level-of-detail field. Variant identifies
// the bindings of the field's parameters; only the source interprets it.
type LODSource func(f *catalog.Field, variant string) (*LODTable, error)

// LODTable is a level-of-detail field's table: one row per grain key, the
// grain's fields as its first columns, each as GroupKey makes it. Value computes the field from the
// columns of a joined row, which are all NULL for a key without rows.
type LODTable struct {
	Node  plan.Node
	Value func(column func(i int) sqlexpr.Expr) sqlexpr.Expr
}

// Node is one joined dataset.
type Node struct {
	Dataset  *catalog.Dataset
	Alias    string
	parent   *Node
	step     catalog.Step
	children []*Node
	nullable bool // an outer row may have no match here
	required bool // rows without a match are not wanted
	derived  []*lodJoin
}

// lodJoin is a level-of-detail table joined to its carrier.
type lodJoin struct {
	field   *catalog.Field
	variant string
	alias   string
	node    plan.Node
	on      []plan.JoinPair
	value   sqlexpr.Expr
}

// maxAlias is the most bytes of a name that every engine distinguishes:
// PostgreSQL truncates longer names.
const maxAlias = 60

// New starts a tree at a root dataset. Expressions are taken in their variant
// for the dialect; byCast is true if strings compare by code points only after a cast
// to text.
func New(dialect string, byCast bool, root *catalog.Dataset, lod LODSource) *Tree {
	t := &Tree{dialect: dialect, exact: byCast, aliases: map[string]bool{}, lod: lod}
	t.nodes = []*Node{{Dataset: root, Alias: t.alias(root.Name)}}
	return t
}

// Root is the node of the root dataset.
func (t *Tree) Root() *Node { return t.nodes[0] }

// Join follows a path from a node, adding the joins that are not there yet.
// Named marks a path that the query spelled out; its datasets are aliased by
// the path, so that two roles of one dataset can be told apart.
func (t *Tree) Join(at *Node, path []catalog.Step, named bool) *Node {
	for i, s := range path {
		at = t.child(at, s, path[:i+1], named)
	}
	return at
}

func (t *Tree) child(at *Node, s catalog.Step, path []catalog.Step, named bool) *Node {
	for _, c := range at.children {
		if c.step == s {
			return c
		}
	}
	name := s.Target().Name
	if named {
		parts := make([]string, len(path))
		for i, p := range path {
			parts[i] = p.Rel.Name
		}
		if path := strings.Join(parts, "__"); len(path) <= maxAlias {
			name = path
		}
	}
	c := &Node{
		Dataset:  s.Target(),
		Alias:    t.alias(name),
		parent:   at,
		step:     s,
		nullable: at.nullable || s.Rel.JoinType == catalog.JoinLeft,
	}
	at.children = append(at.children, c)
	t.nodes = append(t.nodes, c)
	return c
}

// alias reserves a table alias, numbered when the name is taken. Engines that
// fold aliases must not see two that differ in case alone.
func (t *Tree) alias(name string) string {
	alias := name
	for i := 2; t.aliases[strings.ToLower(alias)]; i++ {
		alias = name + "_" + strconv.Itoa(i)
	}
	t.aliases[strings.ToLower(alias)] = true
	return alias
}

// Plan is the tree as plan nodes: the root's scan with every join added in the
// order in which it was asked for.
func (t *Tree) Plan() (plan.Node, error) {
	// Conditions first: binding a key may add a derived table to its node.
	conditions := make([][]plan.JoinPair, len(t.nodes))
	for i, n := range t.nodes {
		if n.parent == nil {
			continue
		}
		on, err := t.condition(n)
		if err != nil {
			return nil, err
		}
		conditions[i] = on
	}
	var out plan.Node
	for i, n := range t.nodes {
		scan := &plan.Scan{Dataset: n.Dataset.Name, Source: n.Dataset.Source, Alias: n.Alias}
		if n.parent == nil {
			out = scan
		} else {
			out = &plan.Join{
				Left: out, Right: scan, Kind: n.joinKind(), On: conditions[i],
				Relationship: n.step.Rel.Name, Cardinality: cardinality(n.step),
			}
		}
		for _, l := range n.derived {
			out = &plan.Join{Left: out, Right: l.node, Kind: plan.LeftJoin, On: l.on, Cardinality: "one row per grain key"}
		}
	}
	return out, nil
}

// RequireMatch makes the joins down to a node INNER: rows that have no match there
// are not wanted.
func (t *Tree) RequireMatch(n *Node) {
	for ; n.parent != nil; n = n.parent {
		n.required, n.nullable = true, false
	}
}

func (n *Node) joinKind() plan.JoinKind {
	if n.required || n.step.Rel.JoinType == catalog.JoinInner {
		return plan.InnerJoin
	}
	return plan.LeftJoin
}

func cardinality(s catalog.Step) string {
	if s.Reverse {
		return s.Rel.Cardinality.String() + ", reversed"
	}
	return s.Rel.Cardinality.String()
}

func (t *Tree) condition(n *Node) ([]plan.JoinPair, error) {
	if n.step.Rel.Err != nil {
		return nil, n.step.Rel.Err
	}
	left, right := n.step.Rel.FromFields, n.step.Rel.ToFields
	if n.step.Reverse {
		left, right = right, left
	}
	on := make([]plan.JoinPair, len(left))
	for i := range left {
		l, err := t.FieldExpr(n.parent, left[i], "")
		if err != nil {
			return nil, err
		}
		r, err := t.unguardedExpr(n, right[i], "")
		if err != nil {
			return nil, err
		}
		on[i] = plan.JoinPair{Left: l, Right: r}
	}
	return on, nil
}

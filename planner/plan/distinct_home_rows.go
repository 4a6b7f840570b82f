package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// HomeRows is the distinct rows of a home dataset in each group, where joins repeat them: one row for
// each combination of Groups, the home's Key, and Args, which aggregates above read. Counts are
// aggregates over the joined rows that a row stands for.
type HomeRows struct {
	isNode
	Input  Node
	Groups []NamedExpr
	Key    []NamedExpr
	Args   []NamedExpr
	Counts []NamedExpr
	// Sets and Level are as in GroupingSets, with Groups for its keys: the rows are distinct in the
	// groups of each set. A set without groups has a row of NULLs beside its others. Without Level
	// there is one set.
	Sets  [][]int
	Level string
	Home  string
}

// Keys returns the columns in which two rows differ: the groups, the key and the arguments.
func (n *HomeRows) Keys() []NamedExpr { return slices.Concat(n.Groups, n.Key, n.Args) }

// Schema returns the keys, the level if there is one, and the counts.
func (n *HomeRows) Schema() Schema {
	s := appendNamedColumns(nil, n.Keys())
	if n.Level != "" {
		s = append(s, Column{Name: n.Level, Type: sqlexpr.TypeInt})
	}
	return appendNamedColumns(s, n.Counts)
}

// Inputs returns the node of the joined rows.
func (n *HomeRows) Inputs() []Node { return []Node{n.Input} }

// Describe lists the groups, the key and what is read.
func (n *HomeRows) Describe() string {
	in := n.Input.Schema()
	s := "HomeRows of " + n.Home + " once for each " + namedExprsText(n.Key, in)
	if len(n.Groups) > 0 {
		s += " by " + namedExprsText(n.Groups, in)
	}
	if n.Level != "" {
		sets := make([]string, len(n.Sets))
		for i, set := range n.Sets {
			sets[i] = strconv.Itoa(i) + " (" + keySetText(n.Groups, set) + ")"
		}
		s += " for " + n.Level + " " + strings.Join(sets, ", ")
	}
	if len(n.Args) > 0 {
		s += " read " + namedExprsText(n.Args, in)
	}
	if len(n.Counts) > 0 {
		s += " count " + namedExprsText(n.Counts, in)
	}
	return s
}

func checkDistinctHomeRows(n *HomeRows) error {
	if err := requireThat(len(n.Key) > 0, "rows of %s without a key", n.Home); err != nil {
		return err
	}
	if err := requireThat((n.Level == "") == (len(n.Sets) == 0), "level %q of %d sets", n.Level, len(n.Sets)); err != nil {
		return err
	}
	all := slices.Concat(n.Keys(), n.Counts)
	if n.Level != "" {
		if err := checkKeySets(n.Groups, n.Sets); err != nil {
			return err
		}
		all = append(all, NamedExpr{Name: n.Level, Expr: &sqlexpr.Number{Text: "0"}})
	}
	return checkNamedExprs(n.Input, all)
}

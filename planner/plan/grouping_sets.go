package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// GroupingSets groups its input by several sets of its keys at once and computes Measures for each group.
// The number of a set is the level of its rows, in a column that follows the keys; a key
// outside the set is NULL in them. A set without keys gives one row, also over no rows.
type GroupingSets struct {
	isNode
	Input Node
	Keys  []NamedExpr
	// Sets are positions in Keys, ascending. The first set holds the most of them.
	Sets     [][]int
	Level    string // the name of the column
	Measures []NamedExpr
	// Home and Why describe the branch in EXPLAIN.
	Home string
	Why  string
	// Rejected are the rollups that do not serve the branch, for EXPLAIN.
	Rejected []RollupRejection
}

// Schema returns the keys, the level and the measures.
func (n *GroupingSets) Schema() Schema {
	s := appendNamedColumns(make(Schema, 0, len(n.Keys)+1+len(n.Measures)), n.Keys)
	return appendNamedColumns(append(s, Column{Name: n.Level, Type: sqlexpr.TypeInt}), n.Measures)
}

// Inputs returns the grouped node.
func (n *GroupingSets) Inputs() []Node { return []Node{n.Input} }

// Describe lists the keys, the sets and the measures, and the reason for the branch.
func (n *GroupingSets) Describe() string {
	s := "GroupingSets"
	if n.Home != "" {
		s += " of " + n.Home
	}
	s += explainNote(n.Why) + " by " + namedExprsText(n.Keys, n.Input.Schema()) + " for " + n.Level
	for i, set := range n.Sets {
		if i > 0 {
			s += ","
		}
		s += " " + strconv.Itoa(i) + " (" + keySetText(n.Keys, set) + ")"
	}
	return s + " compute " + namedExprsText(n.Measures, n.Input.Schema())
}

func keySetText(keys []NamedExpr, set []int) string {
	names := make([]string, len(set))
	for i, key := range set {
		names[i] = keys[key].Name
	}
	return strings.Join(names, ", ")
}

func checkGroupingSets(n *GroupingSets) error {
	if err := requireThat(len(n.Keys) > 0 && len(n.Measures) > 0, "grouping sets without keys or measures"); err != nil {
		return err
	}
	if err := checkKeySets(n.Keys, n.Sets); err != nil {
		return err
	}
	return checkNamedExprs(n.Input, slices.Concat(n.Keys, n.Measures, []NamedExpr{{Name: n.Level, Expr: &sqlexpr.Number{Text: "0"}}}))
}

// checkKeySets requires sets of positions in keys that differ, the first of which holds the most.
func checkKeySets(keys []NamedExpr, sets [][]int) error {
	if err := requireThat(len(sets) > 1, "%d grouping sets", len(sets)); err != nil {
		return err
	}
	for i, set := range sets {
		for j, key := range set {
			if key < 0 || key >= len(keys) || j > 0 && key <= set[j-1] {
				return requireThat(false, "grouping set %v of %d keys", set, len(keys))
			}
		}
		if err := requireThat(len(set) <= len(sets[0]), "grouping set %v has more keys than the first", set); err != nil {
			return err
		}
		repeated := slices.ContainsFunc(sets[:i], func(other []int) bool { return slices.Equal(other, set) })
		if err := requireThat(!repeated, "grouping set %v appears twice", set); err != nil {
			return err
		}
	}
	return nil
}

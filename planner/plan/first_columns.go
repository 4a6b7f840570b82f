package plan

import (
	"strconv"
	"strings"
)

// FirstColumns keeps the first Count columns of its input and the order of the rows: the others are
// computed for a condition or an order, and are not shown.
type FirstColumns struct {
	isNode
	Input Node
	Count int
}

// Schema returns the columns that are kept.
func (n *FirstColumns) Schema() Schema { return n.Input.Schema()[:n.Count] }

// Inputs returns the node with all columns.
func (n *FirstColumns) Inputs() []Node { return []Node{n.Input} }

// Describe lists the columns that are kept.
func (n *FirstColumns) Describe() string {
	names := make([]string, n.Count)
	for i, c := range n.Schema() {
		names[i] = c.Name
	}
	return "FirstColumns " + strconv.Itoa(n.Count) + " of " + strconv.Itoa(len(n.Input.Schema())) + ": " + strings.Join(names, ", ")
}

func checkFirstColumnCount(n *FirstColumns) error {
	columns := len(n.Input.Schema())
	return requireThat(n.Count > 0 && n.Count <= columns, "the first %d of %d columns", n.Count, columns)
}

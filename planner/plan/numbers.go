package plan

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Numbers is the integers from 0 to Count-1, one in each row, in a column called Name. It reads no table.
type Numbers struct {
	isNode
	Name  string
	Count int64
}

// Schema returns the one column.
func (n *Numbers) Schema() Schema { return Schema{{Name: n.Name, Type: sqlexpr.TypeInt}} }

// Inputs of Numbers: none.
func (*Numbers) Inputs() []Node { return nil }

// Describe names the column and the last number.
func (n *Numbers) Describe() string {
	return "Numbers " + n.Name + " from 0 to " + strconv.FormatInt(n.Count-1, 10)
}

// Repeat has each row of its input Count times, with the number of the copy, from 0 on, in a column called Name
// after the columns of the input.
type Repeat struct {
	isNode
	Input Node
	Name  string
	Count int64
}

// Schema returns the input's followed by the number.
func (n *Repeat) Schema() Schema {
	in := n.Input.Schema()
	return append(append(make(Schema, 0, len(in)+1), in...), Column{Name: n.Name, Type: sqlexpr.TypeInt})
}

// Inputs returns the repeated node.
func (n *Repeat) Inputs() []Node { return []Node{n.Input} }

// Describe names the column and the last number.
func (n *Repeat) Describe() string {
	return "Repeat each row with " + n.Name + " from 0 to " + strconv.FormatInt(n.Count-1, 10)
}

func checkRepeat(n *Repeat) error {
	if err := requireThat(n.Name != "" && n.Count > 0, "rows are repeated %d times, numbered in a column called %q", n.Count, n.Name); err != nil {
		return err
	}
	for _, c := range n.Input.Schema() {
		if err := requireThat(c.Name != n.Name, "the number of a repeated row is called %q, as a column is", n.Name); err != nil {
			return err
		}
	}
	return requireThat(n.Input.Schema() != nil, "the rows of a scan are repeated")
}

package plan

import "strconv"

// Union is the rows of all its inputs, repeated rows included. The columns meet by position and have the
// names of the first input.
type Union struct {
	isNode
	Rows []Node
}

// Schema returns the schema of the first input. A column has the type that holds the values of all inputs.
func (n *Union) Schema() Schema {
	out := append(Schema(nil), n.Rows[0].Schema()...)
	for _, in := range n.Rows[1:] {
		for i, c := range in.Schema() {
			out[i].Type = commonType(out[i].Type, c.Type)
		}
	}
	return out
}

// Inputs returns the nodes with the rows.
func (n *Union) Inputs() []Node { return n.Rows }

// Describe names the number of inputs.
func (n *Union) Describe() string { return "Union " + strconv.Itoa(len(n.Rows)) + " inputs (all rows)" }

func checkUnion(n *Union) error {
	if err := requireThat(len(n.Rows) > 1, "a union of %d inputs", len(n.Rows)); err != nil {
		return err
	}
	first := n.Rows[0].Schema()
	for _, in := range n.Rows {
		if err := requireThat(len(first) > 0 && len(in.Schema()) == len(first), "a union of %d and %d columns", len(first), len(in.Schema())); err != nil {
			return err
		}
	}
	return nil
}

package plan

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// SemiJoin keeps the rows of Input whose value is among Rows, which has one column; with Not, those whose
// value is not among them. It decides as SQL does with three truth values: a NULL value is kept by Not
// over no rows alone, and a NULL among the rows leaves Not nothing but what it keeps over no rows.
type SemiJoin struct {
	isNode
	Input Node
	Value sqlexpr.Expr // over Input
	Type  sqlexpr.Type // of Value, as the model declares it
	Not   bool
	Rows  Node
	// Why is the source of the condition, for EXPLAIN, as in Filter.
	Why string
}

// Schema returns the input's.
func (n *SemiJoin) Schema() Schema { return n.Input.Schema() }

// Inputs returns the filtered node and the rows.
func (n *SemiJoin) Inputs() []Node { return []Node{n.Input, n.Rows} }

// Describe names the value and the column of the rows.
func (n *SemiJoin) Describe() string {
	s := "SemiJoin" + explainNote(n.Why) + " " + ExprText(n.Value, n.Input.Schema())
	if n.Not {
		s += " not"
	}
	return s + " in " + n.Rows.Schema()[0].Name
}

func checkSemiJoin(n *SemiJoin) error {
	if err := requireThat(len(n.Rows.Schema()) == 1, "a semi-join with %d columns of rows", len(n.Rows.Schema())); err != nil {
		return err
	}
	return checkExpr(n.Input, n.Value)
}

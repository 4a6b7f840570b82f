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

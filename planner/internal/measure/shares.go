package measure

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Share is a column that holds another one's value divided by its value at a level.
type Share struct {
	ShareColumn   int // its position among the columns of metrics
	DividedColumn int // that of the divided column
	Level         int
}

// ReadsWindow reports whether a window is in the column's value.
func (c Column) ReadsWindow(measures []*Ref) bool {
	for r := range sqlexpr.Refs(c.Expr) {
		if measures[r.ID].Window != nil {
			return true
		}
	}
	return false
}

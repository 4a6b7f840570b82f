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
	windowed := false
	sqlexpr.Walk(c.Expr, func(x sqlexpr.Expr) bool {
		r, ok := x.(*sqlexpr.Ref)
		windowed = windowed || ok && measures[r.ID].Window != nil
		return !windowed
	})
	return windowed
}

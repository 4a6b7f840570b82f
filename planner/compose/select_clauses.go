package compose

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Select is one SELECT over rows. Its expressions are over the columns of From; after those,
// sqlexpr.Ref{ID: len(From.Columns()) + i} is the value of Scalars[i].
//
// A SELECT with Grouped, with an aggregate or with HAVING is grouped: without GroupBy it has one row. With Sets it has the rows of
// several groupings, in which a group outside of the set is NULL.
type Select struct {
	From *Rows
	// Scalars are scalar subqueries: rows of one column and at most one row. Without a row the value is NULL.
	Scalars []*Rows
	Where   sqlexpr.Expr  // nil keeps all rows
	WhereIn []InCondition // further conditions on the rows of From
	Grouped bool          // has GROUP BY
	GroupBy []sqlexpr.Expr
	Sets    [][]int // positions in GroupBy; nil for one set of all. The rows of equal sets are there as often
	// Groupings are calls of GROUPING by the positions in GroupBy of their arguments. Their values follow those of Scalars.
	Groupings [][]int
	Having    sqlexpr.Expr  // nil keeps all groups
	HavingIn  []InCondition // further conditions on the groups
	Items     []SelectItem
	Distinct  bool
	OrderBy   []OrderKey
	Limit     *int64 // nil: no limit
	Offset    int64
}

// SelectItem is a selected expression with the name of its column.
type SelectItem struct {
	Name string
	Expr sqlexpr.Expr
}

// OrderKey is one key of ORDER BY: an item where Expr is nil, else an expression over the columns of From.
// NULLs are last, also descending, but with NullsFirstOrderItems.
type OrderKey struct {
	Item       int
	Expr       sqlexpr.Expr
	Desc       bool
	NullsFirst bool
}

// InCondition is the condition that a value is, or with Not is not, among rows of one column. It decides as SQL does
// with three truth values.
type InCondition struct {
	Value sqlexpr.Expr
	Not   bool
	Rows  *Rows
}

// Select returns the rows of a SELECT.
func (c *Composer) Select(s *Select) (*Rows, error) {
	b, err := c.newSelectBuilder(s)
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{b.addScalarSubqueriesBeforeGroups, b.filterRows, b.addGroupBy, b.addScalarSubqueriesAfterGroups, b.filterGroups, b.addWindows} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.addSelectedColumns()
}

package rollup

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joins"
)

// Form is how a measure is computed from the columns of a table.
type Form uint8

// The forms, in the order of preference.
const (
	FormSum        Form = iota // the sum of the stored values
	FormCount                  // their sum, which is 0 over no rows
	FormLattice                // their least or greatest
	FormAverage                // the sum of a column divided by the sum of another
	FormGroup                  // the aggregate itself, over a column that rows are grouped by
	FormSameGroups             // the one value of the group
)

// StoredMeasure is how a measure is computed from a table. The rows that count are those that meet Conds, over fields of the home.
type StoredMeasure struct {
	Form   Form
	Column string // of the values; "" for FormGroup
	Counts string // FormAverage: of the counts
	Conds  []sqlexpr.Expr
}

// Aggregate returns the expression that computes a measure from the columns of a table, over the rows that meet a condition; nil for FormGroup,
// whose argument is read as any other.
func (s StoredMeasure) Aggregate(m *catalog.Measure, table *joins.StoredRoot, only sqlexpr.Expr) sqlexpr.Expr {
	counted := func(column string, typ sqlexpr.Type) sqlexpr.Expr {
		e := table.Measure(column, typ)
		if only == nil {
			return e
		}
		return build.CaseWhen(only, e)
	}
	sum := func(column string) sqlexpr.Expr {
		return build.Call(sqlexpr.FnSum, "SUM", counted(column, sqlexpr.TypeUnknown))
	}
	//exhaustive:enforce
	switch s.Form {
	case FormSum:
		return sum(s.Column)
	case FormCount:
		return wholeNumber(sum(s.Column))
	case FormLattice:
		return m.AggregateCall(counted(s.Column, m.Type), nil)
	case FormAverage:
		return &sqlexpr.SafeDivide{L: sum(s.Column), R: sum(s.Counts)}
	case FormSameGroups:
		value := build.Call(sqlexpr.FnMin, "MIN", counted(s.Column, m.Type))
		if m.Agg.IsZeroOverNoRows() {
			return wholeNumber(value)
		}
		return value
	case FormGroup:
	}
	return nil
}

// wholeNumber returns a count, which is 0 over no rows: the sum of counts has a wider type on some engines.
func wholeNumber(e sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Cast{X: build.CoalesceToNumber(e, "0"), To: sqlexpr.TypeName{Type: sqlexpr.TypeInt, Name: "BIGINT"}}
}

package compose

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// RefusalReason is why a composition is rejected.
type RefusalReason uint8

// The problems.
const (
	// UngroupedColumn: a column is read outside of an aggregate and is not a group. Error.Column is its index.
	UngroupedColumn RefusalReason = iota + 1
	// NestedAggregate: an aggregate is inside of another.
	NestedAggregate
	// MisplacedAggregate: WHERE, a group or a join has an aggregate.
	MisplacedAggregate
	// MisplacedWindowCall: a window call is inside of a condition, a group, an aggregate or another window call.
	MisplacedWindowCall
	// UnsupportedFunction: the function is not one of outer SQL.
	UnsupportedFunction
	// StringArgument: SUM or AVG of strings.
	StringArgument
	// ScalarHasManyRows: a scalar subquery may have several rows.
	ScalarHasManyRows
	// ColumnCountMismatch: the sides of a set operation, or the rows of IN, differ in the number of columns.
	ColumnCountMismatch
	// ColumnTypeMismatch: no type holds the values of two columns that meet.
	ColumnTypeMismatch
	// DistinctOrderUnselected: SELECT DISTINCT is ordered by what it does not select.
	DistinctOrderUnselected
	// StatementTooLarge: the statement grows beyond the limits of queries, or a text of it beyond those of a row.
	StatementTooLarge
)

// Error is a rejected composition. At is the part of an expression that the problem is about, nil where it is
// about none.
type Error struct {
	Problem RefusalReason
	Message string
	At      sqlexpr.Expr
	Column  int // of Ungrouped: a column of Select.From; of ColumnTypeMismatch: a column of both sides
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// tooManyPartsError returns the error of a SELECT with more of something than a result may have columns.
func tooManyPartsError(what string) *Error {
	return &Error{Problem: StatementTooLarge, Message: fmt.Sprintf("a SELECT has at most %d %s", limits.QueryColumns, what)}
}

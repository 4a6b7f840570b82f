package compose

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// expressionChecker checks that an expression has only what outer SQL offers, each part where it may be.
type expressionChecker struct {
	columns             []sizedColumn
	clause              clauseKind
	inAggregate, inOver bool
}

func (c expressionChecker) checkExpression(e sqlexpr.Expr) error {
	var failed error
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if failed != nil {
			return false
		}
		descend, err := c.checkNode(x)
		failed = err
		return descend && failed == nil
	})
	return failed
}

// checkNode checks a part; descend is false where its operands are checked already.
func (c expressionChecker) checkNode(e sqlexpr.Expr) (descend bool, err error) {
	switch e := e.(type) {
	case *sqlexpr.Ref:
		if e.ID < 0 || e.ID >= len(c.columns) {
			return false, unsupportedFunctionError(e, fmt.Sprintf("column %d of %d", e.ID, len(c.columns)))
		}
	case *sqlexpr.Column, *sqlexpr.Param, *sqlexpr.Subquery, *sqlexpr.NativeCast, *sqlexpr.NativeString, *sqlexpr.Subscript, *sqlexpr.SemiStructuredPath, *sqlexpr.JSONAccess, *sqlexpr.StructMemberAccess:
		return false, unsupportedFunctionError(e, sqlexpr.Format(e)+" is not an expression over the columns of a result")
	case *sqlexpr.WindowCall:
		return false, c.checkWindowCall(e)
	case *sqlexpr.Call:
		switch sqlexpr.InfoOfFunction(e.Fn).Class {
		case sqlexpr.ClassAggregate:
			return false, c.checkAggregate(e)
		case sqlexpr.ClassWindow:
			return false, unsupportedFunctionError(e, callName(e)+" needs OVER (…)")
		}
		if e.Fn == sqlexpr.FnUnknown {
			return false, unsupportedFunctionError(e, callName(e)+" is not a function of the expression language")
		}
	}
	return true, nil
}

func (c expressionChecker) checkAggregate(e *sqlexpr.Call) error {
	switch {
	case c.clause == clauseWithoutAggregates:
		return &Error{Problem: MisplacedAggregate, Message: "an aggregate is used where rows are not grouped yet", At: e}
	case c.inAggregate:
		return &Error{Problem: NestedAggregate, Message: callName(e) + " is inside of another aggregate", At: e}
	}
	if err := c.checkAggregateFunction(e); err != nil {
		return err
	}
	return expressionChecker{columns: c.columns, clause: c.clause, inAggregate: true}.checkAll(e.Args)
}

func (c expressionChecker) checkWindowCall(e *sqlexpr.WindowCall) error {
	if c.clause != clauseWithAggregatesAndWindows || c.inAggregate || c.inOver {
		return &Error{Problem: MisplacedWindowCall, Message: "a window call is inside of a condition, a group, an aggregate or another window call", At: e}
	}
	switch {
	case e.Call == nil:
		return unsupportedFunctionError(e, "a window without a function")
	case e.Call.Distinct:
		return unsupportedFunctionError(e, callName(e.Call)+" of distinct values is not a window function")
	case e.Frame != nil && e.Frame.Unit != sqlexpr.FrameRows:
		return unsupportedFunctionError(e, "a frame of RANGE is supported as the default of ORDER BY only")
	}
	fn := e.Call.Fn
	switch {
	case sqlexpr.InfoOfFunction(fn).Class == sqlexpr.ClassWindow:
		if err := checkCountArgument(e.Call); err != nil {
			return err
		}
	case slices.Contains([]sqlexpr.Func{sqlexpr.FnSum, sqlexpr.FnCount, sqlexpr.FnAvg, sqlexpr.FnMin, sqlexpr.FnMax}, fn):
		if err := c.checkAggregateFunction(e.Call); err != nil {
			return err
		}
	default:
		return unsupportedFunctionError(e, callName(e.Call)+" is not a window function over results")
	}
	inside := expressionChecker{columns: c.columns, clause: c.clause, inOver: true}
	for _, o := range e.Order {
		if err := inside.checkExpression(o.X); err != nil {
			return err
		}
	}
	if err := inside.checkAll(e.Partition); err != nil {
		return err
	}
	return inside.checkAll(e.Call.Args)
}

// maxWindowCount bounds the counts of rows and groups of window functions.
const maxWindowCount = 1_000_000

// checkCountArgument checks the number of groups of NTILE, of the row of NTH_VALUE, or of rows of LAG and LEAD, which is a
// constant: engines differ in a count that changes from row to row.
func checkCountArgument(c *sqlexpr.Call) error {
	at, least := 0, 1
	switch c.Fn {
	case sqlexpr.FnLag, sqlexpr.FnLead:
		if len(c.Args) == 1 {
			return nil
		}
		at, least = 1, 0
	case sqlexpr.FnNthValue:
		at = 1
	case sqlexpr.FnNtile:
	default: // no argument of others is a count
		return nil
	}
	if number, ok := c.Args[at].(*sqlexpr.Number); ok {
		if n, err := strconv.Atoi(number.Text); err == nil && n >= least && n <= maxWindowCount {
			return nil
		}
	}
	return unsupportedFunctionError(c, callName(c)+" takes a constant integer from "+strconv.Itoa(least)+" to "+strconv.Itoa(maxWindowCount))
}

func (c expressionChecker) checkAll(all []sqlexpr.Expr) error {
	for _, e := range all {
		if err := c.checkExpression(e); err != nil {
			return err
		}
	}
	return nil
}

func unsupportedFunctionError(at sqlexpr.Expr, message string) *Error {
	return &Error{Problem: UnsupportedFunction, Message: message, At: at}
}

func callName(c *sqlexpr.Call) string {
	if name := sqlexpr.InfoOfFunction(c.Fn).Name; name != "" {
		return name
	}
	return c.Name.Text
}

// hasAggregate reports whether an expression has an aggregate that is not a window function.
func hasAggregate(all ...sqlexpr.Expr) bool {
	for _, e := range all {
		found := false
		walkSkippingWindowCallNodes(e, func(x sqlexpr.Expr) bool {
			c, ok := x.(*sqlexpr.Call)
			found = found || ok && sqlexpr.InfoOfFunction(c.Fn).Class == sqlexpr.ClassAggregate
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// walkSkippingWindowCallNodes visits the parts of an expression but the calls of windows themselves, whose
// operands it visits.
func walkSkippingWindowCallNodes(e sqlexpr.Expr, visit func(sqlexpr.Expr) bool) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		over, ok := x.(*sqlexpr.WindowCall)
		if !ok {
			return visit(x)
		}
		for _, part := range over.Call.Args {
			walkSkippingWindowCallNodes(part, visit)
		}
		for _, part := range over.Partition {
			walkSkippingWindowCallNodes(part, visit)
		}
		for _, o := range over.Order {
			walkSkippingWindowCallNodes(o.X, visit)
		}
		return false
	})
}

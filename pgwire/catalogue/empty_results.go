package catalogue

import (
	"slices"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// emptyResultNode is a relation or a SELECT that gives no rows, because it reads a table of PostgreSQL that is empty here. Half of what
// clients request \d of a relation is about such tables: policies, publications, statistics, inheritance. It needs no plan.
type emptyResultNode struct{ ducksql.Node }

func isEmptyResult(n ducksql.Node) bool {
	_, ok := n.(emptyResultNode)
	return ok
}

// markEmptyIf marks a relation as one without rows.
func markEmptyIf(empty bool, n ducksql.Node) ducksql.Node {
	if empty && !isEmptyResult(n) {
		return emptyResultNode{n}
	}
	return n
}

// joinGivesNoRows reports whether a join gives no rows.
func joinGivesNoRows(kind parse.JoinKind, left, right ducksql.Node) bool {
	switch kind {
	case parse.InnerJoin, parse.CrossJoin:
		return isEmptyResult(left) || isEmptyResult(right)
	case parse.LeftJoin:
		return isEmptyResult(left)
	case parse.RightJoin:
		return isEmptyResult(right)
	case parse.FullJoin:
		return isEmptyResult(left) && isEmptyResult(right)
	}
	return false
}

// setOperationGivesNoRows reports whether a set operation gives no rows.
func setOperationGivesNoRows(operator parse.SetOperator, left, right ducksql.Node) bool {
	switch operator {
	case parse.Union:
		return isEmptyResult(left) && isEmptyResult(right)
	case parse.Intersect:
		return isEmptyResult(left) || isEmptyResult(right)
	case parse.Except:
		return isEmptyResult(left)
	}
	return false
}

// selectGivesNoRows reports whether a SELECT over a relation without rows gives none itself: one that aggregates all rows gives one.
func selectGivesNoRows(sel *parse.Select, from ducksql.Node) bool {
	return isEmptyResult(from) && (len(sel.GroupBy) > 0 || sel.Having == nil && !hasAggregate(sel.Items))
}

// queryGivesNoRows reports whether a query over such a SELECT gives no rows. An aggregate in ORDER BY makes it aggregate, and a bound may be
// one that is rejected.
func queryGivesNoRows(q *parse.Query, body ducksql.Node) bool {
	ordered := make([]*parse.SelectItem, len(q.OrderBy))
	for i, o := range q.OrderBy {
		ordered[i] = &parse.SelectItem{X: o.X}
	}
	return isEmptyResult(body) && q.Limit == nil && q.Offset == nil && !hasAggregate(ordered)
}

// newSelectWithoutRows prints the columns of a SELECT that gives no rows.
func newSelectWithoutRows(columns []*scopeColumn) ducksql.Node {
	items := slices.Clone(columns)
	if len(items) == 0 {
		items = []*scopeColumn{{value: typedExpr{typ: int4TypeOID}}}
	}
	return emptyResultNode{emptyTableSubquery(items)}
}

package resolve

import (
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// CountingQuery returns a query of one value, which is true if a query has rows, or with not if it has none, and the comparison that is
// this value; nil where no count has this meaning. The order, DISTINCT and a limit that is not 0 change nothing of it.
func CountingQuery(q *parse.Query, not bool) (counting *parse.Query, comparison parse.Expr) {
	rows, ok := q.Body.(*parse.Select)
	if !ok || len(rows.GroupBy) > 0 || rows.Having != nil || q.Offset != nil || !isPositiveLimit(q.Limit) {
		return nil, nil
	}
	for _, item := range rows.Items {
		if HasAggregate(item.X) {
			return nil, nil
		}
	}
	count := &parse.Call{Function: parse.Name{Text: "COUNT"}, Arguments: []parse.Expr{&parse.Star{}}}
	op := parse.OpGt
	if not {
		op = parse.OpEq
	}
	comparison = &parse.Binary{Op: op, L: count, R: &parse.Number{Text: "0"}}
	own := *q
	named := &parse.SelectItem{X: comparison, Alias: parse.Name{Text: "exists", Quoted: true}}
	own.Body = &parse.Select{Items: []*parse.SelectItem{named}, From: rows.From, Where: rows.Where}
	own.OrderBy, own.Limit = nil, nil
	return &own, comparison
}

// isPositiveLimit reports whether a limit is absent or a number that is not 0.
func isPositiveLimit(limit parse.Expr) bool {
	n, ok := limit.(*parse.Number)
	return limit == nil || ok && n.Text != "0"
}

// refuseExists refuses a condition that reads a subquery. In an item it suggests the scalar subquery that counts the rows.
func (s *Scope) refuseExists(e parse.Expr) error {
	refused := sqlerror.New(sqlerror.CodeUnsupported, e.Pos(), "a condition that reads a subquery is IN or NOT IN, and is joined to the others by AND").
		WithHint("write it as a conjunct of WHERE or HAVING: field IN (SELECT …)")
	exists, ok := e.(*parse.Exists)
	if !ok || s.Subquery == nil {
		return refused
	}
	counting, _ := CountingQuery(exists.Query, false)
	if counting == nil {
		return refused
	}
	if _, _, err := s.Subquery(counting); err != nil {
		return refused // it reads the select around it, or has another fault
	}
	refused.Hint = ""
	return refused.WithSuggestedStatement(s.FormatWithReplacedPart(e, func() parse.Node { return &parse.ScalarSubquery{Query: counting} }))
}

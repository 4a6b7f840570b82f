package randomtree

import (
	"math/rand/v2"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

func (m *treeMaker) makeExpr() parse.Expr {
	if !m.takeNodeFromBudget() {
		return m.makeLeafExpr()
	}
	makers := []func() parse.Expr{m.makeLeafExpr, m.makeLeafExpr, m.makeColumn, m.makeColumn, m.makeUnary, m.makeBinary, m.makeBinary, m.makeBetweenInOrLike, m.makeIsTest, m.makeCompoundExpr, m.makeCall}
	return makers[m.IntN(len(makers))]()
}

func (m *treeMaker) makeColumn() parse.Expr {
	most := 4
	if m.view {
		most = 2
	}
	return &parse.Column{Path: m.makePath(most)}
}

func (m *treeMaker) makeText() string {
	return pickRandom(m, "", "x", "it's", `back\slash`, "größe", "a\nb", "$$", "--", "/*", `"`)
}

func (m *treeMaker) makeLeafExpr() parse.Expr {
	switch m.IntN(9) {
	case 0:
		return &parse.Parameter{Number: 1 + m.IntN(9)}
	case 1, 2:
		return &parse.Number{Text: pickRandom(m, "0", "1", "42", "1.5", ".5", "2.", "1e3", "1.5E-3")}
	case 3:
		return &parse.String{Value: m.makeText()}
	case 4:
		return &parse.Bool{Value: m.randomTrueOnceIn(2)}
	case 5:
		return &parse.Null{}
	case 6:
		return &parse.TimeLiteral{Type: pickRandom(m, "date", "time", "timestamp", "timestamptz"), Value: "2024-01-31"}
	case 7:
		return m.makeInterval()
	}
	return &parse.SessionValue{Word: pickRandom(m, "current_date", "current_timestamp", "current_user")}
}

func (m *treeMaker) makeInterval() parse.Expr {
	if m.randomTrueOnceIn(2) {
		return &parse.Interval{Value: "3 months"}
	}
	unit := pickRandom(m, "second", "minute", "hour", "day", "month", "year")
	if !m.Shared && m.randomTrueOnceIn(3) {
		unit = pickRandom(m, "week", "quarter")
	}
	return &parse.Interval{Value: "3", Unit: unit}
}

func (m *treeMaker) makeUnary() parse.Expr {
	return &parse.Unary{Op: pickRandom(m, sqlexpr.OpNot, sqlexpr.OpNeg, sqlexpr.OpPlus), X: m.makeExpr()}
}

func (m *treeMaker) makeBinary() parse.Expr {
	return &parse.Binary{
		Op: sqlexpr.OpOr + sqlexpr.BinaryOp(m.IntN(int(sqlexpr.OpConcat)+1)),
		L:  m.makeExpr(), R: m.makeExpr(),
	}
}

func (m *treeMaker) makeBetweenInOrLike() parse.Expr {
	switch m.IntN(5) {
	case 0:
		return &parse.Between{Not: m.randomTrueOnceIn(2), X: m.makeExpr(), Lo: m.makeExpr(), Hi: m.makeExpr()}
	case 1:
		return &parse.In{Not: m.randomTrueOnceIn(2), X: m.makeExpr(), Items: m.makeInItems()}
	case 2:
		return &parse.InQuery{Not: m.randomTrueOnceIn(2), X: m.makeExpr(), Query: m.makeQuery()}
	case 3:
		return m.makeInArray()
	}
	like := &parse.Like{Not: m.randomTrueOnceIn(2), Fold: m.randomTrueOnceIn(2), X: m.makeExpr(), Pattern: m.makeExpr()}
	if m.randomTrueOnceIn(3) {
		like.Escape = m.makeExpr()
	}
	return like
}

func (m *treeMaker) makeInArray() parse.Expr {
	in := &parse.InArray{Not: m.randomTrueOnceIn(2), X: m.makeExpr(), Array: &parse.Parameter{Number: 1 + m.IntN(9)}}
	if m.randomTrueOnceIn(2) {
		in.Array = &parse.String{Value: pickRandom(m, "{}", "{a,b}", `{"it''s",NULL}`)}
	}
	if m.randomTrueOnceIn(2) {
		in.Casts = []*parse.TypeName{pickRandom(m, &parse.TypeName{Name: "bigint"}, &parse.TypeName{Name: "text"}, &parse.TypeName{Name: "numeric", Arguments: []int{10, 2}})}
	}
	return in
}

// makeInItems makes items that are not one query, which would be an InQuery.
func (m *treeMaker) makeInItems() []parse.Expr {
	items := makeSome(m, m.makeExpr)
	if _, query := items[0].(*parse.ScalarSubquery); query && len(items) == 1 {
		items = append(items, m.makeLeafExpr())
	}
	return items
}

func (m *treeMaker) makeIsTest() parse.Expr {
	if m.randomTrueOnceIn(2) {
		return &parse.IsNull{Not: m.randomTrueOnceIn(2), X: m.makeExpr()}
	}
	return &parse.IsTruth{Not: m.randomTrueOnceIn(2), Want: m.randomTrueOnceIn(2), X: m.makeExpr()}
}

func (m *treeMaker) makeCompoundExpr() parse.Expr {
	switch m.IntN(5) {
	case 0:
		return m.makeCase()
	case 1:
		to := pickRandom(m, &parse.TypeName{Name: "integer"}, &parse.TypeName{Name: "numeric", Arguments: []int{10, 2}}, &parse.TypeName{Name: "double precision"}, &parse.TypeName{Name: "text"}, &parse.TypeName{Name: "timestamptz"})
		return &parse.Cast{X: m.makeExpr(), To: to}
	case 2:
		return &parse.Extract{Part: pickRandom(m, "year", "month", "epoch"), X: m.makeExpr()}
	case 3:
		return &parse.ScalarSubquery{Query: m.makeQuery()}
	}
	return &parse.Exists{Query: m.makeQuery()}
}

func (m *treeMaker) makeCase() parse.Expr {
	c := &parse.Case{Whens: makeSome(m, func() parse.When { return parse.When{Cond: m.makeExpr(), Then: m.makeExpr()} })}
	if m.randomTrueOnceIn(3) {
		c.Operand = m.makeExpr()
	}
	if m.randomTrueOnceIn(2) {
		c.Else = m.makeExpr()
	}
	return c
}

// RandomOperatorChain makes a statement whose item is a chain of operands and operators without parentheses,
// so that precedence alone decides its tree, or that it has none.
func RandomOperatorChain(r *rand.Rand) string {
	m := &treeMaker{Rand: r}
	parts := []string{"SELECT", m.makeOperatorChainOperand()}
	for range 1 + m.IntN(6) {
		parts = append(parts, m.makeOperatorAndRightOperand()...)
	}
	return strings.Join(append(parts, "FROM t"), " ")
}

// makeOperatorChainOperand makes an operand with the prefixes and suffixes that it may have.
func (m *treeMaker) makeOperatorChainOperand() string {
	prefix := pickRandom(m, "", "", "", "", "- ", "+ ", "NOT ")
	return prefix + pickRandom(m, "a", "b", "1", "'x'", "f(a)", "(SELECT 1)", "$1", "CASE WHEN a THEN b END") + pickRandom(m, "", "", "", "::text")
}

func (m *treeMaker) makeOperatorAndRightOperand() []string {
	switch m.IntN(10) {
	case 0:
		return []string{pickRandom(m, "IS NULL", "IS NOT TRUE", "ISNULL", "NOTNULL", "IS UNKNOWN")}
	case 1:
		return []string{pickRandom(m, "IN (1, 2)", "NOT IN (SELECT 1)", "= ANY (ARRAY[1])")}
	case 2:
		return []string{pickRandom(m, "BETWEEN a AND", "NOT BETWEEN a || b AND", "BETWEEN - 1 AND"), m.makeOperatorChainOperand()}
	case 3:
		return []string{pickRandom(m, "LIKE 'x' ESCAPE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"), m.makeOperatorChainOperand()}
	}
	operator := pickRandom(m, "+", "-", "*", "/", "%", "||", "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "LIKE", "NOT ILIKE", "~~", "!~~*")
	return []string{operator, m.makeOperatorChainOperand()}
}

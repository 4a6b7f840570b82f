package randomtree

import (
	"math/rand/v2"
	"strings"
)

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

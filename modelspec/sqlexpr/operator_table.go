package sqlexpr

// Precedence is the binding strength of an operator, as in PostgreSQL.
type Precedence uint8

// The precedences, from the loosest.
const (
	PrecedenceNone Precedence = iota
	PrecedenceOr
	PrecedenceAnd
	PrecedenceNot
	PrecedenceIs
	PrecedenceComparison
	PrecedenceBetweenInLike // BETWEEN, IN, LIKE
	PrecedenceConcat        // || and other operators of PostgreSQL
	PrecedenceAdd
	PrecedenceMul
	PrecedenceUnary
	PrecedencePrimary // an operand in one piece
)

// IsNonAssociative reports whether two operators of the level need parentheses between them.
func (l Precedence) IsNonAssociative() bool {
	return l == PrecedenceIs || l == PrecedenceComparison || l == PrecedenceBetweenInLike
}

var binaryOperators = [...]struct {
	text  string
	level Precedence
}{
	OpOr: {"OR", PrecedenceOr}, OpAnd: {"AND", PrecedenceAnd},
	OpEq: {"=", PrecedenceComparison}, OpNe: {"<>", PrecedenceComparison},
	OpLt: {"<", PrecedenceComparison}, OpLe: {"<=", PrecedenceComparison},
	OpGt: {">", PrecedenceComparison}, OpGe: {">=", PrecedenceComparison},
	OpIsDistinctFrom: {"IS DISTINCT FROM", PrecedenceIs}, OpIsNotDistinctFrom: {"IS NOT DISTINCT FROM", PrecedenceIs},
	OpAdd: {"+", PrecedenceAdd}, OpSub: {"-", PrecedenceAdd},
	OpMul: {"*", PrecedenceMul}, OpDiv: {"/", PrecedenceMul}, OpMod: {"%", PrecedenceMul},
	OpConcat: {"||", PrecedenceConcat},
}

// Precedence returns how strongly the operator binds.
func (op BinaryOp) Precedence() Precedence { return binaryOperators[op].level }

// String returns the operator in SQL.
func (op BinaryOp) String() string { return binaryOperators[op].text }

// BinaryOpOfSign returns the operator that a sign of SQL writes; ok is false for any other text.
func BinaryOpOfSign(sign string) (op BinaryOp, ok bool) {
	if sign == "!=" {
		return OpNe, true
	}
	for o, known := range binaryOperators {
		if known.text == sign {
			return BinaryOp(o), true
		}
	}
	return 0, false
}

var unaryOperators = [...]string{OpNot: "NOT", OpNeg: "-", OpPlus: "+"}

// String returns the operator in SQL.
func (op UnaryOp) String() string { return unaryOperators[op] }

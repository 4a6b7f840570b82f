package catalogue

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

func (r *resolver) resolveBinary(x *parse.Binary, s *scope) (value, error) {
	left, err := r.resolveExpr(x.Left, s)
	if err != nil {
		return value{}, err
	}
	right, err := r.resolveExpr(x.Right, s)
	if err != nil {
		return value{}, err
	}
	switch x.Operator {
	case parse.OpOr, parse.OpAnd:
		if left, err = r.coerce(x.Left, left, typeBool); err != nil {
			return value{}, err
		}
		if right, err = r.coerce(x.Right, right, typeBool); err != nil {
			return value{}, err
		}
		return value{node: ducksql.Apply("(? "+x.Operator.String()+" ?)", left.node, right.node), typ: typeBool}, nil
	case parse.OpConcat:
		return r.concatenate(x, left, right)
	case parse.OpAdd, parse.OpSubtract, parse.OpMultiply, parse.OpDivide, parse.OpModulo:
		return r.calculate(x, x.Operator.String(), left, right)
	}
	return r.compare(x, x.Operator.String(), left, right)
}

// compare prints a comparison of two values of one type.
func (r *resolver) compare(at parse.Node, operator string, left, right value) (value, error) {
	both := []value{left, right}
	if _, err := r.unify(at, both); err != nil {
		return value{}, r.unknownOperator(at, operator, left, right)
	}
	if both[0].typ == typeUnknown || elementOf(both[0].typ) != 0 || both[0].typ == typeRecord {
		operator = spacedOperator(operator)
	}
	return value{node: ducksql.Apply("(? "+operator+" ?)", both[0].node, both[1].node), typ: typeBool}, nil
}

// spacedOperator is the operator for lists and rows.
func spacedOperator(operator string) string { return operator }

func (r *resolver) concatenate(at parse.Node, left, right value) (value, error) {
	of := func(v value) bool { return elementOf(v.typ) != 0 }
	switch {
	case of(left) && of(right), of(left) && right.text != nil && len(*right.text) > 0 && (*right.text)[0] == '{', of(right) && left.text != nil && len(*left.text) > 0 && (*left.text)[0] == '{':
		both := []value{left, right}
		typ, err := r.unify(at, both)
		return value{node: ducksql.Apply("list_concat(?, ?)", both[0].node, both[1].node), typ: typ}, err
	case of(left):
		item, err := r.coerce(at, right, elementOf(left.typ))
		return value{node: ducksql.Apply("list_append(?, ?)", left.node, item.node), typ: left.typ}, err
	case of(right):
		item, err := r.coerce(at, left, elementOf(right.typ))
		return value{node: ducksql.Apply("list_prepend(?, ?)", item.node, right.node), typ: right.typ}, err
	case !isText(left.typ) && !isText(right.typ):
		return value{}, r.unknownOperator(at, "||", left, right)
	}
	a, err := r.toText(at, left)
	if err != nil {
		return value{}, err
	}
	b, err := r.toText(at, right)
	return value{node: ducksql.Apply("(? || ?)", a.node, b.node), typ: typeText}, err
}

// calculate prints arithmetic over numbers.
func (r *resolver) calculate(at parse.Node, operator string, left, right value) (value, error) {
	both := []value{left, right}
	typ, err := r.unify(at, both)
	if err != nil {
		return value{}, r.unknownOperator(at, operator, left, right)
	}
	if typ == typeUnknown || typ == typeText && left.parameter+right.parameter > 0 {
		typ = typeInt4
		for i := range both {
			if both[i], err = r.coerce(at, both[i], typ); err != nil {
				return value{}, err
			}
		}
	}
	if !isNumber(typ) {
		return value{}, r.unknownOperator(at, operator, left, right)
	}
	form := "(? " + operator + " ?)"
	if operator == "/" && isInteger(typ) {
		form = "(? // ?)"
	}
	return value{node: ducksql.Apply(form, both[0].node, both[1].node), typ: typ}, nil
}

// resolveOperation prints an operator that only catalogue statements have.
func (r *resolver) resolveOperation(x *parse.Operation, s *scope) (value, error) {
	left, err := r.resolveExpr(x.Left, s)
	if err != nil {
		return value{}, err
	}
	right, err := r.resolveExpr(x.Right, s)
	if err != nil {
		return value{}, err
	}
	return r.operate(x, x.Operator, left, right)
}

// operate prints an operator by its sign.
func (r *resolver) operate(at parse.Node, sign string, left, right value) (value, error) {
	switch sign {
	case "~", "!~", "~*", "!~*":
		return r.matchPattern(at, sign, left, right)
	case "~~", "!~~", "~~*", "!~~*":
		return r.matchLike(at, left, right, ducksql.Text(`\`), sign[0] == '!', sign[len(sign)-1] == '*')
	case "SIMILAR TO", "NOT SIMILAR TO":
		return r.matchSimilar(at, sign[0] == 'N', left, right)
	case "&", "|", "<<", ">>":
		both := []value{left, right}
		typ, err := r.unify(at, both)
		if err != nil || !isInteger(typ) {
			return value{}, r.unknownOperator(at, sign, left, right)
		}
		return value{node: ducksql.Apply("(? "+sign+" ?)", both[0].node, both[1].node), typ: typ}, nil
	case "@>", "<@", "&&":
		return r.compareArrays(at, sign, left, right)
	case "=", "<>", "<", "<=", ">", ">=":
		return r.compare(at, sign, left, right)
	}
	return value{}, newUnsupportedError(at, "the operator "+sign)
}

func (r *resolver) compareArrays(at parse.Node, sign string, left, right value) (value, error) {
	both := []value{left, right}
	typ, err := r.unify(at, both)
	if err != nil || elementOf(typ) == 0 {
		return value{}, r.unknownOperator(at, sign, left, right)
	}
	switch sign {
	case "@>":
		return value{node: ducksql.Apply("list_has_all(?, ?)", both[0].node, both[1].node), typ: typeBool}, nil
	case "<@":
		return value{node: ducksql.Apply("list_has_all(?, ?)", both[1].node, both[0].node), typ: typeBool}, nil
	}
	return value{node: ducksql.Apply("list_has_any(?, ?)", both[0].node, both[1].node), typ: typeBool}, nil
}

// matchPattern prints ~, !~, ~* and !~*: a match of any part of the text.
func (r *resolver) matchPattern(at parse.Node, sign string, left, right value) (value, error) {
	if !isText(left.typ) || !isText(right.typ) {
		return value{}, r.unknownOperator(at, sign, left, right)
	}
	options := "s"
	if sign[len(sign)-1] == '*' {
		options = "si"
	}
	a, err := r.toText(at, left)
	if err != nil {
		return value{}, err
	}
	b, err := r.toText(at, right)
	if err != nil {
		return value{}, err
	}
	form := "regexp_matches(?, ?, ?)"
	if sign[0] == '!' {
		form = "(NOT regexp_matches(?, ?, ?))"
	}
	return value{node: ducksql.Apply(form, a.node, b.node, ducksql.Text(options)), typ: typeBool}, nil
}

// matchSimilar prints [NOT] SIMILAR TO a constant pattern: a match of the whole text.
func (r *resolver) matchSimilar(at parse.Node, not bool, left, right value) (value, error) {
	pattern, constant := constantText(right)
	if !constant {
		return value{}, newUnsupportedError(at, "SIMILAR TO an expression")
	}
	text, err := r.toText(at, left)
	form := "regexp_full_match(?, ?, 's')"
	if not {
		form = "(NOT " + form + ")"
	}
	return value{node: ducksql.Apply(form, text.node, ducksql.Text(similarPattern(pattern))), typ: typeBool}, err
}

// similarPattern is a pattern of SIMILAR TO as a regular expression.
func similarPattern(pattern string) string {
	var out strings.Builder
	escaped, class := false, false
	for _, c := range pattern {
		switch {
		case escaped:
			out.WriteString(regexp.QuoteMeta(string(c)))
			escaped = false
		case c == '\\':
			escaped = true
		case class:
			out.WriteRune(c)
			class = c != ']'
		case c == '%':
			out.WriteString(".*")
		case c == '_':
			out.WriteString(".")
		case strings.ContainsRune(".^$", c):
			out.WriteString(`\` + string(c))
		default: // | * + ? { } ( ) and [ have the meaning that they have in regular expressions
			out.WriteRune(c)
			class = c == '['
		}
	}
	return out.String()
}

func (r *resolver) matchLike(at parse.Node, left, right value, escape ducksql.Node, not, foldCase bool) (value, error) {
	a, err := r.toText(at, left)
	if err != nil {
		return value{}, err
	}
	b, err := r.toText(at, right)
	if err != nil {
		return value{}, err
	}
	form := "(? LIKE ? ESCAPE ?)"
	if foldCase {
		form = "(? ILIKE ? ESCAPE ?)"
	}
	if not {
		form = "(NOT " + form + ")"
	}
	return value{node: ducksql.Apply(form, a.node, b.node, escape), typ: typeBool}, nil
}

package catalogue

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

func (r *translator) translateBinary(x *parse.Binary, s *scope) (typedExpr, error) {
	left, err := r.translateExpr(x.L, s)
	if err != nil {
		return typedExpr{}, err
	}
	right, err := r.translateExpr(x.R, s)
	if err != nil {
		return typedExpr{}, err
	}
	switch x.Op {
	case parse.OpOr, parse.OpAnd:
		if left, err = r.coerceToType(x.L, left, boolTypeOID); err != nil {
			return typedExpr{}, err
		}
		if right, err = r.coerceToType(x.R, right, boolTypeOID); err != nil {
			return typedExpr{}, err
		}
		return typedExpr{node: ducksql.FillTemplate("(? "+x.Op.String()+" ?)", left.node, right.node), typ: boolTypeOID}, nil
	case parse.OpConcat:
		return r.translateConcatenation(x, left, right)
	case parse.OpAdd, parse.OpSub, parse.OpMul, parse.OpDiv, parse.OpMod:
		if v, ok := translateIntervalArithmetic(x.Op.String(), left, right); ok {
			return v, nil
		}
		return r.translateArithmetic(x, x.Op.String(), left, right)
	}
	return r.translateComparison(x, x.Op.String(), left, right)
}

// translateComparison prints a comparison of two values of one type.
func (r *translator) translateComparison(at parse.Node, operator string, left, right typedExpr) (typedExpr, error) {
	both := []typedExpr{left, right}
	if _, err := r.unifyTypes(at, both); err != nil {
		return typedExpr{}, r.unknownOperatorError(at, operator, left, right)
	}
	if both[0].typ == unknownTypeOID || elementTypeOf(both[0].typ) != 0 || both[0].typ == recordTypeOID {
		operator = listOrRowOperator(operator)
	}
	return typedExpr{node: ducksql.FillTemplate("(? "+operator+" ?)", both[0].node, both[1].node), typ: boolTypeOID}, nil
}

// listOrRowOperator returns the operator for lists and rows.
func listOrRowOperator(operator string) string { return operator }

func (r *translator) translateConcatenation(at parse.Node, left, right typedExpr) (typedExpr, error) {
	of := func(v typedExpr) bool { return elementTypeOf(v.typ) != 0 }
	switch {
	case of(left) && of(right), of(left) && right.text != nil && len(*right.text) > 0 && (*right.text)[0] == '{', of(right) && left.text != nil && len(*left.text) > 0 && (*left.text)[0] == '{':
		both := []typedExpr{left, right}
		typ, err := r.unifyTypes(at, both)
		return typedExpr{node: ducksql.FillTemplate("list_concat(?, ?)", both[0].node, both[1].node), typ: typ}, err
	case of(left):
		item, err := r.coerceToType(at, right, elementTypeOf(left.typ))
		return typedExpr{node: ducksql.FillTemplate("list_append(?, ?)", left.node, item.node), typ: left.typ}, err
	case of(right):
		item, err := r.coerceToType(at, left, elementTypeOf(right.typ))
		return typedExpr{node: ducksql.FillTemplate("list_prepend(?, ?)", item.node, right.node), typ: right.typ}, err
	case isBitType(left.typ) && isBitType(right.typ):
		return typedExpr{node: ducksql.FillTemplate("(? || ?)", left.node, right.node), typ: varbitTypeOID}, nil
	case !isTextType(left.typ) && !isTextType(right.typ):
		return typedExpr{}, r.unknownOperatorError(at, "||", left, right)
	}
	a, err := r.convertToText(at, left)
	if err != nil {
		return typedExpr{}, err
	}
	b, err := r.convertToText(at, right)
	return typedExpr{node: ducksql.FillTemplate("(? || ?)", a.node, b.node), typ: textTypeOID}, err
}

// translateArithmetic prints arithmetic over numbers.
func (r *translator) translateArithmetic(at parse.Node, operator string, left, right typedExpr) (typedExpr, error) {
	both := []typedExpr{left, right}
	typ, err := r.unifyTypes(at, both)
	if err != nil {
		return typedExpr{}, r.unknownOperatorError(at, operator, left, right)
	}
	if typ == unknownTypeOID || typ == textTypeOID && left.parameter+right.parameter > 0 {
		typ = int4TypeOID
		for i := range both {
			if both[i], err = r.coerceToType(at, both[i], typ); err != nil {
				return typedExpr{}, err
			}
		}
	}
	if !isNumericType(typ) {
		return typedExpr{}, r.unknownOperatorError(at, operator, left, right)
	}
	form, divisor := "(? "+operator+" ?)", both[1].node
	if operator == "/" && isIntegerType(typ) {
		form = "(? // ?)"
	}
	if operator == "/" || operator == "%" {
		divisor = newDivisorZeroCheck(divisor)
	}
	return typedExpr{node: ducksql.FillTemplate(form, both[0].node, divisor), typ: typ, scale: scaleOfArithmetic(operator, left, right)}, nil
}

// newDivisorZeroCheck prints a divisor that is an error where it is 0; DuckDB divides to NULL and infinity. The lambda reads it once.
func newDivisorZeroCheck(n ducksql.Node) ducksql.Node {
	if number, ok := n.(ducksql.IntegerLiteral); ok && number != 0 {
		return n
	}
	return ducksql.FillTemplate("list_extract(list_transform([?], e_item -> CASE WHEN e_item = 0 THEN error('division by zero') ELSE e_item END), 1)", n)
}

// translateCatalogueOnlyOperator prints an operator that only catalogue statements have.
func (r *translator) translateCatalogueOnlyOperator(x *parse.CatalogueOperation, s *scope) (typedExpr, error) {
	left, err := r.translateExpr(x.Left, s)
	if err != nil {
		return typedExpr{}, err
	}
	right, err := r.translateExpr(x.Right, s)
	if err != nil {
		return typedExpr{}, err
	}
	return r.translateOperatorBySign(x, x.Operator, left, right)
}

// translateOperatorBySign prints an operator by its sign.
func (r *translator) translateOperatorBySign(at parse.Node, sign string, left, right typedExpr) (typedExpr, error) {
	switch sign {
	case "~", "!~", "~*", "!~*":
		return r.translateRegexMatch(at, sign, left, right)
	case "~~", "!~~", "~~*", "!~~*":
		return r.translateLikeMatch(at, left, right, ducksql.TextLiteral(`\`), sign[0] == '!', sign[len(sign)-1] == '*')
	case "SIMILAR TO", "NOT SIMILAR TO":
		return r.translateSimilarTo(at, sign[0] == 'N', left, right)
	case "&", "|", "<<", ">>":
		both := []typedExpr{left, right}
		if (sign == "&" || sign == "|") && isBitType(left.typ) && isBitType(right.typ) {
			return translateBitOperator(sign, left, right), nil
		}
		typ, err := r.unifyTypes(at, both)
		if err != nil || !isIntegerType(typ) {
			return typedExpr{}, r.unknownOperatorError(at, sign, left, right)
		}
		return typedExpr{node: ducksql.FillTemplate("(? "+sign+" ?)", both[0].node, both[1].node), typ: typ}, nil
	case "->", "->>":
		return r.translateJSONElement(at, sign, left, right)
	case "@>", "<@", "&&":
		return r.translateArrayOperator(at, sign, left, right)
	case "=", "<>", "<", "<=", ">", ">=":
		return r.translateComparison(at, sign, left, right)
	}
	return typedExpr{}, newUnsupportedError(at, "the operator "+sign)
}

func (r *translator) translateArrayOperator(at parse.Node, sign string, left, right typedExpr) (typedExpr, error) {
	both := []typedExpr{left, right}
	typ, err := r.unifyTypes(at, both)
	if err != nil || elementTypeOf(typ) == 0 {
		return typedExpr{}, r.unknownOperatorError(at, sign, left, right)
	}
	switch sign {
	case "@>":
		return typedExpr{node: ducksql.FillTemplate("list_has_all(?, ?)", both[0].node, both[1].node), typ: boolTypeOID}, nil
	case "<@":
		return typedExpr{node: ducksql.FillTemplate("list_has_all(?, ?)", both[1].node, both[0].node), typ: boolTypeOID}, nil
	}
	return typedExpr{node: ducksql.FillTemplate("list_has_any(?, ?)", both[0].node, both[1].node), typ: boolTypeOID}, nil
}

// translateRegexMatch prints ~, !~, ~* and !~*: a match of any part of the text.
func (r *translator) translateRegexMatch(at parse.Node, sign string, left, right typedExpr) (typedExpr, error) {
	if !isTextType(left.typ) || !isTextType(right.typ) {
		return typedExpr{}, r.unknownOperatorError(at, sign, left, right)
	}
	options := "s"
	if sign[len(sign)-1] == '*' {
		options = "si"
	}
	a, err := r.convertToText(at, left)
	if err != nil {
		return typedExpr{}, err
	}
	b, err := r.convertToText(at, right)
	if err != nil {
		return typedExpr{}, err
	}
	form := "regexp_matches(?, ?, ?)"
	if sign[0] == '!' {
		form = "(NOT regexp_matches(?, ?, ?))"
	}
	return typedExpr{node: ducksql.FillTemplate(form, a.node, b.node, ducksql.TextLiteral(options)), typ: boolTypeOID}, nil
}

// translateSimilarTo prints [NOT] SIMILAR TO a constant pattern: a match of the whole text.
func (r *translator) translateSimilarTo(at parse.Node, not bool, left, right typedExpr) (typedExpr, error) {
	pattern, constant := literalArgumentText(right)
	if !constant {
		return typedExpr{}, newUnsupportedError(at, "SIMILAR TO an expression")
	}
	text, err := r.convertToText(at, left)
	form := "regexp_full_match(?, ?, 's')"
	if not {
		form = "(NOT " + form + ")"
	}
	return typedExpr{node: ducksql.FillTemplate(form, text.node, ducksql.TextLiteral(similarToRegex(pattern))), typ: boolTypeOID}, err
}

// similarToRegex returns a pattern of SIMILAR TO as a regular expression.
func similarToRegex(pattern string) string {
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

func (r *translator) translateLikeMatch(at parse.Node, left, right typedExpr, escape ducksql.Node, not, foldCase bool) (typedExpr, error) {
	a, err := r.convertToText(at, left)
	if err != nil {
		return typedExpr{}, err
	}
	b, err := r.convertToText(at, right)
	if err != nil {
		return typedExpr{}, err
	}
	form := "(? LIKE ? ESCAPE ?)"
	if foldCase {
		form = "(? ILIKE ? ESCAPE ?)"
	}
	if not {
		form = "(NOT " + form + ")"
	}
	return typedExpr{node: ducksql.FillTemplate(form, a.node, b.node, escape), typ: boolTypeOID}, nil
}

package sqlemit

import "strings"

// templateOperator is how an operator of a template binds. Templates declare no precedence, because wrong declarations went
// unnoticed: parseTemplate derives it from the operators in their text. An operator has the precedence of its result, and those
// that it needs of its operands. Operands of || are always parenthesised, since its precedence depends on the engine.
type templateOperator struct {
	prec, left, right precedence
}

var templateOperators = map[string]templateOperator{
	"OR": {precOr, precOr, precOr}, "AND": {precAnd, precAnd, precAnd}, "NOT": {precNot, precAny, precNot},
	"=": comparisonOfTemplate, "<>": comparisonOfTemplate, "<": comparisonOfTemplate, "<=": comparisonOfTemplate,
	">": comparisonOfTemplate, ">=": comparisonOfTemplate, "<=>": comparisonOfTemplate, "IS": comparisonOfTemplate,
	"IN": comparisonOfTemplate, "REGEXP": comparisonOfTemplate, "RLIKE": comparisonOfTemplate,
	"~": {precCompare, precPrimary, precPrimary}, "||": {precConcat, precPrimary, precPrimary},
	"+": {precAdd, precAdd, precMul}, "-": {precAdd, precAdd, precMul},
	"*": {precMul, precMul, precUnary}, "/": {precMul, precMul, precUnary}, "//": {precMul, precMul, precUnary},
	"%": {precMul, precMul, precUnary}, "DIV": {precMul, precMul, precUnary},
	"AT": {precUnary, precPrimary, precPrimary}, "[": {precPrimary, precPrimary, precAny},
}

var (
	comparisonOfTemplate = templateOperator{precCompare, precConcat, precConcat}
	minusSignOfTemplate  = templateOperator{precUnary, precAny, precPrimary}
)

// templateKeywords are words behind which a minus is a sign, and NOT an operator.
var templateKeywords = newWordSet("as both by case distinct else from interval leading then trailing when")

// templateParser reads the text of a template token by token.
type templateParser struct {
	template
	rest    string
	depth   int               // of parentheses, brackets and CASE
	before  *templateOperator // the operator that the last token is
	operand bool              // the last token ends an operand
	arg     *templateSegment  // the argument that the last token is
}

// parseTemplate parses a template.
func parseTemplate(spec string) template {
	p := templateParser{template: template{prec: precPrimary}, rest: spec}
	var text strings.Builder
	for p.rest != "" {
		token := p.nextToken()
		if len(token) == 2 && strings.IndexByte("$@!~<", token[0]) >= 0 && token[1] >= '1' && token[1] <= '9' {
			p.addArgument(text.String(), token)
			text.Reset()
			continue
		}
		p.readToken(strings.TrimSpace(token))
		text.WriteString(token)
	}
	if text.Len() > 0 || len(p.segs) == 0 {
		p.segs = append(p.segs, templateSegment{text: text.String()})
	}
	return p.template
}

// addArgument adds a placeholder with the text before it.
func (p *templateParser) addArgument(text, placeholder string) {
	s := templateSegment{text: text, arg: int8(placeholder[1] - '0'), argMode: placeholder[0]}
	if p.before != nil {
		s.min = p.before.right
	}
	p.segs = append(p.segs, s)
	p.before, p.operand, p.arg = nil, true, &p.segs[len(p.segs)-1]
}

// readToken reads a token other than a placeholder.
func (p *templateParser) readToken(token string) {
	if token == "" {
		return
	}
	op, isOperator := templateOperators[token]
	switch {
	case token == "NOT" && (p.operand || p.before != nil), (token == "DISTINCT" || token == "FROM") && p.before != nil:
		return // a part of IS NOT, NOT IN or IS DISTINCT FROM
	case token == "-" && !p.operand:
		op = minusSignOfTemplate
	case token == "[" && !p.operand:
		isOperator = false
	}
	arg := p.arg
	p.before, p.operand, p.arg = nil, false, nil
	if isOperator {
		if arg != nil {
			arg.min = max(arg.min, op.left)
		}
		if p.depth == 0 {
			p.prec = min(p.prec, op.prec)
		}
		p.before = &op
	}
	switch {
	case token == "(" || token == "[" || token == "CASE":
		p.depth++
		p.before = nil
	case token == ")" || token == "]" || token == "END":
		p.depth--
		p.operand = true
	case !isOperator && token != ",":
		p.operand = !templateKeywords.containsWord(token)
	}
}

// nextToken cuts the next token off: a word, a quoted text, a placeholder, white space, or an operator.
func (p *templateParser) nextToken() string {
	n := 1
	switch c := p.rest[0]; {
	case c == '\'':
		n = 1 + strings.IndexByte(p.rest[1:], '\'') + 1
	case isWordLetter(c) || c >= '0' && c <= '9':
		n = lengthOfPrefix(p.rest, func(c byte) bool { return isWordLetter(c) || c >= '0' && c <= '9' || c == '.' })
	case len(p.rest) > 1 && strings.IndexByte("$@!~<", c) >= 0 && p.rest[1] >= '1' && p.rest[1] <= '9':
		n = 2
	case strings.IndexByte("<>=/|", c) >= 0:
		n = lengthOfPrefix(p.rest, func(c byte) bool { return strings.IndexByte("<>=/|", c) >= 0 })
	}
	token := p.rest[:n]
	p.rest = p.rest[n:]
	return token
}

// lengthOfPrefix returns how many of the first bytes of s hold.
func lengthOfPrefix(s string, holds func(byte) bool) int {
	n := 0
	for n < len(s) && holds(s[n]) {
		n++
	}
	return n
}

package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseRegexAsLike reads ~, ~*, !~ and !~* before a pattern that LIKE has too. The language lacks the operators; the statement with LIKE is
// the retry of their error.
func (p *parser) parseRegexAsLike(x Expr, pattern string) Expr {
	sign := p.tokenText(p.tok)
	p.noteRewrite("the operator "+p.describeToken(p.tok), "write LIKE or ILIKE")
	p.advanceToken()
	like := &Like{
		Position: sqlexpr.Position(x.Pos()), Not: strings.HasPrefix(sign, "!"), Fold: strings.HasSuffix(sign, "*"), X: x,
		Pattern: &String{Position: p.tok.at, Value: pattern},
	}
	p.advanceToken()
	return like
}

// regexAsLike returns the pattern of LIKE that matches what the operator at the current token and the text after it match; ok is false for
// any other operator, and for a regular expression that has no such pattern.
func (p *parser) regexAsLike() (pattern string, ok bool) {
	if p.catalogue || p.tok.kind != tokOtherOperator || !p.ahead.isTextLiteral() {
		return "", false
	}
	switch p.tokenText(p.tok) {
	case "~", "~*", "!~", "!~*":
		regex, err := p.textLiteralValue(p.ahead)
		if err != nil {
			return "", false
		}
		return likeOfRegex(regex)
	}
	return "", false
}

// likeOfRegex returns the pattern of LIKE for a regular expression of plain characters, . and .*, with or without its anchors.
func likeOfRegex(regex string) (pattern string, ok bool) {
	body, begins := strings.CutPrefix(regex, "^")
	body, ends := strings.CutSuffix(body, "$")
	if begins && ends && strings.HasPrefix(body, "(") && strings.HasSuffix(body, ")") { // as psql writes them
		body = body[1 : len(body)-1]
	}
	var out strings.Builder
	if !begins {
		out.WriteByte('%')
	}
	for body != "" {
		if rest, found := strings.CutPrefix(body, ".*"); found {
			out.WriteByte('%')
			body = rest
			continue
		}
		first := body[0]
		body = body[1:]
		switch {
		case first == '.' && !startsWithQuantifier(body):
			out.WriteByte('_')
		case strings.IndexByte(`.*+?{}()[]|^$\%_`, first) >= 0, startsWithQuantifier(body):
			return "", false
		default:
			out.WriteByte(first)
		}
	}
	if !ends {
		out.WriteByte('%')
	}
	return out.String(), true
}

func startsWithQuantifier(regex string) bool {
	return regex != "" && strings.IndexByte("*+?{", regex[0]) >= 0
}

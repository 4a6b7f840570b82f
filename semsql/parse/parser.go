package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Parse reads one SELECT statement, with or without a semicolon at its end. An error is an
// *Error.
func Parse(text string, limits Limits) (*Query, error) {
	p, err := newParser(text, limits, false)
	if err != nil {
		return nil, err
	}
	q, err := p.treeOrRewriteError(p.parseStatement())
	if err != nil {
		return nil, p.catalogueUnsupportedError(err)
	}
	return q, nil
}

// parser reads operators by precedence and everything else by recursive descent, with one
// token of lookahead. No text is read twice.
type parser struct {
	sc        scanner
	lim       Limits
	prev      token // the last one consumed
	tok       token // the current one
	ahead     token // the one after
	depth     int   // of the recursion
	parens    int   // that are open around an expression, a query or a join
	relations int
	view      bool // inside of SEMANTIC_VIEW
	catalogue bool // reads what only statements about the catalogue may hold
	// groupingList is where a parenthesis begins that may hold a set of groups; 0 for none.
	groupingList sqlexpr.Position
	read         relationsRead

	windows     windowDefinitionsAndUses // of the select that is read
	rewritten   *Error                   // of the first construct that the tree has in another form
	windowFault *Error                   // why some name cannot be written out
	writtenOut  int                      // the text that names of windows stand for, so far
}

func newParser(text string, limits Limits, catalogue bool) (*parser, error) {
	if limits.Text > 0 && len(text) > limits.Text {
		return nil, newTooManyError(1, "the bytes of the statement are", limits.Text)
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return nil, newSyntaxError(characterPosition(text, i), "a NUL byte is not allowed", "")
	}
	if i := lexical.InvalidUTF8Offset(text); i < len(text) {
		return nil, newSyntaxError(characterPosition(text, i), "the text is not valid UTF-8", "")
	}
	p := &parser{sc: scanner{src: text, mostName: limits.Name, mostConstant: limits.Constant, catalogue: catalogue}, lim: limits, catalogue: catalogue}
	p.tok = p.sc.nextToken()
	p.ahead = p.scanAhead()
	return p, nil
}

// characterPosition counts the characters before an offset. A byte that is not UTF-8 counts as one.
func characterPosition(text string, offset int) sqlexpr.Position {
	return sqlexpr.Position(len([]rune(text[:offset])) + 1)
}

func (p *parser) tokenText(t token) string { return p.sc.src[t.start:t.end] }

func (p *parser) scanAhead() token {
	if p.tok.kind == tokEOF || p.tok.kind == tokBad {
		return p.tok
	}
	return p.sc.nextToken()
}

func (p *parser) advanceToken() {
	p.prev, p.tok = p.tok, p.ahead
	p.ahead = p.scanAhead()
}

// tokenAfterNext returns the token after p.ahead.
func (p *parser) tokenAfterNext() token {
	if p.ahead.kind == tokEOF || p.ahead.kind == tokBad {
		return p.ahead
	}
	sc := p.sc
	return sc.nextToken()
}

// isWord reports whether a token is this word, in any case.
func (p *parser) isWord(t token, word string) bool {
	return t.kind == tokWord && strings.EqualFold(p.tokenText(t), word)
}

func (p *parser) isKeyword(k keyword) bool { return p.tok.kw == k }

// isKeywordCall reports whether the current word k has a parenthesis after it.
func (p *parser) isKeywordCall(k keyword) bool { return p.tok.kw == k && p.ahead.kind == tokLParen }

// acceptKeyword consumes the word k if it is next.
func (p *parser) acceptKeyword(k keyword) bool {
	if p.tok.kw != k {
		return false
	}
	p.advanceToken()
	return true
}

func (p *parser) acceptToken(k tokenKind) bool {
	if p.tok.kind != k {
		return false
	}
	p.advanceToken()
	return true
}

func (p *parser) expectKeyword(k keyword, want string) error {
	if !p.acceptKeyword(k) {
		return p.expectedError(want)
	}
	return nil
}

func (p *parser) expectToken(k tokenKind, want string) error {
	if !p.acceptToken(k) {
		return p.expectedError(want)
	}
	return nil
}

// maxRecursionsPerLevel is how often the parser can recur for one level of a tree: for a sign, the
// parenthesis after it, and the NOT in that.
const maxRecursionsPerLevel = 3

// enterNesting goes one level of recursion down; leaveNesting comes back. This bounds the stack;
// the limit itself holds for the tree (checkDepth) and for parentheses, which no tree shows.
func (p *parser) enterNesting() error {
	if p.depth++; p.depth > maxRecursionsPerLevel*p.lim.Depth {
		return newTooDeepError(p.tok.at, p.lim.Depth)
	}
	return nil
}

func (p *parser) leaveNesting() { p.depth-- }

// enterParens goes into a parenthesis; leaveParens comes back.
func (p *parser) enterParens() error {
	if p.parens++; p.parens > p.lim.Depth {
		return newTooDeepError(p.tok.at, p.lim.Depth)
	}
	return p.enterNesting()
}

func (p *parser) leaveParens() {
	p.parens--
	p.leaveNesting()
}

// expectedError reports the current token where want should be. A token that the scanner could
// not read has its own, more specific error.
func (p *parser) expectedError(want string) error {
	if p.tok.kind == tokBad {
		return p.sc.err
	}
	hint := ""
	if p.tok.kw.isReserved() {
		hint = `a name that is a reserved word is written "` + p.tokenText(p.tok) + `"`
	}
	return newSyntaxError(p.tok.at, "expected "+want+", found "+p.describeToken(p.tok), hint)
}

// unsupportedError reports a construct of SQL at the current token that the language lacks.
func (p *parser) unsupportedError(construct, hint string) error {
	return newUnsupportedError(p.tok.at, construct+" is not supported", hint)
}

// describeToken shows a token to a person, shortened.
func (p *parser) describeToken(t token) string {
	if t.kind == tokEOF {
		return "the end of the text"
	}
	return lexical.ShortenForMessage(p.tokenText(t))
}

// parseCommaSeparated reads elements separated by commas, at least one.
func parseCommaSeparated[T any](p *parser, most int, what string, parse func(*parser) (T, error)) ([]T, error) {
	return parseMoreItems(p, nil, most, what, parse)
}

// parseMoreItems reads the elements of a list after those that are read already.
func parseMoreItems[T any](p *parser, list []T, most int, what string, parse func(*parser) (T, error)) ([]T, error) {
	for {
		if len(list) == most {
			return nil, newTooManyError(p.tok.at, what, most)
		}
		x, err := parse(p)
		if err != nil {
			return nil, err
		}
		list = append(list, x)
		if !p.acceptToken(tokComma) {
			return list, nil
		}
	}
}

// parseExprList reads expressions separated by commas.
func (p *parser) parseExprList(what string) ([]Expr, error) {
	return parseCommaSeparated(p, p.lim.Items, what, (*parser).parseExpr)
}

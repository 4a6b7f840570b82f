package parse

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// ParseCatalogueStatement reads one SELECT statement about the catalogue of a database: with ::regclass,
// OPERATOR(pg_catalog.~), COLLATE, arrays, functions in FROM and what else clients of PostgreSQL
// write in such statements. The schemas pg_catalog and information_schema before functions, types,
// operators and collations are read and dropped. An error is an *Error.
func ParseCatalogueStatement(text string, limits Limits) (*Query, error) {
	s := ParseStatement(text, limits)
	return s.query, s.err
}

// catalogueOperators are the operators of PostgreSQL that only statements about the catalogue have.
const catalogueOperators = " ~ !~ ~* !~* & | # << >> @> <@ && -> ->> "

// currentCatalogueOperator returns the operator at the current token that has an Operation as its node; "" for none.
func (p *parser) currentCatalogueOperator() string {
	if p.tok.kind != tokOtherOperator {
		return ""
	}
	text := p.tokenText(p.tok)
	if !strings.Contains(catalogueOperators, " "+text+" ") || !p.takesCatalogueOnly() {
		return ""
	}
	return text
}

// isQualifiedOperator recognises OPERATOR(schema.sign).
func (p *parser) isQualifiedOperator() bool {
	return p.isKeywordCall(kwOperator) && p.takesCatalogueOnly()
}

// parseCatalogueOperator reads an operator and its right operand: a sign, or OPERATOR(schema.sign).
func (p *parser) parseCatalogueOperator(left Expr) (Expr, error) {
	operator := p.currentCatalogueOperator()
	if p.isQualifiedOperator() {
		var err error
		if operator, err = p.parseQualifiedOperator(); err != nil {
			return nil, err
		}
	} else {
		p.advanceToken()
	}
	if p.isAnyOrAll() {
		return p.parseCatalogueAnyOrAll(left, operator)
	}
	right, err := p.parseBinary(sqlexpr.PrecedenceConcat + 1)
	if err != nil {
		return nil, err
	}
	return newOperatorNode(left, operator, right), nil
}

func (p *parser) isAnyOrAll() bool {
	return p.ahead.kind == tokLParen && (p.isKeyword(kwAny) || p.isKeyword(kwSome) || p.isKeyword(kwAll))
}

// newOperatorNode returns the node of an operator that was spelled out: a Binary or a Like where there is one.
func newOperatorNode(left Expr, operator string, right Expr) Expr {
	at := sqlexpr.Position(left.Pos())
	if op, ok := sqlexpr.BinaryOpOfSign(operator); ok {
		return &Binary{Position: at, Op: op, L: left, R: right}
	}
	switch operator {
	case "~~", "!~~", "~~*", "!~~*":
		return &Like{Position: at, Not: operator[0] == '!', Fold: strings.HasSuffix(operator, "*"), X: left, Pattern: right}
	}
	return &CatalogueOperation{Position: at, Operator: operator, Left: left, Right: right}
}

// parseQualifiedOperator reads OPERATOR(schema.sign) and returns the sign.
func (p *parser) parseQualifiedOperator() (string, error) {
	p.advanceToken()
	p.advanceToken()
	if p.tok.isName() && p.ahead.kind == tokDot {
		if !isCatalogueSchema(p.tokenName(p.tok)) {
			return "", p.unsupportedError("an operator of the schema "+p.tokenText(p.tok), "")
		}
		p.noteCatalogueSchema(p.tok)
		p.advanceToken()
		p.advanceToken()
	}
	sign := p.tokenText(p.tok)
	if !p.tok.isOperator() && !strings.Contains(catalogueOperators, " "+sign+" ") || sign == "" {
		return "", p.expectedError("an operator")
	}
	p.advanceToken()
	return sign, p.expectToken(tokRParen, ") after the operator")
}

// parseCatalogueAnyOrAll reads ANY (…) and ALL (…) after an operator.
func (p *parser) parseCatalogueAnyOrAll(x Expr, operator string) (Expr, error) {
	all := p.isKeyword(kwAll)
	p.advanceToken()
	p.advanceToken()
	q, array, err := p.parseQueryOrExpr()
	if err != nil {
		return nil, err
	}
	at := sqlexpr.Position(x.Pos())
	if q != nil {
		if err := p.expectQueryClosingParen(); err != nil {
			return nil, err
		}
		if operator == "=" && !all || operator == "<>" && all {
			return &InQuery{Position: at, Not: all, X: x, Query: q}, nil
		}
		return &QuantifiedComparison{Position: at, Operator: operator, All: all, X: x, Array: &ArraySubquery{Position: sqlexpr.Position(q.Position), Query: q}}, nil
	}
	return &QuantifiedComparison{Position: at, Operator: operator, All: all, X: x, Array: array}, p.expectToken(tokRParen, "an operator or )")
}

// isCatalogueOperandSuffix reports whether AT TIME ZONE or, in a statement about the catalogue, [i], .name or COLLATE is next,
// after an operand.
func (p *parser) isCatalogueOperandSuffix() bool {
	return p.isAtTimeZone() || (p.tok.kind == tokLBracket || p.tok.kind == tokDot || p.isKeyword(kwCollate)) && p.takesCatalogueOnly()
}

func (p *parser) isAtTimeZone() bool { return p.isKeyword(kwAt) && p.ahead.kw == kwTime }

// parseCatalogueOperandSuffix reads what isCatalogueOperandSuffix has found.
func (p *parser) parseCatalogueOperandSuffix(x Expr) (Expr, error) {
	switch {
	case p.tok.kind == tokLBracket:
		return p.parseSubscript(x)
	case p.tok.kind == tokDot:
		return p.parseFieldSelection(x)
	case p.isAtTimeZone():
		return p.parseAtTimeZone(x)
	}
	p.advanceToken()
	path, err := p.parseCataloguePath("the name of a collation")
	if err != nil {
		return nil, err
	}
	return &Collated{Position: sqlexpr.Position(x.Pos()), X: x, Collation: path[len(path)-1]}, nil
}

func (p *parser) parseAtTimeZone(x Expr) (Expr, error) {
	p.advanceToken()
	p.advanceToken()
	if err := p.expectKeyword(kwZone, "ZONE after TIME"); err != nil {
		return nil, err
	}
	zone, err := p.parsePrimary()
	return &Call{Position: sqlexpr.Position(x.Pos()), Function: Name{Text: "timezone"}, Arguments: []Expr{zone, x}}, err
}

func (p *parser) parseSubscript(x Expr) (Expr, error) {
	s := &Subscript{Position: sqlexpr.Position(x.Pos()), X: x}
	p.advanceToken()
	var err error
	if !p.isColon() {
		if s.Index, err = p.parseExpr(); err != nil {
			return nil, err
		}
	}
	if p.isColon() {
		s.Slice = true
		p.advanceToken()
		if p.tok.kind != tokRBracket {
			if s.End, err = p.parseExpr(); err != nil {
				return nil, err
			}
		}
	}
	return s, p.expectToken(tokRBracket, "] after the subscript")
}

func (p *parser) isColon() bool { return p.tok.kind == tokColon }

func (p *parser) parseFieldSelection(x Expr) (Expr, error) {
	part := &FieldSelection{Position: sqlexpr.Position(x.Pos()), X: x}
	p.advanceToken()
	switch {
	case p.acceptToken(tokStar):
		return part, nil
	case p.tok.isName():
		part.Name = p.tokenName(p.tok)
		p.advanceToken()
		return part, nil
	}
	return nil, p.expectedError("a name after the dot")
}

// parseArray reads ARRAY[…] and ARRAY(SELECT …), and the arrays inside of an array.
func (p *parser) parseArray() (Expr, error) {
	at := p.tok.at
	p.advanceToken()
	if p.acceptToken(tokLParen) {
		q, err := p.parseQueryInParens()
		return &ArraySubquery{Position: at, Query: q}, err
	}
	return p.parseArrayItems(at)
}

func (p *parser) parseArrayItems(at sqlexpr.Position) (Expr, error) {
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	if err := p.expectToken(tokLBracket, "[ or ( after ARRAY"); err != nil {
		return nil, err
	}
	array := &ArrayConstructor{Position: at}
	if p.acceptToken(tokRBracket) {
		return array, nil
	}
	var err error
	array.Items, err = parseCommaSeparated(p, p.lim.InItems, "the values of the array are", (*parser).parseArrayItem)
	if err != nil {
		return nil, err
	}
	return array, p.expectToken(tokRBracket, "] or a comma")
}

func (p *parser) parseArrayItem() (Expr, error) {
	if p.tok.kind == tokLBracket {
		return p.parseArrayItems(p.tok.at)
	}
	return p.parseExpr()
}

// parseRowRest reads the values after the first one of a row, and the closing parenthesis.
func (p *parser) parseRowRest(at sqlexpr.Position, first Expr) (Expr, error) {
	p.advanceToken()
	items, err := parseMoreItems(p, []Expr{first}, p.lim.Items, "the values of a row are", (*parser).parseExpr)
	if err != nil {
		return nil, err
	}
	return &RowConstructor{Position: at, Items: items}, p.expectToken(tokRParen, ") or a comma")
}

// parseRowCall reads ROW(x, y).
func (p *parser) parseRowCall() (Expr, error) {
	row := &RowConstructor{Position: p.tok.at}
	p.advanceToken()
	p.advanceToken()
	if p.acceptToken(tokRParen) {
		return row, nil
	}
	var err error
	if row.Items, err = p.parseExprList("the values of a row are"); err != nil {
		return nil, err
	}
	return row, p.expectToken(tokRParen, ") or a comma")
}

// parseTypedTextLiteral reads a type before a text literal: regclass 'pg_class'.
func (p *parser) parseTypedTextLiteral() (Expr, error) {
	at := p.tok.at
	to, err := p.parseTypeName()
	if err != nil {
		return nil, err
	}
	x, err := p.parseTextLiteral()
	return &Cast{Position: at, X: x, To: to}, err
}

// parseCataloguePath reads a name that a schema of the catalogue may precede.
func (p *parser) parseCataloguePath(want string) ([]Name, error) {
	if !p.tok.isName() {
		return nil, p.expectedError(want)
	}
	path, star, err := p.parsePath()
	switch {
	case err != nil:
		return nil, err
	case star || len(path) > 2:
		return nil, newSyntaxError(p.prev.at, "expected "+want, "")
	}
	return path, nil
}

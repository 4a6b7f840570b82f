package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// parseGroupByItem reads an item of GROUP BY, or one of GROUPING SETS: an expression, a set of groups in parentheses, ROLLUP, CUBE or
// GROUPING SETS.
func (p *parser) parseGroupByItem() (Expr, error) {
	at := p.tok.at
	switch {
	case p.catalogue && p.isGroupingStart():
		return nil, p.unsupportedError("a grouping of several sets", "")
	case p.isKeyword(kwGrouping) && p.ahead.kw == kwSets:
		p.advanceToken()
		return p.parseGroupingItems(at, GroupingSets, (*parser).parseGroupByItem)
	case p.isKeywordCall(kwRollup):
		return p.parseGroupingItems(at, GroupingRollup, (*parser).parseGroupingElement)
	case p.isKeywordCall(kwCube):
		return p.parseGroupingItems(at, GroupingCube, (*parser).parseGroupingElement)
	case p.tok.kind == tokLParen && p.ahead.kind == tokRParen:
		p.advanceToken()
		p.advanceToken()
		return &Grouping{Position: at}, nil
	}
	return p.parseGroupingElement()
}

// isGroupingStart recognises ROLLUP, CUBE, GROUPING SETS and ().
func (p *parser) isGroupingStart() bool {
	return p.isKeyword(kwGrouping) && p.ahead.kw == kwSets || p.isKeywordCall(kwRollup) || p.isKeywordCall(kwCube) || p.tok.kind == tokLParen && p.ahead.kind == tokRParen
}

// parseGroupingItems reads the items of ROLLUP, CUBE or GROUPING SETS, whose last word is the current token.
func (p *parser) parseGroupingItems(at sqlexpr.Position, kind GroupingKind, parse func(*parser) (Expr, error)) (Expr, error) {
	p.advanceToken()
	if err := p.expectToken(tokLParen, "( and the groups"); err != nil {
		return nil, err
	}
	if err := p.enterParens(); err != nil {
		return nil, err
	}
	defer p.leaveParens()
	g := &Grouping{Position: at, Kind: kind}
	var err error
	if g.Items, err = parseCommaSeparated(p, p.lim.Items, "the groups are", parse); err != nil {
		return nil, err
	}
	return g, p.expectToken(tokRParen, "a comma or ) after a group")
}

// parseGroupingElement reads an expression, or several in parentheses, which are one set.
func (p *parser) parseGroupingElement() (Expr, error) {
	if p.tok.kind != tokLParen {
		return p.parseExpr()
	}
	at, outside := p.tok.at, p.groupingList
	p.groupingList = at
	x, err := p.parseExpr()
	hasList := p.groupingList != at
	p.groupingList = outside
	if _, isList := x.(*Grouping); err == nil && hasList && !isList {
		return nil, newUnsupportedError(at, "a row of several values is not supported", "compare the values one by one")
	}
	return x, err
}

// parseGroupingListRest reads the expressions after the first of a set of groups and the parenthesis at its end.
func (p *parser) parseGroupingListRest(at sqlexpr.Position, first Expr) (Expr, error) {
	p.groupingList = 0
	p.advanceToken()
	list, err := parseMoreItems(p, []Expr{first}, p.lim.Items, "the groups are", (*parser).parseExpr)
	if err != nil {
		return nil, err
	}
	return &Grouping{Position: at, Items: list}, p.expectToken(tokRParen, "a comma or ) after a group")
}

// parseGroupingCall reads GROUPING (a, b), which has no clause after its arguments.
func (p *parser) parseGroupingCall() (Expr, error) {
	c := p.parseCallStart()
	if err := p.enterParens(); err != nil {
		return nil, err
	}
	defer p.leaveParens()
	var err error
	if c.Arguments, err = p.parseExprList("the arguments of a call are"); err != nil {
		return nil, err
	}
	return c, p.expectToken(tokRParen, "an operator, a comma or )")
}

// IsGrouping reports whether a call is GROUPING (a, b), the mask of the groups that a row is not grouped by.
func (c *Call) IsGrouping() bool { return !c.Function.Quoted && c.Function.Text == "grouping" }

package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// isQueryStart reports whether the current word begins a query.
func (p *parser) isQueryStart() bool {
	return p.tok.kw == kwSelect || p.tok.kw == kwWith || p.tok.kw == kwValues && p.takesCatalogueOnly()
}

// parseQuery reads a query up to the token that cannot belong to it.
func (p *parser) parseQuery() (*Query, error) {
	outside := p.windows
	p.windows = windowDefinitionsAndUses{}
	defer func() { p.windows = outside }()
	q := &Query{Position: Position(p.tok.at)}
	if p.isKeyword(kwWith) {
		if err := p.parseWith(q); err != nil {
			return nil, err
		}
	}
	operand, err := p.parseSetOperand()
	if err != nil {
		return nil, err
	}
	return p.parseQueryRest(q, operand)
}

// parseRestAfterParenthesizedQuery reads what follows a query in parentheses that is the first operand of another.
func (p *parser) parseRestAfterParenthesizedQuery(at sqlexpr.Position, first *Query) (*Query, error) {
	outside := p.windows
	p.windows = windowDefinitionsAndUses{}
	defer func() { p.windows = outside }()
	return p.parseQueryRest(&Query{Position: Position(at)}, unwrapQueryWithoutClauses(first))
}

// parseQueryRest reads what follows the first operand of a query.
func (p *parser) parseQueryRest(q *Query, operand QueryBody) (*Query, error) {
	body, err := p.parseSetOperations(operand, Union)
	if err != nil {
		return nil, err
	}
	q.Body = body
	if _, one := body.(*Select); !one {
		p.windows.defined = nil
	}
	if err := p.parseOrderLimitOffset(q); err != nil {
		return nil, err
	}
	p.replaceWindowNames(0) // those of ORDER BY
	if inner, ok := body.(*Query); ok {
		return p.mergeQueryClauses(q, inner)
	}
	return q, nil
}

// mergeQueryClauses joins the clauses around a query in parentheses with its own. An order or a limit
// around a limit would apply to other rows than it seems to.
func (p *parser) mergeQueryClauses(outer, inner *Query) (*Query, error) {
	limited := inner.Limit != nil || inner.Offset != nil
	limits := outer.Limit != nil || outer.Offset != nil
	orders := len(outer.OrderBy) > 0
	if limits && limited || orders && (limited || len(inner.OrderBy) > 0) || len(outer.With) > 0 && len(inner.With) > 0 {
		return nil, newUnsupportedError(outer.Position, "clauses around a query in parentheses that has such clauses itself are not supported", "write the inner query as a derived table")
	}
	merged := *inner
	merged.Position = outer.Position
	if len(outer.With) > 0 {
		merged.With = outer.With
	}
	if orders {
		merged.OrderBy = outer.OrderBy
	}
	if limits {
		merged.Limit, merged.Offset = outer.Limit, outer.Offset
	}
	return &merged, nil
}

func (p *parser) parseWith(q *Query) error {
	p.advanceToken()
	if p.isKeyword(kwRecursive) && p.ahead.isName() && p.takesCatalogueOnly() {
		p.advanceToken()
		q.Recursive = true
	}
	if p.isKeyword(kwRecursive) && p.ahead.isName() && !q.Recursive {
		return p.unsupportedError("WITH RECURSIVE", "")
	}
	var err error
	q.With, err = parseCommaSeparated(p, p.lim.Relations, "the tables of WITH are", (*parser).parseCommonTable)
	if err != nil {
		return err
	}
	return p.refuseWritingStatement("WITH")
}

// refuseWritingStatement rejects a writing statement where a query should begin.
func (p *parser) refuseWritingStatement(where string) error {
	switch p.tok.kw {
	case kwInsert, kwUpdate, kwDelete, kwMerge:
		return newReadOnlyError(p.tok.at, p.tokenText(p.tok)+" in "+where)
	}
	return nil
}

func (p *parser) parseCommonTable() (*CommonTable, error) {
	c := &CommonTable{Position: Position(p.tok.at)}
	var err error
	if c.Name, err = p.parseName("the name of a table of WITH"); err != nil {
		return nil, err
	}
	p.read.commonTables = append(p.read.commonTables, c.Name)
	if p.tok.kind == tokLParen {
		if c.Columns, err = p.parseNames("the name of a column"); err != nil {
			return nil, err
		}
	}
	if err := p.expectKeyword(kwAs, "AS and a query in parentheses"); err != nil {
		return nil, err
	}
	if p.isMaterialized() && p.takesCatalogueOnly() {
		p.acceptKeyword(kwNot)
		p.advanceToken()
	}
	if p.isMaterialized() {
		return nil, p.unsupportedError("MATERIALIZED", "leave it out")
	}
	if err := p.expectToken(tokLParen, "( and a query"); err != nil {
		return nil, err
	}
	if err := p.refuseWritingStatement("WITH"); err != nil {
		return nil, err
	}
	if c.Query, err = p.parseQueryInParens(); err != nil {
		return nil, err
	}
	if p.isWord(p.tok, "search") || p.isWord(p.tok, "cycle") {
		return nil, p.unsupportedError("the clause "+p.tokenText(p.tok)+" of WITH", "")
	}
	return c, nil
}

// isMaterialized recognises [NOT] MATERIALIZED.
func (p *parser) isMaterialized() bool {
	return p.isKeyword(kwNot) && p.isWord(p.ahead, "materialized") || p.isWord(p.tok, "materialized")
}

// parseQueryInParens reads a query one level down and the parenthesis that closes it; the
// opening one has been consumed.
func (p *parser) parseQueryInParens() (*Query, error) {
	if err := p.enterParens(); err != nil {
		return nil, err
	}
	defer p.leaveParens()
	return p.parseQueryAndParenthesis()
}

// parseQueryAndParenthesis reads a query and the parenthesis that closes it.
func (p *parser) parseQueryAndParenthesis() (*Query, error) {
	if !p.isQueryStart() && p.tok.kind != tokLParen {
		return nil, p.expectedQueryError()
	}
	q, err := p.parseQuery()
	if err != nil {
		return nil, err
	}
	return q, p.expectQueryClosingParen()
}

func (p *parser) expectQueryClosingParen() error {
	if p.tok.kind == tokRParen {
		p.advanceToken()
		return nil
	}
	if p.isKeyword(kwInto) {
		return newReadOnlyError(p.tok.at, "SELECT INTO")
	}
	return p.expectedError("a clause of SELECT or )")
}

func (p *parser) expectedQueryError() error {
	switch p.tok.kw {
	case kwValues:
		return p.unsupportedError("VALUES as a relation", "")
	case kwTable:
		return p.unsupportedError("TABLE as a query", "write SELECT * FROM …")
	}
	if err := p.refuseWritingStatement("a subquery"); err != nil {
		return err
	}
	return p.expectedError("SELECT")
}

// precedenceOfSetOperator returns the precedence of an operator.
func precedenceOfSetOperator(o SetOperator) int {
	if o == Intersect {
		return 1
	}
	return 0
}

func (p *parser) currentSetOperator() (SetOperator, bool) {
	switch p.tok.kw {
	case kwUnion:
		return Union, true
	case kwIntersect:
		return Intersect, true
	case kwExcept:
		return Except, true
	}
	return 0, false
}

// parseSetOperations reads the operators that follow an operand and bind at least as close as
// lowest.
func (p *parser) parseSetOperations(left QueryBody, lowest SetOperator) (QueryBody, error) {
	for n := 0; ; n++ {
		operator, ok := p.currentSetOperator()
		if !ok || precedenceOfSetOperator(operator) < precedenceOfSetOperator(lowest) {
			return left, nil
		}
		if n == p.lim.Depth {
			return nil, newTooDeepError(p.tok.at, p.lim.Depth)
		}
		p.advanceToken()
		s := &SetOperation{Position: Position(sqlexpr.Position(left.Pos())), Operator: operator, Left: left}
		if !p.acceptKeyword(kwDistinct) {
			s.All = p.acceptKeyword(kwAll)
		}
		if p.isWord(p.tok, "corresponding") {
			return nil, p.unsupportedError("CORRESPONDING", "")
		}
		right, err := p.parseSetOperand()
		if err != nil {
			return nil, err
		}
		if operator != Intersect {
			if right, err = p.parseSetOperations(right, Intersect); err != nil {
				return nil, err
			}
		}
		s.Right = right
		left = s
	}
}

// parseSetOperand reads a SELECT, or a query in parentheses.
func (p *parser) parseSetOperand() (QueryBody, error) {
	switch {
	case p.isKeyword(kwSelect):
		return p.parseSelectBlock()
	case p.isKeyword(kwValues) && p.takesCatalogueOnly():
		return p.parseValuesQuery()
	case p.tok.kind == tokLParen:
		p.advanceToken()
		q, err := p.parseQueryInParens()
		if err != nil {
			return nil, err
		}
		return unwrapQueryWithoutClauses(q), nil
	}
	return nil, p.expectedQueryError()
}

// unwrapQueryWithoutClauses drops parentheses that hold no clauses.
func unwrapQueryWithoutClauses(q *Query) QueryBody {
	if len(q.With) == 0 && len(q.OrderBy) == 0 && q.Limit == nil && q.Offset == nil {
		return q.Body
	}
	return q
}

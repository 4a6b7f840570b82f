package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// parseRelation reads one element of FROM: a relation and the joins that follow it.
func (p *parser) parseRelation() (Relation, error) {
	left, err := p.parseRelationWithoutJoins()
	if err != nil {
		return nil, err
	}
	return p.parseJoins(left)
}

// isJoinStart reports whether the current word begins a join.
func (p *parser) isJoinStart() bool {
	switch p.tok.kw {
	case kwJoin, kwInner, kwLeft, kwRight, kwFull, kwCross, kwNatural:
		return true
	}
	return false
}

// parseJoins reads the joins that follow a relation.
func (p *parser) parseJoins(left Relation) (Relation, error) {
	for p.isJoinStart() {
		j, err := p.parseJoin(left)
		if err != nil {
			return nil, err
		}
		left = j
	}
	return left, nil
}

// parseJoin reads one join. As its condition follows the right relation, joins before the
// condition belong to that relation: a JOIN b JOIN c ON … ON ….
func (p *parser) parseJoin(left Relation) (*Join, error) {
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	j := &Join{Position: Position(sqlexpr.Position(left.Pos())), Left: left}
	j.Natural = p.acceptKeyword(kwNatural)
	j.Kind = p.parseJoinKind()
	if err := p.expectKeyword(kwJoin, "JOIN"); err != nil {
		return nil, err
	}
	right, err := p.parseRelationWithoutJoins()
	if err != nil {
		return nil, err
	}
	j.Right = right
	if j.Natural || j.Kind == CrossJoin {
		if j.Natural && j.Kind == CrossJoin {
			return nil, newSyntaxError(j.Position, "a join is not both NATURAL and CROSS", "")
		}
		return j, nil
	}
	if j.Right, err = p.parseJoins(right); err != nil {
		return nil, err
	}
	return j, p.parseJoinCondition(j)
}

func (p *parser) parseJoinKind() JoinKind {
	var kind JoinKind
	switch {
	case p.acceptKeyword(kwCross):
		return CrossJoin
	case p.acceptKeyword(kwInner):
		return InnerJoin
	case p.acceptKeyword(kwLeft):
		kind = LeftJoin
	case p.acceptKeyword(kwRight):
		kind = RightJoin
	case p.acceptKeyword(kwFull):
		kind = FullJoin
	default:
		return InnerJoin
	}
	p.acceptKeyword(kwOuter)
	return kind
}

func (p *parser) parseJoinCondition(j *Join) (err error) {
	switch {
	case p.acceptKeyword(kwOn):
		j.On, err = p.parseExpr()
		return err
	case p.acceptKeyword(kwUsing):
		if j.Using, err = p.parseNames("the name of a column"); err != nil {
			return err
		}
		if p.isKeyword(kwAs) {
			return p.unsupportedError("an alias after USING", "name the relations")
		}
		return nil
	}
	return p.expectedError("ON or USING and the condition of the join")
}

// parseRelationWithoutJoins reads a relation without the joins after it.
func (p *parser) parseRelationWithoutJoins() (Relation, error) {
	if err := p.checkRelationCount(); err != nil {
		return nil, err
	}
	at := p.tok.at
	switch {
	case p.isKeyword(kwLateral):
		p.advanceToken()
		if p.isFunctionStart() {
			return p.parseFunctionTable(at, true)
		}
		if p.tok.kind != tokLParen {
			return nil, p.unsupportedError("a function in FROM", "")
		}
		return p.parseParenthesizedRelation(at, true)
	case p.tok.kind == tokLParen:
		return p.parseParenthesizedRelation(at, false)
	case !p.isKeywordCall(kwSemanticView) && p.isFunctionStart():
		return p.parseFunctionTable(at, false)
	case p.isKeyword(kwOnly):
		return nil, p.unsupportedError("ONLY", "leave it out")
	case p.isKeyword(kwValues):
		return nil, p.unsupportedError("VALUES as a relation", "")
	case p.isKeyword(kwRows) && p.ahead.kw == kwFrom:
		return nil, p.unsupportedError("ROWS FROM", "")
	case p.isKeywordCall(kwSemanticView):
		return p.parseSemanticView()
	case p.tok.isName() && p.ahead.kind == tokLParen:
		return nil, p.unsupportedError("a function in FROM", "")
	}
	return p.parseTable()
}

func (p *parser) checkRelationCount() error {
	if p.relations++; p.relations > p.lim.Relations {
		return newTooManyError(p.tok.at, "the relations of the statement are", p.lim.Relations)
	}
	return nil
}

func (p *parser) parseTable() (Relation, error) {
	t := &Table{Position: Position(p.tok.at)}
	if !p.tok.canBeColumnName() {
		return nil, p.expectedError("a relation")
	}
	path, star, err := p.parsePath()
	switch {
	case err != nil:
		return nil, err
	case star:
		return nil, newSyntaxError(p.prev.at, "a relation is a name without a star", "")
	case len(path) > 3:
		return nil, newSyntaxError(t.Position, "the name of a relation has at most three parts", "")
	case p.tok.kind == tokLParen:
		return nil, newUnsupportedError(t.Position, "a function in FROM is not supported", "")
	case p.tok.kind == tokStar:
		return nil, p.unsupportedError("a star after a relation", "leave it out")
	}
	t.Path = path
	p.read.tables = append(p.read.tables, t)
	if t.Alias, err = p.parseTableAlias(); err != nil {
		return nil, err
	}
	if p.isKeyword(kwTablesample) {
		return nil, p.unsupportedError("TABLESAMPLE", "")
	}
	return t, nil
}

// parseTableAlias reads [AS] name [(columns)]; nil when there is none.
func (p *parser) parseTableAlias() (*TableAlias, error) {
	as := p.acceptKeyword(kwAs)
	if !p.tok.canBeColumnName() {
		if as {
			return nil, p.expectedError("an alias after AS")
		}
		return nil, nil
	}
	a := &TableAlias{Position: Position(p.tok.at), Name: p.tokenName(p.tok)}
	p.advanceToken()
	if p.tok.kind != tokLParen {
		return a, nil
	}
	var err error
	a.Columns, err = p.parseNames("the name of a column")
	return a, err
}

// parseParenthesizedRelation reads a query or a join in parentheses.
func (p *parser) parseParenthesizedRelation(at sqlexpr.Position, lateral bool) (Relation, error) {
	q, r, err := p.parseRelationOrQuery()
	if err != nil {
		return nil, err
	}
	if q != nil {
		return p.parseDerivedTableEnd(at, q, lateral)
	}
	if lateral {
		return nil, newSyntaxError(at, "LATERAL is for a query in parentheses", "")
	}
	if p.isKeyword(kwAs) || p.tok.canBeColumnName() {
		if p.takesCatalogueOnly() {
			a := &AliasedJoin{Position: Position(at), Join: r}
			a.Alias, err = p.parseTableAlias()
			return a, err
		}
		return nil, p.unsupportedError("an alias of a join", "name its relations")
	}
	return r, nil
}

func (p *parser) parseDerivedTableEnd(at sqlexpr.Position, q *Query, lateral bool) (Relation, error) {
	d := &DerivedTable{Position: Position(at), Lateral: lateral, Query: q}
	var err error
	if d.Alias, err = p.parseTableAlias(); err != nil {
		return nil, err
	}
	if p.isKeyword(kwTablesample) {
		return nil, p.unsupportedError("TABLESAMPLE", "")
	}
	return d, nil
}

// parseRelationOrQuery reads what a parenthesis in FROM holds, and the closing one. What begins
// with another parenthesis is known only after that: (((SELECT 1)) UNION SELECT 2) is a query,
// ((SELECT 1) t JOIN u ON …) a join.
func (p *parser) parseRelationOrQuery() (*Query, Relation, error) {
	if err := p.enterParens(); err != nil {
		return nil, nil, err
	}
	defer p.leaveParens()
	p.advanceToken()
	at := p.tok.at
	if p.isQueryStart() || p.isKeyword(kwValues) || p.isKeyword(kwTable) {
		q, err := p.parseQueryAndParenthesis()
		return q, nil, err
	}
	var left Relation
	if p.tok.kind == tokLParen {
		q, r, err := p.parseRelationOrQuery()
		if err != nil {
			return nil, nil, err
		}
		if q != nil && p.continuesQuery() {
			if q, err = p.parseRestAfterParenthesizedQuery(at, q); err != nil {
				return nil, nil, err
			}
			return q, nil, p.expectQueryClosingParen()
		}
		if left = r; q != nil {
			if left, err = p.parseDerivedTableEnd(at, q, false); err != nil {
				return nil, nil, err
			}
		}
	} else {
		p.relations-- // parseParenthesizedRelation counted the first one
		r, err := p.parseRelationWithoutJoins()
		if err != nil {
			return nil, nil, err
		}
		left = r
	}
	return p.parseJoinInParens(left)
}

// continuesQuery reports whether what follows a query in parentheses makes a larger query of it.
func (p *parser) continuesQuery() bool {
	if _, ok := p.currentSetOperator(); ok {
		return true
	}
	switch p.tok.kw {
	case kwOrder, kwLimit, kwOffset, kwFetch, kwFor:
		return true
	}
	return p.tok.kind == tokRParen
}

func (p *parser) parseJoinInParens(left Relation) (*Query, Relation, error) {
	r, err := p.parseJoins(left)
	if err != nil {
		return nil, nil, err
	}
	if _, joined := r.(*Join); !joined {
		return nil, nil, newSyntaxError(p.tok.at, "parentheses in FROM hold a query or a join", "")
	}
	return nil, r, p.expectToken(tokRParen, "a join or )")
}

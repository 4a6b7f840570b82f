package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// parseSelectBlock reads one SELECT without order and limit. What holds inside of a SEMANTIC_VIEW
// around it does not hold for its text.
func (p *parser) parseSelectBlock() (*Select, error) {
	outside := p.view
	p.view, p.windows = false, windowDefinitionsAndUses{}
	s, err := p.parseSelectClauses()
	p.view = outside
	p.replaceWindowNames(0)
	return s, err
}

func (p *parser) parseSelectClauses() (*Select, error) {
	s := &Select{Position: Position(p.tok.at)}
	p.advanceToken()
	if p.acceptKeyword(kwDistinct) {
		switch {
		case p.isKeyword(kwOn) && p.takesCatalogueOnly():
			if err := p.parseDistinctOn(s); err != nil {
				return nil, err
			}
		case p.isKeyword(kwOn):
			return nil, p.unsupportedError("DISTINCT ON", "write GROUP BY")
		}
		s.Distinct = true
	} else {
		p.acceptKeyword(kwAll)
	}
	var err error
	if p.isKeyword(kwFrom) && p.takesCatalogueOnly() {
		return s, p.parseClausesAfterSelectList(s) // EXISTS (SELECT FROM t)
	}
	if s.Items, err = parseCommaSeparated(p, p.lim.Items, "the items of SELECT are", (*parser).parseSelectItem); err != nil {
		return nil, err
	}
	if p.isKeyword(kwInto) {
		return nil, newReadOnlyError(p.tok.at, "SELECT INTO")
	}
	return s, p.parseClausesAfterSelectList(s)
}

// parseClausesAfterSelectList reads FROM, WHERE and the clauses after them.
func (p *parser) parseClausesAfterSelectList(s *Select) (err error) {
	if p.acceptKeyword(kwFrom) {
		if s.From, err = parseCommaSeparated(p, p.lim.Relations, "the relations of the statement are", (*parser).parseRelation); err != nil {
			return err
		}
	}
	if p.acceptKeyword(kwWhere) {
		if p.isKeyword(kwCurrent) && p.isWord(p.ahead, "of") {
			return p.unsupportedError("WHERE CURRENT OF", "")
		}
		if s.Where, err = p.parseExpr(); err != nil {
			return err
		}
	}
	return p.parseGroupByAndHaving(s)
}

func (p *parser) parseGroupByAndHaving(s *Select) (err error) {
	if p.acceptKeyword(kwGroup) {
		if err := p.expectKeyword(kwBy, "BY after GROUP"); err != nil {
			return err
		}
		if p.isKeyword(kwAll) || p.isKeyword(kwDistinct) {
			return p.unsupportedError("GROUP BY "+p.tokenText(p.tok), "name the groups")
		}
		if s.GroupBy, err = parseCommaSeparated(p, p.lim.Items, "the groups are", (*parser).parseGroupByItem); err != nil {
			return err
		}
	}
	if p.acceptKeyword(kwHaving) {
		if s.Having, err = p.parseExpr(); err != nil {
			return err
		}
	}
	if p.isKeyword(kwWindow) {
		return p.parseWindowClause()
	}
	return nil
}

// parseSelectItem reads one item of SELECT with its alias.
func (p *parser) parseSelectItem() (*SelectItem, error) {
	item := &SelectItem{Position: Position(p.tok.at)}
	if p.tok.kind == tokEOF || p.isKeyword(kwFrom) || p.isKeyword(kwInto) || p.isKeyword(kwWhere) {
		return nil, p.expectedError("an item of SELECT")
	}
	x, err := p.parseStarOrExpr()
	if err != nil {
		return nil, err
	}
	item.X = x
	if _, star := x.(*Star); star {
		return item, nil
	}
	return item, p.parseItemAlias(item)
}

// parseItemAlias reads [AS] alias.
func (p *parser) parseItemAlias(item *SelectItem) error {
	switch {
	case p.acceptKeyword(kwAs):
		if !p.tok.isName() {
			return p.expectedError("an alias after AS")
		}
	case p.tok.kind == tokQuotedName:
	case p.tok.kind == tokWord && p.tok.kw.canBeBareAlias() && !p.isViewClauseStart():
	default:
		return nil
	}
	item.Alias = p.tokenName(p.tok)
	p.advanceToken()
	return nil
}

// parseStarOrExpr reads *, t.* or an expression.
func (p *parser) parseStarOrExpr() (Expr, error) {
	at := p.tok.at
	if p.acceptToken(tokStar) {
		return &Star{Position: at}, nil
	}
	if p.ahead.kind != tokDot || !p.tok.canBeColumnName() {
		return p.parseExpr()
	}
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	path, star, err := p.parsePath()
	if err != nil {
		return nil, err
	}
	if star {
		return &Star{Position: at, Qualifier: path}, nil
	}
	left, err := p.parseColumnOrCallOfPath(at, path)
	if err != nil {
		return nil, err
	}
	if left, err = p.parseCastSuffixes(left); err != nil {
		return nil, err
	}
	return p.parseOperators(left, sqlexpr.PrecedenceOr)
}

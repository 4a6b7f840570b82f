package parse

import "strings"

// parseSemanticView reads SEMANTIC_VIEW(model clauses) and its alias.
func (p *parser) parseSemanticView() (Relation, error) {
	v := &SemanticView{Position: Position(p.tok.at)}
	p.read.view = true
	if err := p.enterNesting(); err != nil {
		return nil, err
	}
	defer p.leaveNesting()
	p.advanceToken()
	p.advanceToken()
	if !p.tok.canBeColumnName() {
		return nil, p.expectedError("the name of the model")
	}
	path, star, err := p.parsePath()
	if err != nil {
		return nil, err
	}
	if star || len(path) > 3 {
		return nil, newSyntaxError(p.prev.at, "the model is not one name", "")
	}
	v.Model = path
	outside := p.view
	p.view = true
	if err := p.parseViewClauses(v); err != nil {
		return nil, err
	}
	p.view = outside
	if err := p.expectToken(tokRParen, "a comma, a clause of SEMANTIC_VIEW or )"); err != nil {
		return nil, err
	}
	v.Alias, err = p.parseTableAlias()
	return v, err
}

// isViewClauseStart reports whether the current word begins a clause of the SEMANTIC_VIEW around it.
func (p *parser) isViewClauseStart() bool {
	if !p.view {
		return false
	}
	switch p.tok.kw {
	case kwDimensions, kwFacts, kwMetrics:
		return true
	}
	return false
}

// The clauses of SEMANTIC_VIEW in their order.
const (
	viewClauseNone = iota
	viewClauseDimensions
	viewClauseFacts
	viewClauseMetrics
	viewClauseWhere
)

func (p *parser) currentViewClause() int {
	switch p.tok.kw {
	case kwDimensions:
		return viewClauseDimensions
	case kwFacts:
		return viewClauseFacts
	case kwMetrics:
		return viewClauseMetrics
	case kwWhere:
		return viewClauseWhere
	}
	return viewClauseNone
}

func (p *parser) parseViewClauses(v *SemanticView) error {
	last := viewClauseNone
	for {
		clause := p.currentViewClause()
		if clause == viewClauseNone {
			break
		}
		word := strings.ToUpper(p.tokenText(p.tok))
		switch {
		case clause == last:
			return newSyntaxError(p.tok.at, "SEMANTIC_VIEW has "+word+" twice", "separate items by commas").withOssieCode(ossieCodeViewClauseOrder)
		case clause < last:
			return newSyntaxError(p.tok.at, word+" of SEMANTIC_VIEW is after a later clause", "the order is DIMENSIONS, FACTS, METRICS, WHERE").withOssieCode(ossieCodeViewClauseOrder)
		case clause == viewClauseMetrics && len(v.Facts) > 0:
			return newSyntaxError(p.tok.at, "SEMANTIC_VIEW has both FACTS and METRICS", "write one of them").withOssieCode(ossieCodeViewFactsWithMetrics)
		}
		last = clause
		p.advanceToken()
		if err := p.parseViewClause(v, clause); err != nil {
			return err
		}
	}
	switch p.tok.kw {
	case kwHaving, kwOrder, kwLimit, kwOffset, kwFetch, kwGroup:
		return newSyntaxError(p.tok.at, strings.ToUpper(p.tokenText(p.tok))+" is not a clause of SEMANTIC_VIEW", "write it after the closing parenthesis").withOssieCode(ossieCodeViewOuterClause)
	}
	if len(v.Dimensions)+len(v.Facts)+len(v.Metrics) == 0 && p.tok.kind == tokRParen {
		return newSyntaxError(p.tok.at, "SEMANTIC_VIEW has no DIMENSIONS, FACTS or METRICS", "name at least one").withOssieCode(ossieCodeViewNoClause)
	}
	return nil
}

func (p *parser) parseViewClause(v *SemanticView, clause int) (err error) {
	const what = "the items of SEMANTIC_VIEW are"
	switch clause {
	case viewClauseDimensions:
		v.Dimensions, err = parseCommaSeparated(p, p.lim.Items, what, (*parser).parseViewItem)
	case viewClauseFacts:
		v.Facts, err = parseCommaSeparated(p, p.lim.Items, what, (*parser).parseViewItem)
	case viewClauseMetrics:
		v.Metrics, err = parseCommaSeparated(p, p.lim.Items, what, (*parser).parseViewItem)
	case viewClauseWhere:
		v.Where, err = p.parseExpr()
	}
	return err
}

// parseViewItem reads an item with its alias. A path has at most two names.
func (p *parser) parseViewItem() (*SelectItem, error) {
	item := &SelectItem{Position: Position(p.tok.at)}
	if p.isViewClauseStart() && p.ahead.kind != tokDot || p.tok.kind == tokRParen {
		return nil, p.expectedError("an item of SEMANTIC_VIEW")
	}
	var err error
	if item.X, err = p.parseStarOrExpr(); err != nil {
		return nil, err
	}
	if star, ok := item.X.(*Star); ok {
		if len(star.Qualifier) == 0 {
			return nil, newSyntaxError(item.Position, "a star without a dataset is not an item of SEMANTIC_VIEW", "write dataset.*")
		}
		return item, nil
	}
	return item, p.parseItemAlias(item)
}

package parse

// parseMeasureCall reads MEASURE(metric, parameter => value, …) and AGG(…).
func (p *parser) parseMeasureCall() (Expr, error) {
	m := &MeasureCall{Position: p.tok.at}
	word := p.tokenText(p.tok)
	p.advanceToken()
	p.advanceToken()
	at := p.tok.at
	if !p.tok.canBeColumnName() {
		return nil, p.expectedError("the name of a metric in " + word)
	}
	path, star, err := p.parsePath()
	if err != nil {
		return nil, err
	}
	if star || p.tok.kind != tokComma && p.tok.kind != tokRParen {
		return nil, newSyntaxError(at, word+" takes the name of one metric", "write "+word+"(metric) and the arithmetic around it")
	}
	if p.view && len(path) > 2 {
		return nil, newUnsupportedError(at, "a path of more than two names in SEMANTIC_VIEW is not supported", "write dataset.metric").withOssieCode(ossieCodeViewLongPath)
	}
	m.Metric = &Column{Position: at, Path: path}
	if p.acceptToken(tokComma) {
		if m.Arguments, err = parseCommaSeparated(p, p.lim.Items, "the arguments of "+word+" are", (*parser).parseNamedArgument); err != nil {
			return nil, err
		}
	}
	if err := p.expectToken(tokRParen, "a comma or ) in "+word); err != nil {
		return nil, err
	}
	if p.isKeywordCall(kwFilter) {
		if m.Filter, err = p.parseFilter(); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwOver) {
		return nil, p.windowUnsupportedError("a window over " + word)
	}
	return m, nil
}

func (p *parser) parseNamedArgument() (*NamedArgument, error) {
	a := &NamedArgument{Position: Position(p.tok.at)}
	if !p.tok.canBeColumnName() || p.ahead.kind != tokNamedArgumentArrow {
		return nil, p.expectedError("parameter => value")
	}
	a.Name = p.tokenName(p.tok)
	p.advanceToken()
	p.advanceToken()
	var err error
	a.X, err = p.parseExpr()
	return a, err
}

// windowUnsupportedError rejects OVER with the code that it has in SEMANTIC_VIEW.
func (p *parser) windowUnsupportedError(construct string) error {
	err := newUnsupportedError(p.tok.at, construct+" is not supported", "write the window in a select around this one")
	if p.view {
		err = err.withOssieCode(ossieCodeViewWindow)
	}
	return err
}

package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// parseFunctionTable reads a function in FROM: f(x) [WITH ORDINALITY] [AS name (columns)].
func (p *parser) parseFunctionTable(at sqlexpr.Position, lateral bool) (Relation, error) {
	path, err := p.parseCataloguePath("a function")
	if err != nil {
		return nil, err
	}
	call, err := p.parseCallAfterPath(at, path)
	if err != nil {
		return nil, err
	}
	c, ok := call.(*Call)
	if !ok {
		return nil, newUnsupportedError(at, "this function in FROM is not supported", "")
	}
	f := &FunctionTable{Position: Position(at), Lateral: lateral, Call: c}
	if p.isKeyword(kwWith) && p.isWord(p.ahead, "ordinality") {
		p.advanceToken()
		p.advanceToken()
		f.Ordinality = true
	}
	if f.Alias, err = p.parseTableAlias(); err != nil {
		return nil, err
	}
	return f, nil
}

// isFunctionStart reports whether a name with parentheses after it is next: f(, pg_catalog.f(.
func (p *parser) isFunctionStart() bool {
	if !p.tok.isName() {
		return false
	}
	if p.ahead.kind == tokLParen {
		return p.takesCatalogueOnly()
	}
	if p.ahead.kind != tokDot {
		return false
	}
	sc := p.sc
	return sc.nextToken().kind != tokEOF && sc.nextToken().kind == tokLParen && p.takesCatalogueOnly()
}

// parseCallAfterPath reads the arguments of a function whose name has been read. A schema of the
// catalogue before the name is dropped.
func (p *parser) parseCallAfterPath(at sqlexpr.Position, path []Name) (Expr, error) {
	if len(path) > 2 || len(path) == 2 && !isCatalogueSchema(path[0]) {
		return nil, newUnsupportedError(at, "a function of another schema than pg_catalog is not supported", "")
	}
	name := path[len(path)-1]
	if !name.Quoted {
		name.Text = lowerASCII(name.Text)
	}
	if err := p.expectToken(tokLParen, "( and the arguments of the function"); err != nil {
		return nil, err
	}
	return p.parseCallRest(&Call{Position: at, Function: name})
}

// parseValuesQuery reads VALUES (x, y), (z, w).
func (p *parser) parseValuesQuery() (QueryBody, error) {
	v := &Values{Position: Position(p.tok.at)}
	p.advanceToken()
	var err error
	v.Rows, err = parseCommaSeparated(p, p.lim.InItems, "the rows of VALUES are", (*parser).parseRowOfValues)
	if err != nil {
		return nil, err
	}
	for _, row := range v.Rows {
		if len(row.Items) != len(v.Rows[0].Items) {
			return nil, newSyntaxError(row.Position, "the rows of VALUES have the same number of values", "")
		}
	}
	return v, nil
}

func (p *parser) parseRowOfValues() (*RowConstructor, error) {
	row := &RowConstructor{Position: p.tok.at}
	if err := p.expectToken(tokLParen, "( and a value"); err != nil {
		return nil, err
	}
	var err error
	if row.Items, err = p.parseExprList("the values of a row are"); err != nil {
		return nil, err
	}
	return row, p.expectToken(tokRParen, ") or a comma")
}

// parseDistinctOn reads ON (x, y) after DISTINCT.
func (p *parser) parseDistinctOn(s *Select) (err error) {
	p.advanceToken()
	if err := p.expectToken(tokLParen, "( after DISTINCT ON"); err != nil {
		return err
	}
	if s.DistinctOn, err = p.parseExprList("the expressions of DISTINCT ON are"); err != nil {
		return err
	}
	return p.expectToken(tokRParen, ") or a comma")
}

package parse

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// arrayOperand is the array of = ANY (…) and <> ALL (…): the values of ARRAY[…], or a text or parameter that holds them, or NULL.
type arrayOperand struct {
	items []Expr
	whole Expr        // a *String, *Parameter or *Null; nil for ARRAY[…]
	casts []*TypeName // of the elements
}

// parseAnyOrAll reads = ANY (…) and <> ALL (…), which are IN and NOT IN.
func (p *parser) parseAnyOrAll(x Expr, op sqlexpr.BinaryOp) (Expr, error) {
	if p.takesCatalogueOnly() {
		return p.parseCatalogueAnyOrAll(x, op.String())
	}
	all := p.isKeyword(kwAll)
	word := p.tokenText(p.tok)
	if all && op != OpNe || !all && op != OpEq {
		return nil, p.unsupportedError("the operator "+op.String()+" "+word, "write x = ANY (…), x IN (…) or x NOT IN (…)")
	}
	p.advanceToken()
	if !isArrayOperandStart(p.ahead) && !(p.ahead.kind == tokLParen && isArrayOperandStart(p.tokenAfterNext())) {
		return p.parseInList(all, x)
	}
	p.advanceToken()
	array, err := p.parseArrayOperand()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokRParen {
		return nil, p.unsupportedError("ANY and ALL of an expression", "write IN (…) with the values")
	}
	p.advanceToken()
	at := sqlexpr.Position(x.Pos())
	switch {
	case array.whole != nil:
		return &InArray{Position: at, Not: all, X: x, Array: array.whole, Casts: array.casts}, nil
	case len(array.items) == 0:
		return &InArray{Position: at, Not: all, X: x, Array: &String{Position: at, Value: "{}"}, Casts: array.casts}, nil
	}
	for i, item := range array.items {
		array.items[i] = castOfElement(item, array.casts)
	}
	return &In{Position: at, Not: all, X: x, Items: array.items}, nil
}

// castOfElement returns an element of an array under the casts of the array.
func castOfElement(element Expr, casts []*TypeName) Expr {
	for _, to := range casts {
		element = &Cast{Position: sqlexpr.Position(element.Pos()), X: element, To: to}
	}
	return element
}

// Elements returns expressions for the elements of the array, whose text is given.
func (e *InArray) Elements(array []ArrayElement) []Expr {
	at := sqlexpr.Position(e.Array.Pos())
	out := make([]Expr, len(array))
	for i, element := range array {
		if element.Null {
			out[i] = &Null{Position: at}
			continue
		}
		out[i] = castOfElement(&String{Position: at, Value: element.Text}, e.Casts)
	}
	return out
}

// Element returns the expression of one element, which a parameter stands for while its value is not known.
func (e *InArray) Element() Expr { return castOfElement(e.Array, e.Casts) }

func isArrayOperandStart(t token) bool {
	return t.kw == kwArray || t.kw == kwCast || t.kw == kwNull || t.kind == tokParameter || t.isTextLiteral()
}

// parseArrayOperand reads an array and the casts around it.
func (p *parser) parseArrayOperand() (*arrayOperand, error) {
	if err := p.enterParens(); err != nil {
		return nil, err
	}
	defer p.leaveParens()
	array, err := p.parseArrayWithoutCasts()
	if err != nil {
		return nil, err
	}
	for n := 0; p.acceptToken(tokCast); n++ {
		if n == p.lim.Depth {
			return nil, newTooDeepError(p.tok.at, p.lim.Depth)
		}
		if err := p.parseElementCast(array); err != nil {
			return nil, err
		}
	}
	return array, nil
}

func (p *parser) parseArrayWithoutCasts() (*arrayOperand, error) {
	switch {
	case p.acceptToken(tokLParen):
		array, err := p.parseArrayOperand()
		if err != nil {
			return nil, err
		}
		return array, p.expectToken(tokRParen, ") after the array")
	case p.tok.kind == tokParameter:
		whole, err := p.parseParameter()
		return &arrayOperand{whole: whole}, err
	case p.tok.isTextLiteral():
		whole, err := p.parseTextLiteral()
		return &arrayOperand{whole: whole}, err
	case p.acceptKeyword(kwNull):
		return &arrayOperand{whole: &Null{Position: p.prev.at}}, nil
	case p.acceptKeyword(kwCast):
		return p.parseCastArray()
	case p.acceptKeyword(kwArray):
		return p.parseArrayValues()
	}
	return nil, p.expectedError("an array")
}

// parseCastArray reads (array AS type[]).
func (p *parser) parseCastArray() (*arrayOperand, error) {
	if err := p.expectToken(tokLParen, "( after CAST"); err != nil {
		return nil, err
	}
	array, err := p.parseArrayOperand()
	if err != nil {
		return nil, err
	}
	if err := p.expectKeyword(kwAs, "AS in CAST"); err != nil {
		return nil, err
	}
	if err := p.parseElementCast(array); err != nil {
		return nil, err
	}
	return array, p.expectToken(tokRParen, ") at the end of CAST")
}

// parseArrayValues reads [x, y].
func (p *parser) parseArrayValues() (*arrayOperand, error) {
	array := &arrayOperand{}
	switch {
	case p.tok.kind == tokLParen:
		return nil, p.unsupportedError("ARRAY of a subquery", "write IN (SELECT …)")
	case !p.acceptToken(tokLBracket):
		return nil, p.expectedError("[ after ARRAY")
	case p.acceptToken(tokRBracket):
		return array, nil
	case p.tok.kind == tokLBracket:
		return nil, p.unsupportedError("an array of several dimensions", "write IN (…) with the values")
	}
	var err error
	if array.items, err = parseCommaSeparated(p, p.lim.InItems, "the values of the array are", (*parser).parseExpr); err != nil {
		return nil, err
	}
	return array, p.expectToken(tokRBracket, "] or a comma")
}

// parseElementCast reads the type of an array, which casts its elements.
func (p *parser) parseElementCast(array *arrayOperand) error {
	to, err := p.parseScalarTypeName()
	if err != nil {
		return err
	}
	if !p.isArrayTypeSuffix() {
		return p.unsupportedError("ANY and ALL of a value", "write IN (…) with the values")
	}
	if err := p.parseArrayTypeSuffix(&TypeName{}); err != nil {
		return err
	}
	array.casts = append(array.casts, to)
	return nil
}

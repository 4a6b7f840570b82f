package parse

import (
	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// parseCatalogueType reads a type by PostgreSQL's rules: "char", pg_catalog.regclass, text[].
func (p *parser) parseCatalogueType() (*TypeName, error) {
	t := &TypeName{Position: Position(p.tok.at)}
	if p.tok.isName() && p.ahead.kind == tokDot && isCatalogueSchema(p.tokenName(p.tok)) && p.takesCatalogueOnly() {
		p.noteCatalogueSchema(p.tok)
		p.advanceToken()
		p.advanceToken()
	}
	inner, err := p.parseScalarTypeName()
	if err != nil {
		return nil, err
	}
	inner.Position = t.Position
	return inner, p.parseArrayTypeSuffix(inner)
}

// isArrayTypeSuffix reports whether [] or ARRAY is next, after a type.
func (p *parser) isArrayTypeSuffix() bool { return p.tok.kind == tokLBracket || p.isKeyword(kwArray) }

// parseArrayTypeSuffix reads [] after a type. PostgreSQL ignores the number of dimensions and their sizes.
func (p *parser) parseArrayTypeSuffix(t *TypeName) error {
	marked := p.acceptKeyword(kwArray)
	for p.tok.kind == tokLBracket {
		p.advanceToken()
		p.acceptToken(tokNumber)
		if err := p.expectToken(tokRBracket, "] after the type"); err != nil {
			return err
		}
		marked = true
	}
	if marked && p.takesCatalogueOnly() {
		t.Name += "[]"
	}
	return nil
}

// canonicalQuotedTypeName returns the name of a type that is written in quotes or after a schema, where it is not another spelling of a
// type; ok is false for a name that only quotes make one.
func canonicalQuotedTypeName(name string) (exact string, ok bool) {
	switch name {
	case "char":
		return `"char"`, true // char without quotes is character
	case "bpchar":
		return name, true
	case "double", "bit", "national", "nchar":
		return "", false // the name has further words, or is not read
	}
	if other, ok := typeNamesByAlias[name]; ok {
		return other, true
	}
	return name, lexical.IsWord(name) && lowerASCII(name) == name && !lookupKeyword(name).isReserved()
}

// parseBitString reads b'0100', which is '0100' as bit(4).
func (p *parser) parseBitString() Expr {
	p.takesCatalogueOnly()
	t := p.tok
	text := p.tokenText(t)
	digits := text[len("b'") : len(text)-len("'")]
	p.advanceToken()
	to := &TypeName{Position: Position(t.at), Name: "bit", Arguments: []int{len(digits)}}
	if digits == "" {
		to.Arguments = nil // no type has the length 0
	}
	return &Cast{Position: t.at, X: &String{Position: t.at, Value: digits}, To: to, Literal: true}
}

// parseTextAfterTypeName reads the text after pg_catalog.type.
func (p *parser) parseTextAfterTypeName(at sqlexpr.Position, name Name) (Expr, error) {
	text := name.Text
	if !name.Quoted {
		text = lowerASCII(text)
	}
	typ, ok := canonicalQuotedTypeName(text)
	if !ok {
		return nil, newUnsupportedError(at, "the type "+text+" is not supported", "")
	}
	x, err := p.parseTextLiteral()
	if err != nil {
		return nil, err
	}
	return &Cast{Position: at, X: x, To: &TypeName{Position: Position(at), Name: typ}}, nil
}

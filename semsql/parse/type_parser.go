package parse

import (
	"strconv"
	"strings"
)

// typeNamesByAlias has the types of several names under the others.
var typeNamesByAlias = map[string]string{
	"int": "integer", "int4": "integer", "int8": "bigint", "int2": "smallint", "float4": "real", "float8": "double precision",
	"float": "double precision", "dec": "numeric", "decimal": "numeric", "bool": "boolean", "char": "character",
	"bpchar": "character", "character varying": "varchar", "char varying": "varchar",
	"timestamp with time zone": "timestamptz", "timestamp without time zone": "timestamp",
	"timestamp_tz": "timestamptz", "timestamp_ltz": "timestamptz", "timestamp_ntz": "timestamp",
	"time with time zone": "timetz", "time without time zone": "time",
}

// parseTypeName reads the type of a cast.
func (p *parser) parseTypeName() (*TypeName, error) {
	if p.catalogue {
		return p.parseCatalogueType()
	}
	t, err := p.parseScalarTypeName()
	if err == nil && p.isArrayTypeSuffix() {
		return nil, p.unsupportedError("an array type", "")
	}
	return t, err
}

// parseScalarTypeName reads a type that is not an array.
func (p *parser) parseScalarTypeName() (*TypeName, error) {
	t := &TypeName{Position: Position(p.tok.at)}
	switch {
	case p.tok.kind == tokQuotedName:
		return p.parseQuotedTypeName()
	case p.isKeyword(kwSetof):
		return nil, p.unsupportedError("SETOF", "")
	case p.tok.kind != tokWord || p.tok.kw.isReserved():
		return nil, p.expectedError("a type")
	case p.ahead.kind == tokDot:
		return nil, p.unsupportedError("a type with a schema", "write the type alone")
	}
	first := p.tok.kw
	t.Name = lowerASCII(p.tokenText(p.tok))
	p.advanceToken()
	switch {
	case t.Name == "double":
		if err := p.expectKeyword(kwPrecision, "PRECISION after DOUBLE"); err != nil {
			return nil, err
		}
		t.Name = "double precision"
	case first == kwCharacter || first == kwChar:
		if p.acceptKeyword(kwVarying) {
			t.Name = "varchar"
		}
	case first == kwBit && p.takesCatalogueOnly():
		if p.acceptKeyword(kwVarying) {
			t.Name = "bit varying"
		}
	case first == kwBit || first == kwNational || first == kwNchar:
		return nil, newUnsupportedError(t.Position, "the type "+t.Name+" is not supported", "")
	}
	if err := p.parseTypeArguments(t); err != nil {
		return nil, err
	}
	if err := p.parseTimeZoneSuffix(t, first); err != nil {
		return nil, err
	}
	if other, ok := typeNamesByAlias[t.Name]; ok && !(t.Name == "bpchar" && p.takesCatalogueOnly()) {
		setCanonicalTypeName(t, other)
	}
	return t, nil
}

// parseQuotedTypeName reads a type in quotes by its name in the catalogue: "int8".
func (p *parser) parseQuotedTypeName() (*TypeName, error) {
	name, ok := canonicalQuotedTypeName(p.tokenName(p.tok).Text)
	if !ok || strings.HasPrefix(name, `"`) && !p.takesCatalogueOnly() {
		return nil, p.unsupportedError("the type "+p.describeToken(p.tok), "")
	}
	t := &TypeName{Position: Position(p.tok.at), Name: name}
	p.advanceToken()
	return t, p.parseTypeArguments(t)
}

// setCanonicalTypeName gives a type its one name. FLOAT(n) is real up to 24 bits.
func setCanonicalTypeName(t *TypeName, name string) {
	if t.Name == "float" && len(t.Arguments) == 1 {
		if t.Arguments[0] <= 24 {
			name = "real"
		}
		t.Arguments = nil
	}
	t.Name = name
}

func (p *parser) parseTypeArguments(t *TypeName) error {
	if !p.acceptToken(tokLParen) {
		return nil
	}
	const most = 2 // precision and scale
	var err error
	t.Arguments, err = parseCommaSeparated(p, most, "the arguments of the type are", (*parser).parseTypeArgument)
	if err != nil {
		return err
	}
	return p.expectToken(tokRParen, ") after the arguments of the type")
}

func (p *parser) parseTypeArgument() (int, error) {
	negative := p.acceptToken(tokMinus)
	n, err := strconv.Atoi(p.tokenText(p.tok))
	if p.tok.kind != tokNumber || err != nil || n > maxVarcharLength {
		return 0, p.expectedError("an integer as argument of the type")
	}
	p.advanceToken()
	if negative {
		n = -n
	}
	return n, nil
}

// maxVarcharLength is the greatest length that PostgreSQL gives a text.
const maxVarcharLength = 10485760

// parseTimeZoneSuffix reads WITH TIME ZONE and WITHOUT TIME ZONE after a time or timestamp.
func (p *parser) parseTimeZoneSuffix(t *TypeName, first keyword) error {
	if first != kwTime && first != kwTimestamp || p.ahead.kw != kwTime || !p.isKeyword(kwWith) && !p.isKeyword(kwWithout) {
		return nil
	}
	t.Name += " " + lowerASCII(p.tokenText(p.tok)) + " time zone"
	p.advanceToken()
	p.advanceToken()
	return p.expectKeyword(kwZone, "ZONE after TIME")
}

package sqlexpr

import (
	"strconv"
	"strings"
)

var castTypesByName = map[string]Type{
	"BOOLEAN": TypeBool, "BOOL": TypeBool,
	"INT": TypeInt, "INTEGER": TypeInt, "BIGINT": TypeInt, "SMALLINT": TypeInt, "TINYINT": TypeInt,
	"INT2": TypeInt, "INT4": TypeInt, "INT8": TypeInt, "INT64": TypeInt,
	"DECIMAL": TypeDecimal, "NUMERIC": TypeDecimal, "DEC": TypeDecimal, "NUMBER": TypeDecimal,
	"FLOAT": TypeFloat, "REAL": TypeFloat, "DOUBLE": TypeFloat, "DOUBLE PRECISION": TypeFloat,
	"FLOAT4": TypeFloat, "FLOAT8": TypeFloat, "FLOAT64": TypeFloat,
	"VARCHAR": TypeString, "CHAR": TypeString, "CHARACTER": TypeString, "CHARACTER VARYING": TypeString,
	"TEXT": TypeString, "STRING": TypeString, "NVARCHAR": TypeString, "NCHAR": TypeString,
	"DATE": TypeDate,
	"TIME": TypeTime, "TIME WITHOUT TIME ZONE": TypeTime,
	"TIMESTAMP": TypeTimestamp, "TIMESTAMP WITHOUT TIME ZONE": TypeTimestamp, "DATETIME": TypeTimestamp, "TIMESTAMP_NTZ": TypeTimestamp,
	"TIMESTAMPTZ": TypeTimestampTZ, "TIMESTAMP WITH TIME ZONE": TypeTimestampTZ,
	"TIMESTAMP_LTZ": TypeTimestampTZ, "TIMESTAMP_TZ": TypeTimestampTZ,
	"INTERVAL": TypeInterval,
}

// castTypeNamesForPrinting is how a cast to a type prints when no pass kept a source name.
var castTypeNamesForPrinting = [...]string{
	TypeBool: "BOOLEAN", TypeInt: "BIGINT", TypeDecimal: "DECIMAL", TypeFloat: "DOUBLE", TypeString: "VARCHAR",
	TypeDate: "DATE", TypeTime: "TIME", TypeTimestamp: "TIMESTAMP", TypeTimestampTZ: "TIMESTAMPTZ", TypeInterval: "INTERVAL",
}

const typeNamesText = "BOOLEAN, INTEGER, BIGINT, DECIMAL, DOUBLE, VARCHAR, DATE, TIME, TIMESTAMP and TIMESTAMPTZ"

// parseTypeName reads the target of a cast. A name outside the table is kept: it is
// made of words only, and an engine may know it.
func (p *parser) parseTypeName() (TypeName, error) {
	if p.tok.kind != tokWord {
		return TypeName{}, p.expectedError("a type name")
	}
	var t TypeName
	at, first := p.tok, p.tok.kw
	t.Name = strings.ToUpper(p.tokenText(p.tok))
	p.advanceToken()
	if t.Name == "DOUBLE" && p.tok.kw == kwPrecision || t.Name == "CHARACTER" && p.tok.kw == kwVarying {
		p.addWordToTypeName(&t)
	}
	args, err := p.parseTypeArgs()
	if err != nil {
		return TypeName{}, err
	}
	t.Args = args
	if (first == kwTime || first == kwTimestamp) && (p.tok.kw == kwWith || p.tok.kw == kwWithout) {
		p.addWordToTypeName(&t)
		if p.tok.kw != kwTime || p.ahead.kw != kwZone {
			return TypeName{}, p.expectedError("TIME ZONE")
		}
		p.addWordToTypeName(&t)
		p.addWordToTypeName(&t)
	}
	t.Type = castTypesByName[t.Name]
	if t.Type == TypeDecimal && t.Args == nil && p.sc.native != nil {
		t.Args = p.sc.native.decimalArgs
	}
	if t.Type == TypeUnknown && p.lim.Portable {
		return TypeName{}, p.unsupportedError(at.pos, t.unknownTypeText(), "the types are "+typeNamesText)
	}
	return t, nil
}

func (t TypeName) unknownTypeText() string {
	return t.Name + " is not a type of the expression language; the name"
}

const expectedTypeArgumentText = "a length, or precision and scale, of the type"

// addWordToTypeName takes a further word into a type's name.
func (p *parser) addWordToTypeName(t *TypeName) {
	t.Name += " " + strings.ToUpper(p.tokenText(p.tok))
	p.advanceToken()
}

func (p *parser) parseTypeArgs() ([]int, error) {
	if p.tok.kind != tokLParen {
		return nil, nil
	}
	p.advanceToken()
	var args []int
	for {
		n, err := strconv.Atoi(p.tokenText(p.tok))
		if p.tok.kind != tokNumber || err != nil || len(args) == 2 {
			return nil, p.expectedError(expectedTypeArgumentText)
		}
		args = append(args, n)
		p.advanceToken()
		if p.tok.kind != tokComma {
			break
		}
		p.advanceToken()
	}
	return args, p.expectToken(tokRParen, ") after the arguments of the type")
}

package catalogue

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The engine holds a bit string as the text of its digits, and computes with it as BIT.

func isBitType(t uint32) bool { return t == bitTypeOID || t == varbitTypeOID }

// parseBitLiteral reads '0100' as a bit string.
func parseBitLiteral(at parse.Node, text string, to uint32) (typedExpr, error) {
	if other := strings.Trim(text, "01"); other != "" {
		return typedExpr{}, newStatementError(at, sqlstateInvalidTextRepresentation, `"`+string([]rune(other)[:1])+`" is not a valid binary digit`)
	}
	return typedExpr{node: ducksql.TextLiteral(text), typ: to}, nil
}

// castToBits prints a cast to bit(n) and bit varying(n). Other bit strings and texts lose or get digits at their end, integers at
// their beginning, where the sign is.
func (r *translator) castToBits(x *parse.Cast, v typedExpr, to uint32) (typedExpr, error) {
	length := x.To.Arguments
	if to == bitTypeOID && len(length) == 0 && !x.Literal {
		length = []int{1}
	}
	switch {
	case len(length) == 0:
	case length[0] < 1:
		return typedExpr{}, newStatementError(x.To, sqlstateInvalidParameterValue, "length for type "+x.To.Name+" must be at least 1")
	case length[0] > mostBits:
		return typedExpr{}, newStatementError(x.To, sqlstateProgramLimitExceeded, "length for type "+x.To.Name+" is at most "+strconv.Itoa(mostBits)+" here")
	}
	switch {
	case v.typ == int4TypeOID || v.typ == int8TypeOID:
		if to != bitTypeOID {
			break
		}
		digits := ducksql.FillTemplate("CAST(CAST(CAST(? AS BIGINT) AS BIT) AS VARCHAR)", v.node)
		if length[0] <= integerBits {
			return typedExpr{node: ducksql.FillTemplate("right(?, ?)", digits, ducksql.IntegerLiteral(length[0])), typ: to}, nil
		}
		return typedExpr{node: ducksql.FillTemplate("lpad(?, ?, left(?, 1))", digits, ducksql.IntegerLiteral(length[0]), digits), typ: to}, nil
	case isTextType(v.typ) && v.typ != unknownTypeOID:
		v = typedExpr{node: ducksql.FillTemplate("CAST(CAST(? AS BIT) AS VARCHAR)", v.node), typ: varbitTypeOID}
	}
	v, err := r.coerceToType(x, v, varbitTypeOID)
	if err != nil {
		return typedExpr{}, err
	}
	v.typ = to
	if len(length) > 0 {
		v.node = ducksql.FillTemplate("left(?, ?)", v.node, ducksql.IntegerLiteral(length[0]))
	}
	if to == bitTypeOID && len(length) > 0 {
		v.node = ducksql.FillTemplate("rpad(?, ?, '0')", v.node, ducksql.IntegerLiteral(length[0]))
	}
	return v, nil
}

const (
	integerBits = 64   // of a bigint
	mostBits    = 1024 // of a type with a length, which is the memory of each row
)

// integerOfBits prints a bit string as an integer; one that is longer than the integer is an error.
func integerOfBits(v typedExpr, to uint32) typedExpr {
	form := "CAST(CAST(lpad(?, CAST(greatest(length(?), 64) AS INTEGER), '0') AS BIT) AS BIGINT)"
	if to == int4TypeOID {
		form = "CAST(CAST(lpad(?, CAST(greatest(length(?), 32) AS INTEGER), '0') AS BIT) AS INTEGER)"
	}
	return typedExpr{node: ducksql.FillTemplate(form, v.node, v.node), typ: to}
}

// translateBitOperator prints & and | of two bit strings of one length.
func translateBitOperator(sign string, left, right typedExpr) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("CAST((CAST(? AS BIT) "+sign+" CAST(? AS BIT)) AS VARCHAR)", left.node, right.node), typ: bitTypeOID}
}

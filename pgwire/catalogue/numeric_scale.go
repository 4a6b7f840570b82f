package catalogue

import (
	"math/big"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// numericScale is how many digits a numeric shows after its point. The engine holds all numerics by one scale; the zero value is for
// an expression whose scale depends on its values, which then shows no zeros at its end.
type numericScale struct {
	known  bool
	digits int
}

// mostScale is the scale by which the engine holds numerics.
const mostScale = 9

// scaleOfNumberText returns the scale of a literal.
func scaleOfNumberText(text string) numericScale {
	if strings.ContainsAny(text, "eExX") {
		return numericScale{}
	}
	_, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
	return numericScale{true, len(strings.ReplaceAll(fraction, "_", ""))}
}

// scaleOfArithmetic returns the scale of a sum, difference or product of two numbers.
func scaleOfArithmetic(operator string, left, right typedExpr) numericScale {
	a, b := scaleOf(left), scaleOf(right)
	switch {
	case !a.known || !b.known:
	case operator == "+" || operator == "-":
		return numericScale{true, max(a.digits, b.digits)}
	case operator == "*":
		return numericScale{true, a.digits + b.digits}
	}
	return numericScale{}
}

func scaleOf(v typedExpr) numericScale {
	if isIntegerType(v.typ) {
		return numericScale{known: true}
	}
	return v.scale
}

// roundToScale prints a numeric with so many digits after its point.
func roundToScale(v typedExpr, digits int) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("round(?, ?)", v.node, ducksql.IntegerLiteral(digits)), typ: numericTypeOID, scale: numericScale{true, max(digits, 0)}}
}

// translateRound prints round(numeric, integer), whose result has the scale that it is rounded to.
func translateRound(r *translator, c *functionCall) (typedExpr, error) {
	v, err := r.translateCallByTemplate(c)
	if err == nil && v.typ == numericTypeOID && len(c.args) == 2 {
		if digits, ok := c.args[1].node.(ducksql.IntegerLiteral); ok {
			v.scale = numericScale{true, max(int(digits), 0)}
		}
	}
	return v, err
}

// textFormOfNumeric prints the text of a numeric.
func textFormOfNumeric(v typedExpr) typedExpr {
	text := ducksql.FillTemplate("CASE WHEN contains(CAST(? AS VARCHAR), '.') THEN rtrim(rtrim(CAST(? AS VARCHAR), '0'), '.') ELSE CAST(? AS VARCHAR) END", v.node, v.node, v.node)
	if v.scale.known && v.scale.digits <= mostScale {
		text = ducksql.FillTemplate("CAST(CAST(? AS DECIMAL(38, ?)) AS VARCHAR)", v.node, ducksql.IntegerLiteral(v.scale.digits))
	}
	return typedExpr{node: text, typ: textTypeOID}
}

// decimalText writes a decimal that the engine holds by a scale, with the zeros at its end that it shows.
func decimalText(digits *big.Int, scale int, shown numericScale) string {
	text := new(big.Int).Abs(digits).String()
	text = strings.Repeat("0", max(0, scale+1-len(text))) + text
	integer, fraction := text[:len(text)-scale], strings.TrimRight(text[len(text)-scale:], "0")
	fraction += strings.Repeat("0", max(0, shown.digits-len(fraction)))
	if fraction != "" {
		integer += "." + fraction
	}
	if digits.Sign() < 0 {
		return "-" + integer
	}
	return integer
}

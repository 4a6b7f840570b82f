package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// bigqueryDatePartTemplates holds the parts that other engines call by these names, and the parts that
// only BigQuery has.
var bigqueryDatePartTemplates = func() map[string]template {
	parts := map[string]template{
		// BigQuery's own count from the second, theirs from the minute.
		"millisecond": parseTemplate("EXTRACT(SECOND FROM $1) * 1000 + EXTRACT(MILLISECOND FROM $1)"),
		"microsecond": parseTemplate("EXTRACT(SECOND FROM $1) * 1000000 + EXTRACT(MICROSECOND FROM $1)"),
		"epoch":       parseTemplate("UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1000000"),
	}
	for _, p := range []string{"isoyear", "isoweek", "date", "time"} {
		parts[p] = parseTemplate("EXTRACT(" + strings.ToUpper(p) + " FROM $1)")
	}
	return parts
}()

// printBigqueryCast casts a string to a Boolean by the words that the other engines accept;
// BigQuery accepts only true and false. A cast to a decimal takes neither precision nor
// scale.
func printBigqueryCast(w *writer, c *sqlexpr.Cast, min precedence) {
	switch {
	case c.To.Type == sqlexpr.TypeBool && w.typeOf(c.X) == sqlexpr.TypeString:
		w.printTemplate(&bigqueryTextToBoolTemplate, min, c.X)
	case c.To.Type == sqlexpr.TypeDecimal:
		w.printDecimalCastAsRound(w.castBooleanToTextOrNumber(c))
	default:
		printConditionCast(w, c, min)
	}
}

var bigqueryTextToBoolTemplate = parseTemplate("CASE WHEN LOWER($1) IN ('t', 'yes', 'y', 'on', '1') THEN TRUE " +
	"WHEN LOWER($1) IN ('f', 'no', 'n', 'off', '0') THEN FALSE ELSE CAST($1 AS BOOL) END")

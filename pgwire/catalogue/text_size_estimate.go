package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/semsql/parse"
)

// The lengths of texts that only their rows know.
const (
	storedTextBytes = 256 // a text of the catalogue
	storedNameBytes = 64  // a name
	otherValueBytes = 40  // a number, a date or a condition that is written as text
	// gatheredTextBytes is the length of a text or list that is made of several rows: by an aggregate, by ARRAY (SELECT …), or by
	// the rounds of a recursive query.
	gatheredTextBytes = 8 << 10
	// splitPartBytes is what a list takes for each byte of a text that is cut into parts.
	splitPartBytes = 16
	// shortestListItemBytes is the length of the items of a list of which only the length is known.
	shortestListItemBytes = 8
	maxEstimate           = 1 << 30
)

// rowBytes estimates the texts of a row that the statement itself makes: constants, and what functions build.
// The engine bounds those that it stores or gathers.
func rowBytes(columns []*scopeColumn) (n int) {
	for _, c := range columns {
		bytes := c.value.textBytes
		if c.value.gathered {
			bytes -= gatheredTextBytes
		}
		if bytes > storedTextBytes {
			n += bytes
		}
	}
	return n
}

// startTextEstimate begins the estimate of a part of a statement that has separate rows. The function that it returns goes back to
// the estimate around it.
func (r *translator) startTextEstimate() (end func()) {
	parts, gathered, built := r.partBytes, r.partIsGathered, r.builtBytes
	r.partBytes, r.partIsGathered, r.builtBytes = nil, false, 0
	return func() { r.partBytes, r.partIsGathered, r.builtBytes = parts, gathered, built }
}

func maxTextBytes(values []typedExpr) (n int) {
	for _, v := range values {
		n = max(n, v.textBytes)
	}
	return n
}

// withGatheredTextBytes returns the columns as the next rounds of a recursive query read them.
func withGatheredTextBytes(columns []*scopeColumn) []*scopeColumn {
	out := make([]*scopeColumn, len(columns))
	for i, c := range columns {
		gathered := *c
		if isTextType(c.value.typ) || elementTypeOf(c.value.typ) != 0 {
			gathered.value.textBytes, gathered.value.gathered = max(c.value.textBytes, gatheredTextBytes), true
		}
		out[i] = &gathered
	}
	return out
}

// holdsText reports whether a value of a type holds texts of any length.
func holdsText(typ uint32) bool {
	return isTextType(typ) || isOpaqueTextType(typ) || elementTypeOf(typ) != 0 || typ == recordTypeOID || typ == jsonTypeOID
}

// valueTextBytes returns the length of a value of a type that is made of parts with a total length.
func valueTextBytes(typ uint32, total int) int {
	switch {
	case typ == nameTypeOID, typ == charTypeOID:
		return max(storedNameBytes, total)
	case holdsText(typ):
		return max(storedTextBytes, total)
	}
	return otherValueBytes
}

// estimateTextBytes estimates the length of a value from the lengths of its parts. The functions of a SELECT may build as much
// text for a row as those of a condition: DuckDB computes 2048 rows at once, outside of its limit of memory.
func (r *translator) estimateTextBytes(x parse.Expr, v *typedExpr) error {
	total := 0
	for _, n := range r.partBytes {
		total = min(total+n, maxEstimate)
	}
	bytes, built := v.textBytes, 0
	switch x := x.(type) {
	case *parse.String:
		bytes = len(x.Value)
	case *parse.Number:
		bytes = len(x.Text)
	case *parse.Parameter:
		bytes = 0
		if x.Number <= len(r.params) {
			bytes = len(r.params[x.Number-1].Text)
		}
	case *parse.Binary:
		bytes = valueTextBytes(v.typ, total)
		if x.Op == parse.OpConcat {
			bytes, built = total, total
			if left, ok := x.L.(*parse.Binary); ok && left.Op == parse.OpConcat {
				built = r.partBytes[len(r.partBytes)-1] // the rest of the chain is counted
			}
		}
	case *parse.Case:
		bytes = slices.Max(append(r.partBytes, 0))
	case *parse.ArraySubquery:
		bytes, v.gathered = max(gatheredTextBytes, bytes), true
	case *parse.Call:
		_, aggregate := aggregatesByName[parse.FoldName(x.Function)]
		v.gathered = aggregate && holdsText(v.typ)
		bytes, built = callTextBytes(x, v.typ, r.partBytes, total)
	default:
		if bytes == 0 {
			bytes = valueTextBytes(v.typ, total)
		}
	}
	v.textBytes, v.gathered = min(bytes, maxEstimate), v.gathered || r.partIsGathered
	r.builtBytes = min(r.builtBytes+built, maxEstimate)
	most := parse.DefaultLimits().ComputedText
	if built == 0 || r.builtBytes <= most || r.views > 0 { // PostgreSQL's own definitions of views have no bound
		return nil
	}
	e := newStatementError(x, sqlstateProgramLimitExceeded, fmt.Sprintf("CONCAT, || and REPLACE may build more than %d bytes of text for a row", most))
	e.Hint = fmt.Sprintf("a text of the catalogue counts as %d bytes, and each replaced text as often as it fits in", storedTextBytes)
	return e
}

// callTextBytes estimates the value of a call, and the text that it builds, from the lengths of its arguments.
func callTextBytes(x *parse.Call, typ uint32, arguments []int, total int) (bytes, built int) {
	argument := func(i int) int {
		if i < len(arguments) {
			return arguments[i]
		}
		return 0
	}
	longest := slices.Max(append(arguments, 0))
	name := parse.FoldName(x.Function)
	if _, ok := aggregatesByName[name]; ok {
		if name == "min" || name == "max" || !holdsText(typ) {
			return longest, 0
		}
		return max(gatheredTextBytes, total), 0
	}
	switch name {
	case "lower", "upper", "substring", "substr", "left", "right", "trim", "btrim", "ltrim", "rtrim", "split_part", "reverse", "nullif", "coalesce", "greatest", "least":
		return longest, 0
	case "replace":
		from := 1
		if len(x.Arguments) > 1 {
			if s, ok := x.Arguments[1].(*parse.String); ok {
				from = max(len(s.Value), 1)
			}
		}
		if argument(2) <= from {
			return argument(0), 0
		}
		bytes = argument(0)/from*argument(2) + argument(0)%from
	case "regexp_replace": // the replacement is between all characters, or repeats the replaced text
		bytes = argument(0) + argument(2)*(argument(0)+1)
		if len(arguments) < 4 {
			bytes = argument(0) * (argument(2) + 1)
		}
	case "concat", "concat_ws":
		bytes = total + len(arguments)*argument(0)
	case "format", "quote_ident", "quote_literal", "quote_nullable":
		bytes = 2 * total
	case "array_to_string":
		bytes = argument(0) + (argument(0)/shortestListItemBytes+1)*(argument(1)+argument(2))
	case "string_to_array", "string_to_table", "regexp_split_to_array", "regexp_split_to_table":
		bytes = splitPartBytes * argument(0)
	case "array_cat", "array_append", "array_prepend":
		bytes = total
	default:
		if strings.Contains(name, "json") && holdsText(typ) { // a text inside of a text has twice the quotes
			return 2 * total, 2 * total
		}
		return valueTextBytes(typ, total), 0
	}
	return bytes, bytes
}

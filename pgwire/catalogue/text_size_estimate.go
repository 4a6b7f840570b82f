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

// textPart is the estimate of a part of an expression.
type textPart struct {
	bytes    int
	gathered bool
	json     bool // JSON that is written into JSON keeps its length
}

// textEstimate is the estimate of the texts at a place of a statement.
type textEstimate struct {
	parts []textPart // of the expression around the place
	built int        // bytes that the functions of the current SELECT build for a row
	// oneRow marks a SELECT without FROM at the top of the statement, whose expressions are computed once.
	oneRow bool
	copies int // of gathered texts in the JSON of the one row
	// readsGathered marks an argument of a function that makes texts.
	readsGathered bool
}

// startTextEstimate begins the estimate of a part of a statement that has separate rows. The function that it returns goes back to
// the estimate around it. Parts of the one row share one estimate.
func (r *translator) startTextEstimate() (end func()) {
	outer := r.estimate
	r.estimate = textEstimate{oneRow: outer.oneRow}
	if outer.oneRow {
		r.estimate.built, r.estimate.copies = outer.built, outer.copies
	}
	return func() {
		inner := r.estimate
		r.estimate = outer
		if outer.oneRow && inner.oneRow {
			r.estimate.built, r.estimate.copies = inner.built, inner.copies
		}
	}
}

// startManyRows marks the rest of the current part as computed for many rows.
func (r *translator) startManyRows() {
	if r.estimate.oneRow {
		r.estimate.oneRow, r.estimate.built, r.estimate.copies = false, 0, 0
	}
}

func totalBytes(parts []textPart) (n int) {
	for _, p := range parts {
		n = min(n+p.bytes, maxEstimate)
	}
	return n
}

func longestBytes(parts []textPart) (n int) {
	for _, p := range parts {
		n = max(n, p.bytes)
	}
	return n
}

func isAnyGathered(parts []textPart) bool {
	return slices.ContainsFunc(parts, func(p textPart) bool { return p.gathered })
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
// text for a row as those of a condition: DuckDB computes 2048 rows at once, outside of its limit of memory. A SELECT of one row
// may write gathered texts into JSON beside that: the engine bounds each of them.
func (r *translator) estimateTextBytes(x parse.Expr, v *typedExpr) error {
	parts := r.estimate.parts
	total := totalBytes(parts)
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
				built = parts[len(parts)-1].bytes // the rest of the chain is counted
			}
		}
	case *parse.Case:
		bytes = longestBytes(parts)
	case *parse.ArraySubquery:
		bytes, v.gathered = max(gatheredTextBytes, bytes), true
	case *parse.Call:
		v.gathered = isAggregate(x) && holdsText(v.typ)
		bytes, built = callTextBytes(x, v.typ, parts, total)
		if r.estimate.oneRow && !isAggregate(x) && writesJSON(x, v.typ) {
			built = r.countCopies(parts)
		}
	default:
		if bytes == 0 {
			bytes = valueTextBytes(v.typ, total)
		}
	}
	v.textBytes, v.gathered = min(bytes, maxEstimate), v.gathered || isAnyGathered(parts)
	r.estimate.built = min(r.estimate.built+built, maxEstimate)
	most := parse.DefaultLimits().ComputedText
	switch {
	case r.views > 0: // PostgreSQL's own definitions of views have no bound
		return nil
	case r.estimate.copies > maxGatheredCopies:
		return newTextBoundError(x, "the JSON of a row may hold more than %d bytes of text", maxGatheredCopies*maxGatheredBytes)
	case built > 0 && r.estimate.built > most:
		return newTextBoundError(x, "CONCAT, || and REPLACE may build more than %d bytes of text for a row", most)
	}
	return nil
}

func newTextBoundError(at parse.Node, form string, most int) error {
	e := newStatementError(at, sqlstateProgramLimitExceeded, fmt.Sprintf(form, most))
	e.Hint = fmt.Sprintf("a text of the catalogue counts as %d bytes, and each replaced text as often as it fits in", storedTextBytes)
	return e
}

// countCopies counts the gathered texts that the JSON of the one row holds, and returns what it builds beside them.
func (r *translator) countCopies(parts []textPart) (built int) {
	var others []textPart
	for _, p := range parts {
		if p.gathered {
			r.estimate.copies += max(1, p.bytes/gatheredTextBytes)
		} else {
			others = append(others, p)
		}
	}
	return jsonBytes(others)
}

// jsonBytes estimates the JSON of values: a text inside of a text has twice the quotes.
func jsonBytes(parts []textPart) (n int) {
	for _, p := range parts {
		if !p.json {
			n += p.bytes
		}
		n = min(n+p.bytes, maxEstimate)
	}
	return n
}

// addRowParts adds the columns of a row that a function reads as a whole.
func (r *translator) addRowParts(columns []*scopeColumn) {
	for _, c := range columns {
		bytes := c.value.textBytes
		if bytes == 0 {
			bytes = valueTextBytes(c.value.typ, 0)
		}
		r.estimate.parts = append(r.estimate.parts, textPart{len(c.name), false, false}, textPart{bytes, c.value.gathered, c.value.typ == jsonTypeOID})
	}
}

func isAggregate(x *parse.Call) bool {
	_, ok := aggregatesByName[parse.FoldName(x.Function)]
	return ok
}

// writesJSON reports whether a call writes its arguments into JSON.
func writesJSON(x *parse.Call, typ uint32) bool {
	return strings.Contains(parse.FoldName(x.Function), "json") && holdsText(typ)
}

// callTextBytes estimates the value of a call, and the text that it builds, from the lengths of its arguments.
func callTextBytes(x *parse.Call, typ uint32, arguments []textPart, total int) (bytes, built int) {
	argument := func(i int) int {
		if i < len(arguments) {
			return arguments[i].bytes
		}
		return 0
	}
	longest := longestBytes(arguments)
	name := parse.FoldName(x.Function)
	switch {
	case !isAggregate(x):
	case name == "min" || name == "max" || !holdsText(typ):
		return longest, 0
	case writesJSON(x, typ):
		bytes = jsonBytes(arguments)
		return max(gatheredTextBytes, bytes), bytes
	default:
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
		if !writesJSON(x, typ) {
			return valueTextBytes(typ, total), 0
		}
		bytes = jsonBytes(arguments)
	}
	return bytes, bytes
}

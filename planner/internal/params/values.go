// Package params reads parameter values: from what a request bound, checked
// against what the model declares, to a literal of the expression tree and to
// the token that names a result column.
package params

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// CheckedValue is one checked parameter value.
type CheckedValue struct {
	Text string       // canonical: numbers in shortest form
	Expr sqlexpr.Expr // the typed literal
	JSON any          // string, bool or json.Number
}

// Read checks a bound value against a declaration. why is "" if it fits, and
// otherwise describes what is wrong.
func Read(p *catalog.Param, v query.ParamValue) (out CheckedValue, why string) {
	switch p.Type {
	case catalog.ParamInt, catalog.ParamFloat:
		if v.Kind != query.NumberValue {
			return CheckedValue{}, p.Name + " takes a number, not " + formatParamValue(v)
		}
		text, integral, ok := ShortestDecimal(v.Text)
		if !ok {
			return CheckedValue{}, p.Name + " is out of range: " + planerr.ClipText(v.Text)
		}
		if p.Type == catalog.ParamInt && !integral {
			return CheckedValue{}, p.Name + " takes an integer, not " + planerr.ClipText(v.Text)
		}
		out = CheckedValue{Text: text, Expr: numberLiteral(text), JSON: json.Number(text)}
	case catalog.ParamBool:
		if v.Kind != query.BoolValue {
			return CheckedValue{}, p.Name + " takes true or false, not " + formatParamValue(v)
		}
		out = CheckedValue{Text: v.Text, Expr: &sqlexpr.Bool{Value: v.Text == "true"}, JSON: v.Text == "true"}
	case catalog.ParamDate:
		if _, err := time.Parse(time.DateOnly, v.Text); v.Kind != query.StringValue || err != nil {
			return CheckedValue{}, p.Name + " takes a date such as 2024-01-31, not " + formatParamValue(v)
		}
		out = CheckedValue{Text: v.Text, Expr: &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: v.Text}, JSON: v.Text}
	default:
		if v.Kind != query.StringValue {
			return CheckedValue{}, p.Name + " takes text, not " + formatParamValue(v)
		}
		if strings.ContainsRune(v.Text, 0) {
			return CheckedValue{}, p.Name + " holds a NUL character"
		}
		out = CheckedValue{Text: v.Text, Expr: &sqlexpr.String{Value: v.Text}, JSON: v.Text}
	}
	return out, domainViolation(p, out)
}

func formatParamValue(v query.ParamValue) string {
	if v.Kind == query.StringValue {
		return strconv.Quote(planerr.ClipText(v.Text))
	}
	if v.Kind == query.NullValue {
		return "null"
	}
	return planerr.ClipText(v.Text)
}

// domainViolation checks allowed, min and max.
func domainViolation(p *catalog.Param, v CheckedValue) string {
	if len(p.Allowed) > 0 {
		for _, a := range p.Allowed {
			if LiteralText(a) == v.Text {
				return ""
			}
		}
		return planerr.ClipText(v.Text) + " is not among the values that " + p.Name + " allows"
	}
	if p.Min != nil && lessParamValue(p, v.Text, LiteralText(p.Min)) {
		return planerr.ClipText(v.Text) + " is below the minimum of " + p.Name
	}
	if p.Max != nil && lessParamValue(p, LiteralText(p.Max), v.Text) {
		return planerr.ClipText(v.Text) + " is above the maximum of " + p.Name
	}
	return ""
}

// lessParamValue orders numbers by value, dates and text by their characters.
func lessParamValue(p *catalog.Param, a, b string) bool {
	if p.Type != catalog.ParamInt && p.Type != catalog.ParamFloat {
		return a < b
	}
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) < 0
}

// ShortestDecimal writes a number in its shortest decimal form: 2.0 is 2, 1e3 is 1000.
func ShortestDecimal(text string) (short string, integral, ok bool) {
	if len(text) > 400 {
		return "", false, false
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return "", false, false
	}
	if math.Abs(f) > 1e300 || f != 0 && math.Abs(f) < 1e-300 {
		return "", false, false
	}
	r, good := new(big.Rat).SetString(text)
	if !good {
		return "", false, false
	}
	if r.IsInt() {
		n := r.Num()
		return n.String(), true, n.IsInt64()
	}
	return strconv.FormatFloat(f, 'f', -1, 64), false, true
}

func numberLiteral(text string) sqlexpr.Expr {
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: &sqlexpr.Number{Text: digits}}
	}
	return &sqlexpr.Number{Text: text}
}

// LiteralText returns the canonical text of a literal in a declaration.
func LiteralText(e sqlexpr.Expr) string {
	switch e := e.(type) {
	case *sqlexpr.Number:
		if s, _, ok := ShortestDecimal(e.Text); ok {
			return s
		}
		return e.Text
	case *sqlexpr.Unary:
		return "-" + LiteralText(e.X)
	case *sqlexpr.String:
		return e.Value
	case *sqlexpr.TypedLiteral:
		return e.Value
	case *sqlexpr.Bool:
		return strconv.FormatBool(e.Value)
	default:
		return sqlexpr.Format(e)
	}
}

// DomainText describes the values that a parameter takes, as the end of a sentence.
func DomainText(p *catalog.Param) string {
	switch {
	case len(p.Allowed) > 0:
		texts := make([]string, min(len(p.Allowed), 10))
		for i := range texts {
			texts[i] = LiteralText(p.Allowed[i])
		}
		return "; it takes " + strings.Join(texts, ", ")
	case p.Min != nil && p.Max != nil:
		return "; it takes " + string(p.Type) + " from " + LiteralText(p.Min) + " to " + LiteralText(p.Max)
	case p.Min != nil:
		return "; it takes " + string(p.Type) + " from " + LiteralText(p.Min)
	case p.Max != nil:
		return "; it takes " + string(p.Type) + " up to " + LiteralText(p.Max)
	}
	return "; it takes " + string(p.Type)
}

// ExampleValue returns a value that a parameter takes: its default, else the first
// allowed one, else a bound, else a plain one of its type.
func ExampleValue(p *catalog.Param) (query.ParamValue, bool) {
	for _, e := range append([]sqlexpr.Expr{p.Default}, append(p.Allowed, p.Min, p.Max)...) {
		if e == nil {
			continue
		}
		v := query.ParamValue{Kind: JSONKindOf(p), Text: LiteralText(e)}
		if _, why := Read(p, v); why == "" {
			return v, true
		}
	}
	plain := map[catalog.ParamType]string{
		catalog.ParamInt: "1", catalog.ParamFloat: "1", catalog.ParamBool: "true", catalog.ParamDate: "2024-01-01",
		catalog.ParamString: "text",
	}
	text, ok := plain[p.Type]
	return query.ParamValue{Kind: JSONKindOf(p), Text: text}, ok
}

// NearestValue returns the value that a parameter takes and that is nearest to one that it does
// not take: the same in another JSON type, the bound that it is beyond, else Example.
func NearestValue(p *catalog.Param, v query.ParamValue) (query.ParamValue, bool) {
	same := query.ParamValue{Kind: JSONKindOf(p), Text: v.Text}
	switch {
	case v.Kind == query.NullValue:
		return ExampleValue(p)
	case p.Type == catalog.ParamBool && v.Kind != query.BoolValue:
		truth := map[string]string{"0": "false", "1": "true", "false": "false", "true": "true"}
		same.Text = truth[strings.ToLower(strings.TrimSpace(v.Text))]
		if same.Text == "" {
			return ExampleValue(p)
		}
	case p.Type == catalog.ParamInt || p.Type == catalog.ParamFloat:
		short, _, ok := ShortestDecimal(strings.TrimSpace(v.Text))
		if !ok {
			return ExampleValue(p)
		}
		same.Text = short
		if len(p.Allowed) == 0 {
			if p.Min != nil && lessParamValue(p, short, LiteralText(p.Min)) {
				same.Text = LiteralText(p.Min)
			}
			if p.Max != nil && lessParamValue(p, LiteralText(p.Max), short) {
				same.Text = LiteralText(p.Max)
			}
		}
	case p.Type == catalog.ParamString:
		same.Text = strings.ReplaceAll(v.Text, "\x00", "")
	}
	if _, why := Read(p, same); why == "" {
		return same, true
	}
	return ExampleValue(p)
}

// JSONKindOf returns the JSON type of a parameter's values.
func JSONKindOf(p *catalog.Param) query.ParamValueJSONType {
	switch p.Type {
	case catalog.ParamInt, catalog.ParamFloat:
		return query.NumberValue
	case catalog.ParamBool:
		return query.BoolValue
	default:
		return query.StringValue
	}
}

// ColumnNameTokens returns the column-name parts of a list of values. Values of one parameter
// whose tokens are equal, among the allowed ones and those bound, are told apart
// by a hash of their text.
func ColumnNameTokens(p *catalog.Param, values []query.ParamValue) []string {
	texts := map[string]string{} // token → the one text that has it, "" when several do
	note := func(text string) {
		token := catalog.ColumnNameTokenOfParamValue(text)
		if other, seen := texts[token]; seen && other != text {
			texts[token] = ""
			return
		}
		texts[token] = text
	}
	for _, a := range p.Allowed {
		note(LiteralText(a))
	}
	canonical := make([]string, len(values))
	for i, v := range values {
		canonical[i] = v.Text
		if read, why := Read(p, v); why == "" {
			canonical[i] = read.Text
		}
		note(canonical[i])
	}
	out := make([]string, len(values))
	for i, text := range canonical {
		token := catalog.ColumnNameTokenOfParamValue(text)
		if texts[token] != text {
			sum := sha256.Sum256([]byte(text))
			token += "_h" + hex.EncodeToString(sum[:4])
		}
		out[i] = token
	}
	return out
}

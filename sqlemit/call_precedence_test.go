package sqlemit_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// A weak argument is between brackets, commas and keywords that are not operators, and a call
// with an operator outside of brackets is in brackets itself.
var (
	precedingBoundary = regexp.MustCompile(`(?i)(^|[(\[]|,|\b(when|then|else|from|by|distinct|as|case|separator|both|leading|trailing))\s*$`)
	followingBoundary = regexp.MustCompile(`(?i)^\s*([)\]]|,|$|(when|then|else|end|from|as|desc|separator|order|nulls)\b)`)
	innermostBrackets = regexp.MustCompile(`\([^()]*\)|\[[^][]*\]|(?i)\bcase\b[^()]*?\bend\b`)
	quotedText        = regexp.MustCompile(`'([^']|'')*'`)
	outerOperator     = regexp.MustCompile(`(?i) (\+|-|\|\||=|<>|<|>|<=|>=|<=>|and|or|not|is|in) `)
)

func TestPrintCall_ParenthesizesArgumentsAndResult(t *testing.T) {
	weak := parse(t, "weak.p OR weak.q")
	printed := regexp.MustCompile("[`\"]?weak[`\"]?\\.[`\"]?p[`\"]? OR [`\"]?weak[`\"]?\\.[`\"]?q[`\"]?")
	checked := 0
	for _, d := range dialects(t) {
		for _, c := range callsWithOperands() {
			alone, err := expression(c, d)
			if err != nil {
				continue // the dialect lacks the call
			}
			difference, err := expression(&sqlexpr.Binary{Op: sqlexpr.OpSub, L: &sqlexpr.Number{Text: "1000"}, R: c}, d)
			if err != nil && !strings.Contains(err.Error(), "a date or time plus or minus") {
				t.Errorf("%s: 1000 - %s: %v", d.Name(), alone, err)
			}
			if difference == "1000 - "+alone && hasOuterOperator(alone) {
				t.Errorf("%s: %s has no brackets", d.Name(), difference)
			}
			for i := range operandsOf(c) {
				text, err := expression(withOperand(c, i, weak), d)
				if err != nil {
					continue // the dialect wants to see a literal
				}
				for _, at := range printed.FindAllStringIndex(text, -1) {
					checked++
					if !precedingBoundary.MatchString(text[:at[0]]) || !followingBoundary.MatchString(text[at[1]:]) {
						t.Errorf("%s: an argument has no brackets: %s", d.Name(), text)
					}
				}
			}
		}
	}
	if checked < 1500 {
		t.Errorf("%d arguments were found in the text, want 1500", checked)
	}
}

// hasOuterOperator reports whether an operator that binds weaker than a factor is outside of all brackets.
func hasOuterOperator(text string) bool {
	text = quotedText.ReplaceAllString(text, "t")
	for before := ""; before != text; {
		before = text
		text = innermostBrackets.ReplaceAllString(text, "")
	}
	return outerOperator.MatchString(text)
}

// callsWithOperands returns a call of each function that takes rows or groups, and of each part of a date.
func callsWithOperands() []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for _, fn := range allFuncs() {
		if sqlexpr.InfoOfFunction(fn).Class == sqlexpr.ClassWindow {
			continue
		}
		for _, c := range callsOf(fn) {
			out = append(out, c)
		}
	}
	for _, part := range append(dateParts, "dayofweek", "dayofyear", "isodow", "isoyear", "epoch", "millisecond", "microsecond") {
		out = append(out, &sqlexpr.Extract{Part: part, X: column("a")})
	}
	for _, to := range []sqlexpr.Type{sqlexpr.TypeBool, sqlexpr.TypeInt, sqlexpr.TypeDecimal, sqlexpr.TypeFloat, sqlexpr.TypeString, sqlexpr.TypeDate, sqlexpr.TypeTimestamp, sqlexpr.TypeTimestampTZ} {
		out = append(out, &sqlexpr.Cast{X: column("a"), To: sqlexpr.TypeName{Type: to, Name: strings.ToUpper(to.String())}})
	}
	return out
}

func operandsOf(e sqlexpr.Expr) []sqlexpr.Expr {
	if c, ok := e.(*sqlexpr.Call); ok {
		return c.Args
	}
	return []sqlexpr.Expr{e}
}

func withOperand(e sqlexpr.Expr, i int, x sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Extract:
		return &sqlexpr.Extract{Part: e.Part, X: x}
	case *sqlexpr.Cast:
		return &sqlexpr.Cast{X: x, To: e.To}
	case *sqlexpr.Call:
		out := *e
		out.Args = append([]sqlexpr.Expr(nil), e.Args...)
		out.Args[i] = x
		return &out
	}
	panic("another expression")
}

package attribution_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
)

// operands of the texts below: a, b, c, d are sums, m an average of a over b,
// u counts distinct values.
var operands = map[string]attribution.Operand{
	"a": {Kind: attribution.AdditiveOperand, Leaf: 0},
	"b": {Kind: attribution.AdditiveOperand, Leaf: 1},
	"c": {Kind: attribution.AdditiveOperand, Leaf: 2},
	"d": {Kind: attribution.AdditiveOperand, Leaf: 3},
	"m": {Kind: attribution.AverageOperand, Leaf: 0, Over: 1},
	"u": {Kind: attribution.OpaqueOperand},
}

// classify reads a text whose names are operands.
func classify(t *testing.T, text string) attribution.MetricFormula {
	t.Helper()
	e, err := sqlexpr.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	e = sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		names = append(names, col.Path[0].Text)
		return &sqlexpr.Ref{ID: len(names) - 1}
	})
	return attribution.ClassifyArithmetic(e, func(id int) attribution.Operand { return operands[names[id]] })
}

// show writes a formula compactly: "2a-1c+5", "(1a)/(1b)", "2*(1a)*(1b)".
func show(f attribution.MetricFormula) string {
	switch f.Strategy {
	case attribution.TermWiseStrategy:
		return showLinear(f.Sum)
	case attribution.MixShiftStrategy:
		return "(" + showLinear(f.Num) + ")/(" + showLinear(f.Den) + ")"
	case attribution.FactorShapleyStrategy:
		s := formatGroupNumber(f.Coef)
		for _, l := range f.Factors {
			s += "*(" + showLinear(l) + ")"
		}
		return s
	default:
		return string(f.Strategy)
	}
}

func showLinear(l attribution.LinearCombination) string {
	s := ""
	for _, t := range l.Terms {
		if s != "" && t.Coef >= 0 {
			s += "+"
		}
		s += formatGroupNumber(t.Coef) + string("abcd"[t.Leaf])
	}
	if l.Const != 0 || s == "" {
		if s != "" && l.Const >= 0 {
			s += "+"
		}
		s += formatGroupNumber(l.Const)
	}
	return s
}

func formatGroupNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

func TestClassify_ByArithmetic(t *testing.T) {
	for text, want := range map[string]string{
		// linear combinations
		"a":                       "1a",
		"a - b":                   "1a-1b",
		"b + a":                   "1a+1b",
		"-(a - 2 * b) / 4":        "-0.25a+0.5b",
		"a + a":                   "2a",
		"a - a + b":               "1b",
		"3 * (a + 5)":             "3a+15",
		"COALESCE(a, 0) - b":      "1a-1b",
		"NULLIF(a, 0) + 1.5":      "1a+1.5",
		"CAST(a AS DOUBLE) * 100": "100a",
		"a * 0 + b":               "1b",

		// ratios
		"a / b":               "(1a)/(1b)",
		"m":                   "(1a)/(1b)",
		"100.0 * a / b":       "(100a)/(1b)",
		"a / NULLIF(b, 0)":    "(1a)/(1b)",
		"COALESCE(a / b, 0)":  "(1a)/(1b)",
		"(a - c) / (b + d)":   "(1a-1c)/(1b+1d)",
		"a / b - 1":           "(1a-1b)/(1b)",
		"1 - a / b":           "(-1a+1b)/(1b)",
		"a / b + c / b":       "(1a+1c)/(1b)",
		"(a / b) / 2":         "(0.5a)/(1b)",
		"m * 1000":            "(1000a)/(1b)",
		"a / (2 * b)":         "(1a)/(2b)",
		"COALESCE(a, 0) / b":  "(1a)/(1b)",
		"-m":                  "(-1a)/(1b)",
		"(a + b) / (a + b+c)": "(1a+1b)/(1a+1b+1c)",

		// products
		"a * b":           "1*(1a)*(1b)",
		"2 * a * (3 * b)": "6*(1a)*(1b)",
		"a * b * c / 10":  "0.1*(1a)*(1b)*(1c)",
		"a * (b - c)":     "1*(1a)*(1b-1c)",
		"-a * b":          "-1*(1a)*(1b)",
		"a * a":           "1*(1a)*(1a)",

		// everything else
		"u":                                 "unsupported",
		"a + u":                             "unsupported",
		"u / a":                             "unsupported",
		"a / b + c / d":                     "unsupported",
		"a / b + c":                         "unsupported",
		"a * b + c":                         "unsupported",
		"a / b * c":                         "unsupported",
		"(a + 1) / b":                       "unsupported",
		"a / (b + 1)":                       "unsupported",
		"a * (b + 1)":                       "unsupported",
		"100 / a":                           "unsupported",
		"a / 0":                             "unsupported",
		"m + m / 0":                         "unsupported",
		"ROUND(a, 2)":                       "unsupported",
		"COALESCE(a, 1)":                    "unsupported",
		"COALESCE(a, b)":                    "unsupported",
		"a % 2":                             "unsupported",
		"CASE WHEN a > 0 THEN a END":        "unsupported",
		"CAST(a AS INTEGER)":                "unsupported",
		"a*b*c*d*a*b*c*d*a":                 "unsupported",
		"a / b - a / b":                     "unsupported",
		"SQRT(a * a)":                       "unsupported",
		"(a / b) / (c / d)":                 "unsupported",
		"a * b - a * b":                     "unsupported",
		"GREATEST(a, 0)":                    "unsupported",
		"0 * u":                             "unsupported",
		"1e999 * a":                         "unsupported",
		"a + b + c * d":                     "unsupported",
		"COALESCE(a, 0, 1)":                 "unsupported",
		"(a * b) * (c / d)":                 "unsupported",
		"(a / b) * (a / b)":                 "unsupported",
		"CASE WHEN b = 0 THEN 0 ELSE a END": "unsupported",
	} {
		t.Run(text, func(t *testing.T) {
			if d := cmp.Diff(want, show(classify(t, text))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestClassify_AtMostEightFactors(t *testing.T) {
	if got := classify(t, "a*b*c*d*a*b*c*d"); got.Strategy != attribution.FactorShapleyStrategy || len(got.Factors) != 8 {
		t.Errorf("eight factors: %s", show(got))
	}
}

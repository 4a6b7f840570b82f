package params

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

func numbers(texts ...string) []query.ParamValue {
	out := make([]query.ParamValue, len(texts))
	for i, t := range texts {
		out[i] = query.ParamValue{Kind: query.NumberValue, Text: t}
	}
	return out
}

func texts(values ...string) []query.ParamValue {
	out := make([]query.ParamValue, len(values))
	for i, t := range values {
		out[i] = query.ParamValue{Kind: query.StringValue, Text: t}
	}
	return out
}

func TestTokens_NameColumns(t *testing.T) {
	for _, c := range []struct {
		name   string
		param  catalog.Param
		values []query.ParamValue
		want   []string
	}{
		{"integers", catalog.Param{Name: "t", Type: catalog.ParamInt}, numbers("50", "100"), []string{"50", "100"}},
		{"a leading minus is neg", catalog.Param{Name: "t", Type: catalog.ParamInt}, numbers("-5"), []string{"neg5"}},
		{"numbers in shortest form", catalog.Param{Name: "t", Type: catalog.ParamFloat}, numbers("2.0", "0.50"), []string{"2", "0_5"}},
		{"a run is one underscore", catalog.Param{Name: "t", Type: catalog.ParamString}, texts("north - east"), []string{"north_east"}},
		{"dates", catalog.Param{Name: "t", Type: catalog.ParamDate}, texts("2024-01-31"), []string{"2024_01_31"}},
		// The digits are those that sha256sum prints for the two texts.
		{"equal tokens take a hash", catalog.Param{Name: "t", Type: catalog.ParamString}, texts("a-b", "a b", "c"),
			[]string{"a_b_h" + sha8("a-b"), "a_b_h" + sha8("a b"), "c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ColumnNameTokens(&c.param, c.values)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// sha8 holds the first eight hexadecimal digits as sha256sum prints them.
func sha8(text string) string {
	return map[string]string{"a-b": "d44362d6", "a b": "c8687a08"}[text]
}

func TestTokens_IndependentOfOtherValues(t *testing.T) {
	t.Run("a value has the same token whichever other allowed values are bound", func(t *testing.T) {
		p := catalog.Param{Name: "t", Type: catalog.ParamString, Allowed: []sqlexpr.Expr{&sqlexpr.String{Value: "a-b"}, &sqlexpr.String{Value: "a b"}}}
		alone := ColumnNameTokens(&p, texts("a-b"))
		both := ColumnNameTokens(&p, texts("a-b", "a b"))
		if alone[0] != both[0] {
			t.Errorf("bound alone the column is %s, with its twin %s", alone[0], both[0])
		}
	})
}

func TestRead_ChecksDeclaration(t *testing.T) {
	number := func(s string) sqlexpr.Expr { return &sqlexpr.Number{Text: s} }
	for _, c := range []struct {
		name  string
		param catalog.Param
		value query.ParamValue
		ok    bool
	}{
		{"int takes 2.0", catalog.Param{Type: catalog.ParamInt}, numbers("2.0")[0], true},
		{"int refuses 2.5", catalog.Param{Type: catalog.ParamInt}, numbers("2.5")[0], false},
		{"int refuses text", catalog.Param{Type: catalog.ParamInt}, texts("2")[0], false},
		{"int refuses more than 64 bits", catalog.Param{Type: catalog.ParamInt}, numbers("9223372036854775808")[0], false},
		{"huge exponents are refused quickly", catalog.Param{Type: catalog.ParamFloat}, numbers("1e999999999")[0], false},
		{"allowed compares by value", catalog.Param{Type: catalog.ParamFloat, Allowed: []sqlexpr.Expr{number("2")}}, numbers("2.0")[0], true},
		{"not allowed", catalog.Param{Type: catalog.ParamInt, Allowed: []sqlexpr.Expr{number("0"), number("50")}}, numbers("7")[0], false},
		{"below min", catalog.Param{Type: catalog.ParamInt, Min: number("10")}, numbers("9")[0], false},
		{"at max", catalog.Param{Type: catalog.ParamInt, Max: number("10")}, numbers("10")[0], true},
		{"9 is below 10 as a number", catalog.Param{Type: catalog.ParamInt, Max: number("10")}, numbers("9")[0], true},
		{"a date", catalog.Param{Type: catalog.ParamDate}, texts("2024-02-29")[0], true},
		{"no such date", catalog.Param{Type: catalog.ParamDate}, texts("2023-02-29")[0], false},
		{"bool refuses text", catalog.Param{Type: catalog.ParamBool}, texts("true")[0], false},
		{"null is no value", catalog.Param{Type: catalog.ParamString}, query.ParamValue{Kind: query.NullValue, Text: "null"}, false},
		{"NUL is refused", catalog.Param{Type: catalog.ParamString}, texts("a\x00b")[0], false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, why := Read(&c.param, c.value); (why == "") != c.ok {
				t.Errorf("Read says %q", why)
			}
		})
	}
}

func TestRead_ErrorShortensValue(t *testing.T) {
	long := strings.Repeat("ä", 500)
	shown := strings.Repeat("ä", 120) + "…"
	for _, c := range []struct {
		param catalog.Param
		value query.ParamValue
		want  string
	}{
		{catalog.Param{Name: "t", Type: catalog.ParamDate}, query.ParamValue{Kind: query.StringValue, Text: long}, `t takes a date such as 2024-01-31, not "` + shown + `"`},
		{catalog.Param{Name: "t", Type: catalog.ParamString, Allowed: []sqlexpr.Expr{&sqlexpr.String{Value: "a"}}}, query.ParamValue{Kind: query.StringValue, Text: long},
			shown + " is not among the values that t allows"},
		{catalog.Param{Name: "t", Type: catalog.ParamInt}, query.ParamValue{Kind: query.NumberValue, Text: strings.Repeat("9", 500)}, "t is out of range: " + strings.Repeat("9", 120) + "…"},
		{catalog.Param{Name: "t", Type: catalog.ParamBool}, query.ParamValue{Kind: query.StringValue, Text: strings.Repeat("ä", 120)}, `t takes true or false, not "` + strings.Repeat("ä", 120) + `"`},
	} {
		if _, got := Read(&c.param, c.value); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

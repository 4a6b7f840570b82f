package sqlexpr

import (
	"errors"
	"strings"
	"testing"
)

// nativeTexts are spellings of dialects and their canonical forms.
var nativeTexts = []struct{ text, canonical string }{
	{"DateDiff(shipped, ordered)", "DateDiff(shipped, ordered)"},
	{"DATEDIFF(DATEDIFF(a, b), greatest(c, d))", "DATEDIFF(DATEDIFF(a, b), GREATEST(c, d))"},
	{"DATEDIFF(day, a, b)", "DATEDIFF('day', a, b)"},
	{"try_cast(x AS decimal( 10,2 ))", "TRY_CAST(x AS decimal(10, 2))"},
	{"SAFE_CAST(x AS ARRAY<STRUCT<a INT64, b STRING>>) IS NULL", "SAFE_CAST(x AS ARRAY<STRUCT<a INT64, b STRING>>) IS NULL"},
	{"TRY_CAST(x AS timestamp with time zone)", "TRY_CAST(x AS timestamp with time zone)"},
	{"tags[1]", "tags[1]"},
	{"split(x, ',')[n + 1]", "(split(x, ','))[n + 1]"},
	{"items[OFFSET(0)].price * 2", "items[OFFSET(0)].price * 2"},
	{"grid[1][2]", "grid[1][2]"},
	{"(addr).geo.lat", "(addr).geo.lat"},
	{"js->'a'->>'b'", "js -> 'a' ->> 'b'"},
	{"js #>> '{a,b}' = 'x' AND js->0 IS NULL", "js #>> '{a,b}' = 'x' AND js -> 0 IS NULL"},
	{"(js->>'n')::int + 1", "CAST(js ->> 'n' AS INT) + 1"},
	{"t::json->>'n'", "(CAST(t AS JSON)) ->> 'n'"},
}

func TestNativeSyntax_ReadOnlyInItsDialect(t *testing.T) {
	for _, c := range nativeTexts {
		e, err := ParseLimited(c.text, NativeLimits("duckdb"))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := Format(e)
		if want := c.canonical; got != want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, want)
		}
		again, err := ParseLimited(got, NativeLimits("duckdb"))
		if err != nil || !Equal(e, again) {
			t.Errorf("%s: the canonical form %s reads back as %s, %v", c.text, got, Format(again), err)
		}
		if c.text == "DATEDIFF(day, a, b)" || strings.HasPrefix(c.canonical, "TRY_CAST(") && !strings.Contains(c.canonical, "<") {
			continue // of the portable language
		}
		for name, limits := range map[string]Limits{"a query": QueryLimits(), "a portable entry": ModelLimits()} {
			if e, err := ParseLimited(c.text, limits); err == nil {
				t.Errorf("%s: %s may hold it, as %s", c.text, name, Format(e))
			}
		}
	}
}

func TestNativeSyntax_RejectedWhereAmbiguous(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
	}{
		{"a || js->>'k'", 2}, {"js->>'k' || a", 9}, {"1 + 2 * js->>'k'", 6}, {"-js->>'k'", 0},
		{"js->>'k'::int", 8}, {"js->'k'[1]", 7}, {"x::int[1]", 6},
	} {
		e, err := ParseLimited(c.text, NativeLimits("postgres"))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset != c.offset || syntax.Hint == "" {
			t.Errorf("%s: read as %v, %v", c.text, e, err)
		}
	}
}

func TestNativeSyntax_CastTypeHoldsWordsAndBrackets(t *testing.T) {
	for _, text := range []string{
		"TRY_CAST(x AS 'INT')", "TRY_CAST(x AS INT; DROP)", "TRY_CAST(x AS INT -1)", "TRY_CAST(x AS \"INT\")", "TRY_CAST(x AS ARRAY<INT)",
		"TRY_CAST(x AS INT>)", "TRY_CAST(x AS a$b)", "TRY_CAST(x AS )", "TRY_CAST(x AS INT, y)", "TRY_CAST(x, y)", "TRY_CAST(x AS DECIMAL(1.5))",
		"js->k", "js->-1", "js->(1)", "tags[]", "tags[1:2]", "tags[1",
	} {
		if e, err := ParseLimited(text, NativeLimits("duckdb")); err == nil {
			t.Errorf("%s: read as %s", text, Format(e))
		}
	}
}

func TestNativeSyntax_NodesOfTwoDialectsDiffer(t *testing.T) {
	for _, c := range nativeTexts {
		if c.text == "DATEDIFF(day, a, b)" {
			continue
		}
		a, _ := ParseLimited(c.text, NativeLimits("duckdb"))
		b, _ := ParseLimited(c.text, NativeLimits("databricks"))
		if Equal(a, b) || Equal(Normalize(a), Normalize(b)) {
			t.Errorf("%s: the same of two dialects", c.text)
		}
	}
}

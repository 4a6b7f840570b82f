package sqlexpr

import (
	"errors"
	"testing"
)

func addSeeds(f *testing.F) {
	for _, c := range canonicalCases(f) {
		f.Add(c.text)
	}
	for _, text := range []string{"", "(", "a = ';", "a in (select", "interval -", "case when", "f(a order by b)", "$$", "\x00", "\xff", "a -- b\n", "/*",
		"DATEDIFF(a, b)", "TRY_CAST(x AS DECIMAL(10, 2))", "SAFE_CAST(x AS ARRAY<STRUCT<a INT64>>)", "tags[1][n + 1]", "(js->'a'->>'$.k')::int + 1",
		"js #>> '{a,b}' = 'x'", "(addr).geo.lat", "items[OFFSET(0)].price", "(f(x))[1]"} {
		f.Add(text)
	}
}

// FuzzParse holds that parsing ends in an expression or a *SyntaxError, and
// that the canonical form is a fixed point.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, limits := range []Limits{QueryLimits(), ModelLimits(), NativeLimits("duckdb")} {
			e, err := ParseLimited(text, limits)
			if err != nil {
				var syntax *SyntaxError
				if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Error() == "" {
					t.Fatalf("%q: error %#v", text, err)
				}
				continue
			}
			canonical := Format(e)
			again, err := ParseLimited(canonical, NativeLimits(limits.Dialect))
			if err != nil {
				t.Fatalf("%q: canonical form %q: %v", text, canonical, err)
			}
			if !Equal(e, again) || Format(again) != canonical {
				t.Fatalf("%q: canonical form %q, then %q", text, canonical, Format(again))
			}
		}
	})
}

// FuzzPasses holds that the passes over a tree end, leave it as it was, and
// that a normal form is a fixed point.
func FuzzPasses(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseLimited(text, QueryLimits())
		if err != nil {
			return
		}
		before := Format(e)
		if same := Rewrite(e, func(Expr) Expr { return nil }); same != e {
			t.Fatalf("%q: a rewrite of nothing copies", text)
		}
		nodes := 0
		Walk(e, func(x Expr) bool {
			if nodes++; x.Pos() < 0 || x.Pos() > len(text) {
				t.Fatalf("%q: %s at %d", text, Format(x), x.Pos())
			}
			return true
		})
		once := Normalize(e)
		if twice := Normalize(once); !Equal(once, twice) {
			t.Fatalf("%q: normal form %q, then %q", text, Format(once), Format(twice))
		}
		TypeOf(e, nil)
		IsNullForNullColumns(e)
		FirstWindowCall(e)
		if !Equal(And(SplitConjuncts(e)...), e) && len(SplitConjuncts(e)) < 3 {
			t.Fatalf("%q: conjuncts do not make the condition again", text)
		}
		if after := Format(e); after != before {
			t.Fatalf("%q: changed from %q to %q", text, before, after)
		}
	})
}

package lookml

import "testing"

// The expected predicates follow the documentation of Looker's filter expressions, and its published grammar
// of them. What is not one of the excluded values passes, and so does null.
func TestFilterConditionSQL_FollowsTheLanguageOfFilterExpressions(t *testing.T) {
	for _, c := range []struct{ kind, value, want string }{
		{"string", "paid", "f = 'paid'"},
		{"string", "paid, sent", "f IN ('paid', 'sent')"},
		{"string", "", ""},
		{"string", "it's", "f = 'it''s'"},
		{"string", "-paid", "(f <> 'paid' OR f IS NULL)"},
		{"string", "-paid,-sent", "(f NOT IN ('paid', 'sent') OR f IS NULL)"},
		{"string", "pa%", "f LIKE 'pa%'"},
		{"string", "%id,sent", "(f = 'sent' OR f LIKE '%id')"},
		{"string", "-%ai%", "(f NOT LIKE '%ai%' OR f IS NULL)"},
		{"string", "pa%,-paid", "f LIKE 'pa%' AND (f <> 'paid' OR f IS NULL)"},
		{"string", "in_transit", "f LIKE 'in_transit'"},
		{"string", "in^_transit", "f = 'in_transit'"},
		{"string", "^-1", "f = '-1'"},
		{"string", "a^, b", "f = 'a, b'"},
		{"string", `"a, b", c`, "f IN ('a, b', 'c')"},
		{"string", "NULL", "f IS NULL"},
		{"string", "-NULL", "f IS NOT NULL"},
		{"string", "EMPTY", "(f IS NULL OR f = '')"},
		{"string", "-EMPTY", "(f IS NOT NULL AND f <> '')"},
		{"string", "-NULL,-paid", "(f <> 'paid' OR f IS NULL) AND f IS NOT NULL"},
		{"number", "5", "f = 5"},
		{"number", "5, 7.5 OR -2", "f IN (5, 7.5, -2)"},
		{"number", "NOT 5", "(f <> 5 OR f IS NULL)"},
		{"number", "<>5", "(f <> 5 OR f IS NULL)"},
		{"number", "!= 5", "(f <> 5 OR f IS NULL)"},
		{"number", "NOT 66, 99, 4", "(f NOT IN (66, 99, 4) OR f IS NULL)"},
		{"number", ">= 5", "f >= 5"},
		{"number", "> 50 AND < 76", "(f > 50 AND f < 76)"},
		{"number", ">10 AND <=20 OR 90", "(f = 90 OR (f > 10 AND f <= 20))"},
		{"number", "5 to 10", "f BETWEEN 5 AND 10"},
		{"number", "[5,90)", "(f >= 5 AND f < 90)"},
		{"number", "(12, inf)", "(f > 12)"},
		{"number", "(-inf, 10], 20", "(f = 20 OR (f <= 10))"},
		{"number", "NULL", "f IS NULL"},
		{"number", "NOT NULL", "f IS NOT NULL"},
		{"yesno", "Yes", "f"},
		{"yesno", "no", "NOT COALESCE(f, FALSE)"},
		{"time", "NOT NULL", "f IS NOT NULL"},
	} {
		got, err := filterConditionSQL(&dimension{name: "d", kind: c.kind}, "f", c.value, false)
		if err != nil || got != c.want {
			t.Errorf("%s %q: %q, %v, want %q", c.kind, c.value, got, err, c.want)
		}
	}
}

func TestFilterConditionSQL_ComparesWithoutCase(t *testing.T) {
	for value, want := range map[string]string{"paid": "f ILIKE 'paid'", "-pa%": "(f NOT ILIKE 'pa%' OR f IS NULL)"} {
		if got, err := filterConditionSQL(&dimension{name: "d", kind: "string"}, "f", value, true); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", value, got, err, want)
		}
	}
	if got, err := filterConditionSQL(&dimension{name: "d", kind: "string"}, "f", "a^_b", true); err == nil {
		t.Errorf("a mark that stands for itself in a pattern: %s", got)
	}
}

func TestFilterConditionSQL_RefusesWhatIsAmbiguous(t *testing.T) {
	for _, c := range []struct{ kind, value string }{
		{"string", "%"}, {"string", "a,,b"}, {"string", `"a`}, {"string", "a^"}, {"string", `a\%`},
		{"number", "5, NOT 6"}, {"number", "NOT 5, >7"}, {"number", "NOT NULL, 5"}, {"number", "a"}, {"number", "(,)"}, {"number", "5 to"},
		{"yesno", "maybe"}, {"time", "7 days"}, {"time", ""}, {"tier", "0 to 9"},
	} {
		if got, err := filterConditionSQL(&dimension{name: "d", kind: c.kind}, "f", c.value, false); err == nil {
			t.Errorf("%s %q: %s", c.kind, c.value, got)
		}
	}
}

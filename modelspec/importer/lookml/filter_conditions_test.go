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
		{"number", "= 1", "f = 1"},
		{"number", "5, NOT 6", "f = 5 AND (f <> 6 OR f IS NULL)"},
		{"number", ">1 AND <100, NOT 2, != 3", "(f > 1 AND f < 100) AND (f NOT IN (2, 3) OR f IS NULL)"},
		{"number", "NOT 3 to 80.44", "NOT (f BETWEEN 3 AND 80.44)"},
		{"number", "NOT [1,5)", "NOT ((f >= 1 AND f < 5))"},
		{"number", "5 to", "f >= 5"},
		{"number", "to 10", "f <= 10"},
		{"number", "-NULL", "f IS NOT NULL"},
		{"number", "NULL", "f IS NULL"},
		{"number", "NOT NULL", "f IS NOT NULL"},
		{"yesno", "Yes", "f"},
		{"yesno", "no", "NOT COALESCE(f, FALSE)"},
		{"time", "NOT NULL", "f IS NOT NULL"},
		{"time", "-NULL", "f IS NOT NULL"},
		{"time", "null, 2024", "(f IS NULL OR (f >= DATE '2024-01-01' AND f < DATE '2025-01-01'))"},
		{"time", "2024/05", "(f >= DATE '2024-05-01' AND f < DATE '2024-06-01')"},
		{"time", "2024-Q4", "(f >= DATE '2024-10-01' AND f < DATE '2025-01-01')"},
		{"time", "2024-05-29", "(f >= DATE '2024-05-29' AND f < DATE '2024-05-30')"},
		{"date", "2024/02/28 for 2 days", "(f >= DATE '2024-02-28' AND f < DATE '2024-03-01')"},
		{"time", "2018/05/10 05:00 for 5 days", "(f >= TIMESTAMP '2018-05-10 05:00:00' AND f < TIMESTAMP '2018-05-15 05:00:00')"},
		{"time", "2018-05-18 12:00:00 to 2018-05-18 14:00:00", "(f >= TIMESTAMP '2018-05-18 12:00:00' AND f < TIMESTAMP '2018-05-18 14:00:00')"},
		{"time", "2018/05/10 for 5 months", "(f >= DATE '2018-05-10' AND f < DATE '2018-10-10')"},
		{"time", "after 2018-10-05", "f >= DATE '2018-10-05'"},
		{"time", "before 2018-01-01 12:30:00", "f < TIMESTAMP '2018-01-01 12:30:00'"},
		{"time", "today", "(f >= CURRENT_DATE AND f < DATEADD(DAY, 1, CURRENT_DATE))"},
		{"time", "yesterday", "(f >= DATEADD(DAY, -1, CURRENT_DATE) AND f < CURRENT_DATE)"},
		{"time", "7 days", "(f >= DATEADD(DAY, -6, CURRENT_DATE) AND f < DATEADD(DAY, 1, CURRENT_DATE))"},
		{"time", "last 3 days", "(f >= DATEADD(DAY, -2, CURRENT_DATE) AND f < DATEADD(DAY, 1, CURRENT_DATE))"},
		{"time", "7 days ago for 7 days", "(f >= DATEADD(DAY, -7, CURRENT_DATE) AND f < CURRENT_DATE)"},
		{"time", "Last Week", "(f >= DATEADD(WEEK, -1, CAST(DATE_TRUNC('week', CURRENT_DATE) AS DATE)) AND f < CAST(DATE_TRUNC('week', CURRENT_DATE) AS DATE))"},
		{"time", "2 months ago", "(f >= DATEADD(MONTH, -2, CAST(DATE_TRUNC('month', CURRENT_DATE) AS DATE)) AND f < DATEADD(MONTH, -1, CAST(DATE_TRUNC('month', CURRENT_DATE) AS DATE)))"},
		{"time", "before 2 years ago", "f < DATEADD(YEAR, -2, CAST(DATE_TRUNC('year', CURRENT_DATE) AS DATE))"},
		{"time", "this year to day", "(f >= CAST(DATE_TRUNC('year', CURRENT_DATE) AS DATE) AND f < CURRENT_DATE)"},
		{"time", "next quarter", "(f >= DATEADD(QUARTER, 1, CAST(DATE_TRUNC('quarter', CURRENT_DATE) AS DATE)) AND f < DATEADD(QUARTER, 2, CAST(DATE_TRUNC('quarter', CURRENT_DATE) AS DATE)))"},
	} {
		got, _, err := filterConditionSQL(&dimension{name: "d", kind: c.kind}, "f", c.value, false)
		if err != nil || got != c.want {
			t.Errorf("%s %q: %q, %v, want %q", c.kind, c.value, got, err, c.want)
		}
	}
}

func TestFilterConditionSQL_ComparesWithoutCase(t *testing.T) {
	for value, want := range map[string]string{"paid": "f ILIKE 'paid'", "-pa%": "(f NOT ILIKE 'pa%' OR f IS NULL)"} {
		if got, _, err := filterConditionSQL(&dimension{name: "d", kind: "string"}, "f", value, true); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", value, got, err, want)
		}
	}
	if got, _, err := filterConditionSQL(&dimension{name: "d", kind: "string"}, "f", "a^_b", true); err == nil {
		t.Errorf("a mark that stands for itself in a pattern: %s", got)
	}
}

func TestFilterConditionSQL_RefusesWhatIsAmbiguous(t *testing.T) {
	for _, c := range []struct{ kind, value string }{
		{"string", "%"}, {"string", "a,,b"}, {"string", `"a`}, {"string", "a^"}, {"string", `a\%`},
		{"number", "NOT 5, >7"}, {"number", "NOT NULL, 5"}, {"number", "a"}, {"number", "(,)"}, {"number", "to"}, {"number", "= x"},
		{"yesno", "maybe"}, {"time", ""}, {"time", "3 months ago for 2 days"}, {"time", "24 hours"}, {"time", "Monday"}, {"time", "FY2018"}, {"time", "2024-13"}, {"time", "0 days"}, {"time", "9999"},
		{"part", "2024"}, {"tier", "0 to 9"},
	} {
		if got, _, err := filterConditionSQL(&dimension{name: "d", kind: c.kind}, "f", c.value, false); err == nil {
			t.Errorf("%s %q: %s", c.kind, c.value, got)
		}
	}
}

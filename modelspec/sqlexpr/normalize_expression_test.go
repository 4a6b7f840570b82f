package sqlexpr

import (
	"strings"
	"testing"
)

func TestNormalize_EqualMeaningSameForm(t *testing.T) {
	for _, group := range [][]string{
		{"a AND b AND c", "c AND (b AND a)", "(a AND a) AND TRUE AND c AND b"},
		{"a OR b", "b OR a OR FALSE", "NOT (NOT a AND NOT b)"},
		{"FALSE", "a AND FALSE", "NOT TRUE", "b AND (FALSE OR FALSE)"},
		{"a + b + c", "c + (a + b)", "a + c + b", "a - (-b) + c", "+a + b + c"},
		{"a - b - c", "a - (b + c)", "-b + a - c", "a + -b - c", "-(b + c - a)"},
		{"a * b * c", "c * (b * a)"},
		{"-a * b", "a * -b", "-(a * b)", "-(-a * -b)"},
		{"a || b || c", "a || (b || c)"},
		{"a = b", "b = a", "a IN (b)", "NOT a <> b", "NOT (a != b)"},
		{"a <> b", "b != a", "NOT a = b", "a NOT IN (b)"},
		{"a IS DISTINCT FROM b", "NOT b IS NOT DISTINCT FROM a"},
		{"a > b", "b < a", "NOT a <= b"},
		{"a >= b", "b <= a", "NOT (a < b)"},
		{"a", "a = TRUE", "TRUE = a", "a <> FALSE", "NOT NOT a", "NOT (a = FALSE)", "A"},
		{"NOT a", "a = FALSE", "a <> TRUE"},
		{"a IN (1, 2, 3)", "a IN (3, 2, 1, 1)", "a = 2 OR a = 3 OR a = 1", "NOT a NOT IN (1, 2, 3)"},
		{"a NOT IN (1, 2)", "a <> 2 AND a <> 1"},
		{"a BETWEEN 1 AND 2", "a >= 1 AND a <= 2", "2 >= a AND 1 <= a", "NOT a NOT BETWEEN 1 AND 2"},
		{"a NOT BETWEEN 1 AND 2", "a < 1 OR a > 2"},
		{"a IS NOT NULL", "NOT a IS NULL", "NOT (a IS UNKNOWN)"},
		{"a NOT LIKE 'x'", "NOT a LIKE 'x'"},
		{"a IS NOT TRUE", "NOT a IS TRUE"},
		{"COALESCE(a, 0)", "NVL(a, 0.0)", "ifnull(A, 0)"},
		{"CASE WHEN a THEN b END", "CASE WHEN a THEN b ELSE NULL END", "IF(a, b, NULL)", "IFF(a, b, NULL)"},
		{"CASE WHEN a THEN b ELSE c END", "IF(a, b, c)", "CASE WHEN a = TRUE THEN b ELSE c END", "CASE a WHEN TRUE THEN b ELSE c END"},
		{"CASE a WHEN 1 THEN 'x' WHEN 2 THEN 'y' END", "CASE WHEN a = 1 THEN 'x' WHEN 2 = a THEN 'y' END", "CASE WHEN a = 1 THEN 'x' ELSE CASE WHEN a = 2 THEN 'y' END END"},
		{"2", "2.0", "2.", "02", "0.2e1", "20e-1", "+2"},
		{"0.5", ".5", "5e-1", "0.50"},
		{"1000", "1e3", "1E+3"},
		{"0", "0.0", "-0", "0e5"},
		{"-1", "-1.0", "-(1)"},
		{"1", "-(-1)"},
		{"a::int", "CAST(a AS INTEGER)"},
		{"EXTRACT(YEAR FROM a)", "YEAR(a)", "DATE_PART('year', a)"},
		{"DAYOFWEEK(a)", "EXTRACT(DOW FROM a)"},
		{"a % 2", "MOD(a, 2)"},
		{"a / b", "a / NULLIF(b, 0)", "a / NULLIF(b, 0.0)"},
		{"GREATEST(a, b)", "GREATEST(b, a)"},
		{"COUNT(*)", "COUNT(1)", "count( * )"},
		{"MAX(a)", "MAX(DISTINCT a)"},
		{"my_udf(a)", "MY_UDF(A)"},
		{"d + INTERVAL '1' YEAR", "INTERVAL '12' MONTH + d", "d - INTERVAL '-4' QUARTER", "d - -INTERVAL '12' MONTH"},
		{"t - INTERVAL '2' HOUR", "t + INTERVAL '-120' MINUTE"},
		{"SUM(CASE WHEN a = 'x' AND b > 1 THEN c END)", "SUM(IF(1 < b AND 'x' = a, c, NULL))"},
		{"SUM(a) / COUNT(DISTINCT b)", "sum(A) / NULLIF(count(distinct B), 0)"},
	} {
		first := Normalize(mustParse(t, group[0]))
		for _, text := range group[1:] {
			if n := Normalize(mustParse(t, text)); !Equal(first, n) {
				t.Errorf("%s is %s\n%s is %s", group[0], Format(first), text, Format(n))
			}
		}
	}
}

func TestNormalize_KeepsDifferences(t *testing.T) {
	for _, pair := range [][2]string{
		{"a AND b", "a OR b"}, {"a AND b OR c", "a AND (b OR c)"}, {"NOT a", "a"},
		{"a - b", "b - a"}, {"a / b", "b / a"}, {"a / b / c", "a / (b / c)"}, {"a % b", "b % a"}, {"a || b", "b || a"},
		{"a < b", "a <= b"}, {"a < b", "b < a"}, {"NOT a < b", "a > b"},
		{"a IN (1, 2)", "a IN (1, 3)"}, {"a BETWEEN 1 AND 2", "a BETWEEN 2 AND 1"},
		{"a = NULL", "a IS NULL"}, {"a IS NULL", "a IS NOT NULL"}, {"a IS TRUE", "a"}, {"a IS NOT FALSE", "a"},
		{"CASE WHEN a THEN b END", "CASE WHEN a THEN b ELSE 0 END"}, {"CASE WHEN a THEN 1 WHEN b THEN 2 END", "CASE WHEN b THEN 2 WHEN a THEN 1 END"},
		{"CASE a WHEN 1 THEN b END", "CASE WHEN a THEN b END"},
		{"COALESCE(a, b)", "COALESCE(b, a)"}, {"'a'", "'A'"}, {`"a"`, "a"}, {"2", "20"}, {"0.2", "0.02"}, {"1e50", "1e51"}, {"-1", "1"},
		{"COUNT(a)", "COUNT(*)"}, {"COUNT(DISTINCT 1)", "COUNT(*)"}, {"COUNT(NULL)", "COUNT(*)"}, {"SUM(a)", "SUM(DISTINCT a)"},
		{"a / NULLIF(b, 1)", "a / b"}, {"EXTRACT(YEAR FROM a)", "MONTH(a)"}, {"CONCAT(a, b)", "a || b"},
		{"d + INTERVAL '1' MONTH + INTERVAL '1' DAY", "d + INTERVAL '1' DAY + INTERVAL '1' MONTH"},
		{"INTERVAL '30' DAY", "INTERVAL '1' MONTH"},
		{"a::int", "a::decimal"}, {":p", ":q"},
	} {
		a, b := Normalize(mustParse(t, pair[0])), Normalize(mustParse(t, pair[1]))
		if Equal(a, b) {
			t.Errorf("%s and %s are both %s", pair[0], pair[1], Format(a))
		}
	}
}

func TestNormalize_IsIdempotent(t *testing.T) {
	for _, c := range canonicalCases(t) {
		once := Normalize(mustParse(t, c.text))
		if twice := Normalize(once); !Equal(once, twice) {
			t.Errorf("%s\n once %s\ntwice %s", c.text, Format(once), Format(twice))
		}
	}
}

func TestNormalize_KeepsOriginal(t *testing.T) {
	for _, c := range canonicalCases(t) {
		e := mustParse(t, c.text)
		before := Format(e)
		Normalize(e)
		if after := Format(e); after != before {
			t.Errorf("%s became %s", before, after)
		}
	}
}

func TestNormalize_GeneratedNodes(t *testing.T) {
	if Normalize(nil) != nil {
		t.Error("of nothing something")
	}
	a, b := mustParse(t, "x + y"), col("z")
	if got, want := Normalize(&SafeDivide{L: a, R: b}), Normalize(bin(OpDiv, a, b)); !Equal(got, want) {
		t.Errorf("%s, want %s", Format(got), Format(want))
	}
}

// Nesting what a normal form writes twice, and long chains, must not multiply.
func TestNormalize_SizeIsBounded(t *testing.T) {
	between := "a"
	for range 60 {
		between = "(" + between + " BETWEEN b AND c)"
	}
	simple := "a"
	for range 60 {
		simple = "CASE " + simple + " WHEN 1 THEN 2 WHEN 3 THEN 4 END"
	}
	chain := strings.Repeat("a = 1 OR b < 2 AND c + d - e > 0 OR ", 3000) + "f"
	for _, text := range []string{between, simple, chain} {
		nodes := 0
		Walk(Normalize(mustParse(t, text)), func(Expr) bool {
			nodes++
			return true
		})
		if limit := 20 * len(text); nodes > limit {
			t.Errorf("%.40s…: %d nodes from %d bytes", text, nodes, len(text))
		}
	}
}

package sqlexpr

import "testing"

func TestNullPropagation_OnlyWhereCertain(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"a", true}, {"o.a", true}, {"NULL", true},
		{"1", false}, {"'a'", false}, {"TRUE", false}, {":p", false}, {"CURRENT_DATE", false}, {"(SELECT 1)", false},
		{"-a", true}, {"NOT a", true}, {"-1", false},
		{"a + 1", true}, {"1 + a", true}, {"1 + 1", false}, {"a || 'x'", true}, {"a / 2", true}, {"a % b", true},
		{"a = 1", true}, {"1 < a", true}, {"1 = 1", false},
		{"a IS DISTINCT FROM 1", false}, {"a IS NOT DISTINCT FROM b", false}, {"a IS NULL", false}, {"a IS TRUE", false},
		{"a = 1 AND b = 1", true}, {"a = 1 AND TRUE", false}, {"a OR b", true}, {"a OR :p", false},
		{"a BETWEEN 1 AND 2", true}, {"1 BETWEEN a AND 2", false}, {"1 BETWEEN a AND b", true},
		{"a IN (1, 2)", true}, {"1 IN (a, b)", true}, {"1 IN (a, 2)", false}, {"a IN (SELECT 1)", false},
		{"a LIKE 'x'", true}, {"'x' LIKE a", true}, {"'x' LIKE 'y'", false},
		{"CAST(a AS INT)", true}, {"CAST(1 AS INT)", false}, {"EXTRACT(YEAR FROM a)", true},
		{"COALESCE(a, 0)", false}, {"COALESCE(a, b)", true}, {"GREATEST(a, b)", true}, {"GREATEST(a, 0)", false},
		{"NULLIF(a, 0)", true}, {"NULLIF(0, a)", false}, {"CONCAT(a, b)", false}, {"LOWER(a)", true}, {"LOWER('A')", false},
		{"DATE_TRUNC('month', a)", true}, {"DATEDIFF('day', a, CURRENT_DATE)", true}, {"REPLACE('a', 'b', a)", true},
		{"my_udf(a)", false}, {"SUM(a)", false}, {"SUM(a) OVER ()", false},
		{"CASE WHEN a THEN b END", true}, {"CASE WHEN :p THEN b END", true}, {"CASE WHEN :p THEN 1 END", false},
		{"CASE WHEN a > 1 THEN 'big' END", true}, {"CASE WHEN a > 1 THEN 'big' ELSE 'small' END", false}, {"CASE WHEN a > 1 THEN 'big' ELSE b END", true},
		{"CASE WHEN a IS NULL THEN 'none' ELSE b END", false}, {"CASE WHEN a IS NULL THEN c ELSE b END", true},
		{"CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' END", true}, {"CASE a WHEN 1 THEN 'one' ELSE 'other' END", false},
		{"CASE 1 WHEN a THEN 'one' END", true}, {"CASE 1 WHEN 1 THEN 'one' END", false},
		{"IF(a, 1, b)", true}, {"IF(a, 1, 0)", false}, {"IF(:p, b, c)", true}, {"IF(:p, 1, c)", false},
	}
	for _, test := range tests {
		if got := IsNullForNullColumns(mustParse(t, test.text)); got != test.want {
			t.Errorf("%s: %v, want %v", test.text, got, test.want)
		}
	}
	ref := &Ref{ID: 1}
	for _, e := range []Expr{ref, &Bucket{Grain: GrainDay, X: ref}, &BucketOrdinal{Grain: GrainDay, X: ref}, &SafeDivide{L: num("1"), R: ref}, &DecodeTimeCodeExpr{Code: &TimeCode{}, X: ref}, &LocalTime{X: ref}} {
		if !IsNullForNullColumns(e) {
			t.Errorf("%s: false", Format(e))
		}
	}
}

package sqlexpr

import "testing"

func TestEqual_IgnoresSpelling(t *testing.T) {
	for _, pair := range [][2]string{
		{"a+b", " A  +  b /* same */"},
		{"Orders.Amount", "orders.AMOUNT"},
		{"nvl(a, 0)", "COALESCE(a, 0)"},
		{"a::int", "CAST(a AS BIGINT)"},
		{"a::decimal(10,2)", "CAST(a AS numeric(10, 2))"},
		{"My_Func(a)", "my_func(A)"},
		{"DATE_PART('month', d)", "EXTRACT(MONTH FROM d)"},
		{"a <> 1", "a != 1"},
		{"INTERVAL '3 months'", "INTERVAL 3 MONTH"},
		{"TIMESTAMP '2024-01-31'", "TIMESTAMP '2024-01-31T00:00:00'"},
	} {
		if !Equal(mustParse(t, pair[0]), mustParse(t, pair[1])) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
}

func TestEqual_SeesEveryDifference(t *testing.T) {
	for _, pair := range [][2]string{
		{"a", `"a"`}, {`"a"`, `"A"`}, {"a", "b"}, {"a.b", "a"}, {"a", ":a"}, {":a", ":A"},
		{"1", "2"}, {"1", "1.0"}, {"'a'", "'A'"}, {"'1'", "1"}, {"TRUE", "FALSE"}, {"NULL", "FALSE"},
		{"DATE '2024-01-31'", "DATE '2024-01-30'"}, {"DATE '2024-01-31'", "TIMESTAMP '2024-01-31'"},
		{"INTERVAL '1' DAY", "INTERVAL '2' DAY"}, {"INTERVAL '1' DAY", "INTERVAL '1' WEEK"},
		{"-a", "+a"}, {"-a", "-b"}, {"a + b", "a - b"}, {"a + b", "b + a"}, {"a + b", "a + c"},
		{"a BETWEEN 1 AND 2", "a NOT BETWEEN 1 AND 2"}, {"a BETWEEN 1 AND 2", "a BETWEEN 1 AND 3"}, {"a BETWEEN 1 AND 2", "a BETWEEN 0 AND 2"},
		{"a IN (1)", "a NOT IN (1)"}, {"a IN (1, 2)", "a IN (2, 1)"}, {"a IN (1)", "b IN (1)"},
		{"a LIKE b", "a ILIKE b"}, {"a LIKE b", "a NOT LIKE b"}, {"a LIKE b", "a LIKE b ESCAPE '!'"}, {"a LIKE b", "a LIKE c"},
		{"a IS NULL", "a IS NOT NULL"}, {"a IS TRUE", "a IS FALSE"}, {"a IS TRUE", "a IS NOT TRUE"}, {"a IS NULL", "b IS NULL"},
		{"CASE WHEN a THEN b END", "CASE a WHEN a THEN b END"}, {"CASE WHEN a THEN b END", "CASE WHEN a THEN b ELSE c END"},
		{"CASE WHEN a THEN b END", "CASE WHEN a THEN c END"}, {"CASE WHEN a THEN b END", "CASE WHEN b THEN b END"},
		{"a::int", "a::text"}, {"a::varchar(1)", "a::varchar(2)"}, {"a::hugeint", "a::uuid"},
		{"YEAR(a)", "MONTH(a)"}, {"EXTRACT(YEAR FROM a)", "EXTRACT(DAY FROM a)"}, {"EXTRACT(YEAR FROM a)", "EXTRACT(YEAR FROM b)"},
		{"f(a)", "g(a)"}, {"f(a)", "f(a, b)"}, {"MEDIAN(a)", "MODE(a)"}, {"COUNT(a)", "COUNT(DISTINCT a)"}, {"COUNT(*)", "COUNT(a)"},
		{"SUM(a) OVER ()", "SUM(a)"}, {"SUM(a) OVER ()", "SUM(b) OVER ()"}, {"SUM(a) OVER (PARTITION BY b)", "SUM(a) OVER ()"},
		{"SUM(a) OVER (ORDER BY b)", "SUM(a) OVER (ORDER BY b DESC)"}, {"SUM(a) OVER (ROWS 1 PRECEDING)", "SUM(a) OVER (ROWS 2 PRECEDING)"},
		{"SUM(a) OVER (ROWS 1 PRECEDING)", "SUM(a) OVER ()"}, {"(SELECT 1)", "(SELECT 2)"},
	} {
		a, b := mustParse(t, pair[0]), mustParse(t, pair[1])
		if Equal(a, b) || Equal(b, a) {
			t.Errorf("%s and %s are equal", pair[0], pair[1])
		}
	}
}

func TestEqual_GeneratedNodes(t *testing.T) {
	distinct := []Expr{
		nil, &Ref{ID: 1}, &Ref{ID: 2},
		&Bucket{Grain: GrainDay, X: &Ref{ID: 1}}, &Bucket{Grain: GrainWeek, X: &Ref{ID: 1}},
		&Bucket{Grain: GrainDay, From: TypeDate, X: &Ref{ID: 1}}, &Bucket{Grain: GrainDay, X: &Ref{ID: 2}},
		&BucketOrdinal{Grain: GrainDay, X: &Ref{ID: 1}}, &BucketOrdinal{Grain: GrainDay, X: &Ref{ID: 2}}, &BucketOrdinal{Grain: GrainWeek, X: &Ref{ID: 1}},
		&DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyyMM"}, X: &Ref{ID: 1}}, &DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyy"}, X: &Ref{ID: 1}},
		&DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyyMM", Numeric: true}, X: &Ref{ID: 1}}, &DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyyMM"}, X: &Ref{ID: 2}},
		&DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyyMM"}, Grain: GrainHour, X: &Ref{ID: 1}}, &DecodeTimeCodeExpr{Code: &TimeCode{Text: "yyyyMM"}, Grain: GrainHour, Local: true, X: &Ref{ID: 1}},
		&LocalTime{X: &Ref{ID: 1}}, &LocalTime{X: &Ref{ID: 2}}, &LocalTime{From: TypeDate, X: &Ref{ID: 1}}, &LocalTime{Zone: &TimeZone{Name: "Asia/Tokyo"}, X: &Ref{ID: 1}},
		&SafeDivide{L: &Ref{ID: 1}, R: &Ref{ID: 2}}, &SafeDivide{L: &Ref{ID: 2}, R: &Ref{ID: 2}}, &SafeDivide{L: &Ref{ID: 1}, R: &Ref{ID: 1}},
	}
	for i, a := range distinct {
		for j, b := range distinct {
			if got := Equal(a, b); got != (i == j) {
				t.Errorf("Equal(%s, %s) is %v", Format(a), Format(b), got)
			}
		}
	}
}

package reference_test

import "testing"

// Each condition is asked of the rows 1, 2 and 4, which add up to a number that identifies the rows where it is true.
func TestExpr_FormatsAndPatterns(t *testing.T) {
	w := given(t, `
		t(id! Integer, s String, d Date, weight Integer)
		found: SUM(t.weight) {"fill_nulls_with":0}`,
		map[string]string{"t": "id s d weight\n1 n12 2024-02-29 1\n2 2024-02-30 2023-12-31 2\n3 ∅ ∅ 4"})
	for condition, want := range map[string]string{
		"REGEXP_LIKE(s, '^[a-z]+[0-9]+$')":                    "1",
		"REGEXP_LIKE(s, '2')":                                 "3",
		"REGEXP_COUNT(s, '0') = 3":                            "2",
		"REGEXP_COUNT(s, '0') IS NULL":                        "4",
		"TRY_CAST(SUBSTRING(s, 2) AS INTEGER) = 12":           "1",
		"TRY_CAST(s AS INTEGER) IS NULL":                      "7",
		"TRY_CAST(s AS DATE) IS NULL":                         "7",
		"TO_CHAR(d, 'YYYY-MM') = '2024-02'":                   "1",
		"TO_CHAR(d, 'DD.MM.YYYY') = '31.12.2023'":             "2",
		"TO_DATE(TO_CHAR(d, 'DD.MM.YYYY'), 'DD.MM.YYYY') = d": "3",
		"TO_DATE(s, 'YYYY-MM-DD') IS NOT NULL":                "0",
	} {
		w.answers(t, `{"metrics":["found"],"where_sql":"`+condition+`"}`, "found\n"+want)
	}
}

package reference_test

import "testing"

// Each condition is asked of the rows (x, s) = (1, a), (0, B), (NULL, NULL), whose
// weights 1, 2 and 4 add up to a number that identifies the rows where it is true.
func TestExpr_ThreeValuedLogic(t *testing.T) {
	w := given(t, `
		t(id! Integer, x Integer, s String, d Date, weight Integer)
		found: SUM(t.weight) {"fill_nulls_with":0}`,
		map[string]string{"t": "id x s d weight\n1 1 a 2024-02-29 1\n2 0 B 2023-12-31 2\n3 ∅ ∅ ∅ 4"})
	for condition, want := range map[string]string{
		"x = 1":                                 "1",
		"NOT x = 1":                             "2",
		"x = 1 OR s IS NULL":                    "5",
		"x <> 1 OR x IS NULL":                   "6",
		"(x = 1) IS NULL":                       "4",
		"(x = 1) IS NOT TRUE":                   "6",
		"(x = 1) IS FALSE":                      "2",
		"NOT (x = 1 AND s = 'B')":               "3",
		"x IN (1, NULL)":                        "1",
		"x NOT IN (1, NULL)":                    "0",
		"x BETWEEN 0 AND 0":                     "2",
		"x NOT BETWEEN 0 AND NULL":              "0",
		"1 / x = 1":                             "1",
		"(1 / x) IS NULL":                       "6",
		"(1 % x) IS NULL":                       "6",
		"x / 2 = 0.5":                           "1",
		"x IS NOT DISTINCT FROM NULL":           "4",
		"x IS DISTINCT FROM 0":                  "5",
		"s LIKE 'a%'":                           "1",
		"s ILIKE 'b'":                           "2",
		"s LIKE '_'":                            "3",
		"s < 'a'":                               "2",
		"COALESCE(s, 'z') > 'a'":                "4",
		"CASE x WHEN 1 THEN 'one' END = 'one'":  "1",
		"CASE WHEN x = 1 THEN 0 ELSE 1 END = 1": "6",
		"NULLIF(x, 0) IS NULL":                  "6",
		"GREATEST(x, -1) = 0":                   "2",
		"d >= '2024-01-01'":                     "1",
		"EXTRACT(MONTH FROM d) = 12":            "2",
		"DATE_TRUNC('quarter', d) = DATE '2024-01-01'":                      "1",
		"DATEADD(month, -1, d) = DATE '2024-01-29'":                         "1",
		"DATEADD(hour, 30, d) > DATEADD(day, 1, d)":                         "3",
		"d + INTERVAL '1' MONTH = DATE '2024-03-29'":                        "1",
		"d - INTERVAL '1' DAY = DATE '2023-12-30'":                          "2",
		"d + INTERVAL '30' HOUR > DATEADD(day, 1, d)":                       "3",
		"DATEADD(month, 1, DATE_TRUNC('month', d)) - 1 = DATE '2024-02-29'": "1",
		"DATEDIFF(month, d, DATE '2024-03-01') = 3":                         "2",
		"CAST(x AS VARCHAR) || s = '1a'":                                    "1",
		"LENGTH(s) = 1 AND UPPER(s) = 'A'":                                  "1",
		"CAST(s AS INTEGER) IS NULL":                                        "7",
		"CAST(s || '1' AS INTEGER) = 1":                                     "0",
		"CAST(' ' || x || ' ' AS INTEGER) = 1":                              "1",
		"CAST(x || '.5' AS INTEGER) IS NULL":                                "7",
		"CAST(x || '.5' AS DOUBLE) = 0.5":                                   "2",
		"CAST(x || 'e1' AS DECIMAL) = 10":                                   "1",
		"CAST('0x' || x AS DOUBLE) IS NULL":                                 "7",
	} {
		w.answers(t, `{"metrics":["found"],"where_sql":"`+condition+`"}`, "found\n"+want)
	}
}

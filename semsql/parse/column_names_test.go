package parse

import "testing"

// The names are those of psql 15.
func TestColumnName_IsThatOfPostgreSQL(t *testing.T) {
	for text, want := range map[string]string{
		"a":                             "a",
		"t.Total":                       "total",
		`"Total"`:                       "Total",
		"ÄB":                            "Äb",
		"1 + 1":                         "?column?",
		"true":                          "?column?",
		"NULL":                          "?column?",
		"1 IN (1)":                      "?column?",
		"Sum(a)":                        "sum",
		"extract(year FROM a)":          "extract",
		"EXISTS (SELECT 1)":             "exists",
		"current_date":                  "current_date",
		"DATE '2024-01-31'":             "date",
		"INTERVAL '1 day'":              "interval",
		"CAST(1 AS integer)":            "int4",
		"CAST(a AS integer)":            "a",
		"true::text":                    "text",
		"'{1}'::bigint[]":               "int8",
		`'a'::"char"`:                   "char",
		"CASE WHEN a THEN 1 END":        "case",
		"CASE WHEN a THEN 1 ELSE b END": "b",
		"CASE WHEN a THEN INTERVAL '1 day' ELSE INTERVAL '2 days' END": "case",
		"(SELECT b FROM t)":                   "b",
		`(SELECT 1 AS "Z" UNION SELECT 1)`:    "Z",
		"(SELECT 1 AS x UNION SELECT 1)::int": "x",
		"(SELECT INTERVAL '1 day')":           "interval",
		"ARRAY[1]":                            "array",
		"ROW(1, 2)":                           "row",
		"b'0100'":                             "?column?",
		"B''":                                 "?column?",
		"b'0100'::bit(4)":                     "bit",
		"(ARRAY[1])[1]":                       "array",
	} {
		q, err := ParseCatalogueStatement("SELECT "+text+" FROM t", DefaultLimits())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := ColumnName(q.Body.(*Select).Items[0].X); got != want {
			t.Errorf("%s is the column %s, want %s", text, got, want)
		}
	}
}

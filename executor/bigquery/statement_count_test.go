package bigquery

import "testing"

func TestStatements_Count(t *testing.T) {
	for sql, want := range map[string]int{
		"":                                   0,
		" ;\n-- nothing; at all\n":           0,
		"/* a; */ # b;\n":                    0,
		"SELECT 1":                           1,
		"SELECT 1;":                          1,
		"SELECT 1; -- the end;":              1,
		"SELECT 1; SELECT 2":                 2,
		"SELECT 1;\nSELECT 2;":               2,
		"SELECT ';', \";\", `a;b` /* ; */":   1,
		`SELECT 'it\'s; one'`:                1,
		`SELECT 'it\\'; SELECT 2`:            2,
		`SELECT r'\'; SELECT 2'`:             1,
		`SELECT '''a'; b''' , """;"";"""`:    1,
		`SELECT ''; SELECT 2`:                2,
		"SELECT 1 -- ; \n; SELECT 2":         2,
		"SELECT 'never closed; SELECT 2":     1,
		"SELECT 1 /* never closed; SELECT 2": 1,
	} {
		if got := countStatements(sql); got != want {
			t.Errorf("%q: %d statements, want %d", sql, got, want)
		}
	}
}

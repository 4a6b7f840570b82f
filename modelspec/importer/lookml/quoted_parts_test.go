package lookml

import "testing"

func TestReadDoubleQuotes_KnowsColumnsOfTheTable(t *testing.T) {
	for _, c := range []struct{ sql, column, text string }{
		{`${TABLE}."A" || '"x"'`, `${TABLE}."A" || '"x"'`, `${TABLE}."A" || '"x"'`},
		{`${kind} = "web"`, `${kind} = "web"`, `${kind} = 'web'`},
		{`CONCAT(${a}, " ", ${TABLE}."B")`, `CONCAT(${a}, " ", ${TABLE}."B")`, `CONCAT(${a}, ' ', ${TABLE}."B")`},
		{`${a} = "it's"`, `${a} = "it's"`, `${a} = 'it''s'`},
		{`${a} = 'it''s "b"'`, `${a} = 'it''s "b"'`, `${a} = 'it''s "b"'`},
	} {
		for backticks, want := range map[bool]string{false: c.column, true: c.text} {
			got, loss := resolveDoubleQuotedParts(c.sql, backticks, "")
			if got != want || (loss != "") != (c.column != c.text) {
				t.Errorf("%s: %s, %q, want %s", c.sql, got, loss, want)
			}
			for dialect, want := range map[string]string{"snowflake": c.column, "bigquery": c.text} {
				if got, loss := resolveDoubleQuotedParts(c.sql, backticks, dialect); got != want || loss != "" {
					t.Errorf("%s in %s: %s, %q, want %s", c.sql, dialect, got, loss, want)
				}
			}
		}
	}
}

package parse

import (
	"errors"
	"testing"
	"unicode/utf8"
)

// No text panics. What is accepted prints to a text that parses to the same tree, and an error
// has a code and a position in the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC",
		`SELECT "status", SUM("revenue") AS "x" FROM (SELECT * FROM "public"."shop") t GROUP BY "status" HAVING SUM("revenue") > 200`,
		"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS customers.region r METRICS revenue, SUM(a) WHERE b) AS v (c) LIMIT 5",
		"WITH x AS (SELECT 1) (SELECT a FROM x JOIN y USING (k) WHERE a IN (VALUES (1), ($1)) AND b = ANY (ARRAY['x'])) UNION ALL SELECT 2",
		"SELECT ((SELECT 1) + 1)::int, E'\\n', $a$x$a$, `b`, INTERVAL '1' DAY, DATE '2024-01-31', TRIM(LEADING 'x' FROM y), POSITION('a' IN b)",
		"SELECT SUM(a) FILTER (WHERE b) OVER (PARTITION BY c ORDER BY d NULLS FIRST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t -- x",
		"SELECT a FROM ((SELECT 1) t JOIN (u CROSS JOIN v) ON NOT a IS DISTINCT FROM b) WHERE a !~~* b ESCAPE '!' OFFSET 1 FETCH FIRST ROW ONLY",
		"SELECT SUM(a) OVER w, RANK() OVER (w ORDER BY b) FROM t WINDOW w AS (PARTITION BY c) ORDER BY SUM(b) OVER w",
		"INSERT INTO t VALUES (1)", "SET a = 1", "COPY (SELECT 1) TO STDOUT", "SELECT 1 /* é /* */", "SELECT * FROM pg_catalog.pg_class WHERE a ~ 'b'",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text, DefaultLimits())
		if err == nil {
			checkIdentity(t, q)
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Code == "" || e.SQLState == "" || e.Message == "" {
			t.Fatalf("%q: %#v", text, err)
		}
		if e.Statement != "" {
			without, err := Parse(e.Statement, DefaultLimits())
			if err != nil || Format(without) != e.Statement {
				t.Fatalf("%q: the statement without what is refused is %q: %v", text, e.Statement, err)
			}
		}
		if e.Position < 1 || e.Position > utf8.RuneCountInString(text)+1 {
			t.Fatalf("%q: the position %d is outside of the text", text, e.Position)
		}
	})
}

// A text is cut where its statement ends, and nothing of it is lost.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{"SELECT ';' -- ;\n ; SELECT 2;", "/* ; */ SELECT $$;$$", `";`, "€;a", "E'\\';"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		statement, rest, complete := SplitFirstStatement(text)
		if statement+rest != text || !complete && rest != "" {
			t.Fatalf("%q is cut into %q and %q", text, statement, rest)
		}
		if again, more, _ := SplitFirstStatement(statement); complete && (again != statement || more != "") {
			t.Fatalf("%q is cut again into %q and %q", statement, again, more)
		}
	})
}

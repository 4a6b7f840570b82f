package parse

import (
	"errors"
	"testing"
	"unicode/utf8"
)

// catalogueTexts hold every construct that only catalogue statements have.
var catalogueTexts = []string{
	"SELECT 'pg_class'::regclass, c.oid::pg_catalog.regclass::pg_catalog.text, 'r'::\"char\", '{a,b}'::text[], a::int ARRAY[3] FROM pg_class c",
	"SELECT 1 WHERE c.relname OPERATOR(pg_catalog.~) '^(orders)$' COLLATE pg_catalog.default AND pg_catalog.pg_table_is_visible(c.oid)",
	"SELECT ARRAY[1, 2], ARRAY(SELECT 1), ARRAY[[1], [2]], ARRAY[]::int[], x[1], x[1:2], x[:2], x[1:], (ARRAY[1])[1]",
	"SELECT x = ANY (current_schemas(false)), x <> ALL (y), x > ANY (SELECT 1), x = SOME (SELECT 1), x ~ ANY (ARRAY['a'])",
	"SELECT (information_schema._pg_expandarray(i.indkey)).n, (f(x)).*, (x).a.b FROM pg_catalog.pg_index AS i",
	"SELECT * FROM a, LATERAL unnest(b) WITH ORDINALITY AS t (x, y), pg_catalog.generate_series(1, 3) g, LATERAL (SELECT 1) l",
	"SELECT * FROM (a JOIN b USING (c)) AS j CROSS JOIN LATERAL f(x) AS t (y)",
	"SELECT DISTINCT ON (a, b) a FROM (VALUES (1, 'x'), (2, 'y')) AS v (a, b) WHERE (a, b) IN ((1, 2), (3, 4)) OR ROW(a, b) = ROW(1, 2)",
	"WITH RECURSIVE t (n) AS MATERIALIZED (VALUES (1) UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
	"SELECT x !~ 'a', x ~* 'a', x !~* 'a', a & 1 | 2 # 3 << 1 >> 1, a @> b, a <@ b, a && b, j -> 'x' ->> 'y', name 'x', t AT TIME ZONE 'UTC'",
	"SELECT pg_catalog.current_schema(), current_schema, pg_catalog.regtype 'int4', EXISTS (SELECT 1 FROM pg_class)",
	"VALUES (1), (2) ORDER BY 1",
	"SELECT a SIMILAR TO 'x%' AND NOT b NOT SIMILAR TO 'pg/_%|x\\' ESCAPE '/' FROM t",
	"SELECT 1 WHERE EXISTS (SELECT FROM pg_class WHERE true)",
	"SELECT concat_ws(',', VARIADIC ARRAY['a', 'b']), concat(VARIADIC x) FROM t",
	"SELECT rank() OVER w, sum(a) OVER (w ORDER BY b), (SELECT count(*) OVER w FROM u WINDOW w AS ()) FROM t WINDOW w AS (PARTITION BY c), x AS (w ORDER BY d)",
}

// What is accepted prints to a text that parses to the same tree.
func TestParseCatalogue_ReadsItsConstructs(t *testing.T) {
	for _, text := range catalogueTexts {
		q, err := ParseCatalogueStatement(text, DefaultLimits())
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		checkCatalogueIdentity(t, q)
	}
}

func checkCatalogueIdentity(t *testing.T, q *Query) {
	t.Helper()
	printed := Format(q)
	again, err := ParseCatalogueStatement(printed, DefaultLimits())
	if err != nil {
		t.Errorf("%s does not parse: %v", printed, err)
		return
	}
	if !Equal(q, again) || Format(again) != printed {
		t.Errorf("%s\nprints as\n%s", printed, Format(again))
	}
}

// Semantic statements have none of these constructs: each text is rejected by the other parser.
func TestParse_RefusesTheConstructsOfCatalogueStatements(t *testing.T) {
	for _, text := range catalogueTexts {
		if q, err := Parse(text, DefaultLimits()); err == nil {
			t.Errorf("%s is accepted as %s", text, Format(q))
		}
	}
}

// The escapes of a pattern are backslashes in the tree.
func TestParseCatalogue_WritesEscapesAsBackslashes(t *testing.T) {
	for text, want := range map[string]string{
		`SELECT a SIMILAR TO 'pg/_%' ESCAPE '/'`:   `SELECT a SIMILAR TO 'pg\_%'`,
		`SELECT a SIMILAR TO 'a\b//c' ESCAPE '/'`:  `SELECT a SIMILAR TO 'a\\b/c'`,
		`SELECT a NOT SIMILAR TO 'a\_' ESCAPE '\'`: `SELECT a NOT SIMILAR TO 'a\_'`,
		`SELECT a FROM t ORDER BY 1 FOR READ ONLY`: `SELECT a FROM t ORDER BY 1`,
		`SELECT a FROM t FOR READ ONLY LIMIT 1`:    `SELECT a FROM t LIMIT 1`,
	} {
		q, err := ParseCatalogueStatement(text, DefaultLimits())
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := Format(q); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestParseCatalogue_RefusesWhatIsNotASelect(t *testing.T) {
	for _, c := range []struct{ text, state string }{
		{"INSERT INTO pg_class VALUES (1)", "25006"},
		{"WITH x AS (DELETE FROM pg_class) SELECT 1", "25006"},
		{"SELECT 1 INTO x", "25006"},
		{"SELECT 1 FOR UPDATE", "25006"},
		{"SELECT 1; SELECT 2", "0A000"},
		{"SELECT 1 FOR READ WRITE", "42601"},
		{"SELECT a SIMILAR TO b ESCAPE 'x'", "0A000"},
		{"SELECT a SIMILAR 'x'", "42601"},
		{"SELECT public.f(1)", "0A000"},
		{"SELECT 1 OPERATOR(public.+) 2", "0A000"},
		{"SELECT a OPERATOR(pg_catalog.=>) b", "42601"},
		{"SELECT x[1", "42601"},
		{"SELECT ARRAY[1", "42601"},
		{"VALUES (1), (1, 2)", "42601"},
		{"SELECT a : b", "42601"},
		{"SELECT 2 ^ 3", "0A000"},
		{"SELECT pg_catalog.as ''", "0A000"},
		{"SELECT x::\"double\"", "0A000"},
		{"SELECT * FROM t TABLESAMPLE x", "0A000"},
	} {
		_, err := ParseCatalogueStatement(c.text, DefaultLimits())
		var e *Error
		if !errors.As(err, &e) || e.SQLState != c.state {
			t.Errorf("%s: %v, want %s", c.text, err, c.state)
		}
	}
}

// No text panics, and an error has a code and a position in the text.
func FuzzParseCatalogue(f *testing.F) {
	for _, text := range catalogueTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := ParseCatalogueStatement(text, DefaultLimits())
		if err == nil {
			checkCatalogueIdentity(t, q)
			return
		}
		var e *Error
		if !errors.As(err, &e) || e.Code == "" || e.SQLState == "" || e.Message == "" {
			t.Fatalf("%q: %#v", text, err)
		}
		if e.Position < 1 || e.Position > utf8.RuneCountInString(text)+1 {
			t.Fatalf("%q: the position %d is outside of the text", text, e.Position)
		}
	})
}

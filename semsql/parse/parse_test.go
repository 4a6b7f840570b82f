package parse

import (
	"reflect"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func mustParse(t testing.TB, text string) *Query {
	t.Helper()
	q, err := Parse(text, DefaultLimits())
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return q
}

// sameTree compares trees field by field without their positions. (cmp compares nested slices
// twice, which doubles its time with each level.)
func sameTree(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface:
		return sameTree(a.Elem(), b.Elem())
	case reflect.Slice:
		same := a.Len() == b.Len()
		for i := 0; same && i < a.Len(); i++ {
			same = sameTree(a.Index(i), b.Index(i))
		}
		return same
	case reflect.Struct:
		same := true
		for i := 0; same && i < a.NumField(); i++ {
			same = a.Type().Field(i).Type == reflect.TypeFor[Position]() || a.Type().Field(i).Type == reflect.TypeFor[sqlexpr.Position]() || sameTree(a.Field(i), b.Field(i))
		}
		return same
	}
	return a.Interface() == b.Interface()
}

// Each statement parses, prints in the given form, and that form parses to the same tree.
func TestParse_AcceptsAndPrintsInOneForm(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		// Items, aliases and names.
		{"select status as s, amount a from orders o", "SELECT status AS s, amount AS a FROM orders AS o"},
		{"SELECT *, o.*, public.o.* FROM public.o", "SELECT *, o.*, public.o.* FROM public.o"},
		{`SELECT "Order Date", ` + "`net amount`" + ` FROM "order" AS t ("a", b)`, `SELECT "Order Date", "net amount" FROM "order" AS t ("a", b)`},
		{`SELECT "a""b" AS "c""d" FROM shop.public.orders`, `SELECT "a""b" AS "c""d" FROM shop.public.orders`},
		{"SELECT t.order, t.select AS from, a AS where FROM t", "SELECT t.order, t.select AS from, a AS where FROM t"},
		{"SELECT ALL größe FROM lager; ;", "SELECT größe FROM lager"},
		{"SELECT -- a comment\n a /* one /* in */ another */ FROM t;", "SELECT a FROM t"},
		{"SELECT DISTINCT a, b FROM t", "SELECT DISTINCT a, b FROM t"},
		{"SELECT date, time, timestamp, year, measure, agg, semantic_view FROM facts, metrics dimensions", "SELECT date, time, timestamp, year, measure, agg, semantic_view FROM facts, metrics AS dimensions"},
		{"SELECT a left FROM t", "SELECT a AS left FROM t"},
		{"SELECT 1", "SELECT 1"},

		// Literals.
		{`SELECT 'it''s', E'a\n\\\'\x41\u00e9\101''b', $$it's$$, $x$a$$b$x$ FROM t`, "SELECT 'it''s', 'a\n\\''AéA''b', 'it''s', 'a$$b' FROM t"},
		{"SELECT 1, 1.5, .5, 2., 1e3, 1.5E-3, TRUE, false, NULL, $1 FROM t", "SELECT 1, 1.5, .5, 2., 1e3, 1.5E-3, TRUE, FALSE, NULL, $1 FROM t"},
		{"SELECT date '2024-01-31', TIMESTAMP '2024-01-31 10:00', timestamptz '2024-01-31', TIME '10:00' FROM t", "SELECT DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00', TIMESTAMPTZ '2024-01-31', TIME '10:00' FROM t"},
		{"SELECT TIMESTAMP WITH TIME ZONE '2024-01-31', timestamp without time zone '2024-01-31' FROM t", "SELECT TIMESTAMPTZ '2024-01-31', TIMESTAMP '2024-01-31' FROM t"},
		{"SELECT INTERVAL '3 months', interval '3' month, INTERVAL 3 weeks, INTERVAL '1 day' days FROM t", "SELECT INTERVAL '3 months', INTERVAL '3' MONTH, INTERVAL '3' WEEK, INTERVAL '1 day' AS days FROM t"},
		{"SELECT current_date, CURRENT_TIMESTAMP, current_user FROM t", "SELECT CURRENT_DATE, CURRENT_TIMESTAMP, CURRENT_USER FROM t"},

		// Operators and how they bind.
		{"SELECT a + b * c - (d - e) / -f % 2 FROM t", "SELECT a + b * c - (d - e) / -f % 2 FROM t"},
		{"SELECT a || b || (c || d), a - -b, - - a, +a, -(a + b) FROM t", "SELECT a || b || (c || d), a - -b, - -a, +a, -(a + b) FROM t"},
		{"SELECT NOT a = b AND c OR d AND (e OR f), NOT NOT a, a = (NOT b) FROM t", "SELECT NOT a = b AND c OR d AND (e OR f), NOT NOT a, a = (NOT b) FROM t"},
		{"SELECT a != b, a <> b, (a = b) = c, a < b || c, a>=-1 FROM t", "SELECT a <> b, a <> b, (a = b) = c, a < b || c, a >= -1 FROM t"},
		{"SELECT a IS NULL, a IS NOT NULL, a ISNULL, a NOTNULL, a IS UNKNOWN, a IS NOT TRUE, a IS FALSE, a IS NULL IS NULL FROM t", "SELECT a IS NULL, a IS NOT NULL, a IS NULL, a IS NOT NULL, a IS NULL, a IS NOT TRUE, a IS FALSE, (a IS NULL) IS NULL FROM t"},
		{"SELECT a IS DISTINCT FROM b, a = b IS NOT DISTINCT FROM c FROM t", "SELECT a IS DISTINCT FROM b, a = b IS NOT DISTINCT FROM c FROM t"},
		{"SELECT a BETWEEN 1 AND 2 AND b NOT BETWEEN c + 1 AND d FROM t", "SELECT a BETWEEN 1 AND 2 AND b NOT BETWEEN c + 1 AND d FROM t"},
		{"SELECT a IN (1, 2), a NOT IN ('x'), a IN (VALUES (1), (2)), a = ANY (ARRAY[1, 2]), a <> ALL (ARRAY['x']), a IN ((1), (2)) FROM t", "SELECT a IN (1, 2), a NOT IN ('x'), a IN (1, 2), a IN (1, 2), a NOT IN ('x'), a IN (1, 2) FROM t"},
		{"SELECT a LIKE 'x%', a NOT ILIKE b || '%' ESCAPE '!', a ~~ 'x', a ~~* 'x', a !~~ 'x', a !~~* 'x' FROM t", "SELECT a LIKE 'x%', a NOT ILIKE b || '%' ESCAPE '!', a LIKE 'x', a ILIKE 'x', a NOT LIKE 'x', a NOT ILIKE 'x' FROM t"},
		{"SELECT a || b ~~ c || d FROM t", "SELECT (a || b LIKE c) || d FROM t"},
		{"SELECT a::int::text, -a::float8, CAST(a + 1 AS numeric(10,2)), a::double precision, a::timestamp with time zone, a::character varying(3), a::varchar FROM t", "SELECT CAST(CAST(a AS INTEGER) AS TEXT), -CAST(a AS DOUBLE PRECISION), CAST(a + 1 AS NUMERIC(10, 2)), CAST(a AS DOUBLE PRECISION), CAST(a AS TIMESTAMPTZ), CAST(a AS VARCHAR(3)), CAST(a AS VARCHAR) FROM t"},
		{"SELECT a::float(10), a::float(53), a::decimal, a::bool FROM t", "SELECT CAST(a AS REAL), CAST(a AS DOUBLE PRECISION), CAST(a AS NUMERIC), CAST(a AS BOOLEAN) FROM t"},
		{"SELECT CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END, CASE a WHEN 1 THEN 'x' END FROM t", "SELECT CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END, CASE a WHEN 1 THEN 'x' END FROM t"},

		// Calls.
		{"SELECT count(*), COUNT(t.*), Count(DISTINCT a), sum(ALL a), f() FROM t", "SELECT COUNT(*), COUNT(t.*), COUNT(DISTINCT a), SUM(a), F() FROM t"},
		{`SELECT "Total"(a), coalesce(a, b), left(a, 2), date(a), greatest(1, 2) FROM t`, `SELECT "Total"(a), COALESCE(a, b), LEFT(a, 2), DATE(a), GREATEST(1, 2) FROM t`},
		{"SELECT MEASURE(revenue), AGG(shop.revenue), measure(m, t => 50, u => 'x') FILTER (WHERE a > 1) FROM t", "SELECT MEASURE(revenue), MEASURE(shop.revenue), MEASURE(m, t => 50, u => 'x') FILTER (WHERE a > 1) FROM t"},
		{"SELECT SUM(a) FILTER (WHERE b), percentile_cont(0.5) within group (order by a desc), STRING_AGG(a, ',' ORDER BY b, c NULLS FIRST) FROM t", "SELECT SUM(a) FILTER (WHERE b), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a DESC), STRING_AGG(a, ',' ORDER BY b, c NULLS FIRST) FROM t"},
		{"SELECT EXTRACT(YEAR FROM a), extract('month' from a), DATE_TRUNC('week', a) FROM t", "SELECT EXTRACT(YEAR FROM a), EXTRACT(MONTH FROM a), DATE_TRUNC('week', a) FROM t"},
		{"SELECT SUBSTRING(a FROM 2 FOR 3), substring(a, 2), SUBSTRING(a FOR 3), substring(a from 2), SUBSTRING(a FOR 3 FROM 2) FROM t", "SELECT SUBSTRING(a, 2, 3), SUBSTRING(a, 2), SUBSTRING(a, 1, 3), SUBSTRING(a, 2), SUBSTRING(a, 2, 3) FROM t"},
		{"SELECT POSITION('x' IN a || b), TRIM(a), TRIM(BOTH 'x' FROM a), TRIM(LEADING FROM a), TRIM(TRAILING 'x' FROM a), TRIM('x' FROM a), TRIM(a, 'x') FROM t", "SELECT POSITION('x' IN a || b), TRIM(a), TRIM(a, 'x'), LTRIM(a), RTRIM(a, 'x'), TRIM(a, 'x'), TRIM(a, 'x') FROM t"},
		{"SELECT ROW_NUMBER() OVER (), SUM(a) OVER (PARTITION BY b, c ORDER BY d DESC), AVG(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND $1 FOLLOWING), MAX(a) OVER (ROWS UNBOUNDED PRECEDING) FROM t", "SELECT ROW_NUMBER() OVER (), SUM(a) OVER (PARTITION BY b, c ORDER BY d DESC), AVG(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND $1 FOLLOWING), MAX(a) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t"},

		// Relations and joins.
		{"SELECT a FROM x, y z, (SELECT b FROM u) v", "SELECT a FROM x, y AS z, (SELECT b FROM u) AS v"},
		{"SELECT a FROM x JOIN y ON x.a = y.a LEFT OUTER JOIN z USING (a, b) CROSS JOIN u NATURAL FULL JOIN v RIGHT JOIN w ON TRUE", "SELECT a FROM x INNER JOIN y ON x.a = y.a LEFT JOIN z USING (a, b) CROSS JOIN u NATURAL FULL JOIN v RIGHT JOIN w ON TRUE"},
		{"SELECT a FROM x JOIN y JOIN z ON y.a = z.a ON x.a = y.a", "SELECT a FROM x INNER JOIN (y INNER JOIN z ON y.a = z.a) ON x.a = y.a"},
		{"SELECT a FROM ((x JOIN y ON b) LEFT JOIN z ON c)", "SELECT a FROM x INNER JOIN y ON b LEFT JOIN z ON c"},
		{"SELECT a FROM ((SELECT 1) t JOIN u ON TRUE)", "SELECT a FROM (SELECT 1) AS t INNER JOIN u ON TRUE"},
		{"SELECT a FROM x, LATERAL (SELECT b FROM y) AS z (c)", "SELECT a FROM x, LATERAL (SELECT b FROM y) AS z (c)"},
		{"SELECT a FROM ((SELECT 1)) t", "SELECT a FROM (SELECT 1) AS t"},
		{"SELECT a FROM ((SELECT 1) UNION (SELECT 2)) t", "SELECT a FROM (SELECT 1 UNION SELECT 2) AS t"},
		{"SELECT * FROM (SELECT a FROM t)", "SELECT * FROM (SELECT a FROM t)"},

		// SEMANTIC_VIEW.
		{"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS customers.region METRICS revenue, order_count) ORDER BY revenue DESC", "SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS customers.region METRICS revenue, order_count) ORDER BY revenue DESC"},
		{"SELECT r FROM semantic_view(public.shop dimensions region r, orders.*, date_trunc('month', d) AS m metrics AGG(revenue) AS v, SUM(amount) total WHERE region = 'east') AS s (a, b) WHERE a > 1", "SELECT r FROM SEMANTIC_VIEW(public.shop DIMENSIONS region AS r, orders.*, DATE_TRUNC('month', d) AS m METRICS MEASURE(revenue) AS v, SUM(amount) AS total WHERE region = 'east') AS s (a, b) WHERE a > 1"},
		{"SELECT * FROM SEMANTIC_VIEW(shop METRICS m WHERE a IN (SELECT x.y.z metrics FROM t WHERE RANK() OVER () > 1))", "SELECT * FROM SEMANTIC_VIEW(shop METRICS m WHERE a IN (SELECT x.y.z AS metrics FROM t WHERE RANK() OVER () > 1))"},
		{"SELECT * FROM SEMANTIC_VIEW(shop FACTS orders.amount WHERE region = 'east') JOIN x ON TRUE", "SELECT * FROM SEMANTIC_VIEW(shop FACTS orders.amount WHERE region = 'east') INNER JOIN x ON TRUE"},

		// Clauses.
		{"SELECT a FROM t WHERE a > 1 GROUP BY a, 2, (b + 1) HAVING COUNT(*) > 1 ORDER BY 1, b DESC NULLS LAST, c ASC NULLS FIRST LIMIT 10 OFFSET 5", "SELECT a FROM t WHERE a > 1 GROUP BY a, 2, b + 1 HAVING COUNT(*) > 1 ORDER BY 1, b DESC NULLS LAST, c NULLS FIRST LIMIT 10 OFFSET 5"},
		{"SELECT a FROM t OFFSET $2 ROWS FETCH NEXT $1 ROWS ONLY", "SELECT a FROM t LIMIT $1 OFFSET $2"},
		{"SELECT a FROM t FETCH FIRST ROW ONLY", "SELECT a FROM t LIMIT 1"},
		{"SELECT a FROM t LIMIT ALL OFFSET NULL", "SELECT a FROM t"},
		{"SELECT a FROM t LIMIT NULL", "SELECT a FROM t"},
		{"SELECT a FROM t LIMIT -1", "SELECT a FROM t LIMIT -1"},

		// Queries of several parts.
		{"WITH x AS (SELECT 1), y (a, b) AS (SELECT 2 ORDER BY 1) SELECT * FROM x, y", "WITH x AS (SELECT 1), y (a, b) AS (SELECT 2 ORDER BY 1) SELECT * FROM x, y"},
		{"SELECT 1 UNION SELECT 2 UNION ALL SELECT 3 INTERSECT SELECT 4 EXCEPT DISTINCT SELECT 5 ORDER BY 1", "SELECT 1 UNION SELECT 2 UNION ALL SELECT 3 INTERSECT SELECT 4 EXCEPT SELECT 5 ORDER BY 1"},
		{"SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)", "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)"},
		{"(SELECT 1 UNION SELECT 2) INTERSECT (SELECT 3)", "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3"},
		{"(SELECT 1 ORDER BY 1 LIMIT 1) UNION ALL (SELECT 2 LIMIT 1)", "(SELECT 1 ORDER BY 1 LIMIT 1) UNION ALL (SELECT 2 LIMIT 1)"},
		{"((SELECT 1 ORDER BY 1)) LIMIT 1", "SELECT 1 ORDER BY 1 LIMIT 1"},
		{"WITH x AS (SELECT 1) (SELECT a FROM x ORDER BY 1) LIMIT 2", "WITH x AS (SELECT 1) SELECT a FROM x ORDER BY 1 LIMIT 2"},
		{"SELECT (SELECT MAX(a) FROM t), EXISTS (SELECT 1 FROM t), NOT EXISTS (SELECT 1) FROM t WHERE a IN (SELECT b FROM u) AND c NOT IN (WITH x AS (SELECT 1) SELECT * FROM x)", "SELECT (SELECT MAX(a) FROM t), EXISTS (SELECT 1 FROM t), NOT EXISTS (SELECT 1) FROM t WHERE a IN (SELECT b FROM u) AND c NOT IN (WITH x AS (SELECT 1) SELECT * FROM x)"},
		{"SELECT a = ANY ($1), a <> ALL ('{a,b}'::text[]), a = SOME ((CAST($2 AS \"int8\"[]))), NOT a = ANY (ARRAY[]::date[]::text[]) FROM t", "SELECT (a = ANY ($1)), (a <> ALL (CAST('{a,b}' AS TEXT[]))), (a = ANY (CAST($2 AS BIGINT[]))), NOT (a = ANY (CAST(CAST('{}' AS DATE[]) AS TEXT[]))) FROM t"},
		{"SELECT a = ANY ((ARRAY[1, b])::varchar(3)[]), a <> ALL (ARRAY['x']::text ARRAY) FROM t", "SELECT a IN (CAST(1 AS VARCHAR(3)), CAST(b AS VARCHAR(3))), a NOT IN (CAST('x' AS TEXT)) FROM t"},
		{"SELECT a = ANY (SELECT 1), a = SOME (SELECT 1), a <> ALL (SELECT 1), a IN ((SELECT 1)), a IN ((SELECT 1), 2) FROM t", "SELECT a IN (SELECT 1), a IN (SELECT 1), a NOT IN (SELECT 1), a IN (SELECT 1), a IN ((SELECT 1), 2) FROM t"},
		{"SELECT ((SELECT 1)) + 1, (((SELECT 1) UNION (SELECT 2)) LIMIT 1), ((SELECT 1) + 1)::text FROM t", "SELECT (SELECT 1) + 1, (SELECT 1 UNION SELECT 2 LIMIT 1), CAST((SELECT 1) + 1 AS TEXT) FROM t"},
	} {
		q, err := Parse(tc.text, DefaultLimits())
		if err != nil {
			t.Errorf("%s\n%v", tc.text, err)
			continue
		}
		printed := Format(q)
		if printed != tc.want {
			t.Errorf("%s\nprints %s\nwant   %s", tc.text, printed, tc.want)
		}
		checkIdentity(t, q)
	}
}

// checkIdentity prints a tree and reads it again.
func checkIdentity(t testing.TB, q *Query) {
	t.Helper()
	printed := Format(q)
	again, err := Parse(printed, DefaultLimits())
	if err != nil {
		t.Fatalf("%s\n%v", printed, err)
	}
	if !sameTree(reflect.ValueOf(q), reflect.ValueOf(again)) {
		t.Fatalf("%s\nparses to another tree, which prints as\n%s", printed, Format(again))
	}
	if !Equal(q, again) {
		t.Fatalf("%s\nis not Equal to itself", printed)
	}
}

// Positions count characters, not bytes, from 1.
func TestParse_GivesEachNodeItsPosition(t *testing.T) {
	q := mustParse(t, "SELECT größe, a + bé FROM läger l WHERE ü IN (1, 'ß')")
	got := map[string]int{}
	Walk(q, func(n Node) bool {
		got[reflect.TypeOf(n).Elem().Name()+" "+Format(n)] = n.Pos()
		return true
	})
	want := map[string]int{
		"Column größe": 8, "Binary a + bé": 15, "Column bé": 19, "Table läger AS l": 27, "TableAlias l": 33,
		"In ü IN (1, 'ß')": 41, "Number 1": 47, "String 'ß'": 50,
	}
	for node, position := range want {
		if got[node] != position {
			t.Errorf("%s is at %d, want %d", node, got[node], position)
		}
	}
}

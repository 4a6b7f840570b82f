package parse

import "testing"

func TestStatement_ModelAndCatalogueAreKnownByTheirRelations(t *testing.T) {
	isRelation := func(n Name) bool { return n.Text == "pg_orders" }
	for text, want := range map[string]struct {
		catalogue bool
		at        Position
	}{
		"SELECT version()": {true, 0},
		"SELECT EXTRACT(year FROM now()), 1 IS DISTINCT FROM 2": {true, 0},
		"VALUES (1)":           {true, 0},
		"SELECT * FROM orders": {false, 0},
		"SELECT * FROM public.orders o JOIN customers c ON o.a = c.a":      {false, 0},
		"SELECT * FROM SEMANTIC_VIEW(shop METRICS revenue)":                {false, 0},
		"SELECT * FROM pg_class c, pg_namespace n":                         {true, 15},
		"SELECT * FROM pg_catalog.pg_class":                                {true, 15},
		"SELECT * FROM shop.pg_catalog.pg_class":                           {true, 20},
		`SELECT "pg_catalog".version()`:                                    {true, 8},
		"SELECT pg_catalog.lower(status) FROM orders":                      {true, 8},
		"SELECT 'a'::pg_catalog.text FROM orders":                          {true, 13},
		"SELECT a OPERATOR(pg_catalog.=) b FROM orders":                    {true, 19},
		"SELECT pg_class.oid FROM pg_class":                                {true, 26},
		"SELECT * FROM pg_orders":                                          {false, 0},
		"SELECT * FROM generate_series(1, 3) g":                            {true, 0},
		"WITH x AS (SELECT 1 AS a) SELECT * FROM X":                        {true, 0},
		"WITH x (a) AS (SELECT status FROM orders) SELECT * FROM x":        {false, 0},
		"SELECT * FROM (SELECT * FROM orders) t":                           {false, 0},
		"SELECT * FROM orders WHERE 'pg_catalog.pg_class' = status":        {false, 0},
		"SELECT * FROM information_schema.tables, orders":                  {true, 15},
		"SELECT SUBSTRING(a FROM 1 FOR 2) FROM orders -- pg_catalog.x":     {false, 0},
		"SELECT (SELECT COUNT(*) FROM pg_class), TRIM(BOTH FROM 'orders')": {true, 30},
		"SELECT * FROM orders WHERE (":                                     {false, 0},
		"SELECT a +, FROM orders":                                          {false, 0},
		"SELECT * FROM pg_catalog.pg_class WHERE (":                        {true, 15},
		"SELECT a +, FROM pg_catalog.pg_class":                             {true, 18},
	} {
		catalogue, at := ParseStatement(text, DefaultLimits()).ReadsCatalogue(isRelation)
		if catalogue != want.catalogue || at != want.at {
			t.Errorf("%s: %t at %d", text, catalogue, at)
		}
	}
}

// A statement that no model takes has no tree over one, and each other has the tree that Parse returns.
func TestStatement_HasTheTreeOfBothLanguages(t *testing.T) {
	for _, text := range catalogueTexts {
		s := ParseStatement(text, DefaultLimits())
		if q, err := s.CatalogueTree(); q == nil || err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if q := s.ModelTree(); q != nil {
			t.Errorf("%s: a tree over a model: %s", text, Format(q))
		}
	}
	for _, text := range []string{
		"SELECT status, MEASURE(revenue) FROM orders WHERE a = $1 AND b IN ('x', 'y') GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
		"SELECT CAST(a AS numeric(10, 2)), b::timestamp with time zone, INTERVAL '3' DAY, DATE '2024-01-31' FROM a JOIN b USING (c)",
		"WITH x AS (SELECT a FROM orders) SELECT COUNT(*) OVER (ORDER BY a) FROM x UNION ALL SELECT 1 FROM (SELECT a FROM x) t",
		"SELECT * FROM SEMANTIC_VIEW(shop DIMENSIONS region METRICS revenue WHERE a) v",
		"SELECT EXTRACT(year FROM a), TRIM(LEADING 'x' FROM b), CASE WHEN a IS NULL THEN current_date END FROM orders WHERE a IN (SELECT b FROM c)",
	} {
		s := ParseStatement(text, DefaultLimits())
		want, err := Parse(text, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.ModelTree(); got == nil || !Equal(got, want) {
			t.Errorf("%s: %v", text, got)
		}
	}
}

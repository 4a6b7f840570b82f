package parse

import "testing"

// Statements as BI tools write them parse, and their form parses to the same tree.
func TestParse_ReadsWhatToolsSend(t *testing.T) {
	for _, text := range []string{
		// Tableau: a count of rows, a literal group, expressions as groups, a join with a top-n.
		`SELECT SUM(1) AS "cnt:t:ok" FROM "public"."tickets" "tickets" HAVING (COUNT(1) > 0)`,
		`SELECT "tickets"."class" AS "class", 1 AS "one" FROM "public"."tickets" "tickets" GROUP BY 1, 2`,
		`SELECT (CASE WHEN ("tickets"."class" = 'first') THEN 'a' ELSE CAST("tickets"."class" AS TEXT) END) AS "Calculation_1", DATE_TRUNC('QUARTER', CAST("tickets"."day" AS TIMESTAMP WITHOUT TIME ZONE)) AS "tqr:day:ok", EXTRACT(YEAR FROM "tickets"."day"), SUM("tickets"."fares") AS "sum:fares:ok" FROM "public"."tickets" "tickets" GROUP BY 1, 2, 3`,
		`SELECT "t"."class", SUM("t"."fares") FROM "public"."tickets" "t" INNER JOIN (SELECT "class" AS "class", SUM("fares") AS "$__alias__0" FROM "public"."tickets" "t" GROUP BY 1 ORDER BY 2 DESC NULLS LAST LIMIT 10) "t0" ON ("t"."class" = "t0"."class") GROUP BY 1`,
		// Power BI.
		`select "_"."c1", "_"."a0" from (select "rows"."c1" as "c1", sum("rows"."m") as "a0" from (select "c1", "m" from "public"."tickets" "$Table") "rows" group by "c1") "_" where not "_"."a0" is null limit 1000001`,
		// Metabase.
		`SELECT "source"."substring1" AS "s" FROM (SELECT SUBSTRING("public"."tickets"."class", 1, 1234) AS "substring1" FROM "public"."tickets" LIMIT 10000) "source"`,
		`SELECT "public"."tickets"."id" AS "id", "public"."tickets"."class" AS "class" FROM "public"."tickets" LIMIT 2001`,
		// Superset.
		`SELECT class AS class, sum(fares) AS "SUM(fares)" FROM (SELECT * FROM shop) AS virtual_table GROUP BY class ORDER BY "SUM(fares)" DESC LIMIT 1000;`,
		// Grafana.
		`SELECT floor(extract(epoch from day)/60)*60 AS "time", MEASURE(fares) FROM shop WHERE day BETWEEN '2024-01-01T00:00:00Z' AND '2024-02-01T00:00:00Z' GROUP BY 1 ORDER BY 1`,
		// DBeaver.
		`SELECT t.* FROM public.tickets t`,
		// ThoughtSpot.
		"WITH `qt_0` AS (SELECT `ta_1`.`class` `ca_1`, MEASURE(`ta_1`.`fares`) `ca_2` FROM `shop` `ta_1` WHERE NOT (LOWER(`ta_1`.`class`) LIKE '%x%') AND `ta_1`.`day` >= TO_DATE('2024-01-01', 'yyyy-MM-dd') GROUP BY `ca_1`) SELECT * FROM `qt_0` WHERE `ca_1` IN (SELECT `ca_1` FROM `qt_0` ORDER BY `ca_2` DESC LIMIT 5) AND NOT (`ca_1` IN ('a', 'b'))",
		// All of them.
		`SELECT * FROM "public"."tickets" WHERE 1=0`,
		`SELECT * FROM "public"."tickets" LIMIT 0`,
		`/* ApplicationName=x */ SELECT class FROM tickets -- done`,
	} {
		checkIdentity(t, mustParse(t, text))
	}
}

func TestCatalogueReference_FindsCatalogueStatements(t *testing.T) {
	for _, tc := range []struct {
		text string
		at   Position // 0: not a statement about the catalogue
	}{
		{"SELECT version()", 1},
		{"SELECT 1 UNION SELECT 2", 1},
		{"SELECT relname FROM pg_catalog.pg_class", 21},
		{"SELECT 1 FROM orders, shop.Information_Schema.tables", 23},
		{"SELECT a FROM orders WHERE a IN (SELECT 1)", 0},
		{`SELECT a FROM "PG_CATALOG".x`, 0},
		{"SELECT a FROM SEMANTIC_VIEW(shop METRICS m)", 0},
	} {
		at, found := FindCatalogueReference(mustParse(t, tc.text))
		if found != (tc.at != 0) || found && at != tc.at {
			t.Errorf("%s: %d %v, want %d", tc.text, at, found, tc.at)
		}
	}
}

package catalogue_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire"
)

// longer returns the text with each a replaced by so many.
func longer(text string, n int) string {
	return fmt.Sprintf("replace(%s, 'a', '%s')", text, strings.Repeat("a", n))
}

func TestCatalogue_BoundsTheTextThatARowBuilds(t *testing.T) {
	c := newCatalogue(t)
	ten := "'aaaaaaaaaa'"
	growing := longer(longer(longer(longer(ten, 80), 60), 48), 28)
	params := []pgwire.BindParameterValue{{Text: strings.Repeat("a", 60_000)}}
	for name, test := range map[string]struct {
		sql    string
		params []pgwire.BindParameterValue
	}{
		"nested":               {sql: "SELECT length(" + growing + ")"},
		"in WHERE":             {sql: "SELECT 1 FROM pg_class WHERE relname = " + growing},
		"in JOIN":              {sql: "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.nspname = " + growing},
		"in ORDER BY":          {sql: "SELECT 1 FROM pg_class ORDER BY " + growing},
		"in GROUP BY":          {sql: "SELECT count(*) FROM pg_class GROUP BY " + growing},
		"in HAVING":            {sql: "SELECT count(*) FROM pg_class HAVING min(relname) < " + growing},
		"in VALUES":            {sql: "VALUES (" + growing + ")"},
		"in a subquery":        {sql: "SELECT (SELECT " + growing + ")"},
		"of a parameter":       {sql: "SELECT $1 || $1", params: params},
		"through FROM":         {sql: "SELECT " + longer("t", 60) + " FROM (SELECT " + longer(ten, 80) + " AS t) q"},
		"through WITH":         {sql: "WITH q AS (SELECT " + longer(ten, 80) + " AS t) SELECT " + longer("t", 60) + " FROM q"},
		"through UNION":        {sql: "SELECT " + longer("t", 60) + " FROM (SELECT 'a' AS t UNION ALL SELECT " + longer(ten, 80) + ") q"},
		"through VALUES":       {sql: "SELECT " + longer("t", 60) + " FROM (VALUES ('a'), (" + longer(ten, 80) + ")) q(t)"},
		"through unnest":       {sql: "SELECT " + longer("t", 60) + " FROM unnest(ARRAY[" + longer(ten, 80) + "]) t"},
		"through a list":       {sql: "SELECT " + longer("(ARRAY["+longer(ten, 80)+"])[1]", 60)},
		"through CASE":         {sql: "SELECT " + longer("CASE WHEN true THEN "+longer(ten, 80)+" END", 60)},
		"of an aggregate":      {sql: "SELECT " + longer("string_agg(relname, '')", 5) + " FROM pg_class"},
		"of a list":            {sql: "SELECT array_to_string(ARRAY(SELECT relname FROM pg_class), '" + strings.Repeat("x", 60_000) + "')"},
		"of a recursive query": {sql: "WITH RECURSIVE r(t, n) AS (SELECT 'a'::text, 1 UNION ALL SELECT t || t || t || t || t, n + 1 FROM r WHERE n < 20) SELECT length(t) FROM r"},
		"by a pattern":         {sql: "SELECT regexp_replace(relname, '', '" + strings.Repeat("x", 1000) + "', 'g') FROM pg_class"},
		"of rows in JSON":      {sql: "SELECT row_to_json(q) FROM " + nestedRows(7)},
		"of a row in JSON":     {sql: "SELECT json_agg(q) FROM " + nestedRows(7)},
		"of JSON by row":       {sql: "SELECT " + documentOf(5) + " FROM pg_class"},
		"of JSON by item":      {sql: "SELECT generate_series(1, 3), " + documentOf(5)},
		"of JSON in WITH":      {sql: "WITH d AS (SELECT " + documentOf(5) + " AS d) SELECT d FROM d"},
		"of JSON in UNION":     {sql: "SELECT 'a'::json UNION ALL SELECT " + documentOf(5)},
		"beside JSON":          {sql: "SELECT " + documentOf(5) + ", " + longer(ten, 4000)},
		"of several items":     {sql: "SELECT " + longer(ten, 2000) + ", " + longer(ten, 2000)},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := answer(t.Context(), c, newSession(), test.sql, test.params)
			var e *engine.SQLError
			if !errors.As(err, &e) || e.SQLState != "54000" || e.Hint == "" || !strings.Contains(e.Message, "32768 bytes") {
				t.Errorf("%d rows, %v", len(rows.Rows), err)
			}
		})
	}
}

// gatheredNames is a text that is made of the names of all classes.
const gatheredNames = "(SELECT json_agg(relname) FROM pg_class)"

// documentOf returns JSON that holds so many texts of several rows.
func documentOf(n int) string {
	return "json_build_object('n', 0" + strings.Repeat(", 'c', "+gatheredNames, n) + ")"
}

// nestedRows returns a relation whose rows hold rows in JSON twice, and those two others, down to so many levels.
func nestedRows(levels int) string {
	from := "(SELECT 'aaaaaaaaaa' AS a, 'aaaaaaaaaa' AS b) q"
	for range levels {
		from = "(SELECT row_to_json(q)::text AS a, row_to_json(q)::text AS b FROM " + from + ") q"
	}
	return from
}

func TestCatalogue_WritesTextsOfSeveralRowsIntoTheJSONOfOneRow(t *testing.T) {
	c := newCatalogue(t)
	rows, err := answer(t.Context(), c, newSession(), "SELECT "+documentOf(32)+"::text", nil)
	if err != nil {
		t.Fatal(err)
	}
	classes := strings.Count(rows.Rows[0][0].(string), `"pg_class"`)
	if classes != 32 {
		t.Errorf("%d of 32 lists hold the name", classes)
	}
	long := "(SELECT string_agg(relname, ',') FROM pg_class, generate_series(1, 1000))"
	for name, sql := range map[string]string{
		"too many":           "SELECT " + documentOf(33),
		"too many at once":   "SELECT " + documentOf(20) + ", " + documentOf(20),
		"too many inside":    "SELECT json_build_object('a', " + documentOf(20) + ", 'b', (SELECT " + documentOf(20) + "))",
		"too many by values": "SELECT json_build_object('d', " + documentOf(17) + ")",
		"too long":           "SELECT json_build_object('long', " + long + ")",
		"too long a list":    "SELECT json_build_object('long', ARRAY(SELECT relname FROM pg_class, generate_series(1, 1000)))",
		"too many numbers":   "SELECT json_build_object('long', ARRAY(SELECT oid FROM pg_class, generate_series(1, 1000)))",
		"too long for upper": "SELECT length(upper(" + long + "))",
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := answer(t.Context(), c, newSession(), sql, nil)
			var e *engine.SQLError
			if !errors.As(err, &e) || e.SQLState != "54000" {
				t.Errorf("%d rows, %v", len(rows.Rows), err)
			}
		})
	}
}

func TestCatalogue_AnswersStatementsThatBuildSomeText(t *testing.T) {
	c := newCatalogue(t)
	for _, sql := range []string{
		"SELECT length(" + longer(longer("'aaaaaaaaaa'", 80), 20) + ")",
		"SELECT length(replace('" + strings.Repeat("a", 60_000) + "', 'a', 'b'))",
		"SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' (' || format_type(t.oid, NULL) || ')' FROM pg_class c, pg_namespace n, pg_type t LIMIT 3",
		"SELECT array_to_string(array_agg(relname), ', ') || ';' FROM pg_class WHERE relname LIKE 'pg_a%'",
		"WITH RECURSIVE r(path, n) AS (SELECT 'a'::text, 1 UNION ALL SELECT path || '.' || n::text, n + 1 FROM r WHERE n < 9) SELECT path FROM r",
	} {
		if _, err := answer(t.Context(), c, newSession(), sql, nil); err != nil {
			t.Errorf("%.100s: %v", sql, err)
		}
	}
}

func TestCatalogue_BoundsGatheredTextsThatManyRowsRead(t *testing.T) {
	c := newCatalogue(t)
	const long, short = "(SELECT string_agg(relname, ',') FROM pg_class, generate_series(1, 100))", "(SELECT string_agg(relname, ',') FROM pg_class)"
	for name, form := range map[string]string{
		"a column":           "SELECT count(*) FROM (SELECT %s AS g) q, generate_series(1, 300) n WHERE length(g || n::text) > 0",
		"a column of WITH":   "WITH q AS (SELECT %s AS g) SELECT sum(length(upper(g))) FROM q, generate_series(1, 300) n",
		"a subquery":         "SELECT sum(length(%s || n::text)) FROM generate_series(1, 300) n",
		"beside others":      "SELECT sum(length(coalesce(g, '') || n::text)) FROM (SELECT %s AS g) q, generate_series(1, 300) n",
		"in JSON":            "SELECT sum(length(json_build_object('g', g)::text)) FROM (SELECT %s AS g) q, generate_series(1, 300) n",
		"in one row of many": "SELECT (SELECT sum(length(g || n::text)) FROM (SELECT %s AS g) q, generate_series(1, 300) n)",
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := answer(t.Context(), c, newSession(), fmt.Sprintf(form, long), nil)
			var e *engine.SQLError
			if !errors.As(err, &e) || e.SQLState != "54000" || !strings.Contains(e.Message, "128 KiB") {
				t.Errorf("%d rows, %v", len(rows.Rows), err)
			}
			if rows, err = answer(t.Context(), c, newSession(), fmt.Sprintf(form, short), nil); err != nil || len(rows.Rows) != 1 {
				t.Errorf("%d rows, %v", len(rows.Rows), err)
			}
		})
	}
	lists := "SELECT array_to_string(l, ',') FROM (SELECT ARRAY(SELECT relname FROM pg_class, generate_series(1, 100)) AS l) q, generate_series(1, 300)"
	_, err := answer(t.Context(), c, newSession(), lists, nil)
	var e *engine.SQLError
	if !errors.As(err, &e) || e.SQLState != "54000" {
		t.Error(err)
	}
}

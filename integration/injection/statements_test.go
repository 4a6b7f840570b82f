package injection_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// statementFinders find rows by statements in SQL, whose parser is not that of conditions. All give the column id.
func statementFinders() []finder {
	finds := func(name, sql string, finds func(row, by string) bool) finder {
		return finder{input{name: "statement " + name, path: "/v1/sql/execute", body: `{"sql":"` + sql + `"}`}, finds}
	}
	bound := func(name, sql string, finds func(row, by string) bool) finder {
		return finder{input{name: "statement " + name, path: "/v1/sql/execute", body: `{"sql":"` + sql + `","params":["«raw»"]}`}, finds}
	}
	return []finder{
		finds("equal", "SELECT id, body FROM notes WHERE body = '«literal»' ORDER BY id", equalText),
		finds("escaped", "SELECT id, body FROM notes WHERE body = E'«escaped»' ORDER BY id", equalText),
		finds("between dollars", "SELECT id, body FROM notes WHERE body = $q$«raw»$q$ ORDER BY id", equalText),
		bound("parameter", "SELECT id, body FROM notes WHERE body = $1 ORDER BY id", equalText),
		bound("parameter in a list", "SELECT id, body FROM notes WHERE body IN ('nobody says this', $1) ORDER BY id", equalText),
		finds("in a list", "SELECT id FROM notes WHERE body IN ('«literal»', 'nobody says this') ORDER BY id", equalText),
		finds("like, escaped", "SELECT id FROM notes WHERE body LIKE '«pattern»' ESCAPE '!' ORDER BY id", equalText),
		finds("contains", "SELECT id FROM notes WHERE CONTAINS(body, '«literal»') ORDER BY id", strings.Contains),
		finds("measure", "SELECT id, MEASURE(note_count) FROM notes WHERE body = '«literal»' GROUP BY id ORDER BY id", equalText),
		finds("of all datasets", `SELECT id, MEASURE(note_count) FROM \"injection\".public.injection WHERE body = '«literal»' GROUP BY 1 ORDER BY 1`, equalText),
		finds("merged table", "SELECT t.id FROM (SELECT id, body AS b FROM notes) t WHERE t.b = '«literal»' ORDER BY 1", equalText),
		finds("outer condition", "SELECT id FROM (SELECT id, MAX(body) AS b FROM notes GROUP BY id) t WHERE b = '«literal»' ORDER BY 1", equalText),
		finds("having", "SELECT id, MAX(body) AS b FROM notes GROUP BY id HAVING MAX(body) = '«literal»' ORDER BY id", equalText),
		finds("semantic view", "SELECT id FROM SEMANTIC_VIEW(injection DIMENSIONS notes.id METRICS note_count WHERE notes.body = '«literal»') ORDER BY id", equalText),
		finds("filtered aggregate", "SELECT id, COUNT(*) FILTER (WHERE body = '«literal»') AS n FROM notes GROUP BY id HAVING COUNT(*) FILTER (WHERE body = '«literal»') > 0 ORDER BY id", equalText),
		finds("subquery", "SELECT id FROM notes WHERE id IN (SELECT id FROM notes WHERE body = '«literal»') ORDER BY id", equalText),
		finds("with", "WITH a AS (SELECT id, COUNT(*) AS n FROM notes WHERE body = '«literal»' GROUP BY id) SELECT a.id FROM a ORDER BY 1", equalText),
		finds("set operation", "SELECT id FROM notes WHERE body = '«literal»' UNION SELECT id FROM notes WHERE body = '«literal»' ORDER BY 1", equalText),
		finds("joined", "SELECT n.id FROM notes n JOIN kinds k ON n.kind = k.kind WHERE n.body = '«literal»' ORDER BY n.id", equalText),
		finds("comments around", "SELECT /* ' /* */ \\\" */ id FROM notes -- '\\nWHERE body = '«literal»' ORDER BY id", equalText),
		{input{name: "statement population", path: "/v1/sql/execute", body: `{"sql":"SELECT id FROM notes ORDER BY id","context_filter":"notes.body = '«literal»'"}`}, equalText},
	}
}

// statementInputs returns places of a statement whose texts may be rejected.
func statementInputs() []input {
	var out []input
	add := func(name, sql, rest string) {
		out = append(out, input{name: "statement " + name, kind: "statement", path: "/v1/sql/execute", body: `{"sql":"` + sql + `"` + rest + `}`})
	}
	for name, sql := range map[string]string{
		"whole":                 "«raw»",
		"behind":                "SELECT id FROM notes WHERE id = 1 «raw»",
		"stacked":               "SELECT id FROM notes WHERE id = 1; «raw»",
		"before":                "«raw» SELECT id FROM notes WHERE id = 1",
		"item":                  "SELECT «raw» FROM notes WHERE id = 1",
		"items":                 "SELECT id, «raw» FROM notes WHERE id = 1",
		"literal item":          "SELECT id, '«literal»' AS x FROM notes WHERE id = 1",
		"pasted literal":        "SELECT id, '«raw»' AS x FROM notes WHERE id = 1",
		"pasted escape":         "SELECT id, E'«raw»' AS x FROM notes WHERE id = 1",
		"pasted dollars":        "SELECT id, $$«raw»$$ AS x FROM notes WHERE id = 1",
		"alias":                 "SELECT id AS «raw» FROM notes WHERE id = 1",
		"alias without AS":      "SELECT id «raw» FROM notes WHERE id = 1",
		"pasted alias":          `SELECT id AS \"«raw»\" FROM notes WHERE id = 1`,
		"alias of a group":      `SELECT body AS \"«name»\", COUNT(*) AS n FROM notes GROUP BY 1 ORDER BY \"«name»\" LIMIT 2`,
		"alias of a table":      `SELECT \"«name»\".id FROM notes \"«name»\" WHERE \"«name»\".id = 1`,
		"bare alias of a table": "SELECT id FROM notes «raw» WHERE id = 1",
		"alias of a subquery":   `SELECT \"«name»\".n FROM (SELECT kind, COUNT(*) AS n FROM notes GROUP BY kind) \"«name»\"`,
		"alias inside":          `SELECT t.\"«name»\" FROM (SELECT kind, COUNT(*) AS \"«name»\" FROM notes GROUP BY kind) t`,
		"name of WITH":          `WITH \"«name»\" AS (SELECT kind, COUNT(*) AS n FROM notes GROUP BY kind) SELECT n FROM \"«name»\"`,
		"columns of WITH":       `WITH a(\"«name»\", n) AS (SELECT kind, COUNT(*) FROM notes GROUP BY kind) SELECT a.\"«name»\" FROM a`,
		"backticks":             "SELECT `«raw»` FROM notes WHERE id = 1",
		"column":                `SELECT notes.\"«name»\" FROM notes WHERE id = 1`,
		"relation":              `SELECT id FROM \"«name»\"`,
		"bare relation":         "SELECT id FROM «raw»",
		"schema":                `SELECT id FROM \"«name»\".notes`,
		"metric":                `SELECT MEASURE(\"«name»\") FROM injection`,
		"bare metric":           "SELECT MEASURE(«raw») FROM injection",
		"argument of a metric":  "SELECT MEASURE(with_body, t => '«literal»') FROM injection",
		"name of an argument":   `SELECT MEASURE(with_body, \"«name»\" => 'x') FROM injection`,
		"function":              "SELECT «raw»(body) FROM notes WHERE id = 1",
		"quoted function":       `SELECT \"«name»\"(body) FROM notes WHERE id = 1`,
		"type":                  "SELECT CAST(id AS «raw») FROM notes WHERE id = 1",
		"cast":                  "SELECT id::«raw» FROM notes WHERE id = 1",
		"operator":              "SELECT id FROM notes WHERE id «raw» 1",
		"condition":             "SELECT id FROM notes WHERE «raw»",
		"or":                    "SELECT id FROM notes WHERE id = 1 OR «raw»",
		"pattern":               "SELECT id FROM notes WHERE id < 3 AND body LIKE '«literal»'",
		"escape":                "SELECT id FROM notes WHERE id < 3 AND body LIKE 'a' ESCAPE '«literal»'",
		"date":                  "SELECT id FROM notes WHERE day >= '«literal»' LIMIT 2",
		"moment":                "SELECT id FROM notes WHERE moment = TIMESTAMP '«literal»' LIMIT 2",
		"number":                "SELECT id FROM notes WHERE score = '«literal»' LIMIT 2",
		"truth":                 "SELECT id FROM notes WHERE flag = '«literal»' LIMIT 2",
		"truncation":            "SELECT DATE_TRUNC('«literal»', day) AS d FROM notes GROUP BY 1",
		"part":                  "SELECT EXTRACT(«raw» FROM day) AS d FROM notes GROUP BY 1",
		"interval":              "SELECT id FROM notes WHERE day > DATE '2024-01-01' + INTERVAL '«literal»' LIMIT 2",
		"list":                  "SELECT LISTAGG(body, '«literal»') FROM notes WHERE id < 3",
		"group":                 "SELECT COUNT(*) FROM notes GROUP BY «raw»",
		"having":                "SELECT kind, COUNT(*) FROM notes GROUP BY kind HAVING «raw»",
		"order":                 "SELECT id FROM notes WHERE id < 3 ORDER BY «raw»",
		"limit":                 "SELECT id FROM notes LIMIT «raw»",
		"offset":                "SELECT id FROM notes ORDER BY id LIMIT 1 OFFSET «raw»",
		"join":                  "SELECT n.id FROM notes n JOIN kinds k ON «raw»",
		"set operation":         "SELECT kind FROM notes GROUP BY kind UNION «raw»",
		"subquery":              "SELECT id FROM notes WHERE id IN («raw»)",
		"scalar subquery":       "SELECT kind, COUNT(*) FROM notes GROUP BY kind HAVING COUNT(*) > («raw»)",
		"window":                "SELECT n, SUM(n) OVER (ORDER BY «raw») FROM (SELECT kind, COUNT(*) AS n FROM notes GROUP BY kind) t",
		"dimension of a view":   "SELECT * FROM SEMANTIC_VIEW(injection DIMENSIONS «raw» METRICS note_count)",
		"condition of a view":   "SELECT * FROM SEMANTIC_VIEW(injection METRICS note_count WHERE «raw»)",
		"view":                  `SELECT * FROM SEMANTIC_VIEW(\"«name»\" METRICS note_count)`,
		"comment":               "SELECT id /* «raw» */ FROM notes WHERE id = 1",
		"line comment":          "SELECT id -- «raw»\\n FROM notes WHERE id = 1",
	} {
		add(name, sql, "")
	}
	add("parameter as a number", "SELECT id FROM notes WHERE id = $1", `,"params":["«raw»"]`)
	add("parameter as a date", "SELECT id FROM notes WHERE day >= $1 LIMIT 2", `,"params":["«raw»"]`)
	add("parameter as a limit", "SELECT id FROM notes ORDER BY id LIMIT $1", `,"params":["«raw»"]`)
	add("parameter as a group", "SELECT $1 AS x, COUNT(*) AS n FROM notes GROUP BY 1", `,"params":["«raw»"]`)
	add("parameter as an item", "SELECT id, $1 AS x FROM notes WHERE id = 1", `,"params":["«raw»"]`)
	add("population", "SELECT id FROM notes LIMIT 2", `,"context_filter":"«raw»"`)
	add("dialect", "SELECT id FROM notes LIMIT 2", `,"dialect":"«raw»"`)
	add("key", "SELECT id FROM notes LIMIT 2", `,"«raw»":1`)
	slices.SortFunc(out, func(a, b input) int { return strings.Compare(a.name, b.name) })
	return out
}

// checkStatementValues puts every text as a value into statements.
func (h *testServer) checkStatementValues(t *testing.T, n *tally) {
	for i, f := range statementFinders() {
		n.inputs++
		var all []sentRequest
		for j, x := range texts() {
			if !isLongForm() && i > 3 && (i+j)%5 != 0 || strings.Contains(f.body, "LIKE") && len(x.value) > 1000 {
				continue
			}
			a := h.sendChecked(t, n, f.name+", "+x.name, f.newRequest(t, x, h.connection))
			all = append(all, a)
			if !x.wellFormed() || x.long() {
				if a.status != http.StatusBadRequest {
					t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
				}
				continue
			}
			if a.status != http.StatusOK {
				t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
				continue
			}
			if want, got := matchingRows(f.finds, x.value), ids(a.response); !slices.Equal(want, got) {
				t.Errorf("%s finds %v, want %v\n%.1000s", a.what, got, want, a.sql)
			}
			for _, row := range a.rows {
				if body, shown := row["body"]; shown && body != x.value {
					t.Errorf("%s comes back as %q, want %q", a.what, body, x.value)
				}
			}
		}
		h.checkStatements(t, n, all)
	}
}

// checkStatementNames gives every text as a name of a column, which comes back with that name.
func (h *testServer) checkStatementNames(t *testing.T, n *tally) {
	in := input{path: "/v1/sql/execute", body: `{"sql":"SELECT MIN(id) AS \"«name»\" FROM notes"}`}
	n.inputs++
	var all []sentRequest
	for _, x := range texts() {
		a := h.sendChecked(t, n, "name of a column, "+x.name, in.newRequest(t, x, h.connection))
		all = append(all, a)
		switch {
		case a.status == http.StatusBadRequest && (!x.wellFormed() || len(x.value) > 1000):
		case a.status != http.StatusOK || !x.wellFormed():
			t.Errorf("%s: %d %.300s", a.what, a.status, a.text)
		case len(a.rows) != 1 || a.rows[0][x.value] != 1.0:
			t.Errorf("%s is not the name of the column: %.300s", a.what, a.text)
		}
	}
	h.checkStatements(t, n, all)
}

// checkLargeStatements sends statements at the limits and beyond them.
func (h *testServer) checkLargeStatements(t *testing.T, n *tally) {
	repeat := func(text, between string, count int) string {
		return strings.TrimSuffix(strings.Repeat(text+between, count), between)
	}
	numbered := func(count int) string {
		var items []string
		for i := range count {
			items = append(items, "id + "+strconv.Itoa(i)+" AS c"+strconv.Itoa(i))
		}
		return strings.Join(items, ", ")
	}
	var all []sentRequest
	for _, c := range []struct {
		name, sql string
		status    int
	}{
		{"a megabyte of conditions", "SELECT id FROM notes WHERE " + repeat("id = 1", " OR ", 100_000), http.StatusBadRequest},
		{"a megabyte of spaces", "SELECT id" + strings.Repeat(" ", 1<<20) + "FROM notes WHERE id = 1", http.StatusOK},
		{"a megabyte of comments", "SELECT id" + strings.Repeat("/* ; */", 150_000) + "FROM notes WHERE id = 1", http.StatusOK},
		{"a comment of a megabyte without its end", "SELECT id FROM notes /*" + strings.Repeat("/* */", 200_000), http.StatusBadRequest},
		{"a million semicolons", "SELECT id FROM notes WHERE id = 1" + strings.Repeat(";", 1<<20), http.StatusOK},
		{"a name of a megabyte", `SELECT id AS "` + strings.Repeat("x", 1<<20) + `" FROM notes`, http.StatusBadRequest},
		{"a text of a megabyte", "SELECT id, '" + strings.Repeat("x", 1<<20) + "' AS x FROM notes", http.StatusBadRequest},
		{"brackets at depth 10,000", "SELECT " + strings.Repeat("(", 10_000) + "id" + strings.Repeat(")", 10_000) + " FROM notes WHERE id = 1", http.StatusBadRequest},
		{"NOT at depth 10,000", "SELECT id FROM notes WHERE " + strings.Repeat("NOT ", 10_000) + "id = 1", http.StatusBadRequest},
		{"minus at depth 10,000", "SELECT id FROM notes WHERE id = " + strings.Repeat("- ", 10_000) + "1", http.StatusBadRequest},
		{"CASE at depth 10,000", "SELECT " + strings.Repeat("CASE WHEN ", 10_000) + "id = 1 FROM notes", http.StatusBadRequest},
		{"subqueries at depth 10,000", strings.Repeat("SELECT * FROM (", 10_000) + "SELECT id FROM notes" + strings.Repeat(") t", 10_000), http.StatusBadRequest},
		{"WITH at depth 10,000", strings.Repeat("WITH a AS (", 10_000) + "SELECT id FROM notes", http.StatusBadRequest},
		{"10,000 set operations", repeat("SELECT kind FROM notes GROUP BY kind", " UNION ALL ", 10_000), http.StatusBadRequest},
		{"10,000 relations", "SELECT 1 FROM " + repeat("notes", ", ", 10_000), http.StatusBadRequest},
		{"10,000 items of IN", "SELECT id FROM notes WHERE id IN (" + repeat("1", ", ", 10_000) + ")", http.StatusBadRequest},
		{"1,000 items of IN", "SELECT id FROM notes WHERE id IN (" + repeat("1", ", ", 1000) + ")", http.StatusOK},
		{"1,600 columns", "SELECT " + numbered(1600) + " FROM notes WHERE id = 1", http.StatusOK},
		{"1,601 columns", "SELECT " + numbered(1601) + " FROM notes WHERE id = 1", http.StatusBadRequest},
		{"a parameter of many digits", "SELECT id FROM notes WHERE id = $" + strings.Repeat("9", 10_000), http.StatusBadRequest},
		{"a number of many digits", "SELECT id FROM notes WHERE id = " + strings.Repeat("9", 1<<20), http.StatusBadRequest},
	} {
		n.inputs++
		in := input{path: "/v1/sql/execute", body: `{"sql":"` + quoted(t, c.sql) + `"}`}
		a := h.sendChecked(t, n, c.name, in.newRequest(t, text{}, h.connection))
		all = append(all, a)
		if a.status != c.status {
			t.Errorf("%s: %d %.300s", c.name, a.status, a.text)
		}
		if len(a.rows) > 0 && a.rows[0]["id"] != nil && a.rows[0]["id"] != 1.0 {
			t.Errorf("%s: %.300s", c.name, a.text)
		}
	}
	h.checkStatements(t, n, all)
}

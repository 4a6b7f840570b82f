package injection_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// input is a place of a request that takes a text. Body and target may hold
// «raw», the text; «literal», the text with doubled quotes; «pattern», that with
// the wildcards escaped by an exclamation mark; «name», the text with doubled double
// quotes; «escaped», the text with backslashes before quotes and backslashes. Each is what a careful caller would write for the text as it is.
type input struct {
	name  string
	kind  string // inputs of a kind treat a text alike
	path  string
	body  string
	local bool // names its connection, or needs none
}

// newRequest puts a text into the input.
func (in input) newRequest(tb testing.TB, x text, connection string) request {
	tb.Helper()
	f := x.forms(tb)
	body := in.body
	if connection != "" && !in.local && strings.HasPrefix(body, "{") {
		body = `{"connection":"` + connection + `",` + strings.TrimPrefix(body, "{")
	}
	body = strings.NewReplacer("«raw»", f.raw, "«literal»", f.literal, "«pattern»", f.pattern, "«name»", f.name, "«escaped»", f.escaped).Replace(body)
	r := request{path: in.path, body: body}
	if strings.Contains(in.path, "«raw»") {
		r.path = strings.ReplaceAll(in.path, "«raw»", url.QueryEscape(x.value))
	}
	if body == "" {
		r.method = "GET"
	}
	return r
}

// finder is an input whose text is a value, and which rows it finds.
type finder struct {
	input
	// finds reports whether the row of one text is found by another one.
	finds func(row, by string) bool
}

func equalText(row, by string) bool { return row == by }

// finders end in conditions over notes.body, each in its own way. All give the
// column id.
func finders() []finder {
	metric := func(name, key, condition string, finds func(row, by string) bool) finder {
		return finder{input{name: "query " + name, path: "/v1/query/execute",
			body: `{"metrics":["note_count"],"group_by":[{"field":"notes.id"}],"` + key + `":"` + condition + `","order_by":[{"key":"id"}]}`}, finds}
	}
	rows := func(name, condition string, finds func(row, by string) bool) finder {
		return finder{input{name: "select " + name, path: "/v1/select/execute",
			body: `{"from":"notes","fields":["id","body"],"where_sql":"` + condition + `","order_by":[{"key":"id"}],"limit":10000}`}, finds}
	}
	return []finder{
		metric("equal", "where_sql", "notes.body = '«literal»'", equalText),
		metric("population", "context_filter", "notes.body = '«literal»'", equalText),
		metric("in a list", "where_sql", "notes.body IN ('«literal»', 'nobody says this', '«literal»')", equalText),
		metric("like, escaped", "where_sql", "notes.body LIKE '«pattern»' ESCAPE '!'", equalText),
		metric("like", "where_sql", "notes.body LIKE '«literal»'", matchesPattern),
		metric("contains", "where_sql", "CONTAINS(notes.body, '«literal»')", strings.Contains),
		metric("starts with", "where_sql", "STARTSWITH(notes.body, '«literal»')", strings.HasPrefix),
		metric("ends with", "where_sql", "ENDSWITH(notes.body, '«literal»')", strings.HasSuffix),
		metric("position", "where_sql", "POSITION('«literal»' IN notes.body) > 0", strings.Contains),
		metric("replaced", "where_sql", "REPLACE(notes.body, '«literal»', '') = '' AND notes.body <> ''", func(row, by string) bool { return row != "" && strings.ReplaceAll(row, by, "") == "" }),
		metric("joined", "context_filter", "CONCAT('<', notes.body, '>') = CONCAT('<', '«literal»', '>')", equalText),
		metric("case", "where_sql", "CASE WHEN notes.body = '«literal»' THEN 1 ELSE 0 END = 1", equalText),
		metric("not unequal", "where_sql", "NOT notes.body <> '«literal»'", equalText),
		metric("between", "where_sql", "notes.body BETWEEN '«literal»' AND '«literal»'", equalText),
		metric("comments around", "where_sql", "/* x */ notes.body = '«literal»' -- '", equalText),
		metric("beside a name", "where_sql", `notes.\"body\" = '«literal»' AND notes.odd = 'odd'`, equalText),
		rows("equal", "body = '«literal»'", equalText),
		rows("in a list", "body IN ('«literal»')", equalText),
		rows("like, escaped", "body LIKE '«pattern»' ESCAPE '!'", equalText),
		rows("coalesce", "COALESCE(NULLIF(body, '«literal»'), 'nobody says this') = 'nobody says this' AND body IS NOT NULL", equalText),
	}
}

// matchesPattern is LIKE without an escape character.
func matchesPattern(row, pattern string) bool {
	r := []rune(row)
	// reach[i] is true if the pattern so far can match the first i letters.
	reach := make([]bool, len(r)+1)
	reach[0] = true
	for _, c := range pattern {
		next := make([]bool, len(r)+1)
		for i := range next {
			switch {
			case c == '%':
				next[i] = reach[i] || i > 0 && next[i-1]
			case i > 0 && (c == '_' || c == r[i-1]):
				next[i] = reach[i-1]
			}
		}
		if reach = next; !slices.Contains(reach, true) {
			return false
		}
	}
	return reach[len(r)]
}

// requestInputs returns all other inputs: names, bounds, bindings, and conditions that are
// not written with care. Their texts may be rejected.
func requestInputs() []input {
	var out []input
	add := func(kind, path string, bodies map[string]string) {
		for name, body := range bodies {
			out = append(out, input{name: kind + " " + name, kind: kind, path: path, body: body})
		}
	}
	condition := func(text string) string { return `{"metrics":["note_count"],"where_sql":"` + text + `"}` }
	add("condition", "/v1/query/execute", map[string]string{
		"bare":            condition(`«raw»`),
		"after one":       condition(`notes.id = 1 «raw»`),
		"or":              condition(`notes.id = 1 OR «raw»`),
		"in brackets":     condition(`(«raw»)`),
		"pasted":          condition(`notes.body = '«raw»'`),
		"operator":        condition(`notes.id «raw» 1`),
		"operand":         condition(`notes.body = «raw»`),
		"item":            condition(`notes.id IN (1, «raw»)`),
		"function":        condition(`«raw»(notes.body) = 1`),
		"argument":        condition(`LENGTH(«raw») = 1`),
		"quoted name":     condition(`notes.\"«name»\" = 'a'`),
		"quoted dataset":  condition(`\"«name»\".body = 'a'`),
		"quoted function": condition(`\"«name»\"(1) = 1`),
		"type":            condition(`CAST(notes.body AS «raw») = 1`),
		"date":            condition(`notes.day = DATE '«literal»'`),
		"date by text":    condition(`notes.day = '«literal»'`),
		"moment":          condition(`notes.moment = TIMESTAMP '«literal»'`),
		"moment by text":  condition(`notes.moment = '«literal»'`),
		"number by text":  condition(`notes.score = '«literal»'`),
		"truth by text":   condition(`notes.flag = '«literal»'`),
		"cast":            condition(`CAST('«literal»' AS DATE) = notes.day`),
		"interval":        condition(`notes.day > DATE '2024-01-01' + INTERVAL '«literal»'`),
		"unit":            condition(`notes.day > DATE '2024-01-01' + INTERVAL 1 «raw»`),
		"part":            condition(`EXTRACT(«raw» FROM notes.day) = 1`),
		"truncation":      condition(`DATE_TRUNC('«literal»', notes.day) = DATE '2024-01-01'`),
		"difference":      condition(`DATEDIFF('«literal»', notes.day, notes.day) = 0`),
		"escape":          condition(`notes.body LIKE 'a' ESCAPE '«literal»'`),
		"of a result":     condition(`note_count > 0 AND «raw»`),
		"result":          condition(`note_count > '«literal»'`),
		"time of day":     condition(`TIME '«literal»' = TIME '10:00:00'`),
		"splitting":       condition(`SPLIT_PART(notes.body, '«literal»', 1) = 'a'`),
		"trimming":        condition(`TRIM('«literal»' FROM notes.body) = 'a'`),
		"case folded":     condition(`notes.body ILIKE '«literal»'`),
		"collation":       condition(`notes.body COLLATE \"«name»\" = 'a'`),
		"population":      `{"metrics":["note_count"],"context_filter":"«raw»"}`,
	})
	add("name", "/v1/query/execute", map[string]string{
		"metric":               `{"metrics":["«raw»"]}`,
		"second metric":        `{"metrics":["note_count","«raw»"]}`,
		"group":                `{"metrics":["note_count"],"group_by":[{"field":"«raw»"}]}`,
		"group of a dataset":   `{"metrics":["note_count"],"group_by":[{"field":"notes.«raw»"}]}`,
		"group by a path":      `{"metrics":["note_count"],"group_by":[{"field":"note_kind.«raw»"}]}`,
		"relationship":         `{"metrics":["note_count"],"group_by":[{"field":"«raw».title"}]}`,
		"grain":                `{"metrics":["note_count"],"group_by":[{"field":"notes.day","grain":"«raw»"}]}`,
		"order":                `{"metrics":["note_count"],"order_by":[{"key":"«raw»"}]}`,
		"parameter":            `{"metrics":["with_body"],"params":{"«raw»":"x"}}`,
		"tag":                  `{"metrics":["note_count"],"time_ranges":{"«raw»":{"start":"2024-01-01"}}}`,
		"axis of a range":      `{"metrics":["note_count"],"time_range":{"start":"2024-01-01","dimension":"«raw»"}}`,
		"axis of a tag":        `{"metrics":["note_count"],"time_ranges":{"a":{"start":"2024-01-01","dimension":"«raw»"}}}`,
		"dialect":              `{"metrics":["note_count"],"dialect":"«raw»"}`,
		"key":                  `{"metrics":["note_count"],"«raw»":1}`,
		"key of a group":       `{"metrics":["note_count"],"group_by":[{"field":"notes.id","«raw»":1}]}`,
		"group that is a text": `{"metrics":["note_count"],"group_by":["«raw»"]}`,
		"limit":                `{"metrics":["note_count"],"limit":"«raw»"}`,
		"direction":            `{"metrics":["note_count"],"order_by":[{"key":"note_count","desc":"«raw»"}]}`,
	})
	add("value", "/v1/query/execute", map[string]string{
		"start":             `{"metrics":["note_count"],"time_range":{"start":"«raw»"}}`,
		"end":               `{"metrics":["note_count"],"time_range":{"start":"2024-01-01","end":"«raw»"}}`,
		"start of a moment": `{"metrics":["note_count"],"time_range":{"start":"2024-01-01T00:00:00«raw»","dimension":"notes.moment"}}`,
		"start of a tag":    `{"metrics":["note_count"],"time_ranges":{"a":{"start":"«raw»","end":"2024-02-01"}}}`,
		"whole number":      `{"metrics":["of_kind"],"params":{"k":"«raw»"}}`,
		"number":            `{"metrics":["above"],"params":{"f":"«raw»"}}`,
		"truth":             `{"metrics":["flagged"],"params":{"b":"«raw»"}}`,
		"date":              `{"metrics":["after_day"],"params":{"d":"«raw»"}}`,
		"dates":             `{"metrics":["after_day"],"params":{"d":["2024-01-01","«raw»"]}}`,
		"choice":            `{"metrics":["choice"],"params":{"c":"«raw»"}}`,
		"choices":           `{"metrics":["choice"],"params":{"c":["a","«raw»"]}}`,
	})
	add("select", "/v1/select/execute", map[string]string{
		"from":      `{"from":"«raw»","fields":["id"]}`,
		"field":     `{"from":"notes","fields":["«raw»"]}`,
		"path":      `{"from":"notes","fields":["note_kind.«raw»"]}`,
		"grain":     `{"from":"notes","fields":["day:«raw»"]}`,
		"condition": `{"from":"notes","fields":["id"],"where_sql":"«raw»","limit":3}`,
		"pasted":    `{"from":"notes","fields":["id"],"where_sql":"body = '«raw»'","limit":3}`,
		"start":     `{"from":"notes","fields":["id"],"time_range":{"start":"«raw»"},"limit":3}`,
		"axis":      `{"from":"notes","fields":["id"],"time_range":{"start":"2024-01-01","dimension":"«raw»"},"limit":3}`,
		"order":     `{"from":"notes","fields":["id"],"order_by":[{"key":"«raw»"}],"limit":3}`,
		"parameter": `{"from":"notes","fields":["id"],"params":{"«raw»":"«raw»"},"limit":3}`,
		"dialect":   `{"from":"notes","fields":["id"],"dialect":"«raw»"}`,
		"key":       `{"from":"notes","fields":["id"],"«raw»":1}`,
	})
	const windows = `"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}`
	add("attribution", "/v1/query/attribute", map[string]string{
		"metric":     `{"metric":"«raw»","dimensions":["kind"],` + windows + `}`,
		"dimension":  `{"metric":"note_count","dimensions":["«raw»"],` + windows + `}`,
		"start":      `{"metric":"note_count","dimensions":["notes.kind"],"baseline":{"start":"«raw»","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`,
		"end":        `{"metric":"note_count","dimensions":["notes.kind"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"«raw»"}}`,
		"axis":       `{"metric":"note_count","dimensions":["notes.kind"],"time_dimension":"«raw»",` + windows + `}`,
		"condition":  `{"metric":"note_count","dimensions":["notes.kind"],"where_sql":"«raw»",` + windows + `}`,
		"population": `{"metric":"note_count","dimensions":["notes.kind"],"context_filter":"notes.body = '«raw»'",` + windows + `}`,
		"binding":    `{"metric":"with_body","dimensions":["notes.kind"],"params":{"t":"«raw»"},` + windows + `}`,
		"parameter":  `{"metric":"with_body","dimensions":["notes.kind"],"params":{"«raw»":1},` + windows + `}`,
		"dialect":    `{"metric":"note_count","dimensions":["notes.kind"],"dialect":"«raw»",` + windows + `}`,
		"key":        `{"metric":"note_count","dimensions":["notes.kind"],"«raw»":1,` + windows + `}`,
	})
	for _, path := range []string{"/v1/query/execute", "/v1/query/compile", "/v1/select/execute", "/v1/query/attribute"} {
		out = append(out, input{name: "connection " + path, kind: "connection", path: path, body: `{"connection":"«raw»"}`, local: true},
			input{name: "body " + path, kind: "connection", path: path, body: `«raw»`, local: true})
	}
	out = append(out,
		input{name: "connection of a query", kind: "connection", path: "/v1/query/execute", body: `{"metrics":["note_count"],"connection":"«raw»"}`, local: true},
		input{name: "metric of dimensions", kind: "address", path: "/v1/dimensions?metric=«raw»"},
		input{name: "metric of a lineage", kind: "address", path: "/v1/lineage?metric=«raw»"},
		input{name: "query of a list", kind: "address", path: "/v1/metrics?«raw»=«raw»"},
		input{name: "query of an execution", kind: "address", path: "/v1/query/execute?where_sql=«raw»&«raw»", body: `{"metrics":["note_count"]}`},
	)
	slices.SortFunc(out, func(a, b input) int { return strings.Compare(a.kind+a.name, b.kind+b.name) })
	return out
}

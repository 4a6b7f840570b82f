package openapi_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

type object = map[string]any

// The document is valid, and so are the examples in it.
func TestDocument_IsValid(t *testing.T) {
	s := serve(t, open(t, "retail"), restapi.Config{Tokens: []string{token}})
	doc := load(t, s.text)
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	if doc.OpenAPI != "3.1.0" || doc.Components.SecuritySchemes["bearer"] == nil {
		t.Errorf("version %s, security %v", doc.OpenAPI, doc.Components.SecuritySchemes)
	}
	for name, schema := range doc.Components.Schemas {
		if schema.Value.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for property, p := range schema.Value.Properties {
			if p.Value.Description == "" {
				t.Errorf("nothing says what %s.%s is", name, property)
			}
		}
	}
}

// The requests to every fixture here bring nearly every kind of response:
// metrics of every kind, dimensions by every route, rows and errors.
func TestResponses_MatchDocument(t *testing.T) {
	folders, err := os.ReadDir(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]map[int]bool{}
	var first *server
	for _, folder := range folders {
		if _, err := os.Stat(fixtures + "/" + folder.Name() + "/data.sql"); err != nil {
			continue
		}
		t.Run(folder.Name(), func(t *testing.T) {
			e, c := open(t, folder.Name()), restapi.Config{Tokens: []string{token}}
			var s *server
			if first == nil {
				s = serve(t, e, c)
				first = s
			} else { // no document depends on the model, and each takes a server a third of a second
				s = first.at(serving.Serve(t, e, c))
			}
			survey(t, s, s == first)
			for route, statuses := range s.seen {
				if seen[route] == nil {
					seen[route] = map[int]bool{}
				}
				for status := range statuses {
					seen[route][status] = true
				}
			}
		})
	}
	for _, route := range restapi.Routes() {
		if !seen[route][200] && route != "POST /mcp" {
			t.Errorf("%s never succeeded", route)
		}
		if strings.HasPrefix(route, "POST /v1/") && !seen[route][400] {
			t.Errorf("%s never refused", route)
		}
	}
	for end := range reflect.TypeFor[engine.ResultEnd]().Fields() {
		member, _, _ := strings.Cut(end.Tag.Get("json"), ",")
		for _, route := range []string{"POST /v1/query/compile", "POST /v1/query/execute"} {
			if !first.members[route][member] {
				t.Errorf("no answer of %s had %s", route, member)
			}
		}
	}
}

func survey(t *testing.T, s *server, withDocuments bool) {
	t.Helper()
	for _, route := range restapi.Routes() {
		if path, ok := strings.CutPrefix(route, "GET "); ok && (withDocuments || !strings.HasPrefix(path, "/openapi")) {
			s.ask(t, "GET", path, "")
		}
	}
	s.ask(t, "GET", "/v1/dimensions?metric=no_such_metric", "")
	s.ask(t, "GET", "/v1/find?q=amount+by+month&limit=50", "")
	s.ask(t, "GET", "/v1/find?q=zzzz&kinds=dimension", "")
	_, fields := s.ask(t, "GET", "/v1/dimensions", "")
	for i, field := range names(t, fields) {
		s.ask(t, "GET", "/v1/values?limit=2&field="+url.QueryEscape(field), "")
		s.ask(t, "GET", fmt.Sprintf("/v1/values?like=%d&fresh=true&field=%s", i, url.QueryEscape(field)), "")
	}
	s.ask(t, "POST", "/v1/query/compatible", `{"limit":1000}`)
	s.ask(t, "POST", "/v1/query/compatible", `{"no such key":1}`)
	s.ask(t, "POST", "/v1/validate", asJSON(t, object{"model": "no model"}))
	s.ask(t, "POST", "/v1/validate", asJSON(t, object{"model": "version: 0.0.1\nsemantic_model: [{name: m, datasets: []}]"}))
	s.ask(t, "POST", "/v1/validate", `{}`)
	_, list := s.ask(t, "GET", "/v1/metrics", "")
	for _, metric := range names(t, list) {
		_, dimensions := s.ask(t, "GET", "/v1/dimensions?metric="+url.QueryEscape(metric), "")
		query := object{"metrics": []string{metric}}
		attribution := object{"metric": metric, "baseline": window("2024-01"), "current": window("2024-02")}
		s.ask(t, "POST", "/v1/query/execute", asJSON(t, query))
		s.ask(t, "POST", "/v1/query/attribute", asJSON(t, attribution))
		if groups := names(t, dimensions); len(groups) > 0 {
			last := groups[len(groups)-1]
			query["group_by"] = []object{{"field": last}}
			attribution["dimensions"] = []string{last}
			s.ask(t, "POST", "/v1/query/attribute", asJSON(t, attribution))
		}
		for _, verb := range []string{"compile", "explain", "execute"} {
			s.ask(t, "POST", "/v1/query/"+verb, asJSON(t, query))
		}
		query["time_ranges"] = object{"a": window("2024-01"), "b": window("2024-02")}
		s.ask(t, "POST", "/v1/query/compile", asJSON(t, query))
	}
	surveyEnds(t, s, names(t, list))
	_, list = s.ask(t, "GET", "/v1/dimensions", "")
	for _, field := range names(t, list) {
		dataset, _, _ := strings.Cut(field, ".")
		query := object{"from": dataset, "fields": []string{field}, "limit": 3}
		s.ask(t, "POST", "/v1/select/execute", asJSON(t, query))
		s.ask(t, "POST", "/v1/sql/execute", asJSON(t, object{"sql": `SELECT * FROM "` + dataset + `" LIMIT 3`}))
	}
	surveyStatements(t, s)
	for _, verb := range []string{"compile", "explain", "execute"} {
		first := names(t, list)[0]
		dataset, _, _ := strings.Cut(first, ".")
		s.ask(t, "POST", "/v1/select/"+verb, asJSON(t, object{"from": dataset, "fields": []string{first}}))
		s.ask(t, "POST", "/v1/select/"+verb, `{"from":"no_such_dataset","fields":["a"]}`)
		for _, plane := range []string{"query", "select"} {
			s.ask(t, "POST", "/v1/"+plane+"/"+verb, `{"no such key":1}`)
			s.ask(t, "POST", "/v1/"+plane+"/"+verb, `{"connection":"nowhere"}`)
		}
	}
}

// surveyEnds requests what answers have behind their rows: relative ranges, comparisons, saved queries and views.
func surveyEnds(t *testing.T, s *server, metrics []string) {
	t.Helper()
	last := object{"last": object{"n": 3, "unit": "month"}}
	march := object{"start": "2024-03-04", "end": "2024-03-11"}
	queries := []object{
		{"metrics": metrics[:1], "time_range": last, "as_of": "2024-06-15"},
		{"metrics": metrics[:1], "time_ranges": object{"now": last}, "as_of": "2024-06-15"},
		{"metrics": metrics[:1], "time_range": march, "compare": object{"offset": object{"count": 1, "unit": "year"}, "align": "weekday"}},
		{"metrics": metrics[:1], "time_range": march, "compare": []object{{"name": "year", "offset": object{"count": 1, "unit": "year"}}, {"name": "month", "offset": object{"count": 1, "unit": "month"}}}},
	}
	_, saved := s.ask(t, "GET", "/v1/saved", "")
	for _, name := range names(t, saved) {
		queries = append(queries, object{"saved": name})
	}
	_, views := s.ask(t, "GET", "/v1/views", "")
	for _, view := range names(t, views) {
		queries = append(queries, object{"view": view, "metrics": metrics[:1]})
	}
	for _, query := range queries {
		for _, verb := range []string{"compile", "execute"} {
			s.ask(t, "POST", "/v1/query/"+verb, asJSON(t, query))
		}
	}
}

// surveyStatements requests each metric over the relation of the model.
func surveyStatements(t *testing.T, s *server) {
	t.Helper()
	_, model := s.ask(t, "GET", "/v1/model", "")
	_, metrics := s.ask(t, "GET", "/v1/metrics", "")
	var described struct{ Name string }
	if err := json.Unmarshal([]byte(model), &described); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"compile", "execute"} {
		for _, metric := range names(t, metrics) {
			s.ask(t, "POST", "/v1/sql/"+verb, asJSON(t, object{"sql": `SELECT MEASURE("` + metric + `") FROM "` + described.Name + `"`}))
		}
		for _, sql := range []string{"SELEC", "DELETE FROM a", "SELECT a FROM nowhere", `SELECT $1`} {
			s.ask(t, "POST", "/v1/sql/"+verb, asJSON(t, object{"sql": sql, "params": []any{1, "a", true, nil}}))
		}
		s.ask(t, "POST", "/v1/sql/"+verb, `{"no such key":1}`)
	}
}

func window(month string) object {
	next := map[string]string{"2024-01": "2024-02-01", "2024-02": "2024-03-01"}[month]
	return object{"start": month + "-01", "end": next}
}

// Bodies of each kind, for what does not look at them.
var bodies = map[string]string{
	"/v1/validate":         `{"model":"x"}`,
	"/v1/query/compile":    `{"metrics":["revenue"]}`,
	"/v1/query/explain":    `{"metrics":["revenue"]}`,
	"/v1/query/execute":    `{"metrics":["revenue"]}`,
	"/v1/query/compatible": `{"metrics":["revenue"]}`,
	"/v1/query/attribute":  `{"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`,
	"/v1/select/compile":   `{"from":"orders","fields":["status"]}`,
	"/v1/select/explain":   `{"from":"orders","fields":["status"]}`,
	"/v1/select/execute":   `{"from":"orders","fields":["status"]}`,
	"/v1/sql/compile":      `{"sql":"SELECT status FROM orders"}`,
	"/v1/sql/execute":      `{"sql":"SELECT status FROM orders"}`,
}

func TestResponses_ErrorsMatchDocument(t *testing.T) {
	e := open(t, "orders")
	s := serve(t, e, restapi.Config{Tokens: []string{token}, MaxBodyBytes: 2000})
	compiling := serve(t, e, restapi.Config{Tokens: []string{token}, DisableExecute: true})
	for path, body := range bodies {
		want := func(s *server, status int, body string, header ...string) {
			t.Helper()
			if got, text := s.ask(t, "POST", path, body, header...); got != status {
				t.Errorf("%s: %d, want %d: %s", path, got, status, clip(text))
			}
		}
		want(s, 401, body, "Authorization", "Bearer wrong")
		want(s, 413, strings.Repeat(" ", 3000))
		want(s, 400, `{"a":1,"a":2}`)
		want(s, 400, body, "Content-Encoding", "gzip")
		if strings.HasSuffix(path, "/execute") || strings.HasSuffix(path, "/attribute") {
			want(compiling, 403, body)
		}
	}
	for _, route := range restapi.Routes() {
		path, ok := strings.CutPrefix(route, "GET ")
		if !ok {
			continue
		}
		s.ask(t, "GET", path, "", "Authorization", "")
		s.ask(t, "GET", path, "", "Content-Encoding", "gzip")
		if strings.HasPrefix(path, "/v1/") != s.seen[route][401] {
			t.Errorf("%s without a token: %v", route, sorted(s.seen[route]))
		}
	}
	_, text := s.ask(t, "GET", "/openapi.json", "")
	if text == "" || !s.seen["GET /openapi.json"][200] {
		t.Error("no document")
	}
}

func TestResponses_ArrowStreamMatchesDocument(t *testing.T) {
	s := serve(t, open(t, "orders"), restapi.Config{Tokens: []string{token}})
	for _, path := range []string{"/v1/query/execute", "/v1/select/execute", "/v1/sql/execute"} {
		if status, _ := s.ask(t, "POST", path, bodies[path], "Accept", engine.ArrowStreamType); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
		if status, _ := s.ask(t, "POST", path, `{"nothing":1}`, "Accept", engine.ArrowStreamType); status != 400 {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestResponses_TimeoutMatchesDocument(t *testing.T) {
	const short = 20 * time.Millisecond
	c := restapi.Config{Tokens: []string{token}}
	slow := &failing{Engine: open(t, "orders"), wait: make(chan struct{})}
	t.Cleanup(func() { close(slow.wait) })
	text := serve(t, slow.Engine, c).text
	c.RequestTimeout, c.ExecuteTimeout = short, short
	s := described(t, serving.Serve(t, slow, c), text)
	for path, body := range bodies {
		if status, text := s.ask(t, "POST", path, body); status != 504 {
			t.Errorf("%s: %d %s", path, status, clip(text))
		}
	}
}

// What these tests would not see they could not hold.
func TestChecker_SeesUndocumentedResponse(t *testing.T) {
	t.Run("the comparison fails on a response that the document does not describe", func(t *testing.T) {
		s := serve(t, open(t, "orders"), restapi.Config{})
		const compiled = "/paths/~1v1~1query~1compile/post/responses/200/content/application~1json/schema"
		for text, valid := range map[string]bool{
			`{"dialect":"d","sql":"s"}`:         true,
			`{"dialect":"d","sql":"s","new":1}`: false,
			`{"dialect":"d"}`:                   false,
			`{"dialect":"d","sql":null}`:        false,
		} {
			if err := s.valid(t, compiled, []byte(text)); (err == nil) != valid {
				t.Errorf("%s: %v", text, err)
			}
		}
		const refused = "/paths/~1v1~1query~1compile/post/responses/400/content/application~1json/schema"
		for text, valid := range map[string]bool{
			`{"error":{"code":"unknown_metric","message":"m"}}`: true,
			`{"error":{"code":"busy","message":"m"}}`:           false,
			`{"error":{"code":"unknown_metric"}}`:               false,
		} {
			if err := s.valid(t, refused, []byte(text)); (err == nil) != valid {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

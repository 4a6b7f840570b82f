package restapi_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// written is the document as far as these tests look at it.
type written struct {
	OpenAPI    string `json:"openapi"`
	Paths      map[string]map[string]openAPIOperation
	Components struct {
		SecuritySchemes map[string]map[string]string `json:"securitySchemes"`
	}
}

type openAPIOperation struct {
	OperationID string `json:"operationId"`
	Summary     string
	Tags        []string
	Security    []map[string][]string
	Parameters  []struct {
		Name    string
		Example any
		Schema  struct{ Type string }
	}
	RequestBody struct {
		Content map[string]struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	} `json:"requestBody"`
	Responses map[string]response
}

type response struct {
	Description string
	Headers     map[string]any
	Content     map[string]struct {
		Schema struct {
			Properties struct {
				Error struct {
					Properties struct{ Code struct{ Enum []string } }
				}
			}
		}
	}
}

func (r response) codes() []string {
	return r.Content["application/json"].Schema.Properties.Error.Properties.Code.Enum
}

func readOpenAPI(t *testing.T, s *restapi.Server) written {
	t.Helper()
	got := do(t, s, request("GET", "/openapi.json", ""))
	if got.status != 200 {
		t.Fatalf("%+v", got)
	}
	var out written
	if err := json.Unmarshal([]byte(got.body), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (w written) each(visit func(route string, o openAPIOperation)) {
	for path, methods := range w.Paths {
		for method, o := range methods {
			visit(strings.ToUpper(method)+" "+path, o)
		}
	}
}

// orders returns an engine over the orders of the tests.
func orders(t *testing.T) *engine.Engine {
	t.Helper()
	model, err := os.ReadFile("testdata/orders.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/orders.sql")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), ModelPath: "orders.yaml", ModelText: model, Setup: []string{string(data)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestOpenAPI_ListsExactlyTheRoutes(t *testing.T) {
	w := readOpenAPI(t, serve(t, orders(t), restapi.Config{}))
	if w.OpenAPI != "3.1.0" {
		t.Errorf("version %s", w.OpenAPI)
	}
	var described []string
	ids := map[string]string{}
	w.each(func(route string, o openAPIOperation) {
		described = append(described, route)
		if o.OperationID == "" || o.Summary == "" || len(o.Tags) != 1 || o.Tags[0] == "" {
			t.Errorf("%s: %+v", route, o)
		}
		if other, taken := ids[o.OperationID]; taken {
			t.Errorf("%s and %s are both %s", other, route, o.OperationID)
		}
		ids[o.OperationID] = route
	})
	slices.Sort(described)
	if d := cmp.Diff(slices.Sorted(slices.Values(restapi.Routes())), described); d != "" {
		t.Errorf("routes and the document differ:\n%s", d)
	}
}

func TestOpenAPI_DescribedRoutesExist(t *testing.T) {
	s := serve(t, orders(t), restapi.Config{})
	readOpenAPI(t, s).each(func(route string, _ openAPIOperation) {
		method, path, _ := strings.Cut(route, " ")
		if got := do(t, s, request(method, path, "")); got.status == 404 || got.status == 405 {
			t.Errorf("%s: %d", route, got.status)
		}
	})
}

// Which failures a route can have follows from what it is.
func TestOpenAPI_ListsFailuresPerRoute(t *testing.T) {
	w := readOpenAPI(t, serve(t, orders(t), restapi.Config{Tokens: []string{"t"}}))
	executing := []string{"POST /v1/query/execute", "POST /v1/query/attribute", "POST /v1/select/execute", "POST /v1/sql/execute", "GET /v1/values"}
	openRoutes := []string{"GET /health", "GET /ready", "GET /metrics", "GET /openapi.json", "GET /openapi-3.0.json", "GET /docs", "GET /schema/model.json"}
	w.each(func(route string, o openAPIOperation) {
		want := map[string][]string{"500": {"internal"}}
		if !slices.Contains(openRoutes, route) {
			want["401"] = []string{"unauthorized"}
		}
		if !slices.Contains(openRoutes, route) || strings.HasPrefix(route, "GET /openapi") {
			want["504"] = []string{"timeout"}
		}
		if strings.HasPrefix(route, "POST /v1/") {
			want["413"] = []string{"bad_request"}
		}
		if strings.HasPrefix(route, "POST /v1/query") || strings.HasPrefix(route, "POST /v1/select") || strings.HasPrefix(route, "POST /v1/sql") || route == "GET /v1/dimensions" || route == "GET /v1/find" || route == "GET /v1/values" {
			want["501"] = []string{"not_implemented"}
		}
		if slices.Contains(executing, route) {
			want["403"], want["429"] = []string{"forbidden"}, []string{"busy"}
			want["502"] = []string{"connection", "auth", "sql_rejected", "driver"}
		}
		if route == "POST /v1/validate" {
			want["429"] = []string{"busy"}
		}
		if route == "GET /v1/connections" { // with check=true
			want["403"], want["429"] = []string{"forbidden"}, []string{"busy"}
		}
		if slices.Contains(executing, route) || strings.HasPrefix(route, "POST /v1/") {
			want["429"] = append(want["429"], "memory_limit")
		}
		if !slices.Contains(openRoutes, route) {
			want["429"] = append(want["429"], "rate_limited")
		}
		if want["429"] != nil {
			if _, ok := o.Responses["429"].Headers["Retry-After"]; !ok {
				t.Errorf("%s: no Retry-After", route)
			}
		}
		got := map[string][]string{}
		for status, r := range o.Responses {
			if status >= "4" && status != "400" && r.codes() != nil {
				got[status] = r.codes()
				if status == "429" {
					slices.Sort(got[status])
				}
			}
			if status >= "4" && r.Description == "" {
				t.Errorf("%s: %s says nothing", route, status)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", route, d)
		}
		if !slices.Contains(o.Responses["400"].codes(), "bad_request") {
			t.Errorf("%s: no bad_request", route)
		}
	})
}

// Every code of the registries that a query can raise is somewhere in the
// document, with the status that it has.
func TestOpenAPI_CodesUnderTheirStatus(t *testing.T) {
	w := readOpenAPI(t, serveModels(t, restapi.Models{List: []*restapi.Model{{Name: "orders", Service: orders(t)}}, Several: true, Default: "orders"}, restapi.Config{Tokens: []string{"t"}}))
	described := map[string]bool{}
	statuses := map[int]string{400: "400", 401: "401", 403: "403", 404: "404", 429: "429", 500: "500", 501: "501", 502: "502", 504: "504"}
	w.each(func(route string, o openAPIOperation) {
		for status, r := range o.Responses {
			for _, code := range r.codes() {
				described[code] = true
				if want := statuses[restapi.StatusOfCode(code)]; status != want && status != "413" && (code != "memory_limit" || status != "429") {
					t.Errorf("%s: %s stands under %s", route, code, status)
				}
			}
		}
	})
	want := map[string]bool{}
	for _, c := range engine.Codes() {
		if c.Stage != engine.StageValidate && c.Severity == "error" && c.Retired == "" {
			want[c.Code] = true
		}
	}
	for _, c := range restapi.Codes() {
		want[c.Code] = c.Code != restapi.CodeClientGone // which no client receives
	}
	maps.DeleteFunc(want, func(_ string, received bool) bool { return !received })
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(described))); d != "" {
		t.Error(d)
	}
}

func TestOpenAPI_DescribesTokenWhereNeeded(t *testing.T) {
	open := readOpenAPI(t, serve(t, orders(t), restapi.Config{}))
	if len(open.Components.SecuritySchemes) != 0 {
		t.Errorf("without tokens: %v", open.Components.SecuritySchemes)
	}
	open.each(func(route string, o openAPIOperation) {
		if len(o.Security) != 0 || o.Responses["401"].Description != "" {
			t.Errorf("%s needs a token where there is none", route)
		}
	})
	w := readOpenAPI(t, serve(t, orders(t), restapi.Config{Tokens: []string{"t"}}))
	want := map[string]map[string]string{"bearer": {"type": "http", "scheme": "bearer", "description": "One of the tokens of the server."}}
	if d := cmp.Diff(want, w.Components.SecuritySchemes); d != "" {
		t.Error(d)
	}
	w.each(func(route string, o openAPIOperation) {
		if _, path, _ := strings.Cut(route, " "); (len(o.Security) == 1) != strings.HasPrefix(path, "/v1/") && path != "/mcp" {
			t.Errorf("%s: %v", route, o.Security)
		}
	})
}

// The values of query parameters have the types that a generated client writes.
func TestOpenAPI_ParametersHaveTypes(t *testing.T) {
	w := readOpenAPI(t, serve(t, orders(t), restapi.Config{}))
	for path, want := range map[string]map[string]string{
		"/v1/find":   {"q": "string", "kinds": "string", "limit": "integer", "offset": "integer"},
		"/v1/values": {"field": "string", "like": "string", "limit": "integer", "offset": "integer", "fresh": "boolean"},
	} {
		found := 0
		for _, p := range w.Paths[path]["get"].Parameters {
			kind, listed := want[p.Name]
			if !listed {
				continue
			}
			if found++; p.Schema.Type != kind {
				t.Errorf("%s: %s is of type %s", path, p.Name, p.Schema.Type)
			}
			switch p.Example.(type) {
			case nil, string:
				if p.Example != nil && kind != "string" {
					t.Errorf("%s: the example of %s is a text", path, p.Name)
				}
			case float64:
				if kind != "integer" {
					t.Errorf("%s: the example of %s is a number", path, p.Name)
				}
			case bool:
				if kind != "boolean" {
					t.Errorf("%s: the example of %s is a boolean", path, p.Name)
				}
			}
		}
		if found != len(want) {
			t.Errorf("%s: %d parameters of %d", path, found, len(want))
		}
	}
}

func TestOpenAPI_ExamplesWork(t *testing.T) {
	s := serve(t, orders(t), restapi.Config{})
	w := readOpenAPI(t, s)
	w.each(func(route string, o openAPIOperation) {
		method, path, _ := strings.Cut(route, " ")
		if method != http.MethodPost || !strings.HasPrefix(path, "/v1/") {
			return
		}
		examples := o.RequestBody.Content["application/json"].Examples
		if len(examples) == 0 {
			t.Errorf("%s has no example", route)
		}
		for name, x := range examples {
			got := do(t, s, request(method, path, string(x.Value)))
			if got.status != 200 || path == "/v1/validate" && !strings.Contains(got.body, `"valid":true`) {
				t.Errorf("%s, %s: %+v", route, name, got)
			}
		}
	})
	queries := w.Paths["/v1/query/compile"]["post"].RequestBody.Content["application/json"].Examples
	if got := slices.Sorted(maps.Keys(queries)); !slices.Equal(got, []string{"by_dimension", "over_time", "total"}) {
		t.Errorf("examples %v", got)
	}
	metric, _ := w.Paths["/v1/dimensions"]["get"].Parameters[0].Example.(string)
	if got := do(t, s, request("GET", "/v1/dimensions?metric="+metric, "")); metric == "" || got.status != 200 || len(got.body) < 10 {
		t.Errorf("metric=%s: %+v", metric, got)
	}
}

// A model that nothing can be asked of is described all the same.
func TestOpenAPI_ModelWithoutMetrics(t *testing.T) {
	e, err := engine.Open(t.Context(), engine.Config{Drivers: drivers(), ModelText: []byte(`{"version":"0.2.0.dev0","semantic_model":[{"name":"m","datasets":[{"name":"d","source":"d"}]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	w := readOpenAPI(t, serve(t, e, restapi.Config{}))
	for _, path := range []string{"/v1/query/compile", "/v1/query/attribute", "/v1/select/compile"} {
		if x := w.Paths[path]["post"].RequestBody.Content["application/json"].Examples; len(x) != 0 {
			t.Errorf("%s: %v", path, x)
		}
	}
}

func TestOpenAPI_ExecutionsNameArrowStream(t *testing.T) {
	w := readOpenAPI(t, serve(t, orders(t), restapi.Config{}))
	w.each(func(route string, o openAPIOperation) {
		_, arrow := o.Responses["200"].Content[engine.ArrowStreamType]
		if want := strings.HasSuffix(route, "/execute"); arrow != want {
			t.Errorf("%s: %v", route, arrow)
		}
	})
}

func TestOpenAPI_ETagGives304(t *testing.T) {
	s := serve(t, orders(t), restapi.Config{Tokens: []string{"t"}})
	first := do(t, s, request("GET", "/openapi.json", ""))
	etag := first.header.Get("ETag")
	if first.status != 200 || len(etag) < 10 || etag[0] != '"' {
		t.Fatalf("%d %s", first.status, etag)
	}
	for header, status := range map[string]int{
		etag:                    304,
		"*":                     304,
		"W/" + etag:             304,
		`"other", ` + etag:      304,
		`"other"`:               200,
		strings.Trim(etag, `"`): 200,
		"":                      200,
	} {
		got := do(t, s, request("GET", "/openapi.json", "", "If-None-Match", header))
		if got.status != status || got.header.Get("ETag") != etag || (got.body == "") != (status == 304) {
			t.Errorf("%q: %d, %d bytes, %v", header, got.status, len(got.body), got.header)
		}
		if status == 200 && got.body != first.body {
			t.Error("the document changed")
		}
	}
	if got := do(t, s, request("HEAD", "/openapi.json", "")); got.status != 200 || got.body != "" || got.header.Get("ETag") != etag {
		t.Errorf("HEAD: %+v", got.header)
	}
	again := do(t, serve(t, orders(t), restapi.Config{Tokens: []string{"t"}}), request("GET", "/openapi.json", ""))
	if again.body != first.body {
		t.Error("another server of the same model writes another document")
	}
}

// The document describes each key that a decoder offers in place of an unknown one, and a
// decoder reads each key that the document describes.
func TestOpenAPI_BodyKeysMatchDecoder(t *testing.T) {
	for _, c := range []struct {
		decode func(string) error
		body   openapi.Body
	}{
		{func(body string) error { _, err := query.DecodeMetric([]byte(body)); return err }, openapi.MetricQuery()},
		{func(body string) error { _, err := query.DecodeDetail([]byte(body)); return err }, openapi.DetailQuery()},
		{func(body string) error { _, err := query.DecodeAttribute([]byte(body)); return err }, openapi.AttributeQuery()},
	} {
		var described, offered []string
		for _, f := range c.body.Fields {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				continue
			}
			described = append(described, name)
			if err := c.decode(`{"` + name + `":null}`); err != nil {
				t.Errorf("%s has the key %s: %v", c.body.DefName, name, err)
			}
			// Candidates are at most 20; those for a key that is nearly this one begin with it.
			var refused *planerr.Error
			if err := c.decode(`{"` + name + `_":null}`); !errors.As(err, &refused) || !slices.Contains(refused.Candidates, name) {
				t.Fatalf("%s, %s_: %v", c.body.DefName, name, err)
			}
			offered = append(offered, refused.Candidates...)
		}
		slices.Sort(described)
		slices.Sort(offered)
		if d := cmp.Diff(slices.Compact(offered), described); d != "" {
			t.Errorf("%s: %s", c.body.DefName, d)
		}
	}
}

package restapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
	"github.com/semlayer/semlayer/restapi/identity"
)

// directory returns the identities of a policies file and a token file.
func directory(t *testing.T, policies, tokens string) *identity.Directory {
	t.Helper()
	var file *access.File
	if policies != "" {
		var findings []modelspec.Issue
		if file, findings = access.Parse("policies.yaml", []byte(policies)); len(findings) > 0 {
			t.Fatal(findings)
		}
	}
	parsed, _, err := access.ParseTokens(tokens)
	if err != nil {
		t.Fatal(err)
	}
	d := identity.New(identity.Config{Logger: silent(restapi.Config{}).Logger})
	if err := d.Replace(parsed, file); err != nil {
		t.Fatal(err)
	}
	return d
}

const regionalPolicies = `
version: 1
attributes: {regions: {type: string, list: true}, tenant: {type: int}}
roles:
  regional: {datasets: {orders: {rows: "region IN (:user.regions)", fields: all}}, metrics: all}
  admin: {all: true}
`

const regionalTokens = `plain-token
{"name": "dash", "token": "regional-token", "roles": ["regional", "stranger"], "attributes": {"regions": ["north"], "undeclared": 1}}
{"name": "half", "token": "incomplete-token", "roles": ["regional"], "attributes": {"tenant": 5}}
{"name": "root", "token": "admin-token", "roles": ["admin"]}
{"name": "who", "token": "roleless-token"}
`

func bearer(method, path, body, token string) *http.Request {
	return request(method, path, body, "Authorization", "Bearer "+token)
}

func TestIdentity_RefusesIncompleteIdentitiesOnEveryRoute(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens), MCP: echo})
	for _, tt := range []struct{ token, message string }{
		{"incomplete-token", "the attribute regions of the identity is missing"},
		{"roleless-token", "the identity has no role"},
		{"plain-token", "the identity has no role"},
	} {
		for _, r := range append(restapi.Routes(), "POST /mcp", "GET /v1/nothing") {
			method, path, _ := strings.Cut(r, " ")
			if !strings.HasPrefix(path, "/v1/") && path != "/mcp" {
				continue
			}
			got := do(t, s, bearer(method, path, "{", tt.token))
			if got.status != 403 || !strings.Contains(got.body, `"code":"forbidden","message":"`+tt.message) {
				t.Errorf("%s %s: %+v", tt.token, r, got)
			}
		}
	}
	for _, path := range []string{"/health", "/ready", "/docs", "/openapi.json", "/schema/model.json", "/metrics", "/"} {
		if got := do(t, s, bearer("GET", path, "", "incomplete-token")); got.status != 200 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	for _, token := range []string{"regional-token", "admin-token"} {
		if got := do(t, s, bearer("GET", "/v1/model", "", token)); got.status != 200 {
			t.Errorf("%s: %+v", token, got)
		}
	}
	if got := do(t, s, bearer("GET", "/v1/model", "", "forged")); got.status != 401 {
		t.Errorf("%+v", got)
	}
}

func TestIdentity_RouteReturnsTheCaller(t *testing.T) {
	for _, tt := range []struct{ name, policies, token, want string }{
		{"a reader", regionalPolicies, "regional-token", `{"name":"dash","roles":["regional"],"attributes":{"regions":["north"]},"sql":false}`},
		{"a reader of everything", regionalPolicies, "admin-token", `{"name":"root","roles":["admin"],"attributes":{},"sql":true}`},
		{"a file without roles", "version: 1\nattributes: {regions: {type: string, list: true}}", "regional-token", `{"name":"dash","roles":[],"attributes":{},"sql":true}`},
		{"no file", "", "regional-token", `{"name":"dash","roles":[],"attributes":{},"sql":true}`},
		{"a plain token", "", "plain-token", `{"roles":[],"attributes":{},"sql":true}`},
	} {
		s := serve(t, answering(), restapi.Config{Identities: directory(t, tt.policies, regionalTokens)})
		if got := do(t, s, bearer("GET", "/v1/identity", "", tt.token)); got.status != 200 || got.body != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	open := serve(t, answering(), restapi.Config{})
	if got := do(t, open, request("GET", "/v1/identity", "")); got.body != `{"roles":[],"attributes":{},"sql":true}` {
		t.Errorf("an open server: %+v", got)
	}
}

func TestIdentity_IsInTheContextOfTheQuery(t *testing.T) {
	var seen access.Identity
	var known bool
	service := fake{execute: func(ctx context.Context, _ *query.MetricQuery) (*engine.Result, error) {
		seen, known = access.IdentityFrom(ctx)
		return &engine.Result{Columns: []string{"a"}, Rows: []byte(`[{"a":1}]`), RowCount: 1}, nil
	}}
	s := serve(t, service, restapi.Config{Identities: directory(t, regionalPolicies, regionalTokens)})
	if got := do(t, s, bearer("POST", "/v1/query/execute", aQuery, "regional-token")); got.status != 200 {
		t.Fatalf("%+v", got)
	}
	if !known || seen.Name != "dash" || seen.Attributes["regions"].Items[0] != "north" {
		t.Errorf("%+v", seen)
	}
}

const modelPolicies = `
version: 1
attributes: {tenant: {type: int}}
models:
  shop: {roles: {a: {all: true}, b: {all: true}}}
  lab: {roles: {a: {datasets: {x: {rows: "t = :user.tenant", fields: all}}}}}
`

func TestIdentity_ModelsThatItDoesNotReachDoNotExist(t *testing.T) {
	models := restapi.Models{Several: true, Default: "lab"}
	for _, name := range []string{"shop", "lab", "unlisted"} {
		models.List = append(models.List, &restapi.Model{Name: name, Service: named{fake: answering(), name: name}})
	}
	tokens := `{"name":"a1","token":"a-without-tenant","roles":["a"]}
{"name":"a2","token":"a-with-tenant","roles":["a"],"attributes":{"tenant":1}}
{"name":"c","token":"c","roles":["c"]}`
	s := serveModels(t, models, restapi.Config{Identities: directory(t, modelPolicies, tokens)})
	list := func(token string) string { return do(t, s, bearer("GET", "/v1/models", "", token)).body }
	if got := list("a-without-tenant"); !strings.Contains(got, `"shop"`) || strings.Contains(got, "lab") || strings.Contains(got, "unlisted") {
		t.Error(got)
	}
	if got := list("a-with-tenant"); !strings.Contains(got, `"shop"`) || !strings.Contains(got, `"lab"`) || strings.Contains(got, "unlisted") {
		t.Error(got)
	}
	hidden := do(t, s, bearer("GET", "/m/lab/v1/model", "", "a-without-tenant"))
	absent := do(t, s, bearer("GET", "/m/lax/v1/model", "", "a-without-tenant"))
	if hidden.status != 404 || strings.ReplaceAll(hidden.body, "lab", "lax") != absent.body || !strings.Contains(hidden.body, `"candidates":["shop"]`) {
		t.Errorf("%+v\n%+v", hidden, absent)
	}
	if got := do(t, s, bearer("GET", "/v1/model", "", "a-without-tenant")); got.status != 404 || !strings.Contains(got.body, "unknown_model") {
		t.Errorf("the default model is hidden: %+v", got)
	}
	if got := do(t, s, bearer("GET", "/m/lab/v1/model", "", "a-with-tenant")); got.status != 200 {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/v1/models", "/m/shop/v1/model", "/m/none/v1/model"} {
		if got := do(t, s, bearer("GET", path, "", "c")); got.status != 403 {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// With roles, paths without a token do not depend on the models.
func TestIdentity_PublicPathsAreTheSameForEveryModel(t *testing.T) {
	models := several("", "shop", "lab")
	models.List[0].Service = orders(t)
	models.Reloads = []restapi.ReloadReport{{Model: "lab", Refused: 1, Error: &restapi.ReloadError{Code: "parse", Message: "line 3"}}}
	s := serveModels(t, models, restapi.Config{Identities: directory(t, modelPolicies, regionalTokens)})
	for _, path := range []string{"", "/", "/docs", "/docs/", "/openapi.json", "/openapi-3.0.json", "/health", "/ready", "/metrics", "/schema/model.json"} {
		want := do(t, s, request("GET", "/m/shop"+path, ""))
		for _, name := range []string{"lab", "absent"} {
			got := do(t, s, request("GET", "/m/"+name+path, ""))
			location := strings.Replace(got.header.Get("Location"), name, "shop", 1)
			body := strings.Replace(got.body, "/m/"+name, "/m/shop", 1) // of an error
			if got.status != want.status || body != want.body || location != want.header.Get("Location") || got.header.Get("Etag") != want.header.Get("Etag") {
				t.Errorf("/m/%s%s: %d and %d\n%s\n%s", name, path, got.status, want.status, got.body, want.body)
			}
		}
	}
	document := do(t, s, request("GET", "/m/absent/openapi.json", ""))
	if document.status != 200 || !strings.Contains(document.body, `"servers":[{"url":"."}]`) {
		t.Errorf("%+v", document)
	}
	if got := do(t, s, request("GET", "/ready", "")); strings.Contains(got.body, "lab") || !strings.Contains(got.body, `"code":"parse"`) {
		t.Error(got.body)
	}
	for _, name := range []string{"shop", "lab", "absent"} {
		if got := do(t, s, request("GET", "/m/"+name+"/v1/model", "")); got.status != 401 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	open := serveModels(t, models, restapi.Config{Identities: directory(t, "", regionalTokens)})
	if got := do(t, open, request("GET", "/m/absent/docs", "")); got.status != 404 {
		t.Errorf("without roles: %+v", got)
	}
	if got := do(t, open, request("GET", "/ready", "")); !strings.Contains(got.body, `"model":"lab"`) {
		t.Error(got.body)
	}
}

func TestIdentity_ProgramVouchesForItsUsers(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Identities: directory(t, regionalPolicies, "")})
	inner := s.Handler("")
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user := r.URL.Query().Get("user"); user != "" {
			r.URL.RawQuery = ""
			r = r.WithContext(restapi.WithIdentity(r.Context(), access.Claims{Name: user, Roles: []string{"regional"}, Attributes: map[string]any{"regions": []any{"x"}}}))
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	if got := send(t, to(t, "GET", h.URL+"/v1/identity?user=ana", "")); got.status != 200 || !strings.Contains(got.body, `"name":"ana","roles":["regional"]`) {
		t.Errorf("%+v", got)
	}
	for _, header := range []string{"", "Bearer ", "Bearer x"} {
		r := to(t, "GET", h.URL+"/v1/identity", "")
		r.Header.Set("Authorization", header)
		if got := send(t, r); got.status != 401 {
			t.Errorf("%q: %+v", header, got)
		}
	}
}

const resourcePolicies = `
version: 1
resource: https://sem.example.com/api
issuers:
  - {issuer: "https://id.example.com", audience: [semlayer]}
  - {issuer: "https://other.example.com", audience: [semlayer]}
`

func TestResourceMetadata_LeadsToTheIssuers(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Identities: directory(t, resourcePolicies, "")})
	const path = "/.well-known/oauth-protected-resource"
	for _, below := range []string{"", "/mcp", "/m/any-name/mcp"} {
		want := `{"resource":"https://sem.example.com/api` + below + `","authorization_servers":["https://id.example.com","https://other.example.com"],"bearer_methods_supported":["header"]}`
		if got := do(t, s, request("GET", path+below, "")); got.status != 200 || got.body != want {
			t.Errorf("%s: %+v", below, got)
		}
	}
	for _, below := range []string{"/", "/v1", "/m/a b/mcp", "/mcp/x", "x"} {
		if got := do(t, s, request("GET", path+strings.ReplaceAll(below, " ", "%20"), "")); got.status != 401 {
			t.Errorf("%s: %+v", below, got)
		}
	}
	for requested, below := range map[string]string{"/mcp": "/mcp", "/v1/model": "", "/nothing": "", `/m/a"b/mcp`: ""} {
		got := do(t, s, request("POST", strings.ReplaceAll(requested, `"`, "%22"), "{}"))
		want := `Bearer resource_metadata="https://sem.example.com/api/.well-known/oauth-protected-resource` + below + `"`
		if got.status != 401 || got.header.Get("WWW-Authenticate") != want {
			t.Errorf("%s: %d %s", requested, got.status, got.header.Get("WWW-Authenticate"))
		}
	}
	several := serveModels(t, restapi.Models{Several: true, List: []*restapi.Model{{Name: "shop", Service: answering()}}}, restapi.Config{Identities: directory(t, resourcePolicies, "")})
	if got := do(t, several, request("POST", "/m/shop/mcp", "{}")).header.Get("WWW-Authenticate"); !strings.HasSuffix(got, `/m/shop/mcp"`) {
		t.Error(got)
	}
	without := serve(t, answering(), restapi.Config{Identities: directory(t, "", "token")})
	if got := do(t, without, request("GET", path, "")); got.status != 401 || got.header.Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("%+v", got)
	}
	open := serve(t, answering(), restapi.Config{})
	if got := do(t, open, request("GET", path, "")); got.status != 404 {
		t.Errorf("%+v", got)
	}
}

func TestIdentity_ReplacedRevisionHoldsFromTheNextRequest(t *testing.T) {
	d := directory(t, regionalPolicies, regionalTokens)
	s := serve(t, answering(), restapi.Config{Identities: d})
	if got := do(t, s, bearer("GET", "/v1/model", "", "regional-token")); got.status != 200 {
		t.Fatalf("%+v", got)
	}
	file, _ := access.Parse("policies.yaml", []byte(strings.Replace(regionalPolicies, "regional:", "renamed:", 1)))
	if err := d.Replace(d.Tokens(), file); err != nil {
		t.Fatal(err)
	}
	if got := do(t, s, bearer("GET", "/v1/model", "", "regional-token")); got.status != 403 || !strings.Contains(got.body, "none of the roles of the identity is known") {
		t.Errorf("%+v", got)
	}
}

func TestQuota_RateOfRequests(t *testing.T) {
	policies := "version: 1\nrequired: {limits: {requests_per_second: 0.25, burst: 2}}\n"
	s := serve(t, answering(), restapi.Config{Identities: directory(t, policies, "token"), MCP: echo})
	if got := do(t, s, bearer("GET", "/v1/identity", "", "token")); got.body != `{"roles":[],"attributes":{},"sql":true,"limits":{"requests_per_second":0.25,"burst":2}}` {
		t.Errorf("%+v", got)
	}
	if got := do(t, s, bearer("GET", "/v1/nothing", "", "token")); got.status != 404 {
		t.Errorf("%+v", got)
	}
	for _, r := range []string{"GET /v1/model", "POST /v1/query/compile", "POST /mcp", "GET /v1/nothing"} {
		method, path, _ := strings.Cut(r, " ")
		got := do(t, s, bearer(method, path, "{", "token"))
		if got.status != 429 || got.header.Get("Retry-After") != "4" || !strings.Contains(got.body, `"code":"rate_limited"`) {
			t.Errorf("%s: %+v", r, got)
		}
	}
	for _, path := range []string{"/health", "/metrics", "/docs", "/openapi.json"} {
		if got := do(t, s, request("GET", path, "")); got.status != 200 {
			t.Errorf("%s: %+v", path, got.status)
		}
	}
	if got := do(t, s, bearer("GET", "/v1/model", "", "wrong")); got.status != 401 {
		t.Errorf("the token is checked first: %+v", got)
	}
}

func TestConfig_RefusesTokensBesideIdentities(t *testing.T) {
	_, err := restapi.New(answering(), silent(restapi.Config{Tokens: []string{"a"}, Identities: directory(t, "", "b")}))
	if err == nil {
		t.Error("accepted")
	}
}

func TestIdentity_OpenAPISaysWherePoliciesRefuse(t *testing.T) {
	const reason = "The policies refuse it: "
	d := directory(t, regionalPolicies, regionalTokens)
	w := readOpenAPI(t, serve(t, answering(), restapi.Config{Identities: d}))
	w.each(func(route string, o openAPIOperation) {
		_, path, _ := strings.Cut(route, " ")
		got := o.Responses["403"]
		if want := strings.HasPrefix(path, "/v1/"); strings.Contains(got.Description, reason) != want || want && len(got.codes()) != 1 {
			t.Errorf("%s: %q %v", route, got.Description, got.codes())
		}
	})
	w = readOpenAPI(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}}))
	w.each(func(route string, o openAPIOperation) {
		if strings.Contains(o.Responses["403"].Description, reason) {
			t.Errorf("%s without roles: %q", route, o.Responses["403"].Description)
		}
	})
}

package clients_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

func TestRoutes_EachHasClientMethod(t *testing.T) {
	seen := &asked{}
	c := shop(t, client.WithHTTPClient(&http.Client{Transport: seen}))
	detail := client.DetailQuery{From: "orders", Fields: []string{"status"}}
	_ = c.Health(ctx)
	_, _ = c.Ready(ctx)
	_, _ = c.Model(ctx)
	_, _ = c.Models(ctx)
	_, _ = c.Capabilities(ctx)
	_, _ = c.Datasets(ctx)
	_, _ = c.Metrics(ctx)
	_, _ = c.Dimensions(ctx, "")
	_, _ = c.Relationships(ctx)
	_, _ = c.Views(ctx)
	_, _ = c.Findings(ctx)
	_, _ = c.Identity(ctx)
	_, _ = c.Connections(ctx)
	_, _ = c.SavedQueries(ctx)
	_, _ = c.Lineage(ctx, "")
	_, _ = c.Rollups(ctx)
	_, _ = c.Catalog(ctx)
	_, _ = c.Find(ctx, client.FindQuery{Question: "revenue"})
	_, _ = c.FieldValues(ctx, client.ValuesQuery{Field: "orders.status"})
	_, _ = c.CompatibleItems(ctx, client.CompatibleQuery{})
	_, _ = c.Validate(ctx, "")
	_, _ = c.Compile(ctx, metrics("revenue"))
	_, _ = c.Explain(ctx, metrics("revenue"))
	_, _ = c.Execute(ctx, metrics("revenue"))
	_, _ = c.Attribute(ctx, client.AttributeQuery{})
	_, _ = c.SelectCompile(ctx, detail)
	_, _ = c.SelectExplain(ctx, detail)
	_, _ = c.SelectExecute(ctx, detail)
	_, _ = c.CompileSQL(ctx, client.SQLStatement{})
	_, _ = c.ExecuteSQL(ctx, client.SQLStatement{})
	// What the client leaves to others, with the reason.
	others := map[string]string{
		"GET /docs":              "a page for people",
		"GET /openapi.json":      "for tools that generate",
		"GET /openapi-3.0.json":  "for tools that generate",
		"GET /schema/model.json": "for editors",
		"GET /metrics":           "for Prometheus",
	}
	served := map[string]bool{}
	for _, route := range restapi.Routes() {
		served[route] = true
		if !seen.routes[route] && others[route] == "" {
			t.Errorf("no method calls %s", route)
		}
	}
	for route := range seen.routes {
		if !served[route] {
			t.Errorf("a method calls %s, which is not served", route)
		}
	}
}

// checkKeys fails where a response has a key that its type lacks.
func checkKeys(t *testing.T, url, path, body string, into any) {
	t.Helper()
	method, send := http.MethodGet, ""
	if body != "" {
		method, send = http.MethodPost, body
	}
	r, err := http.NewRequestWithContext(ctx, method, url+path, strings.NewReader(send))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Errorf("%s %s: %s", path, body, text.String())
		return
	}
	d := json.NewDecoder(&text)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Errorf("%s %s: %v", path, body, err)
	}
}

func TestTypes_KnowEveryResponseKey(t *testing.T) {
	for _, name := range []string{"orders", "ledger", "retail"} {
		url := serving.Serve(t, open(t, name), restapi.Config{})
		checkKeys(t, url, "/v1/model", "", &client.Model{})
		checkKeys(t, url, "/v1/capabilities", "", &client.Capabilities{})
		checkKeys(t, url, "/v1/datasets", "", &[]client.Dataset{})
		checkKeys(t, url, "/v1/relationships", "", &[]client.Relationship{})
		checkKeys(t, url, "/v1/findings", "", &client.Findings{})
		checkKeys(t, url, "/v1/metrics", "", &[]client.Metric{})
		checkKeys(t, url, "/v1/dimensions", "", &[]client.Dimension{})
		checkKeys(t, url, "/v1/lineage", "", &client.Lineage{})
		checkKeys(t, url, "/v1/find?q=amount+by+id", "", &client.FindResult{})
		field := map[string]string{"orders": "order_date", "ledger": "", "retail": "order.order_date"}[name]
		if field != "" {
			checkKeys(t, url, "/v1/values?field="+field, "", &client.FieldValues{})
		}
		checkKeys(t, url, "/v1/query/compatible", `{}`, &client.CompatibleItems{})
		model, err := json.Marshal(map[string]string{"model": fixture(t, name, "model.yaml")})
		if err != nil {
			t.Fatal(err)
		}
		checkKeys(t, url, "/v1/validate", string(model), &client.Validation{})
	}
	url := serving.Serve(t, open(t, "ledger"), restapi.Config{})
	checkKeys(t, url, "/v1/query/compile", `{"metrics":["x_above"],"params":{"t":[50,100]},"time_ranges":{"a":{"start":"2024-01-01"}}}`, &client.Compiled{})
	for metric, strategy := range map[string]string{
		"net": "term_wise", "avg_x": "mix_shift", "x_times_y": "factor_shapley", "cats": "unsupported", "x_above": "term_wise",
	} {
		var got client.Attribution
		checkKeys(t, url, "/v1/query/attribute", `{"metric":"`+metric+`","dimensions":["ledger.cat"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`, &got)
		if got.Strategy != strategy {
			t.Errorf("%s: %s", metric, got.Strategy)
		}
	}
}

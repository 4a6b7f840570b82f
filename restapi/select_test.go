package restapi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/restapi"
)

func TestSelect_OverHTTP(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	for _, c := range []struct {
		path, body string
		status     int
		want       string // a part of the response
	}{
		{"/v1/select/execute", `{"from":"orders","fields":["order_id","customers.region"],"order_by":[{"key":"order_id"}],"limit":2}`, 200,
			`"columns":["order_id","region"],"rows":[{"order_id":1,"region":"east"},{"order_id":2,"region":"east"}],"row_count":2,"limit":2,"limited":true}`},
		{"/v1/select/execute", `{"from":"orders","fields":["order_id"],"limit":0}`, 200, `"columns":["order_id"],"rows":[],"row_count":0,"limit":0,"limited":true}`},
		{"/v1/select/compile", `{"from":"orders","fields":["order_id"],"dialect":"mysql"}`, 200, `{"dialect":"mysql","sql":"SELECT `},
		{"/v1/select/explain", `{"from":"orders","fields":["order_id"]}`, 200, `{"plan":"Limit 100\n`},
		{"/v1/select/compile", `{"from":"customers","fields":["region","orders.amount"]}`, 400, `{"error":{"code":"detail_fanout"`},
		{"/v1/select/compile", `{"root":"customers"}`, 400, `{"error":{"code":"unknown_query_key"`},
		{"/v1/select/compile", `{`, 400, `{"error":{"code":"bad_request"`},
	} {
		got := do(t, s, request("POST", c.path, c.body))
		if got.status != c.status || !strings.Contains(got.body, c.want) {
			t.Errorf("%s %s: %d %s", c.path, c.body, got.status, got.body)
		}
	}
}

func TestAttribute_OverHTTP(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	const windows = `"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}`
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"metric":"revenue","dimensions":["status"],` + windows + `}`, 200, `{"metric":"revenue","strategy":"term_wise","total_change":{"baseline_value":150,"current_value":230,"delta":80,`},
		{`{"metric":"revenue",` + windows + `}`, 400, `{"error":{"code":"dimensions_required"`},
		{`{"metric":"revenue","dimensions":["status"],"windows":1,` + windows + `}`, 400, `{"error":{"code":"unknown_query_key"`},
		{`{"metric":"avg_order_value","dimensions":["status"],"baseline":{"start":"2019-01-01","end":"2019-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`, 400,
			`{"error":{"code":"denominator_nonpositive"`},
	} {
		got := do(t, s, request("POST", "/v1/query/attribute", c.body))
		if got.status != c.status || !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %d %s", c.body, got.status, got.body)
		}
	}
}

func TestCompileOnly_ForbidsEveryExecution(t *testing.T) {
	s := shop(t, "orders", restapi.Config{DisableExecute: true})
	got := map[string]int{}
	for _, path := range []string{"/v1/select/execute", "/v1/query/attribute", "/v1/select/compile", "/v1/select/explain"} {
		got[path] = do(t, s, request("POST", path, `{"from":"orders","fields":["order_id"]}`)).status
	}
	want := map[string]int{"/v1/select/execute": 403, "/v1/query/attribute": 403, "/v1/select/compile": 200, "/v1/select/explain": 200}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

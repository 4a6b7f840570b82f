package restapi_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/restapi"
)

func TestCatalog_HasEachListAsItsRoute(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	var got map[string]json.RawMessage
	whole := do(t, s, request("GET", "/v1/catalog", ""))
	if err := json.Unmarshal([]byte(whole.body), &got); err != nil || whole.status != 200 || len(got) != 8 {
		t.Fatalf("%d %v %v", whole.status, err, got)
	}
	for _, name := range []string{"model", "datasets", "metrics", "dimensions", "views", "saved", "findings", "connections"} {
		if diff := cmp.Diff(do(t, s, request("GET", "/v1/"+name, "")).body, string(got[name])); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

package restapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/restapi"
)

// to returns a request to a server that listens.
func to(t *testing.T, method, address, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// served returns the limits that a server lists, by name.
func served(t *testing.T, base string) map[string]limits.Limit {
	t.Helper()
	var body struct{ Limits []limits.Limit }
	if err := json.Unmarshal([]byte(send(t, to(t, "GET", base+"/v1/capabilities", "")).body), &body); err != nil {
		t.Fatal(err)
	}
	found := map[string]limits.Limit{}
	for _, l := range body.Limits {
		found[l.Name] = l
	}
	return found
}

// A body of exactly body_bytes is read, and one byte more is rejected with the code of the
// table, and a head far beyond head_bytes as well.
func TestLimits_OfTheServerHoldAtTheirEdge(t *testing.T) {
	base := live(t, shop(t, "orders", restapi.Config{MaxBodyBytes: 9000}))
	limits := served(t, base)
	if got := limits["body_bytes"]; got.Value != 9000 || got.Setting != "--max-body-bytes" {
		t.Fatalf("%+v", got)
	}
	if limits["query_metrics"].Value == 0 {
		t.Error("the limits of the engine are missing")
	}
	const query = `{"metrics":["revenue"]}`
	body := func(n int) reply {
		return send(t, to(t, "POST", base+"/v1/query/compile", query+strings.Repeat(" ", n-len(query))))
	}
	if got := body(9000); got.status != 200 {
		t.Errorf("at the limit: %+v", got)
	}
	if got := body(9001); got.status != 413 || envelope(t, got.body).Code != limits["body_bytes"].Code {
		t.Errorf("one beyond: %+v", got)
	}
	head := func(n int) reply {
		r := to(t, "GET", base+"/v1/model", "")
		r.Header.Set("X-Long", strings.Repeat("x", n))
		return send(t, r)
	}
	most := int(limits["head_bytes"].Value)
	if got := head(most - 512); got.status != 200 {
		t.Errorf("a head within the limit: %+v", got)
	}
	if got := head(most); got.status != 431 || envelope(t, got.body).Code != limits["head_bytes"].Code {
		t.Errorf("a head beyond the limit: %+v", got)
	}
}

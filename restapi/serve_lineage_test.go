package restapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/restapi"
)

func TestLineage_GraphOrDrawing(t *testing.T) {
	e := orders(t)
	s := serve(t, e, restapi.Config{})
	whole, err := e.Lineage(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	part, err := e.Lineage(t.Context(), "revenue")
	if err != nil {
		t.Fatal(err)
	}
	text := func(l *lineage.Graph) string {
		wire, err := engine.MarshalWireJSON(l)
		if err != nil {
			t.Fatal(err)
		}
		return string(wire)
	}
	for _, c := range []struct{ query, want, contentType string }{
		{"", text(whole), "application/json"},
		{"?metric=revenue", text(part), "application/json"},
		{"?format=json&metric=revenue", text(part), "application/json"},
		{"?format=mermaid", whole.Mermaid(), "text/plain; charset=utf-8"},
		{"?format=dot&metric=revenue", part.DOT(), "text/plain; charset=utf-8"},
	} {
		got := do(t, s, request("GET", "/v1/lineage"+c.query, ""))
		if got.status != 200 || got.body != c.want || got.header.Get("Content-Type") != c.contentType {
			t.Errorf("%s: %+v", c.query, got)
		}
	}
	if len(part.Nodes) >= len(whole.Nodes) {
		t.Errorf("%d of %d nodes", len(part.Nodes), len(whole.Nodes))
	}
}

func TestLineage_RejectsUnknown(t *testing.T) {
	s := serve(t, orders(t), restapi.Config{})
	for query, want := range map[string]string{
		"?metric=revenu":                      `"code":"unknown_metric"`,
		"?metric=revenu&format=dot":           `"code":"unknown_metric"`,
		"?format=svg":                         "json, mermaid and dot, not svg",
		"?metrics=revenue":                    `no query parameter metrics; it has metric and format","candidates":["metric","format"]`,
		"?format=" + "%3Cscript%3E":           "not <script>",
		"?format=" + strings.Repeat("x", 500): "…",
	} {
		got := do(t, s, request("GET", "/v1/lineage"+query, ""))
		var body struct {
			Error struct{ Candidates []string }
		}
		if err := json.Unmarshal([]byte(got.body), &body); err != nil || got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %+v %v", query, got, err)
		}
		if strings.Contains(want, "unknown_metric") && (len(body.Error.Candidates) == 0 || body.Error.Candidates[0] != "revenue") {
			t.Errorf("%s: %s", query, got.body)
		}
	}
}

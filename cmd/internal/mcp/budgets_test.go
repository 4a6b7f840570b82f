package mcp_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// generatedModel writes a model of some datasets with long names and texts in several scripts.
func generatedModel(r *rand.Rand, datasets int) string {
	text := func(most int) string {
		words := []string{"order", "Umsatz", "売上高", "выручка", "الإيرادات", "a\\\"b", "<tag>", "é", "patients seen. ", "sum!\\n"}
		var b strings.Builder
		for most = r.IntN(most); b.Len() < most; {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		return b.String()
	}
	name := func(i int) string { return fmt.Sprintf("n%d_%s", i, strings.Repeat("x", r.IntN(60))) }
	var b strings.Builder
	fmt.Fprintf(&b, "version: 0.2.0.dev0\nname: %s\ndescription: \"%s\"\nai_context: {instructions: \"%s\"}\ndatasets:\n", name(0), text(2000), text(12000))
	var metrics []string
	for i := range datasets {
		d := name(i)
		fmt.Fprintf(&b, "  - name: %s\n    source: t%d\n    primary_key: [id]\n    description: \"%s\"\n    fields:\n", d, i, text(600))
		fmt.Fprintln(&b, "      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}")
		for f := range 1 + r.IntN(8) {
			fmt.Fprintf(&b, "      - {name: f%d, datatype: String, description: \"%s\", ai_context: {synonyms: [\"%s\"]}, expression: {dialects: [{dialect: ANSI_SQL, expression: f%d}]}}\n", f, text(300), text(60), f)
		}
		for range r.IntN(4) {
			metrics = append(metrics, fmt.Sprintf("  - {name: m%d_%s, description: \"%s\", expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(%s.id)}]}}\n", len(metrics), name(len(metrics)), text(400), d))
		}
	}
	metrics = append(metrics, fmt.Sprintf("  - {name: last, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(%s.id)}]}}\n", "n0_"+strings.Split(strings.Split(b.String(), "- name: n0_")[1], "\n")[0]))
	b.WriteString("metrics:\n" + strings.Join(metrics, ""))
	return b.String()
}

// withConnections is a service with many connections.
type withConnections struct {
	*engine.Engine
	n int
}

func (s withConnections) Connections() []engine.ConnectionInfo {
	out := make([]engine.ConnectionInfo, s.n)
	for i := range out {
		out[i] = engine.ConnectionInfo{Name: fmt.Sprintf("warehouse_%d", i), Dialect: "clickhouse", Available: true}
	}
	return out
}

// What a client reads costs the same on every model: the list of tools, the instructions and the first lists.
func TestBudgets_HoldOnGeneratedModels(t *testing.T) {
	models := 200
	if testing.Short() {
		models = 20
	}
	r := rand.New(rand.NewPCG(28, 4))
	most := map[string]int{}
	for i := range models {
		datasets := 1 + r.IntN(12)
		switch {
		case i == 0:
			datasets = 1000
		case i < 4:
			datasets = 200
		case i < 20:
			datasets = 3 + r.IntN(60)
		}
		e, err := engine.Open(t.Context(), engine.Config{Drivers: warehouses.Drivers(), ModelText: []byte(generatedModel(r, datasets)), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		session := direct(t, withConnections{e, r.IntN(40)}, mcp.Config{NamedConnections: i%2 == 0, ExecuteQuery: i%3 != 1})
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		// The client adds a hint to each tool that the server does not send.
		if n := len(strings.ReplaceAll(must(tools, nil), `"idempotentHint":false,`, "")); n > 8000 {
			t.Fatalf("%d datasets: the list of tools has %d bytes", datasets, n)
		} else {
			most["tools"] = max(most["tools"], n)
		}
		if text := session.InitializeResult().Instructions; len(text) > 4000 || !json.Valid([]byte(must(text, nil))) {
			t.Errorf("%d datasets: the instructions have %d bytes", datasets, len(text))
		} else {
			most["instructions"] = max(most["instructions"], len(text))
		}
		for _, list := range []string{"list_metrics", "list_dimensions", "list_datasets"} {
			text, notes, result := callTool(t, session, list, `{}`)
			if n := len(text) + len(strings.Join(notes, "")); n > 8000 || result.IsError || !json.Valid([]byte(text)) {
				t.Errorf("%d datasets: %s has %d bytes", datasets, list, n)
			} else {
				most["lists"] = max(most["lists"], n)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Attr("models", strconv.Itoa(models))
	for what, bytes := range most {
		t.Attr(what, strconv.Itoa(bytes))
	}
}

package mcp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/planerr"
)

var toolNames = []string{
	"attribute_metric", "compatible", "compile_select", "compile_sql", "describe_metric", "explain_query", "explain_sql", "find", "get_capabilities",
	"list_datasets", "list_dimensions", "list_keys", "list_metrics", "run_query", "run_sql", "select", "validate_model", "values",
}

func listed(t *testing.T, session *sdk.ClientSession) map[string]*sdk.Tool {
	t.Helper()
	found, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*sdk.Tool{}
	for _, tool := range found.Tools {
		out[tool.Name] = tool
	}
	return out
}

// The list of tools is in the context of every conversation: it is small, and the same for every model.
func TestTools_AreTerseAndOpen(t *testing.T) {
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			tools := listed(t, connect(t, transport(t, server(retail(t), mcp.Config{}))))
			if d := cmp.Diff(toolNames, slices.Sorted(maps.Keys(tools))); d != "" {
				t.Error(d)
			}
			for name, tool := range tools {
				schema, _ := tool.InputSchema.(map[string]any)
				if open, ok := schema["additionalProperties"].(bool); !ok || !open || schema["type"] != "object" {
					t.Errorf("%s does not take any key: %v", name, schema)
				}
				if a := tool.Annotations; tool.Description == "" || a == nil || !a.ReadOnlyHint {
					t.Errorf("%s: %q %+v", name, tool.Description, a)
				}
				for _, word := range []string{"retail", "revenue", "orders", "customers"} {
					if text := must(tool, nil); strings.Contains(text, word) {
						t.Errorf("%s names %s of the model: %s", name, word, text)
					}
				}
			}
			for tool, as := range map[string]string{"compile_sql": "run_query", "explain_query": "run_query", "compatible": "run_query", "compile_select": "select"} {
				if !strings.Contains(tools[tool].Description, "as "+as) {
					t.Errorf("%s does not refer to %s: %s", tool, as, tools[tool].Description)
				}
				types := propertyTypes(tools[as])
				for key, jsonType := range propertyTypes(tools[tool]) {
					if types[key] != jsonType && key != "search" && key != "dialect" {
						t.Errorf("%s: %s is %q, and %q of %s", tool, key, jsonType, types[key], as)
					}
				}
			}
		})
	}
}

func propertyTypes(tool *sdk.Tool) map[string]any {
	out := map[string]any{}
	properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
	for key, p := range properties {
		out[key] = p.(map[string]any)["type"]
	}
	return out
}

// The schemas have the keys of the decoders: a decoder accepts each key of its schema, and
// each key that a decoder suggests for an unknown one is in the schema, but for those that the budget of the list has no room for.
func TestTools_SchemaKeysMatchDecoders(t *testing.T) {
	tools := listed(t, direct(t, retail(t), mcp.Config{}))
	whole := []string{"run_query", "select", "attribute_metric", "find", "list_metrics", "list_dimensions", "describe_metric", "run_sql", "get_capabilities"}
	session := direct(t, retail(t), mcp.Config{})
	more, _, _ := callTool(t, session, "list_keys", `{}`)
	var unlisted map[string][]struct{ Key string }
	if err := json.Unmarshal([]byte(more), &unlisted); err != nil {
		t.Fatal(err)
	}
	unlisted["run_sql"] = []struct{ Key string }{{"dialect"}, {"pretty"}, {"rollups"}, {"max_age"}} // keys of a metric query too
	unlisted["find"] = unlisted["run_query"]
	for _, name := range toolNames {
		for key := range propertyTypes(tools[name]) {
			if text, _, result := callTool(t, session, name, fmt.Sprintf(`{%q: null}`, key)); result.IsError && codeOf(t, text) == "unknown_query_key" {
				t.Errorf("%s lists the key %s: %s", name, key, text)
			}
		}
		text, _, result := callTool(t, session, name, `{"no_such_key": 1}`)
		if !result.IsError {
			t.Errorf("%s takes an unknown key: %s", name, text)
			continue
		}
		var e planerr.Error
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		for _, offered := range e.Candidates {
			if _, listed := propertyTypes(tools[name])[offered]; !listed && slices.Contains(whole, name) && !slices.Contains(unlisted[name], struct{ Key string }{offered}) {
				t.Errorf("the schema of %s lacks %s", name, offered)
			}
		}
	}
}

func TestInstructions_LetAgentBegin(t *testing.T) {
	got := direct(t, retail(t), mcp.Config{}).InitializeResult().Instructions
	for _, part := range []string{"semantic model retail", "Metrics: revenue, order_count,", "find", "run_query", "suggested_retry", "Amounts are in euro."} {
		if !strings.Contains(got, part) {
			t.Errorf("the instructions lack %q:\n%s", part, got)
		}
	}
}

func TestInstructions_CountMetricsOfLargeModels(t *testing.T) {
	f := fake{}
	for i := range 1000 {
		f.metrics = append(f.metrics, describe.Metric{Name: fmt.Sprintf("metric_%04d", i)})
	}
	got := direct(t, f, mcp.Config{}).InitializeResult().Instructions
	if !strings.Contains(got, "Metrics: 1000 metrics: use find.") || !strings.Contains(got, "Connections: lake (trino). ") || strings.Contains(got, "gone") {
		t.Error(got)
	}
}

package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
)

var toolNames = []string{
	"attribute_metric", "compile_select", "compile_sql", "describe_metric", "explain_query", "get_capabilities",
	"list_datasets", "list_dimensions", "list_metrics", "run_query", "select", "validate_model",
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

func TestTools_DescribeArgumentsAndModel(t *testing.T) {
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			tools := listed(t, connect(t, transport(t, server(retail(t), mcp.Config{}))))
			var got []string
			for name, tool := range tools {
				got = append(got, name)
				a := tool.Annotations
				if tool.Title == "" || a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint {
					t.Errorf("%s: %q %+v", name, tool.Title, a)
				}
				if !strings.Contains(tool.Description, "Model retail.") {
					t.Errorf("%s does not name the model: %s", name, tool.Description)
				}
				schema, _ := tool.InputSchema.(map[string]any)
				if anything, ok := schema["additionalProperties"].(bool); !ok || anything {
					t.Errorf("%s takes any key: %v", name, schema["additionalProperties"])
				}
				describeTool(t, name, schema)
			}
			slices.Sort(got)
			if d := cmp.Diff(toolNames, got); d != "" {
				t.Error(d)
			}
			for _, name := range []string{"run_query", "compile_sql", "explain_query", "describe_metric", "list_metrics", "attribute_metric"} {
				if !strings.Contains(tools[name].Description, "revenue, order_count, ") {
					t.Errorf("%s does not name the metrics: %s", name, tools[name].Description)
				}
			}
			if !strings.Contains(tools["select"].Description, "orders, customers, ") {
				t.Error(tools["select"].Description)
			}
		})
	}
}

// describeTool: every property has a description, at every depth, and objects with
// properties take no other.
func describeTool(t *testing.T, place string, schema map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		property, _ := p.(map[string]any)
		if text, _ := property["description"].(string); text == "" {
			t.Errorf("%s.%s has no description", place, name)
		}
		describeTool(t, place+"."+name, property)
	}
	if anything, ok := schema["additionalProperties"].(bool); len(properties) > 0 && (!ok || anything) {
		t.Errorf("%s takes any key", place)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, ok := schema[key].(map[string]any); ok {
			describeTool(t, place, inner)
		}
	}
}

// The schemas have the keys of the decoders: a decoder accepts each key of its schema, and
// each key that a decoder suggests for an unknown one is in the schema.
func TestTools_SchemaKeysMatchDecoders(t *testing.T) {
	tools := listed(t, direct(t, retail(t), mcp.Config{}))
	for name, decode := range map[string]func([]byte) error{
		"run_query":        func(b []byte) error { _, err := engine.DecodeMetric(b); return err },
		"compile_sql":      func(b []byte) error { _, err := engine.DecodeMetric(b); return err },
		"select":           func(b []byte) error { _, err := engine.DecodeDetail(b); return err },
		"attribute_metric": func(b []byte) error { _, err := engine.DecodeAttribute(b); return err },
	} {
		properties := tools[name].InputSchema.(map[string]any)["properties"].(map[string]any)
		if len(properties) < 10 {
			t.Errorf("%s: %v", name, properties)
		}
		for key := range properties {
			if err := decode(fmt.Appendf(nil, `{%q: null}`, key)); err != nil {
				t.Errorf("%s has the key %s: %v", name, key, err)
			}
			var plan *engine.PlanError
			err := decode(fmt.Appendf(nil, `{%q: null}`, key+"x"))
			if !asPlan(err, &plan) || plan.Code != "unknown_query_key" {
				t.Errorf("%s: %v", key, err)
				continue
			}
			for _, offered := range plan.Candidates {
				if properties[offered] == nil && offered != "saved" { // a model without saved queries has no such argument
					t.Errorf("the schema of %s lacks %s", name, offered)
				}
			}
		}
	}
}

func TestInstructions_LetAgentBegin(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{})
	got := session.InitializeResult().Instructions
	for _, part := range []string{"semantic model retail", "Metrics: revenue, order_count,", "Datasets: orders,", "run_query", "suggested_retry", "Amounts are in euro."} {
		if !strings.Contains(got, part) {
			t.Errorf("the instructions lack %q:\n%s", part, got)
		}
	}
}

func TestInstructions_CutNamesOfLargeModels(t *testing.T) {
	f := fake{}
	for i := range 1000 {
		f.metrics = append(f.metrics, engine.MetricInfo{Name: fmt.Sprintf("metric_%04d", i)})
	}
	session := direct(t, f, mcp.Config{})
	if got := session.InitializeResult().Instructions; len(got) > 6000 || !strings.Contains(got, "metric_0000, metric_0001,") || !strings.Contains(got, " more: list_metrics.") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	// A name and what parts it from the next are 13 bytes: 38 fit into 500.
	tools := listed(t, session)
	if got := tools["run_query"].Description; !strings.Contains(got, "metric_0037 and 962 more: list_metrics.") {
		t.Error(got)
	}
	if got := tools["run_query"].InputSchema.(map[string]any)["properties"].(map[string]any)["connection"].(map[string]any)["description"]; got !=
		"The connection profile to run on. Without it the embedded database. There are: lake (trino)." {
		t.Error(got)
	}
	all, err := json.Marshal(tools)
	if err != nil || len(all) > 40_000 {
		t.Errorf("the list of tools takes %d bytes, %v", len(all), err)
	}
}

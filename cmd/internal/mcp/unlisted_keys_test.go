package mcp_test

import (
	"encoding/json"
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/planner/query"
)

// Each key of a query is in the schema of its tool or in list_keys, and in one of them only.
func TestListKeys_HasTheKeysThatSchemasLack(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{})
	text, _, result := callTool(t, session, "list_keys", `{}`)
	var got map[string][]struct{ Key, Description string }
	if err := json.Unmarshal([]byte(text), &got); err != nil || result.IsError {
		t.Fatal(text, err)
	}
	if len(text) > 8000 {
		t.Errorf("list_keys has %d bytes", len(text))
	}
	tools := listed(t, session)
	for tool, keys := range map[string][]query.KeyDescription{"run_query": query.MetricKeys(), "select": query.DetailKeys(), "attribute_metric": query.AttributeKeys()} {
		schema := propertyTypes(tools[tool])
		for _, k := range keys {
			_, inSchema := schema[k.Name]
			at := slices.IndexFunc(got[tool], func(u struct{ Key, Description string }) bool { return u.Key == k.Name })
			if inSchema == (at >= 0) || at >= 0 && got[tool][at].Description == "" {
				t.Errorf("%s: the key %s is in the schema: %v, in list_keys: %v", tool, k.Name, inSchema, at >= 0)
			}
		}
	}
	if _, inSchema := propertyTypes(tools["run_query"])["count"]; inSchema {
		t.Error("the schema of run_query has the key count")
	}
	read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "semlayer://keys"})
	if err != nil || read.Contents[0].Text != text {
		t.Errorf("semlayer://keys differs from list_keys: %v %v", read, err)
	}
	if text, _, result := callTool(t, session, "list_keys", `{"all":true}`); !result.IsError || codeOf(t, text) != "unknown_query_key" {
		t.Error(text)
	}
}

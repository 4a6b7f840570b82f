package doctest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	bundled "github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/executor/testwait"
)

const mcpPage = root + "/docs/mcp.md"

// Each row of the table of tools has the arguments that the tool takes.
func TestMCPPage_ListsToolArguments(t *testing.T) {
	page, err := os.ReadFile(mcpPage)
	if err != nil {
		t.Fatal(err)
	}
	queries := map[string]string{
		"run_query": "a metric query", "compile_sql": "a metric query", "explain_query": "a metric query",
		"compatible": "a metric query, which may lack metrics; `search`, `limit`, `offset`",
		"select":     "a detail query", "compile_select": "a detail query",
		"attribute_metric": "an attribution", "get_capabilities": "none", "list_keys": "none", "validate_model": "`model`, a text",
	}
	for _, tool := range listTools(t) {
		arguments, known := queries[tool.name]
		if !known {
			arguments = "`" + strings.Join(tool.arguments, "`, `") + "`"
		}
		if row := "| `" + tool.name + "` | " + arguments + " | "; !strings.Contains(string(page), row) {
			t.Errorf("docs/mcp.md has no row that begins with %s", row)
		}
	}
}

type tool struct {
	name      string
	arguments []string // in the order of the schema
}

func listTools(t *testing.T) []tool {
	t.Helper()
	model := filepath.Join(t.TempDir(), "retail.yaml")
	if err := os.WriteFile(model, bundled.ModelText(), 0o600); err != nil {
		t.Fatal(err)
	}
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`
	var out, errs testwait.Log
	if code := cli.Run(context.Background(), []string{"mcp", "--model", model}, cli.Streams{In: strings.NewReader(in), Out: &out, Err: &errs}, "dev"); code != 0 {
		t.Fatal(code, errs.String())
	}
	var found []tool
	for line := range strings.Lines(out.String()) {
		var m struct {
			Result struct {
				Tools []struct {
					Name        string
					InputSchema struct{ Properties json.RawMessage }
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		for _, x := range m.Result.Tools {
			found = append(found, tool{x.Name, keysOf(t, x.InputSchema.Properties)})
		}
	}
	if len(found) != 18 {
		t.Fatalf("%d tools: %s", len(found), out.String())
	}
	return found
}

// keysOf lists the keys of an object in their order.
func keysOf(t *testing.T, object json.RawMessage) []string {
	t.Helper()
	if len(object) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key.(string))
	}
	return keys
}

func TestMCPPage_ListsSettings(t *testing.T) {
	var help testwait.Log
	cli.Run(context.Background(), []string{"mcp", "--help"}, cli.Streams{In: strings.NewReader(""), Out: &help, Err: &help}, "dev")
	page, err := os.ReadFile(mcpPage)
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`--[a-z-]+|SVC_[A-Z_]+`).FindAllString(help.String(), -1)
	if len(names) < 15 {
		t.Fatalf("%d names in the help", len(names))
	}
	for _, name := range names {
		if name != "--help" && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("%s is missing in docs/mcp.md", name)
		}
	}
}

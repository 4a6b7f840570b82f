package executequery_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// calls are queries of the bundled model, with the code that they get; "" for rows.
var calls = []struct{ query, code string }{
	{`{"measures": ["revenue", "buyers AS people"]}`, ""},
	{`{"dimensions": ["customers.region", "DATE_TRUNC('quarter', orders.order_date) AS q"], "measures": ["revenue", "avg_order_value"], "having": "revenue > 5", "order_by": [{"field": "q"}]}`, ""},
	{`{"dimensions": ["customers.segment"]}`, ""},
	{`{"fields": ["orders.order_id", "customers.name", "ordered_on.is_weekend", "orders.ship_date"], "order_by": [{"field": "orders.order_id", "direction": "DESC"}], "limit": 9}`, ""},
	{`{"dimensions": ["customers.region"], "measures": ["revenue"], "where": "customers.region = 'North'"}`, ""},
	{`{"fields": ["orders.order_id"], "limit": 0}`, ""},
	{`{"measures": ["revenu"]}`, "E_NAME_NOT_FOUND"},
	{`{"measures": ["revenue"], "where": "revenue > 3"}`, "INVALID_ARGUMENT"},
	{`{"measures": ["revenue", "customers.region"]}`, "E_NAME_NOT_FOUND"},
	{`{"dimensions": ["customers.region"], "measures": ["revenue"], "order_by": [{"field": "revenue", "direction": "DESC"}]}`, "UNSUPPORTED_QUERY"},
	{`{"dimensions": ["calendar.weekday"], "measures": ["revenue"]}`, "E_AMBIGUOUS_PATH"},
	{`{"fields": ["orders.order_id"], "measures": []}`, "E_MIXED_QUERY_SHAPE"},
	{`{"fields": []}`, "E_EMPTY_SCALAR_QUERY"},
	{`{}`, "E_EMPTY_AGGREGATION_QUERY"},
	{`{"dimensions": ["orders.order_id", "customers.name", "products.name AS product"], "measures": ["revenue"]}`, "RESOURCE_LIMIT"},
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("../../cmd/internal/mcp/testdata/execute_query.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("profile.json", document); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile("profile.json")
}

// bundled builds the program and writes the bundled model.
func bundled(t *testing.T) (program string, flags []string) {
	t.Helper()
	folder := t.TempDir()
	program = filepath.Join(folder, "semlayer")
	for _, words := range [][]string{
		{"go", "build", "-o", program, "github.com/semlayer/semlayer/cmd/semlayer"},
		{program, "init", folder},
	} {
		if out, err := exec.CommandContext(t.Context(), words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", words, err, out)
		}
	}
	return program, []string{"--model", filepath.Join(folder, "retail.yaml"), "--db", filepath.Join(folder, "retail.duckdb"), "--mcp-execute-query"}
}

// exchange sends a message and returns the result of the response.
type exchange func(t *testing.T, method string, params any) json.RawMessage

func resultOf(t *testing.T, response []byte) json.RawMessage {
	t.Helper()
	var out struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(response, &out); err != nil || out.Result == nil {
		t.Fatalf("%v: %s", err, response)
	}
	return out.Result
}

func message(t *testing.T, method string, params any) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var listening = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// overHTTP starts a server.
func overHTTP(t *testing.T, program string, flags []string) exchange {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, append([]string{"serve", "--bind", "127.0.0.1:0"}, flags...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	base := ""
	for lines := bufio.NewScanner(log); base == "" && lines.Scan(); {
		base = listening.FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	return func(t *testing.T, method string, params any) json.RawMessage {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/mcp", bytes.NewReader(message(t, method, params)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resultOf(t, text)
	}
}

// onStandardInput starts a process for one client.
func onStandardInput(t *testing.T, program string, flags []string) exchange {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, append([]string{"mcp"}, flags...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	lines := bufio.NewReader(out)
	return func(t *testing.T, method string, params any) json.RawMessage {
		t.Helper()
		if _, err := in.Write(append(message(t, method, params), '\n')); err != nil {
			t.Fatal(err)
		}
		text, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		if method == "initialize" {
			if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		return resultOf(t, text)
	}
}

var dataSource = regexp.MustCompile(`retail@[0-9a-f]{12}`)

func TestExecuteQuery_AnswersAreValid(t *testing.T) {
	schema := compileSchema(t)
	program, flags := bundled(t)
	for name, start := range map[string]func(*testing.T, string, []string) exchange{"http": overHTTP, "standard input": onStandardInput} {
		t.Run(name, func(t *testing.T) {
			send := start(t, program, flags)
			hello := send(t, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
			source := dataSource.FindString(string(hello))
			if tools := send(t, "tools/list", map[string]any{}); len(tools) > 8000 || !strings.Contains(string(tools), `"execute_query"`) {
				t.Errorf("%d bytes: %s", len(tools), tools)
			}
			for _, c := range calls {
				got := send(t, "tools/call", map[string]any{"name": "execute_query", "arguments": map[string]any{"data_source_id": source, "query": json.RawMessage(c.query)}})
				document, err := jsonschema.UnmarshalJSON(bytes.NewReader(got))
				if err != nil {
					t.Fatal(err)
				}
				if err := schema.Validate(document); err != nil {
					t.Errorf("%s: %v\n%s", c.query, err, got)
				}
				var answer struct {
					StructuredContent struct {
						Source string `json:"data_source_id"`
						Error  struct{ Code string }
					}
				}
				if err := json.Unmarshal(got, &answer); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff([]string{c.code, source}, []string{answer.StructuredContent.Error.Code, answer.StructuredContent.Source}); d != "" {
					t.Errorf("%s: %s", c.query, d)
				}
				refusesBrokenAnswers(t, schema, got)
			}
		})
	}
}

// refusesBrokenAnswers fails where the schema accepts a result that lacks a part.
func refusesBrokenAnswers(t *testing.T, schema *jsonschema.Schema, answer []byte) {
	t.Helper()
	for _, key := range []string{"contract_version", "status", "diagnostics", "suggestions", "filter_value_alternatives"} {
		var whole map[string]any
		if err := json.Unmarshal(answer, &whole); err != nil {
			t.Fatal(err)
		}
		content, _ := whole["structuredContent"].(map[string]any)
		delete(content, key)
		if schema.Validate(whole) == nil {
			t.Errorf("the schema accepts an answer without %s", key)
		}
		content[key] = 3
		if schema.Validate(whole) == nil {
			t.Errorf("the schema accepts an answer whose %s is a number", key)
		}
	}
}

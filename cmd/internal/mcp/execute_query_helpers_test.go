package mcp_test

import (
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
)

// profileSchema returns the schema of every result of execute_query.
func profileSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	text, err := os.ReadFile("testdata/execute_query.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	out, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

type executeQueryColumn struct{ Name, Datatype string }

// executeQueryAnswer is the part of a result that tests read.
type executeQueryAnswer struct {
	DataSourceID string `json:"data_source_id"`
	Model        struct{ ID, Revision string }
	Preview      struct {
		Columns  []executeQueryColumn
		Rows     [][]any
		RowCount int  `json:"row_count"`
		HasMore  bool `json:"has_more"`
	}
	Result struct {
		RowCount     int `json:"row_count"`
		Completeness string
		Resources    []struct{ URI, Name string }
	}
	Error struct {
		Code, Message string
		Retryable     bool
		Extensions    struct {
			Semlayer struct {
				Code, Capability string
				Candidates       []string
			}
		}
	}
	Suggestions []struct {
		Kind        string
		Replacement json.RawMessage `json:"replacement_query"`
	}
	Alternatives []struct {
		Field     string
		Requested string `json:"requested_value"`
		Values    []string
	} `json:"filter_value_alternatives"`

	text string
	rows [][]any // of the CSV: nil or a text
}

// replacement returns the query that a result offers; "" for none.
func (a *executeQueryAnswer) replacement() string {
	for _, s := range a.Suggestions {
		if len(s.Replacement) > 0 {
			return string(s.Replacement)
		}
	}
	return ""
}

// profile calls execute_query, and checks each result against the schema and its parts against each other.
type profile struct {
	session *sdk.ClientSession
	schema  *jsonschema.Resolved
	source  string
}

func newProfile(t *testing.T, e mcp.Service, c mcp.Config) *profile {
	t.Helper()
	c.ExecuteQuery = true
	return &profile{direct(t, e, c), profileSchema(t), e.DataSourceID()}
}

func (p *profile) ask(t *testing.T, query string) *executeQueryAnswer {
	t.Helper()
	return p.call(t, `{"data_source_id": `+quoted(p.source)+`, "query": `+query+`}`)
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text is always JSON
	}
	return string(out)
}

func (p *profile) call(t *testing.T, arguments string) *executeQueryAnswer {
	t.Helper()
	result, err := p.session.CallTool(t.Context(), &sdk.CallToolParams{Name: "execute_query", Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s: %v", arguments, err)
	}
	whole := must(result, nil)
	var document any
	if err := json.Unmarshal([]byte(whole), &document); err != nil {
		t.Fatal(err)
	}
	if err := p.schema.Validate(document); err != nil {
		t.Fatalf("%s: %v\n%s", arguments, err, whole)
	}
	out := &executeQueryAnswer{text: result.Content[0].(*sdk.TextContent).Text}
	if err := json.Unmarshal([]byte(must(result.StructuredContent, nil)), out); err != nil {
		t.Fatal(err)
	}
	if !result.IsError {
		out.readCSV(t, result.Content[1].(*sdk.EmbeddedResource).Resource)
	}
	return out
}

// readCSV reads the rows with the two rules of the metadata.
func (a *executeQueryAnswer) readCSV(t *testing.T, r *sdk.ResourceContents) {
	t.Helper()
	var meta struct {
		Columns      []executeQueryColumn
		RowCount     int    `json:"row_count"`
		Completeness string `json:"completeness"`
		Null         string `json:"csv_null_value"`
		Escape       string `json:"csv_escape_prefix"`
	}
	if err := json.Unmarshal([]byte(must(r.Meta["org.apache.ossie/execute_query"], nil)), &meta); err != nil {
		t.Fatal(err)
	}
	reader := csv.NewReader(strings.NewReader(r.Text))
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatalf("%v: %q", err, r.Text)
	}
	header := make([]string, len(meta.Columns))
	for i, c := range meta.Columns {
		header[i] = c.Name
	}
	a.rows = make([][]any, len(lines)-1)
	for i, line := range lines[1:] {
		for _, cell := range line {
			value := any(strings.TrimPrefix(cell, meta.Escape))
			if cell == meta.Null {
				value = nil
			}
			a.rows[i] = append(a.rows[i], value)
		}
	}
	shown := make([][]any, len(a.Preview.Rows))
	for i, row := range a.Preview.Rows {
		for _, cell := range row {
			if number, ok := cell.(float64); ok {
				cell = must(number, nil)
			} else if truth, ok := cell.(bool); ok {
				cell = must(truth, nil)
			}
			shown[i] = append(shown[i], cell)
		}
	}
	for what, d := range map[string]string{
		"header":       cmp.Diff(header, lines[0]),
		"row count":    cmp.Diff([]int{len(a.rows), len(a.rows)}, []int{meta.RowCount, a.Result.RowCount}),
		"completeness": cmp.Diff(meta.Completeness, a.Result.Completeness),
		"columns":      cmp.Diff(meta.Columns, a.Preview.Columns),
		"preview":      cmp.Diff(a.rows[:len(shown)], shown),
		"shown":        cmp.Diff([]any{len(shown), len(a.rows) > len(shown)}, []any{a.Preview.RowCount, a.Preview.HasMore}),
		"attachment":   cmp.Diff(r.URI, a.Result.Resources[0].URI),
	} {
		if d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
	for _, part := range []string{"success", a.Model.ID, a.Model.Revision, a.Result.Completeness, a.Result.Resources[0].Name} {
		if !strings.Contains(a.text, part) {
			t.Errorf("the text lacks %s: %s", part, a.text)
		}
	}
}

// openModel opens a model with tables.
func openModel(t *testing.T, model string, setup ...string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: warehouses.Drivers(), ModelText: []byte(model), Setup: setup, MaxExecutions: 2, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

package clients_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// sharedCall is one call of clients/testdata/requests.json, which every client of
// the service runs.
type sharedCall struct {
	Name     string
	Call     string
	Argument json.RawMessage
	Answer   json.RawMessage
	Only     []string
	Error    *struct {
		Code            string
		Status          int
		Metrics         []string
		SQLState        string
		Ossie           string
		Position        int
		CandidatesFirst string `json:"candidates_first"`
		Fragment        json.RawMessage
	}
}

func shared(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "clients", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestGoClient_SharedCalls(t *testing.T) {
	e, err := engine.Open(ctx, engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "orders.yaml", ModelText: shared(t, "orders.yaml"), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	c, err := client.New(serving.Serve(t, e, restapi.Config{Tokens: []string{token}}), client.WithToken(token))
	if err != nil {
		t.Fatal(err)
	}
	var table struct{ Calls []sharedCall }
	if err := json.Unmarshal(shared(t, "requests.json"), &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Calls) == 0 {
		t.Fatal("no calls")
	}
	for _, call := range table.Calls {
		if call.Only != nil && !slices.Contains(call.Only, "go") {
			continue
		}
		t.Run(call.Name, func(t *testing.T) {
			got, err := run(c, call)
			if call.Error != nil {
				checkRefusal(t, c, call, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := firstDifference(parsed(t, call.Answer), parsed(t, encoded(t, got)), ""); d != "" {
				t.Error(d)
			}
		})
	}
}

// valuesCall is the argument of a call of values.
type valuesCall struct {
	Field      string `json:"field"`
	Like       string `json:"like"`
	WhereSQL   string `json:"where_sql"`
	Limit      int    `json:"limit"`
	Offset     int    `json:"offset"`
	Connection string `json:"connection"`
	Dialect    string `json:"dialect"`
	View       string `json:"view"`
	Fresh      bool   `json:"fresh"`
}

// run makes the call; a result comes back in the form of the wire.
func run(c *client.Client, call sharedCall) (any, error) {
	switch call.Call {
	case "model":
		return c.Model(ctx)
	case "capabilities":
		return c.Capabilities(ctx)
	case "datasets":
		return c.Datasets(ctx)
	case "metrics":
		return c.Metrics(ctx)
	case "relationships":
		return c.Relationships(ctx)
	case "views":
		return c.Views(ctx)
	case "findings":
		return c.Findings(ctx)
	case "models":
		return c.Models(ctx)
	case "connections":
		return c.Connections(ctx)
	case "saved":
		return c.SavedQueries(ctx)
	case "dimensions":
		return with(call, func(metric string) ([]client.Dimension, error) { return c.Dimensions(ctx, metric) })
	case "lineage":
		return with(call, func(metric string) (*client.Lineage, error) { return c.Lineage(ctx, metric) })
	case "find":
		return with(call, func(question string) (*client.FindResult, error) {
			return c.Find(ctx, client.FindQuery{Question: question})
		})
	case "values":
		return with(call, func(q valuesCall) (*client.FieldValues, error) { return c.FieldValues(ctx, client.ValuesQuery(q)) })
	case "compatible":
		var search struct {
			Search string `json:"search"`
		}
		if err := json.Unmarshal(call.Argument, &search); err != nil {
			return nil, err
		}
		return with(call, func(q client.MetricQuery) (*client.CompatibleItems, error) {
			return c.CompatibleItems(ctx, client.CompatibleQuery{MetricQuery: q, Search: search.Search})
		})
	case "validate":
		return with(call, func(model string) (*client.Validation, error) { return c.Validate(ctx, model) })
	case "compile":
		return with(call, func(q client.MetricQuery) (*client.Compiled, error) { return c.Compile(ctx, q) })
	case "attribute":
		return with(call, func(q client.AttributeQuery) (*client.Attribution, error) { return c.Attribute(ctx, q) })
	case "execute":
		return with(call, func(q client.MetricQuery) (map[string]any, error) { return wire(c.Execute(ctx, q)) })
	case "compile_sql":
		return with(call, func(s client.SQLStatement) (*client.CompiledStatement, error) { return c.CompileSQL(ctx, s) })
	case "execute_sql":
		return with(call, func(s client.SQLStatement) (map[string]any, error) { return wire(c.ExecuteSQL(ctx, s)) })
	case "select":
		return with(call, func(q client.DetailQuery) (map[string]any, error) { return wire(c.SelectExecute(ctx, q)) })
	}
	return nil, fmt.Errorf("the table has a call %q that the Go client does not know", call.Call)
}

func with[Q, A any](call sharedCall, f func(Q) (A, error)) (any, error) {
	var q Q
	if err := json.Unmarshal(call.Argument, &q); err != nil {
		return nil, err
	}
	return f(q)
}

// wire returns a result as it came, rows as objects.
func wire(r *client.Result, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	rows := []any{}
	for _, row := range r.Rows {
		object := map[string]any{}
		for i, v := range row.Values() {
			object[r.Columns[i]] = v
		}
		rows = append(rows, object)
	}
	return map[string]any{"dialect": r.Dialect, "sql": r.SQL, "columns": r.Columns, "rows": rows, "row_count": r.RowCount, "saved": r.Saved, "warnings": r.Warnings}, nil
}

func checkRefusal(t *testing.T, c *client.Client, call sharedCall, err error) {
	t.Helper()
	var got *client.Error
	if !errors.As(err, &got) {
		t.Fatalf("got %v, want code %s", err, call.Error.Code)
	}
	if got.Code != call.Error.Code || got.HTTPStatus != call.Error.Status {
		t.Errorf("got %s %d, want %s %d", got.Code, got.HTTPStatus, call.Error.Code, call.Error.Status)
	}
	if want := call.Error; got.SQLState != want.SQLState || got.Ossie != want.Ossie || got.Position != want.Position {
		t.Errorf("got %q %q %d, want %q %q %d", got.SQLState, got.Ossie, got.Position, want.SQLState, want.Ossie, want.Position)
	}
	if want := call.Error.Metrics; want != nil && !slices.Equal(want, got.Metrics) {
		t.Errorf("metrics %v, want %v", got.Metrics, want)
	}
	if want := call.Error.CandidatesFirst; want != "" && (len(got.Candidates) == 0 || got.Candidates[0] != want) {
		t.Errorf("candidates %v, want %s first", got.Candidates, want)
	}
	if call.Error.Fragment == nil {
		return
	}
	if d := firstDifference(parsed(t, call.Error.Fragment), parsed(t, []byte(got.SuggestedRetry)), ""); d != "" {
		t.Error(d)
	}
	if got.SQLState != "" {
		var retry client.SQLStatement
		if err := json.Unmarshal([]byte(got.SuggestedRetry), &retry); err != nil {
			t.Fatal(err)
		}
		if r, err := c.ExecuteSQL(ctx, retry); err != nil || r.RowCount == 0 {
			t.Errorf("the retry answers %v, %v", r, err)
		}
		return
	}
	var q client.MetricQuery
	if err := json.Unmarshal(call.Argument, &q); err != nil {
		t.Fatal(err)
	}
	retry, ok := got.ApplySuggestedRetry(q)
	if !ok {
		t.Fatal("the fragment does not apply")
	}
	if r, err := c.Execute(ctx, retry); err != nil || r.RowCount == 0 {
		t.Errorf("the retry answers %v, %v", r, err)
	}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func parsed(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// firstDifference returns the first place where got lacks a value of want: members of objects that
// want does not name may be there, arrays are compared whole.
func firstDifference(want, got any, at string) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s: %v is no object", at, got)
		}
		for key, value := range want {
			member, ok := object[key]
			if !ok {
				return at + "." + key + " is missing"
			}
			if d := firstDifference(value, member, at+"."+key); d != "" {
				return d
			}
		}
		return ""
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return fmt.Sprintf("%s: %v, want %v", at, got, want)
		}
		for i := range want {
			if d := firstDifference(want[i], list[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
		return ""
	}
	if want != got {
		return fmt.Sprintf("%s: %v, want %v", at, got, want)
	}
	return ""
}

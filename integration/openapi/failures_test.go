package openapi_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// failing is an engine whose methods return chosen errors.
type failing struct {
	*engine.Engine
	wait chan struct{} // until it is closed, where there is one
	// failure is the error that the verbs end with; without one they panic.
	failure atomic.Pointer[error]
}

// end waits no longer than ctx, as services do.
func (f *failing) end(ctx context.Context) error {
	if f.wait != nil {
		select {
		case <-f.wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := f.failure.Load()
	if err == nil {
		panic("as the test wants it")
	}
	return *err
}

func (f *failing) Validate(ctx context.Context, _ []byte) (*engine.Validation, error) {
	return nil, f.end(ctx)
}

func (f *failing) Dimensions(ctx context.Context, metric string) ([]describe.Dimension, error) {
	if metric == "" {
		return f.Engine.Dimensions(ctx, metric)
	}
	return nil, f.end(ctx)
}

func (f *failing) Prepare(context.Context, query.Body) (engine.Statement, error) {
	return failingStatement{f: f}, nil
}

// failingStatement ends as its service does.
type failingStatement struct {
	engine.Statement
	f *failing
}

func (s failingStatement) SQL(ctx context.Context) (*engine.Compiled, error) {
	return nil, s.f.end(ctx)
}

func (s failingStatement) Explain(ctx context.Context) (*engine.Explained, error) {
	return nil, s.f.end(ctx)
}

func (s failingStatement) Execute(ctx context.Context) (*engine.Result, error) {
	return nil, s.f.end(ctx)
}

func (f *failing) CompatibleItems(ctx context.Context, _ *query.CompatibleQuery) (*engine.CompatibleItems, error) {
	return nil, f.end(ctx)
}

func (f *failing) FieldValues(ctx context.Context, _ *query.ValuesQuery) (*engine.FieldValues, error) {
	return nil, f.end(ctx)
}

func (f *failing) Find(ctx context.Context, _ *query.FindQuery) (*engine.FindResult, error) {
	return nil, f.end(ctx)
}

func (f *failing) Attribute(ctx context.Context, _ *query.AttributeQuery) (*engine.Attribution, error) {
	return nil, f.end(ctx)
}

// raise returns an error of a code, with every field that errors of its stage have. One code has two statuses, by its cause.
func raise(code, status string) error {
	switch code {
	case restapi.CodeMemoryLimit:
		return &memory.LimitError{Code: code, Message: "m", HeldByOthers: status == "429"}
	case "busy":
		return &engine.BusyError{Code: code, Message: "m"}
	case "config", "connection", "auth", "sql_rejected", "driver", "timeout":
		return &engine.ExecuteError{Code: code, Message: "m", Hint: "h"}
	}
	for _, c := range engine.Codes() {
		if c.Code == code && c.Stage == engine.StageCompile {
			return &modelspec.CompileError{Code: code, Location: "l", Message: "m", Candidates: []string{"c"}, Hint: "h"}
		}
	}
	return &planerr.Error{Code: code, Message: "m", Metrics: []string{"m"}, Candidates: []string{"c"}, SuggestedRetry: "{}"}
}

// codes returns the codes to which a response narrows the code of its error.
func codes(t *testing.T, response *openapi3.ResponseRef) []string {
	t.Helper()
	text, err := response.Value.Content.Get(mimeJSON).Schema.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Error struct {
				Properties struct{ Code struct{ Enum []string } }
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema.Properties.Error.Properties.Code.Enum
}

// Every code that the document lists for a route comes with the status under
// which it is listed.
func TestResponses_EveryCodeHasDocumentedStatus(t *testing.T) {
	broken := &failing{Engine: open(t, "orders")}
	c := restapi.Config{Tokens: []string{token}}
	s := described(t, serving.Serve(t, broken, c), serve(t, broken.Engine, c).text)
	own := []string{"401", "403", "413"} // the server's, before any verb
	raised := 0
	for path, item := range s.doc.Paths.Map() {
		body, queried := bodies[path]
		operation := item.Post
		if path == "/v1/dimensions" {
			operation, queried = item.Get, true
		}
		if !queried {
			continue
		}
		for status, response := range operation.Responses.Map() {
			if status < "4" || strings.Contains(strings.Join(own, " "), status) {
				continue
			}
			for _, name := range codes(t, response) {
				failure := raise(name, status)
				broken.failure.Store(&failure)
				method, target := "POST", path
				if operation == item.Get {
					method, target = "GET", path+"?metric=revenue"
				}
				got, _ := s.ask(t, method, target, body)
				if strconv.Itoa(got) != status {
					t.Errorf("%s: %s is listed under %s and answered with %d", path, name, status, got)
				}
				raised++
			}
		}
	}
	if raised < 200 {
		t.Errorf("only %d codes were raised", raised)
	}
}

func TestResponses_InternalErrorMatchesDocument(t *testing.T) {
	broken := &failing{Engine: open(t, "orders")}
	c := restapi.Config{Tokens: []string{token}}
	s := described(t, serving.Serve(t, broken, c), serve(t, broken.Engine, c).text)
	for path, body := range bodies {
		if status, text := s.ask(t, "POST", path, body); status != 500 {
			t.Errorf("%s: %d %s", path, status, clip(text))
		}
	}
}

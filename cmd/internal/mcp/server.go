package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// The default limits of a result.
const (
	DefaultMaxRows  = 200
	DefaultMaxBytes = 64 << 10
)

// Config holds the settings of a Server. The zero value executes, with the budgets of the
// HTTP interface.
type Config struct {
	Version string
	// DisableExecute refuses the tools that execute.
	DisableExecute bool
	// RequestTimeout is the budget of a call that does not execute, and
	// ExecuteTimeout of one that does; 0 means the defaults of the HTTP interface.
	RequestTimeout time.Duration
	ExecuteTimeout time.Duration
	// NamedConnections means that a query must name a connection to reach data.
	NamedConnections bool
	// MaxRows and MaxBytes bound the rows of a result; 0 means the defaults.
	MaxRows  int
	MaxBytes int
	// Logger receives defects; nil means slog.Default.
	Logger *slog.Logger
}

type server struct {
	service Service
	config  Config
	limits  resultLimits
	sdk     *sdk.Server
}

// New returns a server of a model's tools. It reads the facts about the model once.
func New(service Service, c Config) *Server {
	s := &server{service: service, config: c}
	if s.config.RequestTimeout == 0 {
		s.config.RequestTimeout = restapi.DefaultRequestTimeout
	}
	if s.config.ExecuteTimeout == 0 {
		s.config.ExecuteTimeout = restapi.DefaultExecuteTimeout
	}
	if s.config.Logger == nil {
		s.config.Logger = slog.Default()
	}
	s.limits = resultLimits{rows: c.MaxRows, bytes: c.MaxBytes}
	if s.limits.rows == 0 {
		s.limits.rows = DefaultMaxRows
	}
	if s.limits.bytes == 0 {
		s.limits.bytes = DefaultMaxBytes
	}
	b := summarizeModel(service)
	b.connectionRequired = c.NamedConnections
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "semlayer", Title: "semlayer: " + b.model.Name, Version: c.Version}, &sdk.ServerOptions{
		Instructions: b.instructions(),
		Logger:       warningsOnly(s.config.Logger),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for _, t := range s.tools(b) {
		s.sdk.AddTool(describeTool(t), s.toolHandler(t))
	}
	return &Server{s}
}

// Server serves the tools of one model, to any number of clients.
type Server struct{ s *server }

func describeTool(t tool) *sdk.Tool {
	no := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.text, InputSchema: publishedSchema(t.schema),
		// A query may read different rows tomorrow, but asking changes nothing.
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
}

func (s *server) toolHandler(t tool) sdk.ToolHandler {
	whole, published := t.resolve(t.schema), t.resolve(publishedSchema(t.schema))
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if t.executes && s.config.DisableExecute {
			return s.errorResult(t, &restapi.Error{Code: restapi.CodeForbidden, Message: "this server compiles queries and does not execute them"}), nil
		}
		arguments := r.Params.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		if wrong := t.checkArguments(whole, published, arguments); wrong != "" {
			return errorResult(wrong), nil
		}
		a, err := s.runInBudget(ctx, t, func(ctx context.Context) (toolResult, error) { return t.call(ctx, arguments) })
		if err != nil {
			return s.errorResult(t, err), nil
		}
		return a.result(), nil
	}
}

// resolve panics for a schema that does not resolve, when the program starts.
func (t tool) resolve(s *jsonschema.Schema) *jsonschema.Resolved {
	schema, err := s.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", t.name, err))
	}
	return schema
}

// runInBudget runs the work of a call until its budget is spent or its client disconnects.
func (s *server) runInBudget(ctx context.Context, t tool, work func(context.Context) (toolResult, error)) (toolResult, error) {
	budget := s.config.RequestTimeout
	if t.executes {
		budget = s.config.ExecuteTimeout
	}
	if engine.QueryID(ctx) == "" { // over HTTP the request has one
		ctx = engine.WithQueryID(ctx, engine.NewQueryID())
	}
	ctx, stop := cancelWithRequest(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	type outcome struct {
		answer toolResult
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if p := recover(); p != nil {
				s.config.Logger.Error("a panic while answering a tool", "tool", t.name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				o = outcome{err: &restapi.Error{Code: restapi.CodeInternal, Message: "the server failed at this call; trying again does not help"}}
			}
			done <- o
		}()
		o.answer, o.err = work(ctx)
	}()
	select {
	case o := <-done:
		return o.answer, o.err
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return toolResult{}, &restapi.Error{Code: restapi.CodeTimeout, Message: fmt.Sprintf("the call was not answered within its %s", budget)}
	}
	return toolResult{}, &restapi.Error{Code: restapi.CodeTimeout, Message: "the call was given up before it was answered"}
}

// result converts to the SDK's type. Structured content must be an object.
func (a toolResult) result() *sdk.CallToolResult {
	r := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(a.json)}}}
	if len(a.json) > 0 && a.json[0] == '{' {
		r.StructuredContent = json.RawMessage(a.json)
	}
	if a.note != "" {
		r.Content = append(r.Content, &sdk.TextContent{Text: a.note})
	}
	return r
}

// errorResult shows an error as the struct of its stage.
func (s *server) errorResult(t tool, err error) *sdk.CallToolResult {
	var coded engine.CodedError
	if !errors.As(err, &coded) {
		s.config.Logger.Error("a failure while answering a tool", "tool", t.name, "error", err)
		coded = &restapi.Error{Code: restapi.CodeInternal, Message: "the server failed at this call; trying again does not help"}
	}
	text, err := engine.MarshalWire(coded)
	if err != nil {
		text = []byte(`{"code":"internal","message":"the error could not be written"}`)
	}
	return errorResult(string(text))
}

func errorResult(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: true}
}

// warningsOnly passes the SDK's warnings and errors on; the lower levels log each
// connection and message.
func warningsOnly(log *slog.Logger) *slog.Logger { return slog.New(warnLevelHandler{log.Handler()}) }

type warnLevelHandler struct{ slog.Handler }

func (h warnLevelHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/restapi"
)

// The default limits of a result.
const (
	DefaultMaxRows        = 200
	DefaultMaxResultBytes = 64 << 10
	DefaultMaxListBytes   = 8000
)

// Config holds the settings of a Server. The zero value executes, with the budgets of the
// HTTP interface.
type Config struct {
	Version string
	// DisableExecute rejects the tools that execute.
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
	// MaxListBytes bounds a list of objects of the model that is not requested in detail; 0 means the default.
	MaxListBytes int
	// ExecuteQuery adds the tool execute_query, the profile of Apache Ossie.
	ExecuteQuery bool
	// Logger receives defects; nil means slog.Default.
	Logger *slog.Logger
}

type server struct {
	service Service
	config  Config
	limits  toolResultLimits
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
	s.limits = toolResultLimits{
		rows: cmp.Or(c.MaxRows, DefaultMaxRows), bytes: cmp.Or(c.MaxBytes, DefaultMaxResultBytes), list: cmp.Or(c.MaxListBytes, DefaultMaxListBytes),
	}
	b, prompts := summarizeModel(service, c.NamedConnections), promptsOfSavedQueries(service.SavedQueries())
	if c.ExecuteQuery {
		b.dataSourceID = service.DataSourceID()
	}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "semlayer", Title: "semlayer: " + b.model.Name, Version: c.Version}, &sdk.ServerOptions{
		Instructions: b.instructions(false),
		Logger:       warningsOnlyLogger(s.config.Logger),
		Capabilities: serverCapabilities(prompts),
		PageSize:     protocolPageSize,
		SetCacheable: keepFromOthers,
	})
	for _, t := range s.newToolTable() {
		s.sdk.AddTool(toSDKTool(t), s.toolHandler(t))
	}
	for _, p := range prompts {
		s.sdk.AddPrompt(p.toSDKPrompt(), s.promptHandler(p))
	}
	s.addResources(b)
	s.sdk.AddReceivingMiddleware(shortenToolList, s.addPromptErrorData)
	return &Server{s: s}
}

// keepFromOthers lets nothing between the server and a client keep a list or a resource for other clients, because each reader has its own.
func keepFromOthers(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }

// protocolPageSize is the most elements of a page of a list of the protocol.
const protocolPageSize = 50

// serverCapabilities returns the capabilities that a client may use. A model without saved queries that have questions has no prompts.
func serverCapabilities(prompts []savedQueryPrompt) *sdk.ServerCapabilities {
	out := &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}, Resources: &sdk.ResourceCapabilities{}}
	if len(prompts) > 0 {
		out.Prompts = &sdk.PromptCapabilities{}
	}
	return out
}

// Server serves the tools, prompts and resources of one model, to any number of clients.
type Server struct {
	s     *server
	views sync.Map // of a server without readers, by the name of a view, its *Server
}

func toSDKTool(t tool) *sdk.Tool {
	return &sdk.Tool{Name: t.name, Description: t.text, InputSchema: t.schema}
}

func (s *server) toolHandler(t tool) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		arguments := r.Params.Arguments
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		record := audit.RecordOf(ctx)
		record.SetTool(t.name)
		record.SetRequest(arguments)
		ctx, use := engine.WithCacheUse(ctx)
		a, err := s.callTool(ctx, t, arguments)
		if err != nil {
			var coded engine.CodedError
			if !errors.As(err, &coded) {
				coded = &restapi.Error{Code: restapi.CodeInternal}
			}
			record.SetError(coded.ErrorCode(), engine.AuditMessage(coded))
			return s.failedCallResult(t, arguments, err), nil
		}
		out := a.toSDKResult()
		addCacheUse(out, use)
		return out, nil
	}
}

// addCacheUse adds how the result cache has served a call to the metadata of its result.
func addCacheUse(to *sdk.CallToolResult, use *engine.CacheUse) {
	outcome := use.Outcome()
	if outcome == "" {
		return
	}
	if to.Meta == nil {
		to.Meta = sdk.Meta{}
	}
	to.Meta["cache"] = outcome
	if age, ok := use.Age(); ok {
		to.Meta["age"] = int64(age / time.Second)
	}
}

func (s *server) callTool(ctx context.Context, t tool, arguments json.RawMessage) (toolResult, error) {
	if t.executes && s.config.DisableExecute {
		return toolResult{}, &restapi.Error{Code: restapi.CodeForbidden, Message: "this server compiles queries and does not execute them"}
	}
	return s.runInTimeBudget(ctx, t, func(ctx context.Context) (toolResult, error) { return t.call(ctx, arguments) })
}

// runInTimeBudget runs the work of a call until its budget is spent or its client disconnects.
func (s *server) runInTimeBudget(ctx context.Context, t tool, work func(context.Context) (toolResult, error)) (toolResult, error) {
	budget := s.config.RequestTimeout
	if t.executes {
		budget = s.config.ExecuteTimeout
	}
	if engine.QueryID(ctx) == "" { // over HTTP the request has one
		ctx = engine.WithSurface(engine.WithQueryID(ctx, engine.NewQueryID()), "mcp")
	}
	ctx, stop := contextUntilRequestEnds(ctx)
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
				o = outcome{err: &restapi.Error{Code: restapi.CodeInternal, Message: "the server failed at this call; a retry does not help"}}
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
		return toolResult{}, &restapi.Error{Code: restapi.CodeTimeout, Message: fmt.Sprintf("the call exceeded its time limit of %s", budget)}
	}
	return toolResult{}, &restapi.Error{Code: restapi.CodeTimeout, Message: "the call was cancelled before its response"}
}

// maxDuplicatedResultBytes is the size up to which a result is in the text and in the structured content.
const maxDuplicatedResultBytes = 4000

// toSDKResult converts to the SDK's type. Structured content must be an object.
func (a toolResult) toSDKResult() *sdk.CallToolResult {
	if a.whole != nil {
		return a.whole
	}
	r := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(a.json)}}}
	if len(a.json) > 0 && a.json[0] == '{' && len(a.json) <= maxDuplicatedResultBytes {
		r.StructuredContent = json.RawMessage(a.json)
	}
	if a.note != "" {
		r.Content = append(r.Content, &sdk.TextContent{Text: a.note})
	}
	return r
}

// failedCallResult returns the result of a call that failed: in the form of the tool, or else the struct of the error's stage.
func (s *server) failedCallResult(t tool, arguments json.RawMessage, err error) *sdk.CallToolResult {
	if t.fail != nil {
		return t.fail(arguments, err)
	}
	return errorResult(s.errorJSON(t.name, err))
}

// errorJSON returns an error as the struct of its stage, in JSON. called is the name of what failed.
func (s *server) errorJSON(called string, err error) string {
	text, err := engine.MarshalWireJSON(limitNameCandidates(s.codedError(called, err)))
	if err != nil {
		return `{"code":"internal","message":"the error could not be written"}`
	}
	return string(text)
}

// codedError returns an error with its code. One without a code is logged, and internal.
func (s *server) codedError(called string, err error) engine.CodedError {
	var coded engine.CodedError
	if errors.As(err, &coded) {
		return coded
	}
	s.config.Logger.Error("a failure while answering a call", "called", called, "error", err)
	return &restapi.Error{Code: restapi.CodeInternal, Message: "the server failed at this call; a retry does not help"}
}

// maxNameCandidates is the most names that an error about a metric or a field lists.
const maxNameCandidates = 8

// limitNameCandidates returns an error about a name with the first candidates alone: a language model reads all of them.
func limitNameCandidates(e engine.CodedError) engine.CodedError {
	refused, ok := e.(*planerr.Error)
	if !ok || len(refused.Candidates) <= maxNameCandidates || refused.Code != codeUnknownMetric && refused.Code != codeUnknownDimension {
		return e
	}
	short := *refused
	short.Candidates = refused.Candidates[:maxNameCandidates]
	return &short
}

// The codes of errors about names that the model does not have.
const (
	codeUnknownMetric    = "unknown_metric"
	codeUnknownDimension = "unknown_dimension"
)

func errorResult(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}, IsError: true}
}

// warningsOnlyLogger passes the SDK's warnings and errors on; the lower levels log each
// connection and message.
func warningsOnlyLogger(log *slog.Logger) *slog.Logger {
	return slog.New(warnLevelLogHandler{log.Handler()})
}

type warnLevelLogHandler struct{ slog.Handler }

func (h warnLevelLogHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
)

const sessionHeader = "Mcp-Session-Id"

// Handler serves messages sent by POST. guarded means that the caller checks a token first.
// Without a token, a web page must not get through by resolving its own host name to the
// loopback address. The handlers of a model that is loaded again share their calls, so that
// a message can cancel a call that began with an earlier revision.
func (s *Server) Handler(guarded bool, running *CancelFuncsOfCalls) http.Handler {
	inner := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server { return serverOf(r.Context()).s.sdk }, &sdk.StreamableHTTPOptions{
		Stateless:                  true,
		JSONResponse:               true,
		Logger:                     warningsOnlyLogger(s.s.config.Logger),
		DisableLocalhostProtection: guarded,
		MaxRequestBodyBytes:        -1, // the server in front bounds it
	})
	return &cancellableCallHandler{inner: inner, running: running, choose: s.forRequest, errorJSON: s.s.errorJSON}
}

// viewParameter names the view that all messages of an address are in.
const viewParameter = "view"

type chosenServerKey struct{}

// serverOf returns the server that a request is for.
func serverOf(ctx context.Context) *Server { return ctx.Value(chosenServerKey{}).(*Server) }

// forRequest returns the server as the caller of a request sees the model, or the view that the address names: with roles in force each
// has its own lists and texts. A caller without rights, whom the server in front rejects, sees nothing.
func (s *Server) forRequest(r *http.Request) (*Server, error) {
	seen, err := engine.AsCaller(r.Context(), s.s.service)
	_, isReader := any(seen).(*engine.Reader)
	if isReader = isReader && err == nil; !isReader {
		seen = s.s.service
	}
	view := r.URL.Query().Get(viewParameter)
	if view == "" {
		if !isReader {
			return s, nil
		}
		return New(seen, s.s.config), nil
	}
	scoped, err := engine.ServiceInView(seen, view)
	if err != nil {
		return nil, err
	}
	if isReader {
		return New(scoped, s.s.config), nil
	}
	name := scoped.Model().View // as the model spells it, so that each view has one server
	if known, ok := s.views.Load(name); ok {
		return known.(*Server), nil
	}
	kept, _ := s.views.LoadOrStore(name, New(scoped, s.s.config))
	return kept.(*Server), nil
}

// CancelFuncsOfCalls are the calls of the clients of a model that are in flight. The zero value has none.
type CancelFuncsOfCalls struct {
	mu     sync.Mutex
	byCall map[callID]context.CancelFunc
}

// callID is one call of a client in flight.
type callID struct{ caller, session, id string }

// newCallID returns the id of a call by the caller of a request: the session id is a header that any client may send.
func newCallID(r *http.Request, id json.RawMessage) callID {
	quota, _ := access.QuotaFrom(r.Context())
	return callID{quota.Identity, r.Header.Get(sessionHeader), string(id)}
}

// cancellableCallHandler keeps the running calls, so that a notifications/cancelled message can end
// one.
type cancellableCallHandler struct {
	inner   http.Handler
	running *CancelFuncsOfCalls
	// choose returns the server that a request is for, or the error of its address, which errorJSON writes.
	choose    func(*http.Request) (*Server, error)
	errorJSON func(called string, err error) string
}

// jsonRPCMessage holds the members of a JSON-RPC message that a cancellableCallHandler reads.
type jsonRPCMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
}

func (p *cancellableCallHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var m jsonRPCMessage
	if json.Unmarshal(body, &m) != nil && !json.Valid(body) {
		writeRPCError(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, "the body is not valid JSON")
		return
	}
	if isBatch(body) {
		writeRPCError(w, http.StatusBadRequest, nil, jsonrpc.CodeInvalidRequest, batchProblem)
		return
	}
	chosen, err := p.choose(r)
	if err != nil {
		writeRPCErrorWithData(w, http.StatusBadRequest, m.ID, jsonrpc.CodeInvalidRequest, err.Error(), p.errorJSON(viewParameter, err))
		return
	}
	session := r.Header.Get(sessionHeader)
	ofRequest := context.WithValue(r.Context(), chosenServerKey{}, chosen)
	ctx, cancel := context.WithCancel(ofRequest)
	defer cancel()
	switch {
	case m.Method == "initialize" && session == "":
		w.Header().Set(sessionHeader, rand.Text())
	case m.Method == "notifications/cancelled" && session != "":
		p.running.cancel(newCallID(r, m.Params.RequestID))
	case len(m.ID) > 0 && m.Method != "" && session != "":
		c := newCallID(r, m.ID)
		p.running.register(c, cancel)
		defer p.running.unregister(c)
	}
	a := &jsonRPCRejectionWriter{ResponseWriter: w}
	p.inner.ServeHTTP(a, r.WithContext(withCancellableRequestContext(ofRequest, ctx)))
	a.writeHeldRejection(m.ID)
}

// batchProblem is the error of a batch. The protocol has none since 2025-06-18, and each of its calls would pass the limits of
// one request.
const batchProblem = "a batch of messages is not accepted: send each message alone"

// isBatch reports whether a valid JSON text is an array.
func isBatch(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) }

// jsonRPCRejectionWriter receives the response of the SDK. It turns a plain-text rejection into an
// error of JSON-RPC, which clients can distinguish from an error of a proxy.
type jsonRPCRejectionWriter struct {
	http.ResponseWriter
	status int // of a rejection that is held back
	reason bytes.Buffer
}

func (a *jsonRPCRejectionWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && !strings.HasPrefix(a.Header().Get("Content-Type"), "application/json") {
		a.status = status
		return
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *jsonRPCRejectionWriter) Write(p []byte) (int, error) {
	if a.status != 0 {
		return a.reason.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// sdkUnknownMethodPrefix is the prefix of the SDK's message for an unknown method.
const sdkUnknownMethodPrefix = "JSON RPC not handled"

func (a *jsonRPCRejectionWriter) writeHeldRejection(id json.RawMessage) {
	reason := strings.TrimSpace(a.reason.String())
	switch {
	case a.status == 0:
	case strings.HasPrefix(reason, sdkUnknownMethodPrefix):
		writeRPCError(a.ResponseWriter, http.StatusOK, id, jsonrpc.CodeMethodNotFound, reason)
	default:
		writeRPCError(a.ResponseWriter, a.status, id, jsonrpc.CodeInvalidRequest, reason)
	}
}

func writeRPCError(w http.ResponseWriter, status int, id json.RawMessage, code int, message string) {
	writeRPCErrorWithData(w, status, id, code, message, "")
}

// writeRPCErrorWithData writes an error of JSON-RPC with data, a JSON text; "" for none.
func writeRPCErrorWithData(w http.ResponseWriter, status int, id json.RawMessage, code int, message, data string) {
	h := w.Header()
	h.Del("X-Content-Type-Options") // the server in front sets its own
	h.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(rpcErrorJSON(id, code, message, data))
}

// rpcErrorJSON returns an error of JSON-RPC with data, a JSON text; a nil id stands for a message without one.
func rpcErrorJSON(id json.RawMessage, code int, message, data string) []byte {
	type problem struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   problem         `json:"error"`
	}{"2.0", id, problem{code, message, json.RawMessage(data)}})
	if err != nil {
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"the error could not be written"}}`)
	}
	return text
}

// register adds a running call. A second call of the same id hides the first one; clients
// number their calls.
func (p *CancelFuncsOfCalls) register(c callID, cancel context.CancelFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byCall == nil {
		p.byCall = map[callID]context.CancelFunc{}
	}
	p.byCall[c] = cancel
}

func (p *CancelFuncsOfCalls) unregister(c callID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.byCall, c)
}

func (p *CancelFuncsOfCalls) cancel(c callID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.byCall[c]; cancel != nil {
		cancel()
	}
}

// cancellableRequestContextKey is the key of the context that cancels a call: the context that the SDK passes
// to a call has the values of the request or the connection, but not their cancellation.
type cancellableRequestContextKey struct{}

func withCancellableRequestContext(ctx, end context.Context) context.Context {
	return context.WithValue(ctx, cancellableRequestContextKey{}, end)
}

func contextUntilRequestEnds(ctx context.Context) (under context.Context, stop func()) {
	request, ok := ctx.Value(cancellableRequestContextKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(request, cancel)
	return ctx, func() { detach(); cancel() }
}

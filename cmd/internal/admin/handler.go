package admin

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// Executions are what the operator sees and ends.
type Executions interface {
	Executions() []engine.RunningExecution
	CancelExecution(queryID string) (ended int)
}

// Server is the server that is administered.
type Server interface {
	Handler(prefix string) http.Handler
	MetricsHandler() http.Handler
	CheckAdministrator(ctx context.Context, authorization string) error
}

// NewHandler returns the interface of the operator. On a loopback address its callers need no token.
func NewHandler(s Server, executions Executions, loopback bool) http.Handler {
	mux := http.NewServeMux()
	probes := s.Handler("")
	mux.Handle("GET /health", probes)
	mux.Handle("GET /ready", probes)
	mux.Handle("GET /metrics", s.MetricsHandler())
	debug := http.NewServeMux()
	debug.HandleFunc("GET /debug/pprof/", pprof.Index)
	debug.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	debug.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	debug.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	debug.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	debug.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	debug.HandleFunc("GET /debug/state", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, state{executions.Executions()})
	})
	debug.HandleFunc("POST /debug/state/cancel", func(w http.ResponseWriter, r *http.Request) { cancelExecution(w, r, executions) })
	debug.HandleFunc("/", refuseUnknownPath)
	mux.Handle("/debug/", guard{s, loopback, debug})
	mux.HandleFunc("/", refuseUnknownPath)
	return withHeaders(mux)
}

// state is the response of GET /debug/state.
type state struct {
	Executions []engine.RunningExecution `json:"executions"`
}

// cancelled is the response of POST /debug/state/cancel.
type cancelled struct {
	QueryID string `json:"query_id"`
	Ended   int    `json:"ended"` // executions: an attribution has several
}

func cancelExecution(w http.ResponseWriter, r *http.Request, executions Executions) {
	id := r.URL.Query().Get("query_id")
	if id == "" {
		writeError(w, http.StatusBadRequest, restapi.CodeBadRequest, "query_id is missing: GET /debug/state lists the executions with theirs")
		return
	}
	ended := executions.CancelExecution(id)
	if ended == 0 {
		writeError(w, http.StatusNotFound, restapi.CodeBadRequest, "no execution has this query_id; it may have ended. GET /debug/state lists those that run")
		return
	}
	writeJSON(w, http.StatusOK, cancelled{id, ended})
}

// guard protects what shows or changes the work of others.
type guard struct {
	server   Server
	loopback bool
	inner    http.Handler
}

func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if isFromWebPage(r, g.loopback) {
		writeError(w, http.StatusForbidden, restapi.CodeForbidden, "the request comes from a web page, or names another host than this machine")
		return
	}
	if !g.loopback {
		if err := g.server.CheckAdministrator(r.Context(), r.Header.Get("Authorization")); err != nil {
			refuse(w, err)
			return
		}
	}
	g.inner.ServeHTTP(w, r)
}

func refuse(w http.ResponseWriter, err error) {
	var own *restapi.Error
	if !errors.As(err, &own) {
		own = &restapi.Error{Code: restapi.CodeInternal, Message: "the caller cannot be checked"}
	}
	status := map[string]int{restapi.CodeUnauthorized: http.StatusUnauthorized, restapi.CodeForbidden: http.StatusForbidden}[own.Code]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	writeError(w, status, own.Code, own.Message)
}

// isFromWebPage reports whether a page of another site may have sent a request: by its origin, or on a loopback address by a host name that the page
// itself has chosen.
func isFromWebPage(r *http.Request, loopback bool) bool {
	if origin := r.Header.Get("Origin"); origin != "" {
		from, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(from.Host, r.Host) {
			return true
		}
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		return true
	}
	address, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if _, overTCP := address.(*net.TCPAddr); !loopback || !overTCP {
		return false
	}
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !ip.IsLoopback())
}

func refuseUnknownPath(w http.ResponseWriter, _ *http.Request) {
	writeError(w, http.StatusNotFound, restapi.CodeBadRequest, "this address has /health, /ready, /metrics, /debug/pprof/ and /debug/state")
}

func withHeaders(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		inner.ServeHTTP(w, r)
	})
}

func writeError(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, map[string]any{"error": &restapi.Error{Code: code, Message: message}})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "the response cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// The limits of a connection. A response may take long: a profile does.
const (
	headTimeout  = 10 * time.Second
	idleTimeout  = 2 * time.Minute
	maxHeadBytes = 16 << 10
)

// Serve answers on a listener until ctx ends, and then closes all connections.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, log *slog.Logger) {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeadBytes,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(ln); ctx.Err() == nil {
		log.Error("the admin address has ended", "error", err)
	}
}

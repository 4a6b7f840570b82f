package restapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi/identity"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

// The limits of a connection, beyond those of Config.
const (
	idleConnectionTimeout = 2 * time.Minute // between two requests
	writeTimeout          = 2 * time.Minute // for a response
	maxHeadBytes          = 16 << 10
	drainExtraTime        = 5 * time.Second // beyond the longest budget
)

// Server serves one model, or several.
type Server struct {
	models          atomic.Pointer[modelSet]
	replacing       sync.Mutex // one ReplaceModels at a time
	labels          modelPrometheusLabels
	config          Config
	app             *fiber.App
	router          fasthttp.RequestHandler // of app
	identities      *identity.Directory
	publicPaths     map[string]bool  // paths that need no token
	routes          map[string]route // by key
	metrics         *serverMetrics
	tracing         requestTracing
	draining        atomic.Bool
	active          atomic.Int64 // requests that are being answered
	busy            busyLog
	disconnects     disconnectWatcher
	conns           *connTable
	lists           listResponseCache      // of the routes of the process
	files           map[string]static.File // of the pages, by path
	guardedExplorer static.File            // the explorer, opened by a link of another site
}

// ReplaceTokens makes these the tokens that open the interface, from the next
// request on. A server that was open stays open and one that was closed stays
// closed: where there were tokens there must be some.
func (s *Server) ReplaceTokens(tokens []string) error {
	if len(s.config.Tokens) == 0 || len(tokens) == 0 {
		return errors.New("tokens can only replace tokens")
	}
	if err := checkTokens(tokens); err != nil {
		return err
	}
	return s.identities.ReplaceTokens(plainTokens(tokens))
}

// Serve is ServeListeners for one listener.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	return s.ServeListeners(ctx, []net.Listener{ln})
}

// ServeListeners answers on the listeners until ctx ends, then drains: /ready turns to
// 503, after Config.DrainGrace the listeners close, and requests in flight get
// the time of the longest budget to finish. It returns nil when none was lost.
// A listener of crypto/tls serves HTTP over TLS. When one listener fails, all close.
func (s *Server) ServeListeners(ctx context.Context, listeners []net.Listener) error {
	if len(listeners) == 0 {
		return errors.New("a server needs a listener")
	}
	served := make(chan error, len(listeners))
	for _, ln := range listeners {
		go func() { served <- s.app.Server().Serve(newListener(ln, s.conns, s.config.Logger)) }()
	}
	select {
	case err := <-served:
		closeListeners(listeners)
		return err
	case <-ctx.Done():
	}
	begun := time.Now()
	s.config.Logger.Info("stopping: requests in flight may finish", "in_flight", s.active.Load())
	err := s.waitForRequestsInFlight()
	closeListeners(listeners) // the library does not close a listener that it is only about to serve, and would wait on it for ever
	for range listeners {
		if err == nil {
			err = <-served
		}
	}
	if err != nil {
		s.config.Logger.Error("stopped, and requests were lost", "in_flight", s.active.Load(), millisecondsAttr("took_ms", time.Since(begun)))
		return err
	}
	s.config.Logger.Info("stopped", millisecondsAttr("took_ms", time.Since(begun)))
	return nil
}

// waitForRequestsInFlight waits until the requests in flight have finished, or the time for that is over.
func (s *Server) waitForRequestsInFlight() error {
	s.draining.Store(true)
	time.Sleep(s.config.DrainGrace)
	budget := max(s.config.RequestTimeout, s.config.ExecuteTimeout) + drainExtraTime
	if err := s.app.ShutdownWithTimeout(budget); err != nil {
		return fmt.Errorf("requests were still running at the end of the time to drain: %w", err)
	}
	return nil
}

// closeListeners closes the listeners that the HTTP library has not closed.
func closeListeners(listeners []net.Listener) {
	for _, ln := range listeners {
		_ = ln.Close()
	}
}

// Service is the part of an engine that the server uses; *engine.Engine implements it. Its
// methods are safe for concurrent use and their errors carry codes. Those that take a
// context return soon after it ends.
type Service interface {
	Model() engine.ModelInfo
	Capabilities() engine.Capabilities
	Datasets() []describe.Dataset
	Metrics(context.Context) ([]describe.Metric, error)
	Dimensions(ctx context.Context, metric string) ([]describe.Dimension, error)
	Relationships() []describe.Relationship
	Views() []describe.View
	Findings() engine.Findings
	SavedQueries() []describe.SavedQuery
	Rollups(context.Context) []describe.Rollup
	Connections() []engine.ConnectionInfo
	LikelyConnection() string
	CheckConnections(context.Context) ([]engine.ConnectionStatus, error)
	Find(context.Context, *query.FindQuery) (*engine.FindResult, error)
	FieldValues(context.Context, *query.ValuesQuery) (*engine.FieldValues, error)
	Lineage(ctx context.Context, metric string) (*lineage.Graph, error)
	Validate(ctx context.Context, model []byte) (*engine.Validation, error)
	CompatibleItems(context.Context, *query.CompatibleQuery) (*engine.CompatibleItems, error)
	Prepare(context.Context, query.Body) (engine.Statement, error)
	Attribute(context.Context, *query.AttributeQuery) (*engine.Attribution, error)
}

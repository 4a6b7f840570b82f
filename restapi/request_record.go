package restapi

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

// otherRouteLabel is the label of a request whose path or method is not in the table of routes.
// The path itself is the client's and appears in no log or metric.
const otherRouteLabel = "other"

// requestRecord holds the data of one request and its response for the log, the metrics and
// the traces. Goroutines that work for the request write its counters, maybe after the
// response.
type requestRecord struct {
	server    *Server
	method    string
	route     string
	debugLog  bool // logged at debug level: probes and scrapes
	startTime time.Time
	ctx       context.Context  // of all work for the request
	span      trace.Span       // nil where nothing is traced
	code      string           // of the error it was answered with
	id        string           // set when the response outlives its handler
	queryID   string           // id of the query, "" where nothing was planned
	cacheUse  *engine.CacheUse // how the result cache has served the query; nil where nothing was planned

	audit   *audit.Record // nil where nothing is audited
	audited auditedRoute
	remote  string       // address of the peer
	message string       // of the error, without words of a warehouse
	bytes   atomic.Int64 // of the body

	caller              identity.Caller
	quota               access.Quota
	reached             map[string]bool // names of the models that exist for the caller; nil for all
	choice              chosenModel
	service             Service                              // of the model, as the caller sees it
	question            atomic.Pointer[engine.ObservedQuery] // nil where nothing was asked
	phases              atomic.Int64                         // of the engine that have begun
	plan, execute, rows atomic.Int64
}

type requestRecordContextKey struct{}

// requestRecordOf finds the record of a request, nil for one that was rejected
// before the router saw it.
func requestRecordOf(c *fasthttp.RequestCtx) *requestRecord {
	x, _ := c.UserValue(requestRecordContextKey{}).(*requestRecord)
	return x
}

func (s *Server) startRequestRecord(c *fasthttp.RequestCtx) *requestRecord {
	x := &requestRecord{server: s, method: otherRouteLabel, route: otherRouteLabel, startTime: time.Now()}
	x.ctx, x.span = s.tracing.startRequestSpan(baseContext(c), &c.Request.Header)
	x.startAudit(c)
	x.ctx = withAccountOfConn(engine.WithPhaseObserver(x.ctx, x), c.Conn())
	c.SetUserValue(requestRecordContextKey{}, x)
	x.choice = s.chooseModel(c)
	x.audited = auditedRouteOf(c.Path())
	s.nameRoute(x, c)
	s.metrics.inFlight.Inc()
	s.active.Add(1)
	return x
}

// nameRoute names the route of a request before it is admitted, so that the log and the metrics of a rejected one have it. Text of the client
// never becomes a name.
func (s *Server) nameRoute(x *requestRecord, c *fasthttp.RequestCtx) {
	method := string(c.Method())
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	r, ok := s.routes[route{method: method, path: string(c.Path())}.key()]
	if ok && !r.public && !(r.process && x.choice.name != "") { // public ones reject no caller, and the path of a request that cannot be read is theirs
		x.setRoute(r)
	}
}

// setRoute names the route that the router has found.
func (x *requestRecord) setRoute(r route) {
	x.method, x.route, x.debugLog = r.method, r.path, r.public
}

// headerQueryID carries the id under which the log and the warehouse know a query.
const headerQueryID = "X-Query-Id"

// assignQueryID gives the context of the request the id of a query and returns it. The id
// never comes from the client: the log and the warehouse rely on it being unique.
func (x *requestRecord) assignQueryID() string {
	id := engine.NewQueryID()
	x.ctx, x.cacheUse = engine.WithCacheUse(engine.WithSurface(engine.WithQueryID(x.ctx, id), "rest"))
	return id
}

// setQueryID names the query in the response and in the log.
func (x *requestRecord) setQueryID(c *fiber.Ctx, id string) {
	x.queryID = id
	c.Set(headerQueryID, id)
}

// keepOpenForStream lets the response outlive its handler: the writer of the body then calls
// finish.
func (x *requestRecord) keepOpenForStream(id string) { x.id = id }

// Begin is called by the engine where a phase begins.
func (x *requestRecord) Begin(ctx context.Context, w engine.PhaseInfo) (inner context.Context, end func(engine.PhaseOutcome)) {
	begun := time.Now()
	x.phases.Add(1)
	ctx, span := x.server.tracing.startPhaseSpan(ctx, w)
	return ctx, func(o engine.PhaseOutcome) {
		took := time.Since(begun)
		switch w.Phase {
		case engine.PhasePlan:
			x.plan.Add(int64(took))
			x.observe(x.server.metrics.plan.WithLabelValues(x.server.metrics.labelsWithModel(x)...), took)
		case engine.PhaseExecute:
			x.execute.Add(int64(took))
			x.rows.Add(o.Rows)
			x.observe(x.server.metrics.execute.WithLabelValues(x.server.metrics.labelsWithModel(x, w.Dialect, w.Connection)...), took)
			x.server.metrics.rows.WithLabelValues(x.server.metrics.labelsWithModel(x)...).Add(float64(o.Rows))
		}
		endPhaseSpan(ctx, span, o)
	}
}

// streamOutcome is the outcome of a streamed body.
type streamOutcome struct {
	state string // "" for a response that was complete when it was sent
	err   error
}

// writeToMetricsLogAndSpan writes the record to metrics, log and span, once.
func (x *requestRecord) writeToMetricsLogAndSpan(id string, status int, e streamOutcome) {
	took := time.Since(x.startTime)
	s := x.server
	s.metrics.inFlight.Dec()
	s.active.Add(-1)
	s.metrics.countRequest(x, status, took)
	s.logRequest(x, id, status, took, e)
	x.writeAudit(id, status, took)
	endRequestSpan(x, id, status)
	if x.choice.model != nil {
		x.choice.model.releaseFromRequest()
	}
}

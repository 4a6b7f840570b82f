package restapi

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine"
)

// unrouted is what a request is called whose path or method is not in the table
// of routes. The path itself is the client's and appears in no log or metric.
const unrouted = "other"

// exchange is one request and its answer, as the log, the metrics and the traces
// tell of it. Its counters are written by whatever works for the request, maybe
// after the answer.
type exchange struct {
	server *Server
	method string
	route  string
	quiet  bool // logged at debug level: probes and scrapes
	begun  time.Time
	ctx    context.Context // what works for the request works under it
	span   trace.Span      // nil where nothing is traced
	code   string          // of the error it was answered with
	id     string          // set when the answer outlives its handler
	query  string          // id of the query, "" where nothing was planned

	question            atomic.Pointer[engine.Question] // nil where nothing was asked
	phases              atomic.Int64                    // of the engine that have begun
	plan, execute, rows atomic.Int64
}

type exchangeKey struct{}

// exchangeOf finds the exchange of a request, nil for one that was refused
// before the router saw it.
func exchangeOf(c *fasthttp.RequestCtx) *exchange {
	x, _ := c.UserValue(exchangeKey{}).(*exchange)
	return x
}

func (s *Server) begin(c *fasthttp.RequestCtx) *exchange {
	x := &exchange{server: s, method: unrouted, route: unrouted, begun: time.Now()}
	x.ctx, x.span = s.tracing.request(baseContext(c), &c.Request.Header)
	x.ctx = engine.Observe(x.ctx, x)
	c.SetUserValue(exchangeKey{}, x)
	s.metrics.inFlight.Inc()
	s.active.Add(1)
	return x
}

// routed names the route that the router has found.
func (x *exchange) routed(r route) {
	x.method, x.route, x.quiet = r.method, r.path, r.open
}

// headerQueryID carries the id under which the log and the warehouse know a query.
const headerQueryID = "X-Query-Id"

// newQuery gives the context of the exchange the id of a query and returns it. The id
// never comes from the client: the log and the warehouse rely on it being unique.
func (x *exchange) newQuery() string {
	id := engine.NewQueryID()
	x.ctx = engine.WithQueryID(x.ctx, id)
	return id
}

// showQuery names the query in the response and in the log.
func (x *exchange) showQuery(c *fiber.Ctx, id string) {
	x.query = id
	c.Set(headerQueryID, id)
}

// leave lets the answer outlive its handler: finish is then called by whoever
// writes its body.
func (x *exchange) leave(id string) { x.id = id }

// Begin is called by the engine where a phase begins.
func (x *exchange) Begin(ctx context.Context, w engine.Work) (inner context.Context, end func(engine.Outcome)) {
	begun := time.Now()
	x.phases.Add(1)
	ctx, span := x.server.tracing.phase(ctx, w)
	return ctx, func(o engine.Outcome) {
		took := time.Since(begun)
		switch w.Phase {
		case engine.PhasePlan:
			x.plan.Add(int64(took))
			x.server.metrics.plan.Observe(took.Seconds())
		case engine.PhaseExecute:
			x.execute.Add(int64(took))
			x.rows.Add(o.Rows)
			x.server.metrics.execute.WithLabelValues(w.Dialect, w.Connection).Observe(took.Seconds())
			x.server.metrics.rows.Add(float64(o.Rows))
		}
		endPhase(ctx, span, o)
	}
}

// ending says how a body ended that was sent while it was made.
type ending struct {
	how string // "" for an answer that was whole when it was sent
	err error
}

// finish tells of the exchange, once.
func (x *exchange) finish(id string, status int, e ending) {
	took := time.Since(x.begun)
	s := x.server
	s.metrics.inFlight.Dec()
	s.active.Add(-1)
	s.metrics.finished(x, status, took)
	s.logExchange(x, id, status, took, e)
	endRequest(x, status)
}

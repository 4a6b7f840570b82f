package restapi

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/restapi/internal/explorer"
)

// New builds a server of one model. It fails on a configuration that cannot be meant.
func New(service Service, c Config) (*Server, error) {
	return NewForModels(Models{List: []*Model{{Service: service, MCP: c.MCP}}}, c)
}

// NewForModels builds a server of these models, which ReplaceModels can change. There must be
// one at least. Config.MCP is not used: each model has its own.
func NewForModels(m Models, c Config) (*Server, error) {
	if len(m.List) == 0 {
		return nil, errors.New("a server starts with one model at least")
	}
	if err := m.checkModels(); err != nil {
		return nil, err
	}
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	files, err := staticFiles(c)
	if err != nil {
		return nil, err
	}
	held, err := explorer.PageForCrossSiteLink(c.EmbedOrigins)
	if err != nil {
		return nil, err
	}
	table := append(c.routeTable(), staticRoutes(files)...)
	if m.List[0].MCP != nil {
		table = append(table, mcpRoute())
	}
	s := &Server{labels: modelPrometheusLabels{several: m.Several}, config: c, files: files, guardedExplorer: held, identities: c.Identities, publicPaths: publicPathsOf(table), routes: routesByKey(table), tracing: newRequestTracing(c.Tracer),
		conns: &connTable{max: c.MaxConnections, perAddress: c.MaxConnectionsPerAddress, messages: c.Memory.Part(memory.Messages)}}
	set, err := s.newModelSet(m, nil)
	if err != nil {
		return nil, err
	}
	s.models.Store(set)
	s.metrics = newServerMetrics(s)
	s.app = fiber.New(fiber.Config{
		DisableStartupMessage:        true,
		CaseSensitive:                true,
		BodyLimit:                    c.MaxBodyBytes,
		DisablePreParseMultipartForm: true,
		ReadBufferSize:               maxHeadBytes,
		ReadTimeout:                  c.HeadTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleConnectionTimeout,
		ErrorHandler:                 s.handleError,
	})
	s.app.Use(recoverPanic, setResponseHeaders)
	if len(c.Origins) > 0 {
		s.app.Use(newCORSMiddleware(c.Origins, table, keepsResults(m.List[0].Service)))
	}
	s.app.Use(newCrossSiteGuard(c, s.publicPaths).rejectCrossSite, s.serveResourceMetadata, s.authenticate, s.requireCompleteIdentity, s.requireModel, s.applyQuota, s.asCaller, refuseEncodedBodies)
	for _, r := range table {
		s.app.Add(r.method, r.path, s.handlerOfRoute(r))
		if r.method == fiber.MethodGet {
			s.app.Add(fiber.MethodHead, r.path, s.handlerOfRoute(r))
		}
	}
	below := s.app.Server()
	below.CloseOnShutdown = true
	below.HeaderReceived = s.readLimitsFromHeader
	below.ConnState = markConnWaitingWhenIdle
	s.router = s.app.Handler()
	below.Handler = s.serveRequest
	return s, nil
}

func routesByKey(table []route) map[string]route {
	out := make(map[string]route, len(table))
	for _, r := range table {
		out[r.key()] = r
	}
	return out
}

func publicPathsOf(table []route) map[string]bool {
	out := map[string]bool{}
	for _, r := range table {
		if r.public {
			out[r.path] = true
		}
	}
	return out
}

// newServedModel prepares a model for its requests.
func (s *Server) newServedModel(m *Model) *servedModel {
	served := &servedModel{Model: m, label: s.labels.labelOfModel(m.Name), lists: &listResponseCache{}}
	served.documents.write = openAPIWriter{service: m.Service, config: s.config, mcp: m.MCP != nil, several: s.labels.several, table: s.config.routeTable()}.writeDocument
	served.uses.Store(1)
	return served
}

func (s *Server) handlerOfRoute(r route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		x := requestRecordOf(c.Context())
		if r.process && x.choice.name != "" {
			return fiber.ErrNotFound
		}
		x.setRoute(r)
		if !r.process && !r.modelless && x.choice.model == nil && (x.choice.name == "" || !s.hidesModels(r.path)) {
			return s.unknownModelError(c, "")
		}
		if err := checkQueryParameters(c, r); err != nil {
			return err
		}
		if r.executes && s.config.DisableExecute {
			return errExecutionIsDisabled
		}
		return r.handle(s, c, r)
	}
}

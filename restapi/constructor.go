package restapi

import (
	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/restapi/internal/explorer"
)

// New builds a server. It fails on a configuration that cannot be meant.
func New(service Service, c Config) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	files, err := staticFiles(c)
	if err != nil {
		return nil, err
	}
	held, err := explorer.Held()
	if err != nil {
		return nil, err
	}
	table := append(routes(), staticRoutes(files)...)
	if c.MCP != nil {
		table = append(table, mcpRoute())
	}
	s := &Server{service: service, config: c, files: files, guardedExplorer: held, auth: newAuthenticator(c.Tokens, table), tracing: newTracing(c.Tracer),
		conns: &connTable{max: c.MaxConnections, perAddress: c.MaxConnectionsPerAddress}}
	s.metrics = newMetrics(s)
	s.documents.write = documentWriter{service, c, routes()}.document
	s.app = fiber.New(fiber.Config{
		DisableStartupMessage:        true,
		CaseSensitive:                true,
		BodyLimit:                    c.MaxBodyBytes,
		DisablePreParseMultipartForm: true,
		ReadBufferSize:               maxHeadBytes,
		ReadTimeout:                  c.HeadTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		ErrorHandler:                 s.handleError,
	})
	s.app.Use(recoverPanic, setResponseHeaders)
	if len(c.Origins) > 0 {
		s.app.Use(cors(c.Origins, table))
	}
	s.app.Use(newCrossSiteGuard(c, s.auth).reject, s.auth.authenticate, refuseEncodedBodies)
	for _, r := range table {
		s.app.Add(r.method, r.path, s.handler(r))
		if r.method == fiber.MethodGet {
			s.app.Add(fiber.MethodHead, r.path, s.handler(r))
		}
	}
	below := s.app.Server()
	below.CloseOnShutdown = true
	below.HeaderReceived = s.admit
	below.ConnState = updateConnState
	s.router = s.app.Handler()
	below.Handler = s.serve
	return s, nil
}

func (s *Server) handler(r route) fiber.Handler {
	return func(c *fiber.Ctx) error {
		requestRecordOf(c.Context()).setRoute(r)
		if err := checkParameters(c, r); err != nil {
			return err
		}
		if r.executes && s.config.DisableExecute {
			return &Error{CodeForbidden, "this server compiles queries and does not execute them"}
		}
		return r.handle(s, c, r)
	}
}

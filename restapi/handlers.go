package restapi

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

func serveHealth(_ *Server, c *fiber.Ctx, _ route) error {
	return sendJSON(c, fiber.StatusOK, []byte(`{"status":"ok"}`))
}

// newServiceMethodHandler serves what a verb of the service returns.
func newServiceMethodHandler[T any](verb func(Service) T) func(*Server, *fiber.Ctx, route) error {
	return func(s *Server, c *fiber.Ctx, r route) error {
		service := serviceOfRequestedModel(c)
		return s.sendJSONWithETag(c, r, func(context.Context) ([]byte, error) {
			return engine.MarshalWireJSON(verb(service))
		})
	}
}

// serveConnections serves the profiles, and with check=true asks their warehouses: that executes.
func serveConnections(s *Server, c *fiber.Ctx, r route) error {
	service := serviceOfRequestedModel(c)
	switch c.Query("check") {
	case "", "false":
		return newServiceMethodHandler(Service.Connections)(s, c, r)
	case "true":
	default:
		return &Error{CodeBadRequest, "check must be true or false"}
	}
	if s.config.DisableExecute {
		return errExecutionIsDisabled
	}
	return s.respondWithinTimeBudget(c, r, func(ctx context.Context) ([]byte, error) {
		found, err := service.CheckConnections(ctx)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWireJSON(found)
	})
}

func serveMetricList(s *Server, c *fiber.Ctx, r route) error {
	service, view := serviceOfRequestedModel(c), strings.Clone(c.Query("view"))
	return s.sendJSONWithETag(c, r, func(ctx context.Context) ([]byte, error) {
		scoped, err := engine.ServiceInView(service, view)
		if err != nil {
			return nil, err
		}
		found, err := scoped.Metrics(ctx)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWireJSON(found)
	})
}

func serveRollups(s *Server, c *fiber.Ctx, r route) error {
	service := serviceOfRequestedModel(c)
	return s.sendJSONWithETag(c, r, func(ctx context.Context) ([]byte, error) {
		return engine.MarshalWireJSON(service.Rollups(ctx))
	})
}

// serveCapabilities serves those of the engine, with the limits of the server.
func serveCapabilities(s *Server, c *fiber.Ctx, r route) error {
	service := serviceOfRequestedModel(c)
	return s.sendJSONWithETag(c, r, func(context.Context) ([]byte, error) {
		found := service.Capabilities()
		if s.config.DisableExecute {
			found.Features = append(found.Features, engine.FeatureCompileOnly)
		}
		found.Limits = append(found.Limits, s.config.listReportedServerLimits()...)
		return engine.MarshalWireJSON(found)
	})
}

func serveDimensions(s *Server, c *fiber.Ctx, r route) error {
	service, metric, view := serviceOfRequestedModel(c), strings.Clone(c.Query("metric")), strings.Clone(c.Query("view"))
	return s.sendJSONWithETag(c, r, func(ctx context.Context) ([]byte, error) {
		scoped, err := engine.ServiceInView(service, view)
		if err != nil {
			return nil, err
		}
		found, err := scoped.Dimensions(ctx, metric)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWireJSON(found)
	})
}

func serveValidation(s *Server, c *fiber.Ctx, r route) error {
	model, err := decodeBody(s, c, query.DecodeValidateBody)
	if err != nil {
		return err
	}
	service := serviceOfRequestedModel(c)
	return s.respondWithinTimeBudget(c, r, func(ctx context.Context) ([]byte, error) {
		v, err := service.Validate(ctx, []byte(model))
		if err != nil {
			return nil, err
		}
		return engine.MarshalWireJSON(v)
	})
}

// newQueryHandler serves what a verb of the service makes of a query.
func newQueryHandler[Q, A any](decode func([]byte) (Q, error), verb func(Service, context.Context, Q) (*A, error)) func(*Server, *fiber.Ctx, route) error {
	return func(s *Server, c *fiber.Ctx, r route) error {
		q, err := decodeBody(s, c, decode)
		if err != nil {
			return err
		}
		service := serviceOfRequestedModel(c)
		return s.respondWithinTimeBudget(c, r, func(ctx context.Context) ([]byte, error) {
			found, err := verb(service, ctx, q)
			if err != nil {
				return nil, err
			}
			return engine.MarshalWireJSON(found)
		})
	}
}

// newStatementHandler serves what a verb of the statement makes of a query.
func newStatementHandler[Q query.Body, A any](decode func([]byte) (Q, error), verb func(engine.Statement, context.Context) (*A, error)) func(*Server, *fiber.Ctx, route) error {
	return newQueryHandler(decode, func(service Service, ctx context.Context, q Q) (*A, error) {
		return askStatement(ctx, service, q, verb)
	})
}

// askStatement prepares a query and applies a verb to the statement.
func askStatement[A any](ctx context.Context, service Service, q query.Body, verb func(engine.Statement, context.Context) (*A, error)) (*A, error) {
	prepared, err := service.Prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	return verb(prepared, ctx)
}

// newRowsHandler serves the rows of a query, as JSON or as an Arrow stream.
func newRowsHandler[Q query.Body](decode func([]byte) (Q, error)) func(*Server, *fiber.Ctx, route) error {
	return func(s *Server, c *fiber.Ctx, r route) error {
		q, err := decodeBody(s, c, decode)
		if err != nil {
			return err
		}
		service := serviceOfRequestedModel(c)
		if wantsArrow(c) {
			return s.respondArrowStream(c, r, func(ctx context.Context) (*engine.Stream, error) {
				return askStatement(ctx, service, q, engine.Statement.Stream)
			})
		}
		body, err := s.runWithinRouteTimeBudget(s.contextWithNewQueryID(c), c, r, func(ctx context.Context) ([]byte, error) {
			result, err := askStatement(ctx, service, q, engine.Statement.Execute)
			if err != nil {
				return nil, err
			}
			return result.Body()
		})
		if err != nil {
			return err
		}
		return sendExecuted(c, body) // the engine has counted it
	}
}

func sendJSON(c *fiber.Ctx, status int, body []byte) error {
	c.Status(status)
	c.Response().Header.SetContentType("application/json")
	c.Response().SetBodyRaw(body)
	return nil
}

// serveCatalog serves what a page needs of a model before its first query. The lists are those of their routes.
func serveCatalog(s *Server, c *fiber.Ctx, r route) error {
	service := serviceOfRequestedModel(c)
	return s.sendJSONWithETag(c, r, func(ctx context.Context) ([]byte, error) {
		metrics, err := service.Metrics(ctx)
		if err != nil {
			return nil, err
		}
		dimensions, err := service.Dimensions(ctx, "")
		if err != nil {
			return nil, err
		}
		connections := []openapi.Connection{}
		for _, one := range service.Connections() {
			connections = append(connections, openapi.Connection{Name: one.Name, Dialect: one.Dialect, Available: one.Available, Default: one.Default})
		}
		return engine.MarshalWireJSON(openapi.Catalog{
			Model: service.Model(), Datasets: service.Datasets(), Metrics: metrics, Dimensions: dimensions,
			Views: service.Views(), Saved: service.SavedQueries(), Findings: service.Findings(), Connections: connections, Connection: service.LikelyConnection(),
		})
	})
}

// serveIdentity returns the identity of the caller: the name, the roles that are known, and the attributes that are declared.
func serveIdentity(_ *Server, c *fiber.Ctx, _ route) error {
	x := requestRecordOf(c.Context())
	id := x.caller.Identity
	out := openapi.Identity{Name: id.Name, Issuer: id.Issuer, Roles: []string{}, Attributes: map[string]any{}, SQL: true}
	if policies := x.policiesOfModel(); policies != nil {
		out.Roles, out.SQL = id.KnownRoles(policies), false
		for _, name := range out.Roles {
			role := policies.RoleNamed(name)
			out.SQL = out.SQL || role.SQL || role.All
		}
		for name, value := range id.Attributes {
			out.Attributes[name] = value.JSON()
		}
	}
	out.Limits = toOpenAPILimits(x.quota.Limits)
	body, err := engine.MarshalWireJSON(out)
	if err != nil {
		return err
	}
	return sendJSON(c, fiber.StatusOK, body)
}

package restapi

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func serveFind(s *Server, c *fiber.Ctx, r route) error {
	q, err := query.ReadFindURLParameters(func(name string) string { return strings.Clone(c.Query(name)) })
	if err != nil {
		return err
	}
	service := serviceOfRequestedModel(c)
	return s.sendJSONWithETag(c, r, func(ctx context.Context) ([]byte, error) {
		found, err := service.Find(ctx, q)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWireJSON(found)
	})
}

func serveValues(s *Server, c *fiber.Ctx, r route) error {
	q, err := query.ReadValuesURLParameters(func(name string) string { return strings.Clone(c.Query(name)) })
	if err != nil {
		return err
	}
	service := serviceOfRequestedModel(c)
	return s.respondWithinTimeBudget(c, r, func(ctx context.Context) ([]byte, error) {
		values, err := service.FieldValues(ctx, q)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWireJSON(values)
	})
}

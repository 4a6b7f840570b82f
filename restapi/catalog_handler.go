package restapi

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

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
			Saved: service.SavedQueries(), Findings: service.Findings(), Connections: connections, Connection: service.LikelyConnection(),
		})
	})
}

package restapi

import (
	"cmp"
	"context"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// serveModels lists the models that are served.
func serveModels(s *Server, c *fiber.Ctx, r route) error {
	set, x := s.models.Load(), requestRecordOf(c.Context())
	return s.sendWithETag(c, r, fiber.MIMEApplicationJSON, func(ctx context.Context) ([]byte, error) {
		out := make([]openapi.ModelEntry, 0, len(set.list))
		for _, m := range set.list {
			if !x.reaches(m.Name) {
				continue
			}
			seen, err := engine.AsCaller(ctx, m.Service)
			if err != nil {
				return nil, err
			}
			out = append(out, set.toOpenAPIEntry(m, seen.Model()))
		}
		return engine.MarshalWireJSON(out)
	})
}

func (set *modelSet) toOpenAPIEntry(m *servedModel, info engine.ModelInfo) openapi.ModelEntry {
	e := openapi.ModelEntry{
		Name: info.Name, Revision: info.Revision, Description: info.Description,
		Datasets: info.Datasets, Metrics: info.Metrics, Default: m == set.fallback,
	}
	if set.Several {
		e.Name, e.Path = m.Name, chosenModel{name: m.Name}.pathPrefix()
	}
	return e
}

func serveReadiness(s *Server, c *fiber.Ctx, _ route) error {
	if s.draining.Load() {
		return sendJSON(c, fiber.StatusServiceUnavailable, []byte(`{"status":"draining"}`))
	}
	refused := s.models.Load().newestReloadError()
	if refused != nil && s.hasRoles() {
		refused.Model = "" // callers without a token do not learn which models there are
	}
	body, err := engine.MarshalWireJSON(openapi.Readiness{Status: "ready", ReloadError: refused})
	if err != nil {
		return err
	}
	return sendJSON(c, fiber.StatusOK, body)
}

// newestReloadError returns the newest of the rejected texts and data files, nil where nothing was rejected.
func (set *modelSet) newestReloadError() *openapi.ReloadError {
	var refused []*openapi.ReloadError
	for _, r := range set.Reloads {
		if r.Error != nil {
			refused = append(refused, &openapi.ReloadError{Code: r.Error.Code, Message: r.Error.Message, Model: r.Model, At: r.Error.At})
		}
	}
	if d := set.DataFiles; d != nil {
		refused = append(refused, &openapi.ReloadError{Code: d.Code, Message: d.Message, At: d.At})
	}
	if len(refused) == 0 {
		return nil
	}
	return slices.MaxFunc(refused, func(a, b *openapi.ReloadError) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(b.Model, a.Model)) })
}

package restapi

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// The formats of lineage: JSON, and two drawings.
const (
	lineageJSON    = "json"
	lineageMermaid = "mermaid"
	lineageDOT     = "dot"
)

func lineage(s *Server, c *fiber.Ctx, r route) error {
	metric, format := strings.Clone(c.Query("metric")), strings.Clone(c.Query("format", lineageJSON))
	if format != lineageJSON && format != lineageMermaid && format != lineageDOT {
		return badRequest("the format is one of json, mermaid and dot, not " + clip(format))
	}
	contentType := fiber.MIMEApplicationJSON
	if format != lineageJSON {
		contentType = fiber.MIMETextPlainCharsetUTF8
	}
	return s.sendTagged(c, r, contentType, func(ctx context.Context) ([]byte, error) {
		l, err := s.service.Lineage(ctx, metric)
		switch {
		case err != nil:
			return nil, err
		case format == lineageMermaid:
			return []byte(l.Mermaid()), nil
		case format == lineageDOT:
			return []byte(l.DOT()), nil
		}
		return engine.MarshalWire(l)
	})
}

func saysLineage() operation {
	o := lists("getLineage", engine.Lineage{})
	o.media = fiber.MIMETextPlain
	o.text = "With a metric only what that one is made of: everything upstream of it, and the joins between its datasets. " +
		"Objects that do not compile are there with the code of their error. The formats mermaid and dot are text/plain."
	o.parameters = func(x examples) []openapi.Parameter {
		return []openapi.Parameter{
			{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric},
			{Name: "format", In: "query", Description: "json, or a drawing in the language of Mermaid or of Graphviz (dot).", Example: lineageJSON},
			ifNoneMatch,
		}
	}
	o.refuses = []string{"unknown_metric"}
	return o
}

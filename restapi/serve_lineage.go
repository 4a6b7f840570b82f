package restapi

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// The formats of lineage: JSON, and two drawings.
const (
	lineageFormatJSON    = "json"
	lineageFormatMermaid = "mermaid"
	lineageFormatDOT     = "dot"
)

func serveLineage(s *Server, c *fiber.Ctx, r route) error {
	metric, format := strings.Clone(c.Query("metric")), strings.Clone(c.Query("format", lineageFormatJSON))
	if format != lineageFormatJSON && format != lineageFormatMermaid && format != lineageFormatDOT {
		return badRequestError("the format is one of json, mermaid and dot, not " + truncateForMessage(format))
	}
	contentType := fiber.MIMEApplicationJSON
	if format != lineageFormatJSON {
		contentType = fiber.MIMETextPlainCharsetUTF8
	}
	service := serviceOfRequestedModel(c)
	return s.sendWithETag(c, r, contentType, func(ctx context.Context) ([]byte, error) {
		l, err := service.Lineage(ctx, metric)
		switch {
		case err != nil:
			return nil, err
		case format == lineageFormatMermaid:
			return []byte(l.Mermaid()), nil
		case format == lineageFormatDOT:
			return []byte(l.DOT()), nil
		}
		return engine.MarshalWireJSON(l)
	})
}

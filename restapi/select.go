package restapi

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

func compileSelect(s *Server, c *fiber.Ctx, r route) error {
	q, err := engine.DecodeDetail(c.BodyRaw())
	if err != nil {
		return err
	}
	return s.answer(c, r, func(ctx context.Context) ([]byte, error) {
		compiled, err := s.service.CompileSelect(ctx, q)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWire(compiled)
	})
}

func explainSelect(s *Server, c *fiber.Ctx, r route) error {
	q, err := engine.DecodeDetail(c.BodyRaw())
	if err != nil {
		return err
	}
	return s.answer(c, r, func(ctx context.Context) ([]byte, error) {
		explained, err := s.service.ExplainSelect(ctx, q)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWire(explained)
	})
}

func executeSelect(s *Server, c *fiber.Ctx, r route) error {
	q, err := engine.DecodeDetail(c.BodyRaw())
	if err != nil {
		return err
	}
	if wantsArrow(c) {
		return s.stream(c, r, func(ctx context.Context) (*engine.Stream, error) { return s.service.StreamSelect(ctx, q) })
	}
	return s.answer(c, r, func(ctx context.Context) ([]byte, error) {
		result, err := s.service.ExecuteSelect(ctx, q)
		if err != nil {
			return nil, err
		}
		return result.Body()
	})
}

func attribute(s *Server, c *fiber.Ctx, r route) error {
	q, err := engine.DecodeAttribute(c.BodyRaw())
	if err != nil {
		return err
	}
	return s.answer(c, r, func(ctx context.Context) ([]byte, error) {
		report, err := s.service.Attribute(ctx, q)
		if err != nil {
			return nil, err
		}
		return engine.MarshalWire(report)
	})
}

package restapi

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// CodeRateLimited is the code of a request beyond the rate of its caller.
const CodeRateLimited = identity.CodeRateLimited

// applyQuota takes a token from the bucket of the caller, for each request of the interface, known or not. The quotas are in the context of all
// that follows.
func (s *Server) applyQuota(c *fiber.Ctx) error {
	path := c.Path()
	if s.publicPaths[path] || !strings.HasPrefix(path, "/v1/") && strings.TrimRight(path, "/") != mcpPath {
		return c.Next()
	}
	x := requestRecordOf(c.Context())
	model := ""
	if x.choice.model != nil && s.labels.several {
		model = x.choice.model.Name
	}
	x.quota = s.identities.QuotaOf(x.caller, model)
	if err := s.identities.Admit(x.quota); err != nil {
		return err
	}
	x.ctx = access.WithQuota(x.ctx, x.quota)
	return c.Next()
}

// toOpenAPILimits returns the quotas of a caller, nil where it has none.
func toOpenAPILimits(l access.Limits) *openapi.Limits {
	out := openapi.Limits{Concurrent: l.Concurrent, RequestsPerSecond: l.RequestsPerSecond, Burst: l.Burst, Rows: l.Rows, BytesBilled: l.BytesBilled}
	if l.QueueMS != nil && *l.QueueMS > 0 {
		out.QueueMS = l.QueueMS
	}
	if out == (openapi.Limits{}) {
		return nil
	}
	return &out
}

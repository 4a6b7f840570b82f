package restapi

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// What a page of another origin may send and read, and how many seconds it may
// remember that.
const (
	corsRequestHeaders  = "Authorization, Content-Type, Accept, X-Request-Id, Traceparent, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name"
	corsResponseHeaders = "X-Request-Id, X-Query-Id, Retry-After, WWW-Authenticate, Mcp-Session-Id"
	corsMaxAgeSeconds   = "600"
)

// newCORSMiddleware lets pages of the given origins read responses, and responds to preflight requests.
// A preflight request carries no token, so it is handled before authentication.
func newCORSMiddleware(origins []string, table []route) fiber.Handler {
	methods := map[string][]string{}
	for _, r := range table {
		methods[r.path] = append(methods[r.path], r.method)
	}
	return func(c *fiber.Ctx) error {
		c.Vary(fiber.HeaderOrigin)
		origin := c.Get(fiber.HeaderOrigin)
		if !slices.Contains(origins, origin) {
			return c.Next()
		}
		c.Set(fiber.HeaderAccessControlAllowOrigin, origin)
		c.Set(fiber.HeaderAccessControlExposeHeaders, corsResponseHeaders)
		allowed := methods[c.Path()]
		if c.Method() != fiber.MethodOptions || c.Get(fiber.HeaderAccessControlRequestMethod) == "" || allowed == nil {
			return c.Next()
		}
		c.Set(fiber.HeaderAccessControlAllowMethods, strings.Join(allowed, ", "))
		c.Set(fiber.HeaderAccessControlAllowHeaders, corsRequestHeaders)
		c.Set(fiber.HeaderAccessControlMaxAge, corsMaxAgeSeconds)
		return c.SendStatus(fiber.StatusNoContent)
	}
}

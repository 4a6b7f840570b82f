package restapi

import (
	"fmt"
	"net/url"
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
	// corsCacheHeaders are those of a server with a result cache.
	corsCacheHeaders = ", X-Cache, Age, ETag"
)

// newCORSMiddleware lets pages of the given origins read responses, and responds to preflight requests.
// A preflight request carries no token, so it is handled before authentication.
func newCORSMiddleware(origins []string, table []route, keepsResults bool) fiber.Handler {
	exposed, accepted := corsResponseHeaders, corsRequestHeaders
	if keepsResults {
		exposed, accepted = exposed+corsCacheHeaders, accepted+", If-None-Match"
	}
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
		c.Set(fiber.HeaderAccessControlExposeHeaders, exposed)
		allowed := methods[c.Path()]
		if c.Method() != fiber.MethodOptions || c.Get(fiber.HeaderAccessControlRequestMethod) == "" || allowed == nil {
			return c.Next()
		}
		c.Set(fiber.HeaderAccessControlAllowMethods, strings.Join(allowed, ", "))
		c.Set(fiber.HeaderAccessControlAllowHeaders, accepted)
		c.Set(fiber.HeaderAccessControlMaxAge, corsMaxAgeSeconds)
		return c.SendStatus(fiber.StatusNoContent)
	}
}

// CheckOrigins rejects what is not exactly an origin: a wildcard would let every
// page that a user opens ask with the user's reach.
func CheckOrigins(origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(u.Host, "*;,'\"<>& ") || o != u.Scheme+"://"+u.Host || o != strings.ToLower(o) {
			return fmt.Errorf("%q is not an origin: write scheme and host in small letters, and the port unless it is the usual one, as in https://app.example.com", o)
		}
	}
	return nil
}

// hostOfOrigin returns host and port of an origin.
func hostOfOrigin(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}

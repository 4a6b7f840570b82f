package restapi

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// resourceMetadataPath is where RFC 9728 puts the description of a resource that takes tokens.
const resourceMetadataPath = "/.well-known/oauth-protected-resource"

// serveResourceMetadata returns the issuers of tokens for the server, without a token, where the policies file has its public
// address. Else there is no such path.
func (s *Server) serveResourceMetadata(c *fiber.Ctx) error {
	below, ok := strings.CutPrefix(c.Path(), resourceMetadataPath)
	file := s.identities.Policies()
	if !ok || file == nil || file.Resource.Value == "" || !isMCPPath(below) && below != "" || c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		return c.Next()
	}
	requestRecordOf(c.Context()).setRoute(route{method: fiber.MethodGet, path: resourceMetadataPath, public: true})
	out := openapi.ResourceMetadata{Resource: file.Resource.Value + below, BearerMethods: []string{"header"}}
	for _, issuer := range file.Issuers {
		out.AuthorizationServers = append(out.AuthorizationServers, issuer.Issuer.Value)
	}
	body, err := engine.MarshalWireJSON(out)
	if err != nil {
		return err
	}
	return sendJSON(c, fiber.StatusOK, body)
}

// isMCPPath reports whether a path is /mcp, or /m/NAME/mcp with any NAME.
func isMCPPath(path string) bool {
	if path == mcpPath {
		return true
	}
	_, rest, ok := cutModelNameOfPath([]byte(path))
	return ok && rest == mcpPath
}

// challenge returns the value of WWW-Authenticate of a refused request. It leads a client of MCP to the issuers.
func (s *Server) challenge(c *fiber.Ctx) string {
	const scheme = "Bearer"
	file := s.identities.Policies()
	if file == nil || file.Resource.Value == "" {
		return scheme
	}
	path := requestedPath(c)
	if !isMCPPath(path) {
		path = ""
	}
	return scheme + ` resource_metadata="` + file.Resource.Value + resourceMetadataPath + path + `"`
}

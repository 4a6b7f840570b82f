package restapi

import (
	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// serveIdentity returns the identity of the caller: the name, the roles that are known, and the attributes that are declared.
func serveIdentity(_ *Server, c *fiber.Ctx, _ route) error {
	x := requestRecordOf(c.Context())
	id := x.caller.Identity
	out := openapi.Identity{Name: id.Name, Issuer: id.Issuer, Roles: []string{}, Attributes: map[string]any{}, SQL: true}
	if policies := x.policiesOfModel(); policies != nil {
		out.Roles, out.SQL = id.KnownRoles(policies), false
		for _, name := range out.Roles {
			role := policies.RoleNamed(name)
			out.SQL = out.SQL || role.SQL || role.All
		}
		for name, value := range id.Attributes {
			out.Attributes[name] = value.JSON()
		}
	}
	out.Limits = toOpenAPILimits(x.quota.Limits)
	body, err := engine.MarshalWireJSON(out)
	if err != nil {
		return err
	}
	return sendJSON(c, fiber.StatusOK, body)
}

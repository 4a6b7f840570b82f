package restapi

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// parameterError refuses a query parameter that a route does not have.
type parameterError struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Candidates []string `json:"candidates,omitempty"`
}

// Error returns the code and the message.
func (e *parameterError) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *parameterError) ErrorCode() string { return e.Code }

// checkParameters refuses query parameters that a route of the interface does not have,
// because they would change nothing, and those given twice, because only one of the
// values could be used.
func checkParameters(c *fiber.Ctx, r route) error {
	if !strings.HasPrefix(r.path, "/v1/") {
		return nil
	}
	seen := map[string]bool{}
	var err error
	c.Context().QueryArgs().VisitAll(func(key, _ []byte) {
		name := string(key)
		switch {
		case err != nil:
		case !slices.Contains(r.query, name):
			err = unknownParameter(r, name)
		case seen[name]:
			err = badRequest("the query parameter " + name + " can be given once")
		}
		seen[name] = true
	})
	return err
}

func unknownParameter(r route, name string) error {
	message := r.path + " has no query parameter " + truncate(name)
	if len(r.query) > 0 {
		message += "; it has " + strings.Join(r.query, " and ")
	}
	return &parameterError{CodeBadRequest, message, r.query}
}

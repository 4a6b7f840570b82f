package restapi

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// unknownParameterError rejects a query parameter that a route does not have.
type unknownParameterError struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Candidates []string `json:"candidates,omitempty"`
}

// Error returns the code and the message.
func (e *unknownParameterError) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *unknownParameterError) ErrorCode() string { return e.Code }

// checkQueryParameters rejects query parameters that a route of the interface does not have,
// because they would change nothing, and those given twice, because only one of the
// values could be used.
func checkQueryParameters(c *fiber.Ctx, r route) error {
	if !strings.HasPrefix(r.path, "/v1/") {
		return nil
	}
	seen := map[string]bool{}
	for key := range c.Context().QueryArgs().All() {
		name := string(key)
		if !slices.Contains(r.query, name) {
			return newUnknownParameterError(r, name)
		}
		if seen[name] {
			return badRequestError("the query parameter " + name + " can be given once")
		}
		seen[name] = true
	}
	return nil
}

func newUnknownParameterError(r route, name string) error {
	message := r.path + " has no query parameter " + truncateForMessage(name)
	if len(r.query) > 0 {
		message += "; it has " + strings.Join(r.query, " and ")
	}
	return &unknownParameterError{CodeBadRequest, message, r.query}
}

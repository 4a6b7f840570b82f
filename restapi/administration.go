package restapi

import (
	"context"
	"net/http"

	"github.com/semlayer/semlayer/restapi/identity"
)

// MetricsHandler serves the measurements for Prometheus to a program that has a separate address for them.
func (s *Server) MetricsHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, contentType, err := s.metrics.encode(r.Header.Get("Accept"))
		if err != nil {
			s.config.Logger.Error("the measurements cannot be collected", "error", err)
			http.Error(w, "the measurements cannot be collected", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(text)
	})
}

// CheckAdministrator reports whether an Authorization header belongs to a caller that may see and end the executions of all callers: any token, or,
// where the policies have roles, that of an identity with an all: true role in every model. Its error is an *Error. A server without tokens has no
// such caller.
func (s *Server) CheckAdministrator(ctx context.Context, authorization string) error {
	if s.identities.IsOpen() {
		return &Error{CodeForbidden, "this needs a token, and the server has none; set one, or use a loopback address"}
	}
	caller, err := s.callerOfHeader(ctx, authorization)
	if err != nil {
		return errUnauthorized
	}
	if caller.Policies == nil || !caller.Policies.HasRoles() {
		return nil
	}
	for _, m := range s.models.Load().list {
		if !hasAllRole(caller, m.Name) {
			return &Error{CodeForbidden, "this needs a role with all: true"}
		}
	}
	return nil
}

// hasAllRole reports whether a caller has a role of a model with all: true.
func hasAllRole(caller identity.Caller, model string) bool {
	policies := caller.Policies.PoliciesOf(model)
	if policies == nil {
		return false
	}
	for _, name := range caller.Identity.KnownRoles(policies) {
		if policies.RoleNamed(name).All {
			return true
		}
	}
	return false
}

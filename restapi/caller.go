package restapi

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

type programIdentityKey struct{}

// WithIdentity returns a context in which a program vouches for the caller of a request: a program that mounts Server.Handler
// and signs its users in itself sets it on the request. The server asks no token of such a request.
func WithIdentity(ctx context.Context, c access.Claims) context.Context {
	return context.WithValue(ctx, programIdentityKey{}, c)
}

// callerOfHeader finds the caller of an Authorization header, or of the program's context.
func (s *Server) callerOfHeader(ctx context.Context, header string) (identity.Caller, error) {
	if claims, ok := ctx.Value(programIdentityKey{}).(access.Claims); ok {
		return s.identities.CallerOf(claims), nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") && !s.identities.IsOpen() {
		return identity.Caller{}, identity.ErrUnauthorized
	}
	return s.identities.SignIn(ctx, strings.TrimSpace(token))
}

// authenticate rejects a request without a valid token, always with the same body. Every
// path that is not public needs a token, also an unknown one, so that no spelling of a path
// bypasses the check. The identity of the caller is in the context of all that follows.
func (s *Server) authenticate(c *fiber.Ctx) error {
	if s.publicPaths[c.Path()] {
		return c.Next()
	}
	x := requestRecordOf(c.Context())
	caller, err := s.callerOfHeader(x.ctx, c.Get(fiber.HeaderAuthorization))
	if err != nil {
		return errUnauthorized
	}
	x.caller = caller
	if caller.Known {
		x.ctx = access.WithIdentity(x.ctx, caller.Identity)
	}
	return c.Next()
}

// permitsRequest reports whether a request may continue: its path needs no token, or it has one.
func (s *Server) permitsRequest(c *fiber.Ctx) bool {
	if s.publicPaths[c.Path()] {
		return true
	}
	_, err := s.callerOfHeader(contextOfRequest(c.Context()), c.Get(fiber.HeaderAuthorization))
	return err == nil
}

func contextOfRequest(c *fasthttp.RequestCtx) context.Context {
	if x := requestRecordOf(c); x != nil {
		return x.ctx
	}
	return baseContext(c)
}

// requireCompleteIdentity rejects a caller without a known role, or without an attribute that its roles need. On a server of several models
// the caller reaches those for which it is complete; the others do not exist for it.
func (s *Server) requireCompleteIdentity(c *fiber.Ctx) error {
	x := requestRecordOf(c.Context())
	file := x.caller.Policies
	if s.publicPaths[c.Path()] || file == nil || !file.HasRoles() {
		return c.Next()
	}
	if !s.labels.several {
		if err := x.caller.Identity.Check(file.PoliciesOf(s.models.Load().list[0].Name)); err != nil {
			return err
		}
		return c.Next()
	}
	var first error
	x.reached = map[string]bool{}
	for _, m := range s.models.Load().list {
		policies := file.PoliciesOf(m.Name)
		if policies == nil {
			continue
		}
		err := x.caller.Identity.Check(policies)
		switch {
		case err == nil:
			x.reached[m.Name] = true
		case first == nil:
			first = err
		}
	}
	if len(x.reached) == 0 {
		if first == nil {
			first = &access.ForbiddenError{Code: CodeForbidden, Message: "the identity has no role in any model"}
		}
		return first
	}
	if m := x.choice.model; m != nil && !x.reached[m.Name] {
		x.choice.model = nil
		m.releaseFromRequest()
	}
	return c.Next()
}

// asCaller finds the service of the model of a request as its caller sees it.
func (s *Server) asCaller(c *fiber.Ctx) (err error) {
	x := requestRecordOf(c.Context())
	if x.choice.model == nil {
		return c.Next()
	}
	x.service = x.choice.model.Service
	if !s.publicPaths[c.Path()] {
		if r, ok := x.service.(RevisionReporter); ok {
			c.Set(headerModelRevision, r.Revision())
		}
		if x.service, err = engine.AsCaller(x.ctx, x.service); err != nil {
			return err
		}
	}
	return c.Next()
}

// headerModelRevision has the revision of the model that a response is of, so that a client notices a model that was loaded again.
const headerModelRevision = "X-Model-Revision"

// reaches reports whether a model exists for the caller.
func (x *requestRecord) reaches(model string) bool { return x.reached == nil || x.reached[model] }

// policiesOfModel returns the policies that apply to the model of a request; nil without roles.
func (x *requestRecord) policiesOfModel() *access.Policies {
	file := x.caller.Policies
	if file == nil || !file.HasRoles() || x.choice.model == nil {
		return nil
	}
	return file.PoliciesOf(x.choice.model.Name)
}

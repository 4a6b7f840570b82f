package pgwire

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/semlayer/semlayer/modelspec/access"
)

// Caller is the identity of a session.
type Caller struct {
	// Key is different for callers of different identities.
	Key string
	// Named reports whether the token belongs to an identity.
	Named    bool
	Identity access.Identity
	// Policies is the policies file that the identity was typed by; nil without one.
	Policies *access.File
	// Renew judges the caller again by the newest tokens, policies and time. An error ends the session.
	Renew func(context.Context) (Caller, error)
	// Admit counts a statement over a model, and returns the quotas that bound its execution; nil bounds nothing.
	Admit func(model string) (access.Quota, error)
}

// admit counts a statement over a model, and returns a context with the quotas of the caller.
func (c Caller) admit(ctx context.Context, model string) (context.Context, access.Quota, error) {
	if c.Admit == nil {
		return ctx, access.Quota{}, nil
	}
	q, err := c.Admit(model)
	return access.WithQuota(ctx, q), q, err
}

// admission is the count of a statement that was described, which its first execution does not count again.
type admission struct {
	quota    access.Quota
	policies *access.File // by which it was counted
	used     bool
}

// admitDescription counts the description of a query over the model, once for each statement.
func (s *session) admitDescription(ctx context.Context, p *preparedStatement) (context.Context, error) {
	if p.admission != nil {
		return access.WithQuota(ctx, p.admission.quota), nil
	}
	ctx, quota, err := s.caller.admit(ctx, s.model.Name)
	if err == nil {
		p.admission = &admission{quota: quota, policies: s.caller.Policies}
	}
	return ctx, err
}

// admitExecution counts the execution of a query over the model, and returns a context with the quotas of the caller.
func (s *session) admitExecution(ctx context.Context, p *preparedStatement) (context.Context, access.Quota, error) {
	if a := p.admission; a != nil && !a.used && a.policies == s.caller.Policies {
		a.used = true
		return access.WithQuota(ctx, a.quota), a.quota, nil
	}
	return s.caller.admit(ctx, s.model.Name)
}

// Identities finds the callers of sessions.
type Identities interface {
	// IsOpen reports whether no session needs a password.
	IsOpen() bool
	// Tokens returns the tokens whose secret is known, which clients prove by SCRAM.
	Tokens() []access.Token
	// TakesBearer reports whether there are callers whose password must be sent as it is: those of issuers, and of tokens whose digest
	// alone is known.
	TakesBearer() bool
	// SignInToken returns the caller of a token that a client has proved to know.
	SignInToken(access.Token) (Caller, error)
	// SignIn finds the caller of a password.
	SignIn(ctx context.Context, password string) (Caller, error)
}

// jwtUser is the user whose password is a bearer value as it is.
const jwtUser = "jwt"

// serviceUser is a user name that every identity may use.
const serviceUser = "semlayer"

// hasRoles reports whether the rights of the caller depend on its identity.
func (c Caller) hasRoles() bool { return c.Policies != nil && c.Policies.HasRoles() }

// reaches reports whether a model exists for the caller.
func (c Caller) reaches(model string) bool {
	return !c.hasRoles() || c.checkModel(model) == nil
}

// checkModel returns why the caller may see nothing of a model.
func (c Caller) checkModel(model string) error {
	if !c.hasRoles() {
		return nil
	}
	policies := c.Policies.PoliciesOf(model)
	if policies == nil {
		return errModelNotInPolicies
	}
	return c.Identity.Check(policies)
}

var errModelNotInPolicies = errors.New("the policies file does not name the model")

// context returns a context in which the caller is known.
func (c Caller) context(ctx context.Context) context.Context {
	if !c.Named && !c.hasRoles() {
		return ctx
	}
	return access.WithIdentity(ctx, c.Identity)
}

// tokenList is the Identities of a server that has tokens alone.
type tokenList struct {
	tokens atomic.Pointer[[]access.Token]
}

func newTokenList(tokens []string) *tokenList {
	l := &tokenList{}
	l.replace(tokens)
	return l
}

func (l *tokenList) replace(tokens []string) {
	list := make([]access.Token, len(tokens))
	for i, t := range tokens {
		list[i] = access.PlainToken(t)
	}
	l.tokens.Store(&list)
}

// IsOpen reports whether there are no tokens.
func (l *tokenList) IsOpen() bool { return len(*l.tokens.Load()) == 0 }

// Tokens returns the tokens.
func (l *tokenList) Tokens() []access.Token { return *l.tokens.Load() }

// TakesBearer returns false: each token is proved by SCRAM.
func (l *tokenList) TakesBearer() bool { return false }

// SignInToken returns a caller without a name.
func (l *tokenList) SignInToken(t access.Token) (Caller, error) {
	for _, held := range *l.tokens.Load() {
		if held.Digest == t.Digest {
			return Caller{Key: string(t.Digest[:]), Renew: func(context.Context) (Caller, error) { return l.SignInToken(t) }}, nil
		}
	}
	return Caller{}, errTokenRemoved
}

var errTokenRemoved = errors.New("the token was removed")

// SignIn returns an error: no password is sent as it is.
func (l *tokenList) SignIn(context.Context, string) (Caller, error) {
	return Caller{}, errTokenRemoved
}

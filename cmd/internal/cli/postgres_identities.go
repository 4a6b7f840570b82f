package cli

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/restapi/identity"
)

// postgresIdentities are the callers of a server for its PostgreSQL port.
type postgresIdentities struct {
	*identity.Directory
	several bool // models, whose limits are counted apart
}

// SignInToken returns the caller of a token that a client has proved to know.
func (p postgresIdentities) SignInToken(t access.Token) (pgwire.Caller, error) {
	caller, err := p.CallerOfToken(t)
	return p.toPostgres(caller), err
}

// SignIn finds the caller of a password.
func (p postgresIdentities) SignIn(ctx context.Context, password string) (pgwire.Caller, error) {
	caller, err := p.Directory.SignIn(ctx, password)
	return p.toPostgres(caller), err
}

func (p postgresIdentities) toPostgres(c identity.Caller) pgwire.Caller {
	return pgwire.Caller{Key: c.Key(), Named: c.Named, Identity: c.Identity, Policies: c.Policies, Renew: func(ctx context.Context) (pgwire.Caller, error) {
		renewed, err := p.Directory.Renew(ctx, c)
		return p.toPostgres(renewed), err
	}, Admit: func(model string) (access.Quota, error) {
		if !p.several {
			model = ""
		}
		q := p.QuotaOf(c, model)
		return q, p.Directory.Admit(q)
	}}
}

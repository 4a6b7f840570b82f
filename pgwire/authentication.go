package pgwire

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/pgwire/internal/scram"
)

// wrongPasswordDelay is how long the client of a wrong password waits.
const wrongPasswordDelay = 100 * time.Millisecond

// authenticate requests a password where one is needed and returns the client's identity.
func (c *pendingConnection) authenticate(ctx context.Context, user string) (caller Caller, err error) {
	identities := c.server.identities
	switch {
	case identities.IsOpen():
		c.out.queueMessage(&pgproto3.AuthenticationOk{})
		return Caller{}, nil
	case user == jwtUser && identities.TakesBearer():
		caller, err = c.authenticateByPassword(ctx)
	default:
		caller, err = c.authenticateBySCRAM(user)
	}
	var own *sessionError
	if err != nil && errors.As(err, &own) {
		time.Sleep(wrongPasswordDelay)
	}
	return caller, err
}

// maxBearerBytes bounds the message with a bearer value, which may be longer than other messages before a session.
const maxBearerBytes = 16 << 10

// authenticateByPassword reads a bearer value. Without TLS the network would read it too.
func (c *pendingConnection) authenticateByPassword(ctx context.Context) (Caller, error) {
	if !c.tls {
		return Caller{}, newFatalSessionError(sqlstateInvalidAuthorization, "the user jwt sends its password as it is and needs TLS: connect with sslmode=require")
	}
	c.in.most = maxBearerBytes
	body, err := c.sendAndReadPassword(&pgproto3.AuthenticationCleartextPassword{})
	c.in.most = maxStartupBytes
	if err != nil {
		return Caller{}, err
	}
	password, ok := bytes.CutSuffix(body, []byte{0})
	if !ok || bytes.IndexByte(password, 0) >= 0 {
		return Caller{}, &protocolError{"the password message is malformed"}
	}
	caller, err := c.server.identities.SignIn(ctx, string(password))
	if err != nil {
		return Caller{}, wrongPasswordError()
	}
	c.caller = caller
	c.out.queueMessage(&pgproto3.AuthenticationOk{})
	return caller, nil
}

func wrongPasswordError() error {
	return newFatalSessionError(sqlstateInvalidPassword, "password authentication failed")
}

// authenticateBySCRAM lets the client prove that it has a token.
func (c *pendingConnection) authenticateBySCRAM(user string) (Caller, error) {
	keys, err := c.server.scramKeys()
	if err != nil {
		return Caller{}, err
	}
	mechanisms := []string{scram.Mechanism}
	if c.binding != nil {
		mechanisms = []string{scram.MechanismPlus, scram.Mechanism}
	}
	body, err := c.sendAndReadPassword(&pgproto3.AuthenticationSASL{AuthMechanisms: mechanisms})
	if err != nil {
		return Caller{}, err
	}
	var first pgproto3.SASLInitialResponse
	if err := first.Decode(body); err != nil {
		return Caller{}, &protocolError{"the first message of SCRAM is malformed"}
	}
	exchange, reply, err := scram.BeginExchange(first.AuthMechanism, first.Data, c.server.salt, c.binding)
	if err != nil {
		return Caller{}, wrongPasswordError()
	}
	if body, err = c.sendAndReadPassword(&pgproto3.AuthenticationSASLContinue{Data: reply}); err != nil {
		return Caller{}, err
	}
	match, reply, err := exchange.Finish(body, keys.keys)
	if err != nil {
		return Caller{}, wrongPasswordError()
	}
	caller, err := c.server.identities.SignInToken(keys.tokens[match])
	if err != nil {
		return Caller{}, wrongPasswordError()
	}
	c.caller = caller
	if caller.hasRoles() && user != caller.Identity.Name && user != serviceUser {
		return Caller{}, newFatalSessionError(sqlstateInvalidAuthorization, "the user must be the name of the token's identity, or "+serviceUser)
	}
	c.out.queueMessage(&pgproto3.AuthenticationSASLFinal{Data: reply})
	c.out.queueMessage(&pgproto3.AuthenticationOk{})
	return caller, nil
}

// sendAndReadPassword sends a message and reads the response.
func (c *pendingConnection) sendAndReadPassword(m pgproto3.BackendMessage) ([]byte, error) {
	c.out.queueMessage(m)
	if err := c.out.flush(); err != nil {
		return nil, err
	}
	return c.in.readPasswordMessage()
}

// scramTokenKeys are the keys of the tokens. They do not change.
type scramTokenKeys struct {
	tokens   []access.Token
	keys     []scram.PasswordKeys
	byDigest map[[sha256.Size]byte]scram.PasswordKeys
}

// scramKeys returns the keys of the tokens that are accepted. Those of a token are derived once.
func (s *Server) scramKeys() (*scramTokenKeys, error) {
	s.derivingKeys.Lock()
	defer s.derivingKeys.Unlock()
	tokens := s.identities.Tokens()
	known := s.keys
	if known != nil && slices.EqualFunc(known.tokens, tokens, func(a, b access.Token) bool { return a.Digest == b.Digest }) {
		return known, nil
	}
	out := &scramTokenKeys{tokens: tokens, byDigest: map[[sha256.Size]byte]scram.PasswordKeys{}}
	for _, t := range tokens {
		keys, ok := scram.PasswordKeys{}, false
		if known != nil {
			keys, ok = known.byDigest[t.Digest]
		}
		if !ok {
			var err error
			if keys, err = scram.NewPasswordKeys(t.Secret, s.salt); err != nil {
				return nil, err
			}
		}
		out.byDigest[t.Digest] = keys
		out.keys = append(out.keys, keys)
	}
	s.keys = out
	return out, nil
}

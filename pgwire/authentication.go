package pgwire

import (
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/pgwire/internal/scram"
)

// wrongPasswordDelay is how long the client of a wrong password waits.
const wrongPasswordDelay = 100 * time.Millisecond

// authenticate requests a token where there are any and returns the client's.
func (c *pendingConnection) authenticate() (token string, err error) {
	keys := c.server.keys.Load()
	if len(keys.tokens) == 0 {
		c.out.queueMessage(&pgproto3.AuthenticationOk{})
		return "", nil
	}
	token, err = c.authenticateBySCRAM(keys)
	var own *sessionError
	if err != nil && errors.As(err, &own) {
		time.Sleep(wrongPasswordDelay)
	}
	return token, err
}

func wrongPasswordError() error {
	return newFatalSessionError(sqlstateInvalidPassword, "password authentication failed")
}

// authenticateBySCRAM lets the client prove that it has a token.
func (c *pendingConnection) authenticateBySCRAM(keys *scramTokenKeys) (string, error) {
	mechanisms := []string{scram.Mechanism}
	if c.binding != nil {
		mechanisms = []string{scram.MechanismPlus, scram.Mechanism}
	}
	body, err := c.sendAndReadPassword(&pgproto3.AuthenticationSASL{AuthMechanisms: mechanisms})
	if err != nil {
		return "", err
	}
	var first pgproto3.SASLInitialResponse
	if err := first.Decode(body); err != nil {
		return "", &protocolError{"the first message of SCRAM is malformed"}
	}
	exchange, reply, err := scram.BeginExchange(first.AuthMechanism, first.Data, c.server.salt, c.binding)
	if err != nil {
		return "", wrongPasswordError()
	}
	if body, err = c.sendAndReadPassword(&pgproto3.AuthenticationSASLContinue{Data: reply}); err != nil {
		return "", err
	}
	match, reply, err := exchange.Finish(body, keys.keys)
	if err != nil {
		return "", wrongPasswordError()
	}
	c.out.queueMessage(&pgproto3.AuthenticationSASLFinal{Data: reply})
	c.out.queueMessage(&pgproto3.AuthenticationOk{})
	return keys.tokens[match], nil
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
	tokens  []string
	keys    []scram.PasswordKeys
	byToken map[string]scram.PasswordKeys
}

// newSCRAMTokenKeys derives the keys of tokens; those that are known keep theirs.
func newSCRAMTokenKeys(tokens []string, salt scram.Salt, known *scramTokenKeys) (*scramTokenKeys, error) {
	out := &scramTokenKeys{tokens: tokens, byToken: map[string]scram.PasswordKeys{}}
	for _, t := range tokens {
		keys, ok := scram.PasswordKeys{}, false
		if known != nil {
			keys, ok = known.byToken[t]
		}
		if !ok {
			var err error
			if keys, err = scram.NewPasswordKeys(t, salt); err != nil {
				return nil, err
			}
		}
		out.byToken[t] = keys
		out.keys = append(out.keys, keys)
	}
	return out, nil
}

// hasToken reports whether a token is one of them still.
func (k *scramTokenKeys) hasToken(token string) bool {
	_, ok := k.byToken[token]
	return ok
}

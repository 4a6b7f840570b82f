package pgwire

import "github.com/semlayer/semlayer/pgwire/internal/scram"

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

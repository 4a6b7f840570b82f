package scram_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/pgwire/internal/scram"
)

func TestBegin_RefusesWhatIsNotAFirstMessage(t *testing.T) {
	salt := scram.NewSalt()
	for _, c := range []struct {
		mechanism, message string
		binding            []byte
		ok                 bool
	}{
		{scram.Mechanism, "n,,n=,r=abc", nil, true},
		{scram.Mechanism, "y,,n=,r=abc", nil, true},
		{scram.Mechanism, "y,,n=,r=abc", []byte("x"), false}, // the client was shown a shorter list of mechanisms
		{scram.Mechanism, "p=tls-server-end-point,,n=,r=abc", []byte("x"), false},
		{scram.MechanismPlus, "p=tls-server-end-point,,n=,r=abc", []byte("x"), true},
		{scram.MechanismPlus, "p=tls-server-end-point,,n=,r=abc", nil, false},
		{scram.MechanismPlus, "p=tls-unique,,n=,r=abc", []byte("x"), false},
		{scram.MechanismPlus, "n,,n=,r=abc", []byte("x"), false},
		{scram.Mechanism, "n,a=admin,n=,r=abc", nil, false},
		{scram.Mechanism, "n,,n=,r=", nil, false},
		{scram.Mechanism, "n,,r=abc", nil, false},
		{scram.Mechanism, "n,,n=,r=a\x00", nil, false},
		{scram.Mechanism, "", nil, false},
		{"PLAIN", "n,,n=,r=abc", nil, false},
	} {
		_, reply, err := scram.BeginExchange(c.mechanism, []byte(c.message), salt, c.binding)
		if (err == nil) != c.ok || c.ok && !strings.HasPrefix(string(reply), "r=abc") {
			t.Errorf("%s %q: %q %v", c.mechanism, c.message, reply, err)
		}
	}
}

func TestFinish_RefusesWrongAndReplayedMessages(t *testing.T) {
	salt := scram.NewSalt()
	keys, err := scram.NewPasswordKeys("secret", salt)
	if err != nil {
		t.Fatal(err)
	}
	e, first, err := scram.BeginExchange(scram.Mechanism, []byte("n,,n=,r=abc"), salt, nil)
	if err != nil {
		t.Fatal(err)
	}
	nonce, _, _ := strings.Cut(string(first), ",")
	const proof = ",p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	for message, want := range map[string]error{
		"c=biws," + nonce + proof:         scram.ErrWrongPassword,
		"c=biws,r=abc" + proof:            scram.ErrMalformed, // the nonce of another exchange
		"c=eSws," + nonce + proof:         scram.ErrMalformed, // another header
		"c=biws," + nonce + ",p=AAAA":     scram.ErrMalformed,
		"c=biws," + nonce:                 scram.ErrMalformed,
		"c=biws," + nonce + ",p=" + "!!!": scram.ErrMalformed,
		"":                                scram.ErrMalformed,
	} {
		if _, _, err := e.Finish([]byte(message), []scram.PasswordKeys{keys}); !errors.Is(err, want) {
			t.Errorf("%q: %v", message, err)
		}
	}
}

package identity_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

func tokensOf(t *testing.T, text string) []access.Token {
	t.Helper()
	tokens, _, err := access.ParseTokens(text)
	if err != nil {
		t.Fatal(err)
	}
	return tokens
}

func TestSignIn_StaticTokens(t *testing.T) {
	d := identity.New(identity.Config{Logger: slog.New(slog.DiscardHandler)})
	if !d.IsOpen() {
		t.Error("a directory without tokens is not open")
	}
	const digestOfThird = "4f3bac38de48c2d7ee1b2dc5c22fd1b1b1ecb0f6d1d5e4a1d6b1e8b0c1e9d8a7"
	if err := d.ReplaceTokens(tokensOf(t, "first\n{\"name\":\"dash\",\"token\":\"second\",\"roles\":[\"r\"]}\n{\"name\":\"cron\",\"sha256\":\""+digestOfThird+"\"}")); err != nil {
		t.Fatal(err)
	}
	for bearer, want := range map[string]string{"first": "", "second": "dash"} {
		caller, err := d.SignIn(t.Context(), bearer)
		if err != nil || caller.Identity.Name != want || caller.Named != (want != "") {
			t.Errorf("%s: %+v %v", bearer, caller, err)
		}
	}
	for _, bearer := range []string{"", "firs", "first ", "FIRST", digestOfThird, `{"name":"dash","token":"second","roles":["r"]}`} {
		if _, err := d.SignIn(t.Context(), bearer); err == nil {
			t.Errorf("%q is accepted", bearer)
		}
	}
	if got := d.Tokens(); len(got) != 2 || d.IsOpen() {
		t.Errorf("%d tokens with a secret", len(got))
	}
}

func TestReplace_RefusesOneTokenForTwoIdentities(t *testing.T) {
	d := identity.New(identity.Config{})
	named := tokensOf(t, `{"name":"dash","token":"second"}`)
	if d.ReplaceTokens(append(named, access.PlainToken("second"))) == nil {
		t.Error("accepted")
	}
	if !d.IsOpen() {
		t.Error("a refused revision is in force")
	}
}

func TestRenew_JudgesByTheNewestRevision(t *testing.T) {
	d := identity.New(identity.Config{Logger: slog.New(slog.DiscardHandler)})
	if err := d.ReplaceTokens(tokensOf(t, `{"name":"dash","token":"second","roles":["a"]}`)); err != nil {
		t.Fatal(err)
	}
	caller, err := d.SignIn(t.Context(), "second")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ReplaceTokens(tokensOf(t, `{"name":"dash","token":"second","roles":["b"]}`)); err != nil {
		t.Fatal(err)
	}
	if caller, err = d.Renew(t.Context(), caller); err != nil || caller.Identity.Roles[0] != "b" {
		t.Errorf("%+v %v", caller, err)
	}
	if err := d.ReplaceTokens(tokensOf(t, "other")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Renew(t.Context(), caller); err == nil {
		t.Error("a removed token goes on")
	}
}

func TestRenew_EndsWithTheToken(t *testing.T) {
	clock := newFakeClock()
	d := opened(t, usualPolicies, usualKeys(), clock.now, slog.New(slog.DiscardHandler))
	caller, err := d.SignIn(t.Context(), signParts(ecKey, usualHeader(), usualClaims()))
	if err != nil {
		t.Fatal(err)
	}
	clock.advance(659 * time.Second)
	if _, err := d.Renew(t.Context(), caller); err != nil {
		t.Error(err)
	}
	clock.advance(time.Second)
	if _, err := d.Renew(t.Context(), caller); err == nil {
		t.Error("a token that has expired goes on")
	}
}

func TestReplace_KeepsAClosedServiceClosed(t *testing.T) {
	for name, before := range map[string]func(*identity.Directory) error{
		"tokens":  func(d *identity.Directory) error { return d.ReplaceTokens(tokensOf(t, "first")) },
		"issuers": func(d *identity.Directory) error { return d.Replace(nil, policiesOf(t, usualPolicies)) },
		"roles":   func(d *identity.Directory) error { return d.Replace(nil, policiesOf(t, "version: 1\nroles: {}")) },
	} {
		d := identity.New(identity.Config{Logger: slog.New(slog.DiscardHandler)})
		if err := before(d); err != nil {
			t.Fatal(err)
		}
		if d.Replace(nil, policiesOf(t, "version: 1")) == nil || d.Replace(nil, nil) == nil || d.IsOpen() {
			t.Errorf("%s: a closed service can be opened", name)
		}
		if _, err := d.SignIn(t.Context(), ""); err == nil {
			t.Errorf("%s: a request without a token is accepted", name)
		}
	}
}

func policiesOf(t *testing.T, text string) *access.File {
	t.Helper()
	file, findings := access.Parse("policies.yaml", []byte(text))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return file
}

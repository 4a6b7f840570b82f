package identity_test

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

const ratePolicies = `version: 1
roles:
  slow: {limits: {requests_per_second: 0.5, burst: 2}}
  fast: {limits: {requests_per_second: 10}}
`

// retryAfter returns the seconds of a rejection, 0 where the request is admitted.
func retryAfter(t *testing.T, d *identity.Directory, bearer, model string) int {
	t.Helper()
	caller, err := d.SignIn(t.Context(), bearer)
	if err != nil {
		t.Fatal(err)
	}
	err = d.Admit(d.QuotaOf(caller, model))
	var limited *identity.RateLimitedError
	if errors.As(err, &limited) {
		return limited.RetryAfter
	}
	return 0
}

func TestAdmit_TokenBucket(t *testing.T) {
	clock := newFakeClock()
	d := identity.New(identity.Config{Now: clock.now, Logger: slog.New(slog.DiscardHandler)})
	tokens := tokensOf(t, `{"name":"a","token":"a","roles":["slow"]}
{"name":"a2","token":"a2","roles":["slow"]}
{"name":"b","token":"b","roles":["fast","slow"]}`)
	if err := d.Replace(tokens, policiesOf(t, ratePolicies)); err != nil {
		t.Fatal(err)
	}
	check := func(state, bearer, model string, want int) {
		t.Helper()
		if got := retryAfter(t, d, bearer, model); got != want {
			t.Errorf("%s: retry after %d s, want %d", state, got, want)
		}
	}
	check("the first of the burst", "a", "m", 0)
	check("the second of the burst", "a", "m", 0)
	check("the bucket is empty", "a", "m", 2)
	check("a rejected request takes no token", "a", "m", 2)
	check("another model", "a", "other", 0)
	check("another identity", "a2", "m", 0)
	clock.advance(1500 * time.Millisecond)
	check("half a second before a token", "a", "m", 1)
	clock.advance(500 * time.Millisecond)
	check("a token", "a", "m", 0)
	check("and no other", "a", "m", 2)
	for i := range 10 {
		check(fmt.Sprintf("request %d of the faster role", i), "b", "m", 0)
	}
	check("beyond the faster role", "b", "m", 1)
}

func TestAdmit_CallersWithoutNamesAreCountedTogether(t *testing.T) {
	clock := newFakeClock()
	d := identity.New(identity.Config{Now: clock.now, Logger: slog.New(slog.DiscardHandler)})
	limits := policiesOf(t, "version: 1\nrequired: {limits: {requests_per_second: 1}}\n")
	if err := d.Replace([]access.Token{access.PlainToken("one"), access.PlainToken("two")}, limits); err != nil {
		t.Fatal(err)
	}
	if got := retryAfter(t, d, "one", ""); got != 0 {
		t.Error("the first is rejected")
	}
	if got := retryAfter(t, d, "two", ""); got != 1 {
		t.Errorf("retry after %d s", got)
	}
	open := identity.New(identity.Config{Now: clock.now})
	if err := open.Replace(nil, limits); err != nil {
		t.Fatal(err)
	}
	if first, second := retryAfter(t, open, "", ""), retryAfter(t, open, "", ""); first != 0 || second != 1 {
		t.Errorf("an open service: %d, %d", first, second)
	}
}

func TestAdmit_NewLimitsHoldFromTheNextRequest(t *testing.T) {
	clock := newFakeClock()
	d := identity.New(identity.Config{Now: clock.now, Logger: slog.New(slog.DiscardHandler)})
	tokens := tokensOf(t, `{"name":"a","token":"a","roles":["slow"]}`)
	if err := d.Replace(tokens, policiesOf(t, ratePolicies)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_ = retryAfter(t, d, "a", "m")
	}
	if err := d.Replace(tokens, policiesOf(t, "version: 1\nroles: {slow: {limits: {requests_per_second: 4}}}\n")); err != nil {
		t.Fatal(err)
	}
	if got := retryAfter(t, d, "a", "m"); got != 1 {
		t.Errorf("the empty bucket: retry after %d s", got)
	}
	clock.advance(250 * time.Millisecond)
	if got := retryAfter(t, d, "a", "m"); got != 0 {
		t.Errorf("retry after %d s", got)
	}
}

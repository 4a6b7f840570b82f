package credential_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
)

// program writes a program that counts its runs in a file beside it and prints a text, in which N is the number of the run.
func program(t *testing.T, text string) (path string, runs func() int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "program")
	script := "#!/bin/sh\necho run >> " + path + ".runs\nN=$(wc -l < " + path + ".runs | tr -d ' ')\n" + text + "\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, func() int {
		lines, err := os.ReadFile(path + ".runs")
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.Count(string(lines), "\n")
	}
}

func wantSecret(t *testing.T, c *credential.Command, want string) {
	t.Helper()
	if got, err := c.ReadSecret(t.Context()); err != nil || got.Reveal() != want {
		t.Fatalf("the secret is %q, %v; want %q", got.Reveal(), err, want)
	}
}

func TestCommand_RunsAgainWhenAMinuteIsLeft(t *testing.T) {
	for expires, want := range map[time.Duration]int{30 * time.Second: 3, -time.Hour: 3, time.Hour: 1} {
		path, runs := program(t, fmt.Sprintf(`echo "{\"token\":\"secret-$N\",\"expires_at\":\"%s\"}"`, time.Now().Add(expires).UTC().Format(time.RFC3339)))
		c := credential.NewCommand([]string{path}, "token", 0)
		for range 3 {
			if _, err := c.ReadSecret(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if runs() != want {
			t.Errorf("a life of %s: %d runs, want %d", expires, runs(), want)
		}
		if left := time.Until(c.Expiry()); left > expires || left < expires-time.Minute {
			t.Errorf("a life of %s: %s are left", expires, left)
		}
	}
}

func TestCommand_RenewsOnceForAllThatWereRejected(t *testing.T) {
	path, runs := program(t, `echo "{\"password\":\"secret-$N\"}"`)
	c := credential.NewCommand([]string{path, "--for", "a b"}, "password", 0)
	before := c.Runs()
	wantSecret(t, c, "secret-1")
	if c.Renew(before) {
		t.Error("the secret of the first run is rejected, and another use has no other one")
	}
	before = c.Runs()
	wantSecret(t, c, "secret-1")
	if !c.Renew(before) {
		t.Error("the next use has a new secret")
	}
	wantSecret(t, c, "secret-2")
	if !c.Renew(before) { // another caller, whose secret was the first one
		t.Error("another caller has the new secret")
	}
	wantSecret(t, c, "secret-2")
	if runs() != 2 || !c.Expiry().IsZero() {
		t.Errorf("%d runs, expiry %s", runs(), c.Expiry())
	}
}

func TestCommand_CallersShareARun(t *testing.T) {
	path, runs := program(t, `echo '{"password":"one"}'`)
	c := credential.NewCommand([]string{path}, "password", 0)
	failures := make(chan error, 16)
	for range cap(failures) {
		go func() {
			_, err := c.ReadSecret(t.Context())
			failures <- err
		}()
	}
	for range cap(failures) {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	if runs() != 1 {
		t.Errorf("%d runs", runs())
	}
}

func TestCommand_FaultsQuoteNoSecret(t *testing.T) {
	for text, want := range map[string]string{
		`echo hunter2`:                                      "printed no JSON object",
		`echo null`:                                         "printed no JSON object",
		`echo '{"token":"hunter2"}'`:                        "printed no password",
		`echo '{"password":7}'`:                             "printed no password",
		`echo '{"password":""}'`:                            "printed a password that is empty",
		`printf '%s' '{"password":"hunter\n2"}'`:            "printed a password that has more than one line",
		`echo '{"password":"hunter2","expires_at":"soon"}'`: "not a time of RFC 3339",
		`echo '{"password":"hunter2","expires_at":17}'`:     "not a time of RFC 3339",
		`echo hunter2 >&2; exit 3`:                          "failed with exit status 3",
		`yes hunter2 | head -c 100000`:                      "printed more than 64 KiB",
	} {
		path, _ := program(t, text)
		_, err := credential.NewCommand([]string{path}, "password", 0).ReadSecret(t.Context())
		var own *executor.Error
		if !errors.As(err, &own) || own.Code != executor.CodeAuth || !strings.Contains(own.Message, want) || strings.Contains(own.Message+own.Hint+own.CauseForLog(), "hunter") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := credential.NewCommand([]string{filepath.Join(t.TempDir(), "none")}, "password", 0).ReadSecret(t.Context()); err == nil {
		t.Error("the program does not exist")
	}
}

// The program has a child that keeps its output open.
func TestCommand_EndsWithItsTimeAndItsCaller(t *testing.T) {
	path, _ := program(t, `sleep 600 & sleep 600`)
	begun := time.Now()
	if _, err := credential.NewCommand([]string{path}, "password", 50*time.Millisecond).ReadSecret(t.Context()); err == nil || !strings.Contains(err.Error(), "did not end in time") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := credential.NewCommand([]string{path}, "password", 0).ReadSecret(ctx); err == nil {
		t.Error("the caller has left")
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("both took %s", took)
	}
}

package credential

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/executor"
)

const (
	// DefaultCommandTimeout bounds one run of a program that sets no time.
	DefaultCommandTimeout = 10 * time.Second
	// renewalMargin is the life that a secret must have left to be used again.
	renewalMargin = time.Minute
	// commandEndDelay is how long the pipes of a program that was ended may stay open, by a child of it.
	commandEndDelay = time.Second
)

// Command is a program that prints a secret as JSON: {"password": text}, or {"token": text}, with "expires_at" in RFC 3339 where it
// expires. The program runs at the first use, again when a minute of the life of its secret is left, and after Renew. No shell is involved.
type Command struct {
	args    []string
	key     string
	timeout time.Duration
	lock    chan struct{} // capacity 1: a lock whose wait ends with the context of the caller
	last    atomic.Pointer[issued]
	runs    atomic.Uint64 // that have printed a secret
}

// issued is what a run has printed.
type issued struct {
	secret  executor.Secret
	expires time.Time // zero for a secret that does not expire
}

// isCurrent reports whether the secret can be used for a new connection.
func (i *issued) isCurrent() bool {
	return i != nil && (i.expires.IsZero() || time.Until(i.expires) > renewalMargin)
}

// NewCommand makes the source of a program with its arguments, of which the first is its path. The key is password or token. A timeout of
// 0 is DefaultCommandTimeout.
func NewCommand(args []string, key string, timeout time.Duration) *Command {
	return &Command{args: args, key: key, timeout: cmp.Or(timeout, DefaultCommandTimeout), lock: make(chan struct{}, 1)}
}

// ReadSecret returns the secret of the last run while it is valid, else that of a new one. Callers of one time share a run.
func (c *Command) ReadSecret(ctx context.Context) (executor.Secret, error) {
	if last := c.last.Load(); last.isCurrent() {
		return last.secret, nil
	}
	select {
	case c.lock <- struct{}{}:
	case <-ctx.Done():
		return executor.Secret{}, ctx.Err()
	}
	defer func() { <-c.lock }()
	if last := c.last.Load(); last.isCurrent() {
		return last.secret, nil
	}
	next, err := c.run(ctx)
	if err != nil {
		return executor.Secret{}, err
	}
	c.last.Store(next)
	c.runs.Add(1)
	return next.secret, nil
}

// Runs counts the runs that have printed a secret.
func (c *Command) Runs() uint64 { return c.runs.Load() }

// Renew is for a secret that the warehouse has rejected, and takes the count of Runs from before its use. It reports whether another use may
// have another secret: one of a later run, or of the run that the next use begins.
func (c *Command) Renew(before uint64) bool {
	if before == 0 {
		return false // the secret is that of the first run
	}
	if last := c.last.Load(); last != nil && c.runs.Load() == before {
		c.last.CompareAndSwap(last, nil)
	}
	return true
}

// Expiry returns when the secret in use expires, zero where that is not known.
func (c *Command) Expiry() time.Time {
	if last := c.last.Load(); last != nil {
		return last.expires
	}
	return time.Time{}
}

// run runs the program once. It does not read the error stream, which may hold secrets.
func (c *Command) run(ctx context.Context) (*issued, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	program := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	program.WaitDelay = commandEndDelay
	out := &boundedBuffer{}
	program.Stdout = out
	err := program.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, commandError("did not end in time", ctx.Err())
	case out.full:
		return nil, commandError("printed more than 64 KiB", nil)
	case errors.As(err, &exit):
		return nil, commandError("failed with "+exit.ProcessState.String(), nil)
	case err != nil:
		return nil, commandError("cannot be run", err)
	}
	return c.parse(out.text.Bytes())
}

// parse reads what the program printed.
func (c *Command) parse(text []byte) (*issued, error) {
	var printed map[string]any
	if err := json.Unmarshal(text, &printed); err != nil || printed == nil {
		return nil, commandError("printed no JSON object", nil)
	}
	secret, ok := printed[c.key].(string)
	if !ok {
		return nil, commandError("printed no "+c.key, nil)
	}
	if fault := faultOf(secret, len(secret)); fault != "" {
		return nil, commandError("printed a "+c.key+" that "+fault, nil)
	}
	out := &issued{secret: executor.NewSecret(secret)}
	if at := printed["expires_at"]; at != nil {
		text, _ := at.(string)
		expires, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return nil, commandError("printed an expires_at that is not a time of RFC 3339", nil)
		}
		out.expires = expires
	}
	return out, nil
}

// boundedBuffer keeps the beginning of what a program prints.
type boundedBuffer struct {
	text bytes.Buffer // not embedded: a buffer reads from a pipe without bound
	full bool
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxSecretBytes {
		b.full = true
		return len(p), nil
	}
	return b.text.Write(p)
}

func commandError(fault string, cause error) error {
	return authError("the program of the password or token "+fault, `it is the program of exec in the profile, and prints {"password": "…"} or {"token": "…"}`, cause)
}

package restapi

import (
	"errors"
	"log/slog"
	"time"
)

// The defaults of Config.
const (
	DefaultRequestTimeout = 30 * time.Second
	DefaultExecuteTimeout = 60 * time.Second
	DefaultMaxBodyBytes   = 1 << 20
)

// Config says how to serve. The zero value serves without authentication, with
// the default budgets.
type Config struct {
	// Tokens that open the routes of the interface; none means that they need
	// none. Several let a token be replaced without a gap.
	Tokens []string
	// DisableExecute refuses every route that executes.
	DisableExecute bool
	// RequestTimeout is the budget of a request that does not execute.
	RequestTimeout time.Duration
	// ExecuteTimeout is the budget of an execution.
	ExecuteTimeout time.Duration
	// MaxBodyBytes bounds the body of a request.
	MaxBodyBytes int
	// DrainGrace is how long a server that is to stop still takes new
	// connections while /ready already says that it is draining.
	DrainGrace time.Duration
	// Logger receives defects; nil means slog.Default.
	Logger *slog.Logger
}

func (c Config) withDefaults() (Config, error) {
	for _, t := range c.Tokens {
		if t == "" {
			return c, errors.New("an authentication token must not be empty")
		}
	}
	if c.RequestTimeout < 0 || c.ExecuteTimeout < 0 || c.MaxBodyBytes < 0 || c.DrainGrace < 0 {
		return c, errors.New("timeouts and limits must not be negative")
	}
	if c.RequestTimeout == 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	if c.ExecuteTimeout == 0 {
		c.ExecuteTimeout = DefaultExecuteTimeout
	}
	if c.MaxBodyBytes == 0 {
		c.MaxBodyBytes = DefaultMaxBodyBytes
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c, nil
}

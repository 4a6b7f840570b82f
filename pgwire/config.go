package pgwire

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/memory"
)

// The defaults of Config.
const (
	DefaultMaxSessions           = 200
	DefaultMaxPending            = 200
	DefaultAuthenticationTimeout = 10 * time.Second
	DefaultMessageTimeout        = 30 * time.Second
	DefaultIdleTimeout           = time.Hour
	DefaultExecuteTimeout        = 60 * time.Second
	DefaultRequestTimeout        = 30 * time.Second
	DefaultMaxMessageBytes       = 1 << 20
	DefaultStallTimeout          = 5 * time.Minute
	DefaultStreamTimeout         = time.Hour
)

// Config holds the settings of a Server. The zero value serves without authentication.
type Config struct {
	// Tokens are the passwords that open a session, of any user; none means that a session needs none.
	Tokens []string
	// Identities finds the callers of sessions, with the policies that apply to them; nil means that Tokens are all that there is.
	Identities Identities
	// TLS returns the certificate of the server; nil means that there is no TLS. It is called for every session with
	// TLS, so that a new certificate needs no new process.
	TLS func() (*tls.Certificate, error)
	// RequireTLS rejects sessions without TLS, except on a Unix socket.
	RequireTLS bool
	// MaxSessions bounds the sessions at one time.
	MaxSessions int
	// MaxPending bounds the connections that have no session yet. A further one ends the one that waits longest.
	MaxPending int
	// AuthenticationTimeout is how long a connection may have no session.
	AuthenticationTimeout time.Duration
	// MessageTimeout is how long a message may take from its first byte to its last.
	MessageTimeout time.Duration
	// IdleTimeout ends a session that sends nothing; negative is never.
	IdleTimeout time.Duration
	// ExecuteTimeout is the time to the first row of a statement over the model.
	ExecuteTimeout time.Duration
	// RequestTimeout is the time of every other statement.
	RequestTimeout time.Duration
	// StallTimeout is the time for which a warehouse may send nothing in the middle of a result, or a client may read nothing.
	StallTimeout time.Duration
	// StreamTimeout is how long the rows of a statement over the model may be read, also by a cursor.
	StreamTimeout time.Duration
	// MaxMessageBytes bounds a message of a client.
	MaxMessageBytes int
	// Memory bounds what sessions keep and the messages that they read; nil means no bound.
	Memory *memory.Budget
	// DisableExecute rejects the statements that read rows of the model.
	DisableExecute bool
	// DrainTime is how long running statements may continue when the server stops; 0 is the longest of the timeouts.
	DrainTime time.Duration
	// Version is that of the program.
	Version string
	// Catalogue answers the statements that read no rows of the model; nil rejects them.
	Catalogue Catalogue
	// Audit receives an entry for each statement over the model, and for each sign-in that is refused; nil means that there is no audit log.
	Audit *audit.Log
	// Logger receives one line a statement, and defects; nil means slog.Default.
	Logger *slog.Logger
	// Tracer makes the spans of statements, plans and executions; nil means none.
	Tracer trace.TracerProvider
}

func (c Config) withDefaults() (Config, error) {
	if err := checkTokensNotEmpty(c.Tokens); err != nil {
		return c, err
	}
	if c.Identities != nil && len(c.Tokens) > 0 {
		return c, errors.New("tokens belong into the directory of identities where there is one")
	}
	if c.RequireTLS && c.TLS == nil {
		return c, errors.New("a server without a certificate cannot require TLS")
	}
	if c.MaxSessions < 0 || c.MaxPending < 0 || c.AuthenticationTimeout < 0 || c.MessageTimeout < 0 || c.ExecuteTimeout < 0 || c.RequestTimeout < 0 || c.StallTimeout < 0 || c.StreamTimeout < 0 || c.MaxMessageBytes < 0 || c.DrainTime < 0 {
		return c, errors.New("timeouts and limits must not be negative")
	}
	setIfZero(&c.MaxSessions, DefaultMaxSessions)
	setIfZero(&c.MaxPending, DefaultMaxPending)
	setIfZero(&c.AuthenticationTimeout, DefaultAuthenticationTimeout)
	setIfZero(&c.MessageTimeout, DefaultMessageTimeout)
	setIfZero(&c.IdleTimeout, DefaultIdleTimeout)
	setIfZero(&c.ExecuteTimeout, DefaultExecuteTimeout)
	setIfZero(&c.RequestTimeout, DefaultRequestTimeout)
	setIfZero(&c.StallTimeout, DefaultStallTimeout)
	setIfZero(&c.StreamTimeout, DefaultStreamTimeout)
	setIfZero(&c.MaxMessageBytes, DefaultMaxMessageBytes)
	setIfZero(&c.DrainTime, max(c.ExecuteTimeout, c.RequestTimeout))
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c, nil
}

func setIfZero[T int | time.Duration](to *T, value T) {
	if *to == 0 {
		*to = value
	}
}

func checkTokensNotEmpty(tokens []string) error {
	for _, t := range tokens {
		if t == "" {
			return errors.New("an authentication token must not be empty")
		}
	}
	return nil
}

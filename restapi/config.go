package restapi

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/restapi/identity"
)

// The defaults of Config.
const (
	DefaultRequestTimeout = 30 * time.Second
	DefaultExecuteTimeout = 60 * time.Second
	DefaultMaxBodyBytes   = 1 << 20
	DefaultHeadTimeout    = 10 * time.Second
	DefaultBodyTimeout    = 30 * time.Second
	DefaultStallTimeout   = 5 * time.Minute
	DefaultStreamTimeout  = time.Hour
)

// Config holds the settings of a Server. The zero value serves without authentication, with
// the default budgets.
type Config struct {
	// Tokens that open the routes of the interface; none means that they need
	// none. Several let a token be replaced without a gap.
	Tokens []string
	// Identities finds the callers of tokens, with the policies that apply to them; nil means that Tokens are all that there
	// is. Its Run keeps the keys of issuers fresh.
	Identities *identity.Directory
	// NoExplorer leaves out the page at the root.
	NoExplorer bool
	// DisableExecute rejects every route that executes.
	DisableExecute bool
	// RequestTimeout is the budget of a request that does not execute.
	RequestTimeout time.Duration
	// ExecuteTimeout is the budget of an execution.
	ExecuteTimeout time.Duration
	// StallTimeout is how long a warehouse may give nothing in the middle of a
	// stream, which is else as long as it takes.
	StallTimeout time.Duration
	// StreamTimeout is how long a stream may take from its start to its last row.
	StreamTimeout time.Duration
	// MaxBodyBytes bounds the body of a request.
	MaxBodyBytes int
	// HeadTimeout is how long the head of a request may take to arrive, and a
	// body of a few kilobytes with it.
	HeadTimeout time.Duration
	// BodyTimeout is how long a longer body may take.
	BodyTimeout time.Duration
	// MaxConnections bounds the open connections of clients; 0 means
	// DefaultMaxConnections. It is never more than the process has descriptors for:
	// the limit of open files, less ReservedDescriptors and some for the process
	// itself. Where it is reached, idle connections are closed first.
	MaxConnections int
	// MaxConnectionsPerAddress bounds those of one address, and of one /64 of
	// IPv6; 0 means that an address may have all of them, as a proxy needs.
	MaxConnectionsPerAddress int
	// ReservedDescriptors is how many descriptors the engine may need, for
	// connections to warehouses above all.
	ReservedDescriptors int
	// DrainGrace is how long a stopping server still accepts new connections while /ready
	// already reports that it is draining.
	DrainGrace time.Duration
	// Origins lists the web origins whose pages may call the server, each exactly
	// as a browser writes it; none means that no page of another origin may.
	Origins []string
	// EmbedOrigins lists the web origins whose pages may show the explorer in a frame; none means that no page may.
	EmbedOrigins []string
	// MCP answers POST /mcp, behind the tokens; nil means that there is nothing.
	// It keeps DisableExecute and the budgets of executions itself.
	MCP http.Handler
	// Memory bounds the bodies of requests and the responses that are held; nil means no bound.
	Memory *memory.Budget
	// Audit receives an entry for each request of the interface; nil means that there is no audit log.
	Audit *audit.Log
	// Logger receives one line a request, and defects; nil means slog.Default.
	Logger *slog.Logger
	// Collectors are measurements of the program beside the server's, for GET /metrics.
	Collectors []prometheus.Collector
	// NoMetrics leaves out GET /metrics, for a program that serves Server.MetricsHandler elsewhere.
	NoMetrics bool
	// Tracer makes the spans of requests, plans and executions; nil means none.
	Tracer trace.TracerProvider
}

// secured reports whether requests need a token.
func (c Config) secured() bool {
	return len(c.Tokens) > 0 || c.Identities != nil && !c.Identities.IsOpen()
}

// withIdentities makes a directory of the tokens where the program has none.
func (c Config) withIdentities() (Config, error) {
	if c.Identities != nil {
		if len(c.Tokens) > 0 {
			return c, errors.New("tokens belong into the directory of identities where there is one")
		}
		return c, nil
	}
	c.Identities = identity.New(identity.Config{Logger: c.Logger})
	return c, c.Identities.ReplaceTokens(plainTokens(c.Tokens))
}

func plainTokens(tokens []string) []access.Token {
	out := make([]access.Token, len(tokens))
	for i, t := range tokens {
		out[i] = access.PlainToken(t)
	}
	return out
}

func checkTokens(tokens []string) error {
	for _, t := range tokens {
		if strings.TrimSpace(t) == "" {
			return errors.New("an authentication token must not be empty")
		}
	}
	return nil
}

func (c Config) withDefaults() (Config, error) {
	if err := checkTokens(c.Tokens); err != nil {
		return c, err
	}
	if c.RequestTimeout < 0 || c.ExecuteTimeout < 0 || c.MaxBodyBytes < 0 || c.DrainGrace < 0 || c.HeadTimeout < 0 || c.BodyTimeout < 0 || c.StallTimeout < 0 || c.StreamTimeout < 0 ||
		c.MaxConnections < 0 || c.MaxConnectionsPerAddress < 0 || c.ReservedDescriptors < 0 {
		return c, errors.New("timeouts and limits must not be negative")
	}
	if err := errors.Join(CheckOrigins(c.Origins), CheckOrigins(c.EmbedOrigins)); err != nil {
		return c, err
	}
	if c.RequestTimeout == 0 {
		c.RequestTimeout = DefaultRequestTimeout
	}
	if c.ExecuteTimeout == 0 {
		c.ExecuteTimeout = DefaultExecuteTimeout
	}
	if c.StreamTimeout == 0 {
		c.StreamTimeout = DefaultStreamTimeout
	}
	if c.StallTimeout == 0 {
		c.StallTimeout = DefaultStallTimeout
	}
	if c.MaxBodyBytes == 0 {
		c.MaxBodyBytes = DefaultMaxBodyBytes
	}
	if c.HeadTimeout == 0 {
		c.HeadTimeout = DefaultHeadTimeout
	}
	if c.BodyTimeout == 0 {
		c.BodyTimeout = DefaultBodyTimeout
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c.withConnectionLimit().withIdentities()
}

// listReportedServerLimits lists the bounds that the server itself sets, beside those of the engine.
func (c Config) listReportedServerLimits() []limits.Limit {
	return []limits.Limit{
		{Name: "body_bytes", Value: int64(c.MaxBodyBytes), Unit: "bytes", AppliesTo: "the body of a request", Code: CodeBadRequest, Setting: "--max-body-bytes"},
		{Name: "head_bytes", Value: maxHeadBytes, Unit: "bytes", AppliesTo: "the head of a request", Code: CodeBadRequest},
		{Name: "connections", Value: int64(c.MaxConnections), Unit: "connections", AppliesTo: "open connections of clients; idle ones are closed to make room", Code: CodeBusy, Setting: "--max-connections"},
		{Name: "connections_per_address", Value: int64(cmp.Or(c.MaxConnectionsPerAddress, c.MaxConnections)), Unit: "connections", AppliesTo: "open connections of one address; idle ones are closed to make room", Code: CodeBusy, Setting: "--max-connections-per-address"},
		{Name: "request_seconds", Value: int64(c.RequestTimeout.Seconds()), Unit: "seconds", AppliesTo: "a request that does not execute", Code: CodeTimeout, Setting: "--request-timeout-secs"},
		{Name: "stream_seconds", Value: int64(c.StreamTimeout.Seconds()), Unit: "seconds", AppliesTo: "a stream from its start to its last row", Code: CodeTimeout, Setting: "--stream-timeout-secs"},
		{Name: "execute_seconds", Value: int64(c.ExecuteTimeout.Seconds()), Unit: "seconds", AppliesTo: "an execution; of a stream the time to its first rows", Code: CodeTimeout, Setting: "--execute-timeout-secs"},
	}
}

// The bounds of Config.MaxConnections where it is 0, and what the process needs
// beside the connections of clients: the model, the log, the runtime, and the files
// that an embedded database opens when it computes on disk.
const (
	DefaultMaxConnections         = 2048
	minConnections                = 16
	descriptorsReservedForProcess = 128
)

// maxConnectionsForDescriptors returns how many connections of clients the process has
// descriptors for. reserved is what the rest of the process needs beside descriptorsReservedForProcess.
func maxConnectionsForDescriptors(limit, reserved int) int {
	return max(limit-descriptorsReservedForProcess-reserved, limit/4, minConnections)
}

// withConnectionLimit sets how many connections there may be: as many as requested, or
// the default, and not more than the process has descriptors for.
func (c Config) withConnectionLimit() Config {
	asked := c.MaxConnections
	if asked == 0 {
		c.MaxConnections = DefaultMaxConnections
	}
	limit, known := descriptorLimit()
	if !known {
		return c
	}
	c.MaxConnections = min(c.MaxConnections, maxConnectionsForDescriptors(limit, c.ReservedDescriptors))
	if c.MaxConnections < asked {
		c.Logger.Warn("fewer connections than configured, because of the limit of open files (ulimit -n)",
			"connections", c.MaxConnections, "asked", asked, "open_files", limit)
	}
	return c
}

package clickhouse

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	defaultPort           = 8123
	defaultSecurePort     = 8443
	defaultPoolSize       = 8
	defaultConnectTimeout = 10 * time.Second
	idleConnectionTimeout = 30 * time.Second
)

// Options say where the server is and how to get in.
type Options struct {
	Host string
	// Port is that of the HTTP interface; 0 means 8123, with Secure 8443.
	Port     int
	User     string // empty for the server's default
	Password executor.Secret
	// PasswordSource has the password, in place of Password. It is read for each request.
	PasswordSource credential.Source
	Database       string // empty for the user's default
	// Secure is HTTPS, with the authorities of the system.
	Secure bool
	// TLSCA is the file of the authorities to trust [those of the system]; TLSCert and TLSKey are those of a certificate of this side. They are
	// read for each connection.
	TLSCA, TLSCert, TLSKey string
	// ConnectTimeout bounds each attempt to connect; 0 means 10 s.
	ConnectTimeout time.Duration
	// PoolSize bounds the statements that run at once, a connection each; 0
	// means 8.
	PoolSize int
}

// Open checks the options. It connects to nothing: a server that is down shows at
// the first query. Its errors have the code config.
func Open(o Options) (*Executor, error) {
	if o.Host == "" || strings.ContainsAny(o.Host, "/?#@ \t\r\n") {
		return nil, driver.ConfigError("the host of the ClickHouse connection is not a host name", nil)
	}
	if strings.ContainsAny(o.User+o.Password.Reveal()+o.Database, "\r\n\x00") {
		return nil, driver.ConfigError("the user, password or database of the ClickHouse connection holds a line break", nil)
	}
	scheme, port := "http", defaultPort
	if o.Secure {
		scheme, port = "https", defaultSecurePort
	}
	if o.Port != 0 {
		port = o.Port
	}
	size := o.PoolSize
	if size <= 0 {
		size = defaultPoolSize
	}
	files := driver.TLSFiles{CA: o.TLSCA, Cert: o.TLSCert, Key: o.TLSKey}
	if err := files.Check(); err != nil {
		return nil, err
	}
	transport := o.newTransport(size)
	files.Apply(transport.TLSClientConfig, strings.Trim(o.Host, "[]"))
	return &Executor{
		options: o,
		address: url.URL{Scheme: scheme, Host: net.JoinHostPort(strings.Trim(o.Host, "[]"), strconv.Itoa(port)), Path: "/"},
		client: &http.Client{
			Transport: transport,
			// A redirect would send the credentials to another host.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		slots: driver.NewSlots(size),
	}, nil
}

// newTransport keeps a connection for each statement, and two more for the requests beside a
// running statement.
func (o Options) newTransport(size int) *http.Transport {
	dialer := &net.Dialer{Timeout: o.ConnectTimeout}
	if dialer.Timeout <= 0 {
		dialer.Timeout = defaultConnectTimeout
	}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, &dialError{err}
			}
			return conn, nil
		},
		TLSHandshakeTimeout: dialer.Timeout,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		MaxIdleConnsPerHost: size + 2,
		IdleConnTimeout:     idleConnectionTimeout,
		// Arrow's buffers come compressed.
		DisableCompression: true,
	}
}

// dialError distinguishes an unreachable server from a broken connection.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

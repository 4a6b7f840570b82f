package trino

import (
	"net"
	"net/url"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/execerr"
	"github.com/semlayer/semlayer/executor/internal/httpapi"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type trino.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "trino", Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Trino)
		if !ok {
			return nil, execerr.ConfigError("the connection profile is not of type trino", nil)
		}
		return Open(Options{
			Host:       s.Host,
			Port:       s.Port,
			User:       s.Username,
			Password:   s.Password,
			Catalog:    s.Catalog,
			Schema:     s.Schema,
			Secure:     s.Scheme == "https",
			SkipVerify: !s.Verify,
			PoolSize:   o.PoolSize,
		})
	}}
}

const (
	defaultPort     = 8080
	defaultPoolSize = 8
)

// Options say where the coordinator is and who asks. Fields that are not set have
// the defaults in brackets.
type Options struct {
	Host string
	// Port [8080].
	Port int
	User string
	// Password, which may be empty; it needs Secure.
	Password executor.Secret
	// Catalog and Schema resolve the names of tables without them.
	Catalog, Schema string
	// Secure is HTTPS, SkipVerify that the certificate is not checked.
	Secure, SkipVerify bool
	// PoolSize bounds the statements that run at once [8]. Further ones wait.
	PoolSize int
}

// Open checks the options. It connects to nothing. Its errors have the code
// config.
func Open(o Options) (executor.Executor, error) {
	if o.Host == "" || o.User == "" {
		return nil, execerr.ConfigError("the host or the user is missing", nil)
	}
	if !o.Password.IsZero() && !o.Secure {
		return nil, execerr.ConfigError("a password is never sent over plain HTTP", nil)
	}
	if o.Port == 0 {
		o.Port = defaultPort
	}
	if o.PoolSize == 0 {
		o.PoolSize = defaultPoolSize
	}
	base := url.URL{Scheme: "http", Host: net.JoinHostPort(o.Host, strconv.Itoa(o.Port))}
	if o.Secure {
		base.Scheme = "https"
	}
	transport := httpapi.NewTransport(o.PoolSize, o.SkipVerify)
	c := &client{options: o, base: base, http: httpapi.NewClientWithoutRedirects(transport)}
	return remote.NewExecutor(remote.Options{Dialect: "trino", Slots: o.PoolSize, Start: c.startStatement, Close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}), nil
}

package trino

import (
	"crypto/tls"
	"net"
	"net/url"
	"strconv"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// Driver opens the profiles of type trino.
func Driver() warehouse.Driver {
	return warehouse.Driver{Type: "trino", Open: func(p profile.Profile, o warehouse.Options) (executor.Executor, error) {
		s, ok := p.Settings.(*profile.Trino)
		if !ok {
			return nil, driver.ConfigError("the connection profile is not of type trino", nil)
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

			PasswordSource:    s.PasswordSource,
			TLSCA:             s.TLSCA,
			TLSCert:           s.TLSCert,
			TLSKey:            s.TLSKey,
			SessionProperties: sessionProperties(s),
		})
	}}
}

func sessionProperties(s *profile.Trino) map[string]string {
	out := map[string]string{}
	for _, one := range s.SessionProperties {
		out[one.Name] = one.Value.Constant
	}
	return out
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
	// PasswordSource has the password, in place of Password. It is read for each request.
	PasswordSource credential.Source
	// TLSCA is the file of the authorities to trust [those of the system]; TLSCert and TLSKey are those of a certificate of this side. They are
	// read for each connection.
	TLSCA, TLSCert, TLSKey string
	// SessionProperties are those of each statement.
	SessionProperties map[string]string
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
		return nil, driver.ConfigError("the host or the user is missing", nil)
	}
	if (!o.Password.IsZero() || o.PasswordSource != nil) && !o.Secure {
		return nil, driver.ConfigError("a password is never sent over plain HTTP", nil)
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
	files := driver.TLSFiles{CA: o.TLSCA, Cert: o.TLSCert, Key: o.TLSKey}
	if err := files.Check(); err != nil {
		return nil, err
	}
	secure := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.SkipVerify}
	files.Apply(secure, o.Host)
	transport := remote.NewTransport(o.PoolSize, secure)
	c := &client{options: o, base: base, http: remote.NewClientWithoutRedirects(transport), session: formatSessionProperties(o.SessionProperties)}
	return remote.NewExecutor(remote.Options{Dialect: "trino", Slots: o.PoolSize, Start: c.startStatement, Close: func() error {
		transport.CloseIdleConnections()
		return nil
	}}), nil
}

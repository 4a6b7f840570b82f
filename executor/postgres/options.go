package postgres

import (
	"cmp"
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	defaultPort           = 5432
	defaultPoolSize       = 8
	defaultConnectTimeout = 10 * time.Second
	idleConnectionTimeout = 5 * time.Minute
	// connectionCutDelay is how long a server may take to answer a cancel request before
	// the connection is abandoned.
	connectionCutDelay = 400 * time.Millisecond
)

// Options say where the server is and who asks. Fields that are not set have
// the defaults in brackets.
type Options struct {
	// URI is a connection string of libpq, as URI or as key=value pairs. It
	// takes the place of the fields from Host to SSLKey.
	URI executor.Secret
	// Host is a name, an address or the directory of a socket [localhost].
	Host string
	// Port [5432].
	Port int
	User string
	// Password, which may be empty.
	Password executor.Secret
	// PasswordSource has the password, in place of Password. It is read for each new connection.
	PasswordSource credential.Source
	// Database [the name of the user].
	Database string
	// SSLMode is disable, allow, prefer, require, verify-ca or verify-full
	// [prefer].
	SSLMode string
	// SSLRootCert is the file of the certificate authorities to trust [those
	// of the system].
	SSLRootCert string
	// SSLCert and SSLKey are the files of a certificate of this side, and of its key. All three are read for each new connection.
	SSLCert, SSLKey string

	// Schema is searched for tables that are named without one [the server's
	// setting].
	Schema string
	// ApplicationName is what the server shows of the connections [that of the URI, else semlayer].
	ApplicationName string
	// ConnectTimeout bounds one attempt to connect [10 s].
	ConnectTimeout time.Duration
	// PoolSize bounds the connections [8]. Further queries wait for one.
	PoolSize int
	// Dialect is the SQL dialect the server speaks [postgres].
	Dialect string
}

// poolConfig never puts a connection string into an error: the parser's own errors
// quote it, and it holds the password.
func (o Options) poolConfig() (*pgxpool.Config, error) {
	c, err := pgxpool.ParseConfig(o.connString())
	if err != nil {
		return nil, &executor.Error{
			Code:    executor.CodeConfig,
			Message: "the PostgreSQL connection settings are invalid",
			Hint:    "check the uri, or the port, sslmode and sslrootcert",
		}
	}
	if strings.ContainsRune(o.Schema+o.ApplicationName, 0) {
		return nil, driver.ConfigError("the schema or the application name holds a NUL byte", nil)
	}
	c.MaxConns = int32(cmp.Or(o.PoolSize, defaultPoolSize))
	c.MinConns, c.MinIdleConns = 0, 0
	c.MaxConnIdleTime = idleConnectionTimeout
	conn := c.ConnConfig
	conn.ConnectTimeout = cmp.Or(o.ConnectTimeout, defaultConnectTimeout)
	conn.DialFunc = (&net.Dialer{Timeout: conn.ConnectTimeout, KeepAlive: time.Minute}).DialContext
	conn.StatementCacheCapacity, conn.DescriptionCacheCapacity = 0, 0
	removeOverriddenSessionParams(conn.RuntimeParams)
	conn.RuntimeParams["application_name"] = cmp.Or(o.ApplicationName, conn.RuntimeParams["application_name"], "semlayer")
	conn.BuildContextWatcherHandler = newCancelRequestHandler
	c.AfterConnect = o.prepareSession
	c.BeforeConnect = o.readChangingFiles
	return c, nil
}

// readChangingFiles reads the password and the files of TLS for a new connection.
func (o Options) readChangingFiles(ctx context.Context, conn *pgx.ConnConfig) error {
	if conn.TLSConfig != nil {
		now, err := pgx.ParseConfig(o.connString())
		if err != nil {
			return &executor.Error{Code: executor.CodeConnection, Message: "the certificates of the connection cannot be read", Hint: "check the files of the connection profile"}
		}
		conn.TLSConfig, conn.Fallbacks = now.TLSConfig, now.Fallbacks
	}
	if o.PasswordSource == nil {
		return nil
	}
	password, err := o.PasswordSource.ReadSecret(ctx)
	conn.Password = password.Reveal()
	return err
}

// newCancelRequestHandler asks the server to cancel what a connection runs when its context ends.
func newCancelRequestHandler(c *pgconn.PgConn) ctxwatch.Handler {
	return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: connectionCutDelay}
}

// removeOverriddenSessionParams takes out of a URI what sessions set themselves, in any letter case: the server
// would take both, in an order that is not known.
func removeOverriddenSessionParams(params map[string]string) {
	for name := range params {
		if slices.ContainsFunc(sessionSettings(), func(s serverParameter) bool { return strings.EqualFold(s.name, name) }) {
			delete(params, name)
		}
	}
	params[encodingSetting] = "UTF8"
}

func (o Options) connString() string {
	if !o.URI.IsZero() {
		return o.URI.Reveal()
	}
	pairs := [][2]string{
		{"host", cmp.Or(o.Host, "localhost")},
		{"port", strconv.Itoa(cmp.Or(o.Port, defaultPort))},
		{"user", o.User},
		{"password", o.Password.Reveal()},
		{"dbname", cmp.Or(o.Database, o.User)},
		{"sslmode", cmp.Or(o.SSLMode, "prefer")},
		{"sslrootcert", o.SSLRootCert},
		{"sslcert", o.SSLCert},
		{"sslkey", o.SSLKey},
	}
	var b strings.Builder
	for _, p := range pairs {
		if p[1] == "" {
			continue
		}
		b.WriteString(p[0])
		b.WriteString("='")
		b.WriteString(connStringEscaper.Replace(p[1]))
		b.WriteString("' ")
	}
	return b.String()
}

var connStringEscaper = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

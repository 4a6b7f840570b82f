package mysql

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	defaultPort           = 3306
	defaultPoolSize       = 8
	defaultConnectTimeout = 10 * time.Second
	strictSQLMode         = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
	idleConnectionTimeout = 5 * time.Minute
	// Servers and their proxies drop old connections without notice.
	maxConnectionLifetime = 30 * time.Minute
)

// Options say where the server is and who asks. Fields that are not set have
// the defaults in brackets.
type Options struct {
	// URI such as mysql://user:password@host:3306/database?tls=true takes the
	// place of the fields from Host to TLS.
	URI executor.Secret
	// Host is a name or an address [localhost], or the path of a socket.
	Host string
	// Port [3306].
	Port int
	User string
	// Password, which may be empty.
	Password executor.Secret
	// PasswordSource has the password, in place of Password. It is read for each new connection.
	PasswordSource credential.Source
	// Database may be empty.
	Database string
	// TLS is false, preferred, true or skip-verify [false].
	TLS string
	// TLSCA is the file of the authorities to trust [those of the system]; TLSCert and TLSKey are those of a certificate of this side. They are
	// read for each connection.
	TLSCA, TLSCert, TLSKey string

	// Catalog qualifies the database on servers that have several catalogs.
	Catalog string
	// SQLMode is a list of mode names [strict, with ONLY_FULL_GROUP_BY; of MySQL, MariaDB and TiDB with NO_UNSIGNED_SUBTRACTION].
	SQLMode string
	// ConnectTimeout bounds one attempt to connect [10 s].
	ConnectTimeout time.Duration
	// PoolSize bounds the connections [8]. Further queries wait for one.
	PoolSize int
	// Dialect is the SQL dialect the server speaks [mysql].
	Dialect string
}

// driverConfig never quotes what it was given: a URI holds the password.
func (o Options) driverConfig() (*mysqldriver.Config, error) {
	if !o.URI.IsZero() {
		var err error
		if o, err = o.parseURI(); err != nil {
			return nil, err
		}
	}
	if !isSQLModeList(o.SQLMode) {
		return nil, driver.ConfigError("the sql_mode is not a list of names", nil)
	}
	c := mysqldriver.NewConfig()
	c.User, c.Passwd = o.User, o.Password.Reveal()
	c.DBName = o.Database
	if o.Catalog != "" {
		c.DBName = o.Catalog + "." + o.Database
	}
	c.Net, c.Addr = "tcp", net.JoinHostPort(cmp.Or(o.Host, "localhost"), strconv.Itoa(cmp.Or(o.Port, defaultPort)))
	if strings.HasPrefix(o.Host, "/") {
		c.Net, c.Addr = "unix", o.Host
	}
	switch o.TLS {
	case "", "false", "preferred", "true", "skip-verify":
		c.TLSConfig = o.TLS
	default:
		return nil, driver.ConfigError("tls is not one of false, preferred, true, skip-verify", nil)
	}
	if err := o.applyTLSFiles(c); err != nil {
		return nil, err
	}
	c.Timeout = cmp.Or(o.ConnectTimeout, defaultConnectTimeout)
	c.Logger = &mysqldriver.NopLogger{}
	// Password exchange in the clear is for encrypted connections only, and
	// local files are never sent.
	c.AllowCleartextPasswords, c.AllowAllFiles = false, false
	if o.PasswordSource != nil {
		read := func(ctx context.Context, conn *mysqldriver.Config) error {
			password, err := o.PasswordSource.ReadSecret(ctx)
			conn.Passwd = password.Reveal()
			return err
		}
		if err := c.Apply(mysqldriver.BeforeConnect(read)); err != nil {
			return nil, driver.ConfigError("the MySQL connection settings are invalid", nil)
		}
	}
	c.MultiStatements, c.InterpolateParams, c.ParseTime = false, false, false
	return c, nil
}

// applyTLSFiles makes connections use the files, in the way that the word of TLS asks for.
func (o Options) applyTLSFiles(c *mysqldriver.Config) error {
	files := driver.TLSFiles{CA: o.TLSCA, Cert: o.TLSCert, Key: o.TLSKey}
	if files == (driver.TLSFiles{}) {
		return nil
	}
	if err := files.Check(); err != nil {
		return err
	}
	host := cmp.Or(o.Host, "localhost")
	c.TLS = &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host, InsecureSkipVerify: o.TLS != "true"}
	c.AllowFallbackToPlaintext = o.TLS == "preferred"
	files.Apply(c.TLS, host)
	return nil
}

func (o Options) parseURI() (Options, error) {
	wrong := &executor.Error{
		Code:    executor.CodeConfig,
		Message: "the URI of the connection profile is invalid",
		Hint:    "the form is mysql://user:password@host:port/database?tls=true",
	}
	u, err := url.Parse(o.URI.Reveal())
	if err != nil || u.Host == "" || u.User == nil {
		return o, wrong
	}
	for key, values := range u.Query() {
		if key != "tls" || len(values) != 1 {
			return o, wrong
		}
		o.TLS = values[0]
	}
	o.Host, o.Port = u.Hostname(), 0
	if p := u.Port(); p != "" {
		if o.Port, err = strconv.Atoi(p); err != nil {
			return o, wrong
		}
	}
	password, _ := u.User.Password()
	o.User, o.Password = u.User.Username(), executor.NewSecret(password)
	o.Database = strings.TrimPrefix(u.Path, "/")
	return o, nil
}

// defaultSQLMode returns the sql_mode of sessions. Differences are signed: YEAR, ROW_NUMBER and COUNT are unsigned in MySQL, and
// YEAR(d) - 2030 would be an error (seen in 9.7).
func defaultSQLMode(dialect string) string {
	if isMySQLOrMariaDB(dialect) || dialect == "tidb" {
		return strictSQLMode + ",NO_UNSIGNED_SUBTRACTION"
	}
	return strictSQLMode
}

// isSQLModeList accepts text that needs no escapes between quotation marks.
func isSQLModeList(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_,") == ""
}

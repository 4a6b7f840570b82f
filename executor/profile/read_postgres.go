package profile

import (
	"net/url"
	"strings"

	"github.com/semlayer/semlayer/executor"
)

const (
	postgresScheme = "postgresql"
	postgresForm   = "the form is postgresql://user:password@host:5432/database; " + escapeHint
	escapeHint     = "characters such as @ : / ? # in a password are written %40 %3A %2F %3F %23"
)

func readPostgres(r *reader) Settings {
	uri := r.raw("uri")
	s := &Postgres{
		Host:        r.hostOrURI(uri),
		Port:        r.port(5432),
		Username:    r.text("username"),
		Password:    r.secret("password"),
		Database:    r.text("database"),
		SSLMode:     r.choice("sslmode", "prefer", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
		SSLRootCert: r.filePath("sslrootcert"),
		Schema:      r.text("schema"),
		Timeout:     r.seconds("timeout_seconds"),
	}
	if uri == "" {
		return s
	}
	r.rejectTogether("uri", "host", "port", "username", "password", "database", "sslmode", "sslrootcert")
	return &Postgres{URI: r.postgresURI(uri), Schema: s.Schema, Timeout: s.Timeout}
}

// postgresURI brings a URI to the scheme that libpq supports. A list of key=value pairs is a
// connection string as well and passes.
func (r *reader) postgresURI(uri string) executor.Secret {
	scheme, rest, isURI := strings.Cut(uri, "://")
	if !isURI {
		if !strings.Contains(uri, "=") {
			r.fail("uri", "is not a connection string", postgresForm)
		}
		return executor.NewSecret(uri)
	}
	uri = postgresScheme + "://" + rest
	if _, err := url.Parse(uri); err != nil || !isSchemeOfFamily(scheme, postgresScheme) {
		r.fail("uri", "is not a URI of PostgreSQL", postgresForm)
	}
	return executor.NewSecret(uri)
}

// rejectTogether notes keys that say the same as another one.
func (r *reader) rejectTogether(key string, others ...string) {
	var both []string
	for _, o := range others {
		if r.isGiven(o) {
			both = append(both, o)
		}
	}
	if len(both) > 0 {
		r.fail(key, "is set together with "+strings.Join(both, ", "), "write these into the "+key+" or leave it out")
	}
}

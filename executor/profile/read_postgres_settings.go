package profile

import (
	"net/url"
	"strings"

	"github.com/semlayer/semlayer/executor"
)

const (
	postgresScheme      = "postgresql"
	postgresURIFormHint = "the form is postgresql://user:password@host:5432/database; " + dsnEscapeHint
	dsnEscapeHint       = "characters such as @ : / ? # in a password are written %40 %3A %2F %3F %23"
)

// readPostgresWithSession reads the settings of servers that have roles and settings of a transaction.
func readPostgresWithSession(r *profileReader) WarehouseSettings {
	s := readPostgresSettings(r).(*Postgres)
	s.Session = r.readSession()
	return s
}

func readPostgresSettings(r *profileReader) WarehouseSettings {
	uri := r.readUncheckedText("uri")
	s := &Postgres{
		Host:            r.readHostRequiredWithoutURI(uri),
		Port:            r.readPort(5432),
		Username:        r.readText("username"),
		Password:        r.readSecret("password"),
		Database:        r.readText("database"),
		SSLMode:         r.readChoice("sslmode", "prefer", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
		SSLRootCert:     r.readFilePath("sslrootcert"),
		SSLCert:         r.readFilePath("sslcert"),
		SSLKey:          r.readFilePath("sslkey"),
		Schema:          r.readText("schema"),
		PasswordSource:  r.readSecretSource("password"),
		ApplicationName: r.readText("application_name"),
		Timeout:         r.readSeconds("timeout_seconds"),
	}
	r.checkCertificatePair("sslcert", s.SSLCert, "sslkey", s.SSLKey)
	if uri == "" {
		return s
	}
	r.rejectKeyCombination("uri", "host", "port", "username", "password", "password_file", execKey, "database", "sslmode", "sslrootcert", "sslcert", "sslkey")
	return &Postgres{URI: r.normalizePostgresURI(uri), Schema: s.Schema, ApplicationName: s.ApplicationName, Timeout: s.Timeout}
}

// normalizePostgresURI brings a URI to the scheme that libpq supports. A list of key=value pairs is a
// connection string as well and passes.
func (r *profileReader) normalizePostgresURI(uri string) executor.Secret {
	scheme, rest, isURI := strings.Cut(uri, "://")
	if !isURI {
		if !strings.Contains(uri, "=") {
			r.addProblem("uri", "is not a connection string", postgresURIFormHint)
		}
		return executor.NewSecret(uri)
	}
	uri = postgresScheme + "://" + rest
	if _, err := url.Parse(uri); err != nil || !isSchemeOfFamily(scheme, postgresScheme) {
		r.addProblem("uri", "is not a URI of PostgreSQL", postgresURIFormHint)
	}
	return executor.NewSecret(uri)
}

// rejectKeyCombination notes keys that say the same as another one.
func (r *profileReader) rejectKeyCombination(key string, others ...string) {
	var both []string
	for _, o := range others {
		if r.hasNonNullValue(o) {
			both = append(both, o)
		}
	}
	if len(both) > 0 {
		r.addProblem(key, "is set together with "+strings.Join(both, ", "), "write these into the "+key+" or leave it out")
	}
}

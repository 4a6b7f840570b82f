package profile

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
)

const (
	mysqlScheme      = "mysql"
	mysqlURIFormHint = "the form is mysql://user:password@host:port/database?tls=true; " + dsnEscapeHint
)

// mysqlProfileReader reads the keys of MySQL and what speaks its protocol.
type mysqlProfileReader struct {
	port     int
	catalogs bool
}

func (f mysqlProfileReader) readSettings(r *profileReader) WarehouseSettings {
	uri := r.readUncheckedText("uri")
	s := &MySQL{
		Host:           r.readHostRequiredWithoutURI(uri),
		Port:           r.readPort(f.port),
		Username:       r.readText("username"),
		Password:       r.readSecret("password"),
		PasswordSource: r.readSecretSource("password"),
		Database:       r.readText("database"),
		TLS:            r.readTLSMode("tls", "", r.readText("tls")),
		Timeout:        r.readSeconds("timeout_seconds"),

		ByCodePoint: r.readChoice("collation", "", "binary") == "binary",
	}
	catalog, charset := r.readText("catalog"), r.readText("charset")
	r.keyDescription("tls").Words = tlsModeWords
	if uri != "" {
		r.rejectKeyCombination("uri", "host", "port", "username", "password", "password_file", execKey, "database", "tls")
		charset = r.readMySQLURI(s, uri, charset)
	}
	s.TLSFiles = r.readTLSFiles(s.TLS != "false", s.TLS == "true", "set tls: true")
	switch {
	case f.catalogs:
		s.Catalog = catalog
	case catalog != "":
		r.addWarning("catalog has no effect: this type of server has no catalogs")
	}
	switch strings.ToLower(charset) {
	case "", "utf8mb4", "utf8":
	default:
		r.addWarning("charset has no effect: every session uses utf8mb4")
	}
	return s
}

// tlsModeWords are the words for how connections are encrypted.
var tlsModeWords = []string{"false", "preferred", "true", "skip-verify"}

// readTLSMode reads the word for how connections are encrypted.
func (r *profileReader) readTLSMode(key, before, word string) string {
	switch word = strings.ToLower(strings.TrimSpace(word)); word {
	case "", "false", "no", "off", "0":
		return "false"
	case "true", "yes", "on", "1":
		return "true"
	case "preferred", "skip-verify":
		return word
	default:
		r.addProblem(key, before+"must be one of "+strings.Join(tlsModeWords, ", "), "")
		return "false"
	}
}

// readMySQLURI fills the settings from a URI and returns the charset.
func (r *profileReader) readMySQLURI(s *MySQL, text, charset string) string {
	scheme, rest, isURI := strings.Cut(text, "://")
	u, err := url.Parse(mysqlScheme + "://" + rest)
	if err != nil || !isURI || !isSchemeOfFamily(scheme, mysqlScheme) || u.Hostname() == "" || u.Fragment != "" {
		r.addProblem("uri", "is not a URI of MySQL", mysqlURIFormHint)
		return charset
	}
	s.Host, s.Username = u.Hostname(), u.User.Username()
	password, _ := u.User.Password()
	s.Password = executor.NewSecret(password)
	s.Database = strings.TrimPrefix(u.Path, "/")
	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || n == 0 {
			r.addProblem("uri", "has an invalid port", mysqlURIFormHint)
		}
		s.Port = int(n)
	}
	for key, values := range u.Query() {
		switch {
		case key == "charset":
			charset = values[0]
		case key == "tls" && len(values) == 1:
			s.TLS = r.readTLSMode("uri", "has a parameter tls, which ", values[0])
		default:
			r.addProblem("uri", "has a parameter that is not known here", "charset and tls are")
		}
	}
	return charset
}

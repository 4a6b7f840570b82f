package profile

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/executor"
)

const (
	mysqlScheme = "mysql"
	mysqlForm   = "the form is mysql://user:password@host:port/database?tls=true; " + escapeHint
)

// mysqlFamily reads the keys of MySQL and what speaks its protocol.
type mysqlFamily struct {
	port     int
	catalogs bool
}

func (f mysqlFamily) read(r *reader) Settings {
	uri := r.raw("uri")
	s := &MySQL{
		Host:     r.hostOrURI(uri),
		Port:     r.port(f.port),
		Username: r.text("username"),
		Password: r.secret("password"),
		Database: r.text("database"),
		TLS:      r.tls("tls", "", r.text("tls")),
		Timeout:  r.seconds("timeout_seconds"),

		ByCodePoint: r.choice("collation", "", "binary") == "binary",
	}
	catalog, charset := r.text("catalog"), r.text("charset")
	r.key("tls").Words = tlsWords
	if uri != "" {
		r.rejectTogether("uri", "host", "port", "username", "password", "database", "tls")
		charset = r.mysqlURI(s, uri, charset)
	}
	switch {
	case f.catalogs:
		s.Catalog = catalog
	case catalog != "":
		r.warn("catalog has no effect: this type of server has no catalogs")
	}
	switch strings.ToLower(charset) {
	case "", "utf8mb4", "utf8":
	default:
		r.warn("charset has no effect: every session uses utf8mb4")
	}
	return s
}

// tlsWords are the words for how connections are encrypted.
var tlsWords = []string{"false", "preferred", "true", "skip-verify"}

// tls reads the word for how connections are encrypted.
func (r *reader) tls(key, before, word string) string {
	switch word = strings.ToLower(strings.TrimSpace(word)); word {
	case "", "false", "no", "off", "0":
		return "false"
	case "true", "yes", "on", "1":
		return "true"
	case "preferred", "skip-verify":
		return word
	default:
		r.fail(key, before+"must be one of "+strings.Join(tlsWords, ", "), "")
		return "false"
	}
}

// mysqlURI fills the settings from a URI and returns the charset.
func (r *reader) mysqlURI(s *MySQL, text, charset string) string {
	scheme, rest, isURI := strings.Cut(text, "://")
	u, err := url.Parse(mysqlScheme + "://" + rest)
	if err != nil || !isURI || !isSchemeOfFamily(scheme, mysqlScheme) || u.Hostname() == "" || u.Fragment != "" {
		r.fail("uri", "is not a URI of MySQL", mysqlForm)
		return charset
	}
	s.Host, s.Username = u.Hostname(), u.User.Username()
	password, _ := u.User.Password()
	s.Password = executor.NewSecret(password)
	s.Database = strings.TrimPrefix(u.Path, "/")
	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || n == 0 {
			r.fail("uri", "has an invalid port", mysqlForm)
		}
		s.Port = int(n)
	}
	for key, values := range u.Query() {
		switch {
		case key == "charset":
			charset = values[0]
		case key == "tls" && len(values) == 1:
			s.TLS = r.tls("uri", "has a parameter tls, which ", values[0])
		default:
			r.fail("uri", "has a parameter that is not known here", "charset and tls are")
		}
	}
	return charset
}

package profile

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/document"
)

// ParsedDSN is a connection that is given as one text, such as
// postgres://reader:secret@db.example.com/sales?schema=marts.
type ParsedDSN struct {
	// Profile is the connection, as an entry of a profiles file would describe it.
	Profile Profile
	// Schemas are those that the key schema names, in their order; none where it is left out.
	Schemas []string
	// Keys are those of the entry that describes the connection, type first. The
	// password is not among them.
	Keys []KeyValue
	// HasPassword reports whether the text has a password.
	HasPassword bool
}

// KeyValue is one key of an entry with its value.
type KeyValue struct{ Name, Value string }

// maxDSNBytes bounds the length of a ParsedDSN in bytes.
const maxDSNBytes = 8 << 10

// IsDSN reports whether a text has the form of a ParsedDSN: it holds ://, or begins with
// sqlite: or duckdb:. The ParsedDSN may still be wrong.
func IsDSN(text string) bool {
	_, _, isFile := cutDatabaseFileScheme(text)
	return isFile || strings.Contains(text, "://")
}

// DSNSchemes lists the schemes of a ParsedDSN.
func DSNSchemes() []string {
	return []string{
		"postgres", "postgresql", "redshift", "cockroachdb",
		"mysql", "mariadb", "tidb", "starrocks", "doris",
		"clickhouse", "clickhouses", "sqlite", "duckdb",
	}
}

// ParseDSN reads a ParsedDSN as a profile of the given name. The error is an *executor.Error of
// code config, and repeats no part of the text: any part may be a password that slipped
// into the wrong place.
func ParseDSN(name, text string) (ParsedDSN, error) {
	p := dsnParser{name: name, values: map[string]string{}}
	switch {
	case len(text) > maxDSNBytes:
		return ParsedDSN{}, invalidDSNError("it is longer than 8 KiB", "")
	case strings.ContainsFunc(text, unicode.IsControl):
		return ParsedDSN{}, invalidDSNError("it holds a control character, such as a line break", "")
	}
	if scheme, path, ok := cutDatabaseFileScheme(text); ok {
		return p.parseDatabaseFile(scheme, path)
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return ParsedDSN{}, invalidDSNError("it has no scheme", dsnFormHint)
	}
	return p.parseServerURL(strings.ToLower(scheme), rest)
}

const dsnFormHint = "the form is postgres://user:password@host:port/database?key=value, sqlite:PATH or duckdb:PATH; " + dsnEscapeHint

func invalidDSNError(message, hint string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: "the DSN cannot be used: " + message, Hint: hint}
}

// cutDatabaseFileScheme splits sqlite:PATH and duckdb:PATH.
func cutDatabaseFileScheme(text string) (scheme, path string, ok bool) {
	scheme, path, ok = strings.Cut(text, ":")
	scheme = strings.ToLower(scheme)
	return scheme, path, ok && (scheme == "sqlite" || scheme == "duckdb")
}

// dsnParser gathers the keys of an entry from a ParsedDSN.
type dsnParser struct {
	name   string
	keys   []string
	values map[string]string
}

// addKey notes a key; false if the ParsedDSN gives it twice.
func (p *dsnParser) addKey(key, value string) bool {
	if _, twice := p.values[key]; twice {
		return false
	}
	p.keys = append(p.keys, key)
	p.values[key] = value
	return true
}

// parseDatabaseFile reads the path of a database file. A path that begins with // is one of the URIs
// that the key uri of a profile takes.
func (p *dsnParser) parseDatabaseFile(kindName, path string) (ParsedDSN, error) {
	if strings.HasPrefix(path, "//") {
		path = kindName + ":" + path
	}
	p.addKey("uri", path)
	return p.parseKeysAsProfile(kindName, nil)
}

// parseServerURL reads user:password@host:port/database?key=value.
func (p *dsnParser) parseServerURL(scheme, rest string) (ParsedDSN, error) {
	kindName, secure := scheme, false
	switch {
	case !slices.Contains(DSNSchemes(), scheme):
		hint := "the schemes are " + strings.Join(DSNSchemes(), ", ")
		return ParsedDSN{}, invalidDSNError("its scheme is not known", hint)
	case scheme == "clickhouses":
		kindName, secure = "clickhouse", true
	}
	u, err := url.Parse("x://" + rest)
	if err != nil || u.Fragment != "" || u.Opaque != "" {
		return ParsedDSN{}, invalidDSNError("it is not a URI", dsnFormHint)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return ParsedDSN{}, invalidDSNError("its part after ? is not a list of key=value", dsnFormHint)
	}
	password, _ := u.User.Password()
	for _, part := range []KeyValue{
		{"host", u.Hostname()},
		{"port", u.Port()},
		{"username", u.User.Username()},
		{"password", password},
		{"database", strings.TrimPrefix(u.Path, "/")},
	} {
		if part.Value != "" {
			p.addKey(part.Name, part.Value)
		}
	}
	if secure {
		p.addKey("secure", "true")
	}
	return p.parseQueryParameters(kindName, query)
}

// parseQueryParameters reads the keys after the question mark, in alphabetical order.
func (p *dsnParser) parseQueryParameters(kindName string, query url.Values) (ParsedDSN, error) {
	var schemas []string
	names := make([]string, 0, len(query))
	for name := range query {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		values := query[name]
		if name == "schema" {
			schemas = splitCommaLists(values)
			continue
		}
		if len(values) > 1 || !p.addKey(name, values[0]) {
			return ParsedDSN{}, invalidDSNError(redactUnsafeKeyName(name)+" is given twice", "")
		}
	}
	return p.parseKeysAsProfile(kindName, schemas)
}

func splitCommaLists(values []string) []string {
	var out []string
	for _, v := range values {
		for s := range strings.SplitSeq(v, ",") {
			if s = strings.TrimSpace(s); s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// parseKeysAsProfile reads the keys as an entry of a profiles file, without variables: what looks like
// one is a part of the text.
func (p *dsnParser) parseKeysAsProfile(kindName string, schemas []string) (ParsedDSN, error) {
	k, _ := findWarehouseType(kindName)
	if k.scheme == postgresScheme && len(schemas) > 0 {
		p.addKey("schema", schemas[0])
	}
	r := &profileReader{home: homeDir(), literal: true, values: map[string]*document.Node{}}
	for key, value := range p.values {
		r.values[key] = &document.Node{Kind: document.ScalarNode, Tag: "!!str", Value: value}
	}
	made := Profile{Name: p.name, Type: k.name, Dialect: k.dialect}
	r.readCommonKeys(&made)
	made.Default = false
	made.Settings = k.read(r)
	for _, key := range p.keys {
		if !slices.Contains(r.known, key) || key == "uri" && k.scheme != "" {
			r.addProblem(redactUnsafeKeyName(key), "is not a key of this type", nearestWordHint(key, r.known))
		}
	}
	if len(r.troubles) > 0 {
		var message, hint string
		for _, t := range r.troubles {
			message, hint = joinDistinctMessages(message, t.message), joinDistinctMessages(hint, t.hint)
		}
		return ParsedDSN{}, invalidDSNError(message, hint)
	}
	return ParsedDSN{Profile: made, Schemas: schemas, Keys: p.keyValuesWithoutPassword(k.name), HasPassword: p.values["password"] != ""}, nil
}

// keyValuesWithoutPassword lists the keys without the password.
func (p *dsnParser) keyValuesWithoutPassword(kindName string) []KeyValue {
	out := []KeyValue{{"type", kindName}}
	for _, key := range p.keys {
		if key != "password" {
			out = append(out, KeyValue{key, p.values[key]})
		}
	}
	return out
}

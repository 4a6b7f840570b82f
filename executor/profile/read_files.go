package profile

import (
	"regexp"
	"strings"
)

// memorySizePattern is an amount of memory as DuckDB reads it.
var memorySizePattern = regexp.MustCompile(`(?i)^\d+(\.\d+)? *[kmgt]i?b$`)

func readDuckDB(r *reader) Settings {
	s := &DuckDB{
		Data:           r.filePaths("data"),
		ReadOnly:       r.flag("read_only", true),
		MemoryLimit:    strings.TrimSpace(r.text("memory_limit")),
		Threads:        r.number("threads", 0, 1024),
		ExternalAccess: r.flag("enable_external_access", false),
	}
	switch {
	case !r.isGiven("data"):
		s.Path = r.databasePath("duckdb", "uri", r.required("uri"))
		r.key("uri").Required = false // data is in its place
	case r.text("uri") != "":
		r.fail("data", "and uri are both given", "give one of them")
	case s.ExternalAccess:
		r.fail("data", "and enable_external_access are both given", "SQL reads the files of data and no other")
	default:
		s.Path = ":memory:"
	}
	if s.MemoryLimit != "" && !memorySizePattern.MatchString(s.MemoryLimit) {
		r.fail("memory_limit", "must be an amount of memory", "such as 2GB or 512MB")
	}
	return s
}

func readSQLite(r *reader) Settings {
	path := r.text("path")
	if path == "" {
		uri := r.required("uri")
		r.key("uri").Required = false // path is in its place
		return &SQLite{Path: r.databasePath("sqlite", "uri", uri)}
	}
	if r.text("uri") != "" {
		r.fail("path", "and uri are both given", "give one of them")
	}
	return &SQLite{Path: r.databasePath("sqlite", "path", path)}
}

// databasePath reads where a database is: a path, scheme:///relative,
// scheme:////absolute, or ":memory:" with or without the scheme.
func (r *reader) databasePath(scheme, key, text string) string {
	const memory = ":memory:"
	prefix := scheme + "://"
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		if strings.Contains(text, "://") {
			r.fail(key, "must be a path or begin with "+prefix, "")
		}
		return r.expandHome(text)
	}
	path := text[len(prefix):]
	if path == memory {
		return memory
	}
	path, ok := strings.CutPrefix(path, "/")
	if !ok || path == "" || strings.Contains(path, "?") {
		r.fail(key, "is not of the form "+prefix+"/relative/path or "+prefix+"//absolute/path", "")
	}
	return r.expandHome(path)
}

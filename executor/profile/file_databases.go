package profile

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// memorySizePattern is an amount of memory as DuckDB reads it.
var memorySizePattern = regexp.MustCompile(`(?i)^(\d+(?:\.\d+)?) *([kmgt])(i?)b$`)

// MemoryLimitBytes returns MemoryLimit in bytes; 0 without a limit.
func (s *DuckDB) MemoryLimitBytes() int64 {
	m := memorySizePattern.FindStringSubmatch(s.MemoryLimit)
	if m == nil {
		return 0
	}
	amount, _ := strconv.ParseFloat(m[1], 64) // the pattern allows nothing else
	base := 1000.0
	if m[3] != "" {
		base = 1024
	}
	return int64(amount * math.Pow(base, float64(1+strings.Index("kmgt", strings.ToLower(m[2])))))
}

func readDuckDBSettings(r *profileReader) WarehouseSettings {
	s := &DuckDB{
		Data:           r.readFilePaths("data"),
		ReadOnly:       r.readBoolean("read_only", true),
		MemoryLimit:    strings.TrimSpace(r.readText("memory_limit")),
		Threads:        r.readPositiveInteger("threads", 0, 1024),
		ExternalAccess: r.readBoolean("enable_external_access", false),
	}
	switch {
	case !r.hasNonNullValue("data"):
		s.Path = r.resolveDatabasePath("duckdb", "uri", r.readRequiredText("uri"))
		r.keyDescription("uri").Required = false // data is in its place
	case r.readText("uri") != "":
		r.addProblem("data", "and uri are both given", "give one of them")
	case s.ExternalAccess:
		r.addProblem("data", "and enable_external_access are both given", "SQL reads the files of data and no other")
	default:
		s.Path = ":memory:"
	}
	if s.MemoryLimit != "" && !memorySizePattern.MatchString(s.MemoryLimit) {
		r.addProblem("memory_limit", "must be an amount of memory", "such as 2GB or 512MB")
	}
	return s
}

func readSQLiteSettings(r *profileReader) WarehouseSettings {
	path := r.readText("path")
	if path == "" {
		uri := r.readRequiredText("uri")
		r.keyDescription("uri").Required = false // path is in its place
		return &SQLite{Path: r.resolveDatabasePath("sqlite", "uri", uri)}
	}
	if r.readText("uri") != "" {
		r.addProblem("path", "and uri are both given", "give one of them")
	}
	return &SQLite{Path: r.resolveDatabasePath("sqlite", "path", path)}
}

// resolveDatabasePath reads where a database is: a path, scheme:///relative,
// scheme:////absolute, or ":memory:" with or without the scheme.
func (r *profileReader) resolveDatabasePath(scheme, key, text string) string {
	const memory = ":memory:"
	prefix := scheme + "://"
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		if strings.Contains(text, "://") {
			r.addProblem(key, "must be a path or begin with "+prefix, "")
		}
		return r.expandHome(text)
	}
	path := text[len(prefix):]
	if path == memory {
		return memory
	}
	path, ok := strings.CutPrefix(path, "/")
	if !ok || path == "" || strings.Contains(path, "?") {
		r.addProblem(key, "is not of the form "+prefix+"/relative/path or "+prefix+"//absolute/path", "")
	}
	return r.expandHome(path)
}

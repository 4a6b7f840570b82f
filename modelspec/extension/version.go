package extension

import (
	"strconv"
	"strings"
)

type version struct{ major, minor int }

var (
	implemented    = mustParseVersion(Version)
	versionOfAlias = mustParseVersion(aliasVersion)
	oldestVersion  = mustParseVersion(Minimum)
)

// parseVersion reads major.minor.
func parseVersion(s string) (version, bool) {
	major, minor, ok := strings.Cut(s, ".")
	if !ok || !isDigits(major) || !isDigits(minor) {
		return version{}, false
	}
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return version{a, b}, errA == nil && errB == nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func mustParseVersion(s string) version {
	v, ok := parseVersion(s)
	if !ok {
		panic("extension: bad version constant " + s)
	}
	return v
}

func (v version) newerThan(w version) bool {
	return v.major > w.major || v.major == w.major && v.minor > w.minor
}

func (v version) String() string { return strconv.Itoa(v.major) + "." + strconv.Itoa(v.minor) }

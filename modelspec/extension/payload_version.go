package extension

import (
	"strconv"
	"strings"
)

type payloadVersion struct{ major, minor int }

var (
	implementedVersion       = mustParseVersion(Version)
	newestVendorAliasVersion = mustParseVersion(newestVendorAliasVersionText)
	oldestSupportedVersion   = mustParseVersion(MinimumVersion)
)

// parseVersion reads major.minor.
func parseVersion(s string) (payloadVersion, bool) {
	major, minor, ok := strings.Cut(s, ".")
	if !ok || !isDigits(major) || !isDigits(minor) {
		return payloadVersion{}, false
	}
	a, errA := strconv.Atoi(major)
	b, errB := strconv.Atoi(minor)
	return payloadVersion{a, b}, errA == nil && errB == nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func mustParseVersion(s string) payloadVersion {
	v, ok := parseVersion(s)
	if !ok {
		panic("extension: bad version constant " + s)
	}
	return v
}

func (v payloadVersion) isNewerThan(w payloadVersion) bool {
	return v.major > w.major || v.major == w.major && v.minor > w.minor
}

func (v payloadVersion) String() string { return strconv.Itoa(v.major) + "." + strconv.Itoa(v.minor) }

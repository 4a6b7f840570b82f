// Package floor keeps tests that count from passing over nothing.
//
//	for each case ──► checked++
//	floor.Check(t, "checked", checked, 500)   an attribute of the test, and an error below 500
package floor

import (
	"flag"
	"strconv"
	"strings"
	"testing"
)

// Check sets a count as an attribute of the test, and fails the test when it is less than
// least. A test that has failed already, and a run of chosen subtests, has no floor.
func Check(t testing.TB, name string, count, least int) {
	t.Helper()
	t.Attr(name, strconv.Itoa(count))
	if count < least && !t.Failed() && !chosen(value("test.run"), value("test.skip")) {
		t.Errorf("%s: %d, want at least %d", name, count, least)
	}
}

// chosen reports whether the flags of `go test` leave subtests out.
func chosen(run, skip string) bool { return strings.Contains(run, "/") || skip != "" }

func value(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

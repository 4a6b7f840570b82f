// Package floor fails tests that ran fewer cases than their minimum.
//
//	for each case ──► checked++
//	floor.CheckCount(t, "checked", checked, 500)   an attribute of the test, and an error below 500
package floor

import (
	"flag"
	"strconv"
	"strings"
	"testing"
)

// CheckCount sets a count as an attribute of the test, and fails the test when it is less than
// least. A test that has failed already, and a run of chosen subtests, has no floor.
func CheckCount(t testing.TB, name string, count, least int) {
	t.Helper()
	t.Attr(name, strconv.Itoa(count))
	if count < least && !t.Failed() && !leavesOutSubtests(flagValue("test.run"), flagValue("test.skip")) {
		t.Errorf("%s: %d, want at least %d", name, count, least)
	}
}

// leavesOutSubtests reports whether the flags of `go test` leave subtests out.
func leavesOutSubtests(run, skip string) bool { return strings.Contains(run, "/") || skip != "" }

func flagValue(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

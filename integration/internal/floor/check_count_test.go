package floor

import (
	"fmt"
	"testing"
)

// spy is a test that remembers its errors.
type spy struct {
	testing.TB
	failed bool
	errors []string
	attr   string
}

func (s *spy) Helper()                 {}
func (s *spy) Failed() bool            { return s.failed }
func (s *spy) Attr(name, value string) { s.attr = name + "=" + value }
func (s *spy) Errorf(f string, a ...any) {
	s.errors = append(s.errors, fmt.Sprintf(f, a...))
}

func TestCheck_FailsBelowTheFloor(t *testing.T) {
	for _, tt := range []struct {
		count  int
		failed bool
		want   int
	}{{0, false, 1}, {2, false, 1}, {3, false, 0}, {4, false, 0}, {0, true, 0}} {
		s := &spy{TB: t, failed: tt.failed}
		CheckCount(s, "cases", tt.count, 3)
		if len(s.errors) != tt.want || s.attr != fmt.Sprintf("cases=%d", tt.count) {
			t.Errorf("%d, failed %v: %v, %s", tt.count, tt.failed, s.errors, s.attr)
		}
	}
}

func TestChosen_KnowsTheFlagsThatLeaveSubtestsOut(t *testing.T) {
	for _, tt := range []struct {
		run, skip string
		want      bool
	}{{"", "", false}, {"^(TestA|TestB)$", "", false}, {"TestA/duckdb", "", true}, {"", "slow", true}} {
		if got := leavesOutSubtests(tt.run, tt.skip); got != tt.want {
			t.Errorf("-run %q -skip %q: %v", tt.run, tt.skip, got)
		}
	}
}

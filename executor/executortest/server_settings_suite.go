package executortest

import (
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor"
)

// ServerSettingCase is a setting of a server that changes what a statement answers.
type ServerSettingCase struct {
	Name string
	// Wrong is a value that is not the one of our sessions, as the server's SQL has it.
	Wrong string
	// Probe is a statement whose answer the setting changes.
	Probe string
}

// ServerSettingChangeBackend is a driver family whose sessions take no setting from the server.
type ServerSettingChangeBackend struct {
	// Open connects again.
	Open func(testing.TB) executor.Executor
	// Turn gives the setting its wrong value for sessions to come, and Back takes that back.
	Turn, Back func(testing.TB, ServerSettingCase)
	// Bare returns the result in a session that keeps the settings of the server, or its error.
	Bare func(testing.TB, string) string
	// Settings are all that sessions set.
	Settings []ServerSettingCase
}

// TestIgnoresServerSettings sets each setting to a wrong value on the server and checks that the results of the
// driver's sessions equal those of a server at its defaults. A session without the driver's
// settings shows each time that the wrong value does change the result. The test reports the
// number of settings and how many hold.
func TestIgnoresServerSettings(t *testing.T, b ServerSettingChangeBackend) {
	held := 0
	for _, s := range b.Settings {
		if t.Run(s.Name, func(t *testing.T) { testIgnoresServerSetting(t, b, s) }) {
			held++
		}
	}
	t.Attr("settings", strconv.Itoa(len(b.Settings)))
	t.Attr("immune", strconv.Itoa(held))
	t.Attr("open", strconv.Itoa(len(b.Settings)-held))
}

// CheckEverySessionSettingTested checks that each setting of our sessions is among those that a test turns, but for those
// that another server has.
func CheckEverySessionSettingTested(t *testing.T, names []string, turned []ServerSettingCase, elsewhere ...string) {
	t.Helper()
	for _, name := range names {
		is := func(s ServerSettingCase) bool { return s.Name == name }
		if !slices.ContainsFunc(turned, is) && !slices.Contains(elsewhere, name) {
			t.Errorf("no test turns %s", name)
		}
	}
}

func testIgnoresServerSetting(t *testing.T, b ServerSettingChangeBackend, s ServerSettingCase) {
	answer := func() string {
		got, err := QueryRowsJSON(t.Context(), b.Open(t), s.Probe)
		if err != nil {
			return err.Error()
		}
		return got
	}
	want, usual := answer(), b.Bare(t, s.Probe)
	b.Turn(t, s)
	defer b.Back(t, s)
	if got := answer(); got != want {
		t.Errorf("%s = %s changes the result of %s: %s, at the defaults %s", s.Name, s.Wrong, s.Probe, got, want)
	}
	if turned := b.Bare(t, s.Probe); turned == usual {
		t.Errorf("%s = %s does not change the result of a session without our settings, %s: the test shows nothing", s.Name, s.Wrong, usual)
	}
}

package browser_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// shared is the one process of the tests of this package. Starting one takes longer than most of them.
var shared *chromium.Browser

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) (code int) {
	if !chromium.IsInstalled() {
		return m.Run() // each test is skipped, or fails where a browser is required
	}
	folder, err := os.MkdirTemp("", "semlayer-browser-")
	if err != nil {
		return failed(err)
	}
	defer func() {
		if err := os.RemoveAll(folder); err != nil {
			code = failed(err)
		}
	}()
	b, stop, err := chromium.LaunchBrowserInFolder(folder, "*.example")
	if err != nil {
		return failed(err)
	}
	defer func() {
		if err := stop(); err != nil {
			code = failed(err)
		}
	}()
	shared = b
	return m.Run()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// browse gives a test a new and empty profile. Names below .example lead to this machine. The test runs beside
// others.
func browse(t *testing.T) *chromium.Browser {
	t.Helper()
	t.Parallel()
	return browseAlone(t)
}

// browseInLongForm is browse for a test of the long form. A change of the explorer is tried with it; other changes seldom
// reach what these tests hold, and each takes three seconds of a processor.
func browseInLongForm(t *testing.T) *chromium.Browser {
	t.Helper()
	if !isLongForm() {
		t.Skip("a part of the long form: SEMLAYER_TEST_LONG=1")
	}
	return browse(t)
}

func isLongForm() bool { return os.Getenv("SEMLAYER_TEST_LONG") != "" }

// browseAlone is browse for a test that measures a time: no other test runs beside it.
func browseAlone(t *testing.T) *chromium.Browser {
	t.Helper()
	chromium.Require(t)
	return shared.NewProfile(t)
}

//go:build linux

package catalogue

import (
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
)

// resident returns the memory of the process in MiB.
func resident(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize() >> 20
}

// A reload gives the memory of the tables back: after many there is no more than after the first ones.
func TestCatalogue_ReloadsTakeNoMemory(t *testing.T) {
	c := New(slog.New(slog.DiscardHandler), nil)
	defer c.Close()
	reload := func(n int) {
		revision := "r" + strconv.Itoa(n)
		c.ReplaceModels([]pgwire.Model{{Name: "shop", Service: servedModel{revision: revision}}})
		askRevision(t, c, "shop", revision)
	}
	for n := range 2 {
		reload(n)
	}
	before := resident(t)
	for n := range 6 {
		reload(2 + n)
	}
	// The engine gives freed memory back in the background.
	const most = 32 // less than six sets of tables take
	testwait.Until(t, fmt.Sprintf("at most %d MiB are in use", before+most), func() bool { return resident(t) <= before+most })
	t.Attr("MiB", fmt.Sprint(before, " ", resident(t)))
}

//go:build linux

package duckdb

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/testwait"
)

// resident returns the memory of the process in MiB.
func resident(t *testing.T) int {
	t.Helper()
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

func TestMemory_OfALargeStatementIsGivenBack(t *testing.T) {
	e, err := Open(t.Context(), Options{MemoryLimit: "200MB", Setup: []string{"CREATE TABLE t AS SELECT 'xx' || i AS s FROM range(2000) r(i)"}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	before := resident(t)
	long := strings.Repeat("x", 500)
	for range 3 {
		if _, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT count(*) FROM t WHERE replace(replace(s, 'x', '"+long+"'), 'x', '"+long+"') = 'q'"); err != nil {
			t.Fatal(err)
		}
		held := resident(t)
		if held < before+500 {
			t.Fatalf("the statement took %d MiB, too little to tell anything", held-before)
		}
		testwait.Until(t, fmt.Sprintf("of %d MiB, at most %d are in use", held, before+100), func() bool { return resident(t) <= before+100 })
	}
}

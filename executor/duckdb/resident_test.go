//go:build linux

package duckdb

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/executortest"
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
		for until := time.Now().Add(20 * time.Second); resident(t) > before+100; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%d MiB before the statement, %d after it, %d after 20 s", before, held, resident(t))
			}
		}
	}
}

package doctest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/restapi"
)

// The lines around the table of what needs no counting in docs/operations.md.
const (
	memoryRuleBegin = "<!-- The rule of the memory: cmd/internal/doctest multiplies and adds these numbers. -->\n"
	memoryRuleEnd   = "<!-- end of the rule -->\n"
)

// The uncounted memory at the settings of the chart fits into the half of the Go heap that no part has.
func TestMemoryRule_HoldsAtTheDefaultsOfTheChart(t *testing.T) {
	page, err := os.ReadFile(operationsPage)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), memoryRuleBegin)
	table, after, closed := strings.Cut(rest, memoryRuleEnd)
	if !ok || !closed {
		t.Fatal("docs/operations.md has no rule of the memory")
	}
	limits := map[string]int{
		"connections": restapi.DefaultMaxConnections, "sessions": 200, "batches": engine.DefaultMaxExecutions,
		"validations": engine.DefaultMaxValidations, "compiled": engine.DefaultStatementCacheSize,
	}
	sum := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(line, "|\n "), "|")
		if len(cells) != 4 || strings.HasPrefix(cells[0], "---") || strings.HasPrefix(cells[0], "what") {
			continue
		}
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(strings.TrimSpace(cells[i+1])); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		word := strings.Trim(strings.Fields(cells[0])[0], ":")
		if limits[word] != n[0] {
			t.Errorf("%s: the limit is %d", strings.TrimSpace(line), limits[word])
		}
		delete(limits, word)
		if got := (n[0]*n[1] + 512) / 1024; got != n[2] {
			t.Errorf("%s: %d × %d KiB are %d MiB", strings.TrimSpace(line), n[0], n[1], got)
		}
		sum += n[2]
	}
	if len(limits) > 0 {
		t.Errorf("no line for %v", limits)
	}
	budget := memory.NewBudget(memory.Settings{TotalBytes: 1 << 30, HeapBytes: 768 << 20})
	free := budget.Heap
	for _, p := range budget.Use() {
		free -= p.Capacity
	}
	if free>>20 < int64(sum) {
		t.Errorf("%d MiB do not fit into %d MiB", sum, free>>20)
	}
	if want := "These are " + strconv.Itoa(sum) + " MiB, which fit into the half of " + strconv.FormatInt(free>>20, 10) + " MiB"; !strings.Contains(after, want) {
		t.Errorf("the page does not say: %s", want)
	}
}

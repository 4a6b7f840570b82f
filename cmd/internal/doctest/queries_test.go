package doctest

import (
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner/query"
)

// Each key of a body is in the first column of a table of its section in docs/queries.md.
func TestQueries_TablesHoldEachKey(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/queries.md")
	if err != nil {
		t.Fatal(err)
	}
	for heading, keys := range map[string][]query.KeyDescription{
		"# Queries": query.MetricKeys(), "## Rows instead of metrics": query.DetailKeys(), "## Changes of a metric": query.AttributeKeys(),
	} {
		_, section, found := strings.Cut("\n"+string(page), "\n"+heading+"\n")
		if !found {
			t.Fatalf("docs/queries.md has no heading %s", heading)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		var names string
		for line := range strings.Lines(section) {
			if row, ok := strings.CutPrefix(line, "| "); ok {
				cell, _, _ := strings.Cut(row, " | ")
				names += cell + "\n"
			}
		}
		for _, k := range keys {
			if !strings.Contains(names, "`"+k.Name+"`") {
				t.Errorf("no table under %s in docs/queries.md has the key %s", heading, k.Name)
			}
		}
	}
}

package duckdb_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/datafiles"
)

func TestData_AmbiguousDaysAndFloatsAreNoted(t *testing.T) {
	folder := t.TempDir()
	writeFiles(t, folder, map[string]string{
		"both.csv":     "id,visited\n1,01/02/2024\n2,03/04/2024\n3,05/06/2024\n",
		"month.csv":    "id,visited\n1,01/02/2024\n2,03/14/2024\n",
		"iso.csv":      "id,visited\n1,2024-01-02\n",
		"same.csv":     "id,visited\n1,01/01/2024\n2,02/02/2024\n",
		"moments.csv":  "id,at\n1,01-02-2024 10:00:00\n2,03-04-2024 11:00:00\n",
		"wide.csv":     "id,ratio\n1,1e-3\n2,0.5\n",
		"parts/a.csv":  "visited\n01/02/2024\n",
		"parts/b.csv":  "visited\n03/04/2024\n",
		"numbers.json": `[{"fee": 0.5, "ratio": 12345678901234567890.5}]`,
	})
	e := openData(t, folder)
	want := map[string]bool{
		"both.visited: the days are ambiguous: 01/02/2024 is read as 2024-02-01, day first, and could be 2024-01-02, month first; write the days with the year first, as 2024-02-01, to choose":        true,
		"moments.at: the days are ambiguous: 01-02-2024 10:00:00 is read as 2024-02-01, day first, and could be 2024-01-02, month first; write the days with the year first, as 2024-02-01, to choose": true,
		"parts.visited: the days are ambiguous: 01/02/2024 is read as 2024-02-01, day first, and could be 2024-01-02, month first; write the days with the year first, as 2024-02-01, to choose":       true,
		"wide.ratio: the column is Float, whose sums are not exact: its values have too many digits for a decimal, or exponents":                                                                       false,
		"numbers.ratio: the column is Float, whose sums are not exact: its values have too many digits for a decimal, or exponents":                                                                    false,
	}
	got := map[string]bool{}
	for _, n := range datafiles.ColumnNoter(e).ColumnNotes() {
		got[n.Text] = n.AmbiguousDays
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := query(t, e, "SELECT visited FROM \"both\" ORDER BY id LIMIT 1"); got != `[{"visited":"2024-02-01"}]` {
		t.Error(got)
	}
}

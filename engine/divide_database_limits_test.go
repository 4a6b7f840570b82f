package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine/memory"
)

func TestDivideDatabaseLimits_EqualPartsAfterNamedMemory(t *testing.T) {
	const profiles = `
datasources:
  a: {type: duckdb, uri: ":memory:", memory_limit: 100MiB}
  b: {type: duckdb, uri: ":memory:"}
  c: {type: postgres, host: localhost, username: u, password: p}
`
	budget := memory.NewBudget(memory.Settings{TotalBytes: 1 << 30, DatabaseBytes: 500 << 20})
	for _, test := range []struct {
		name   string
		config Config
		want   [2]string
	}{
		{"nothing is limited", Config{}, [2]string{"", ""}},
		{"the embedded database alone", Config{Memory: budget, SpillMiB: 900}, [2]string{"500MiB", "900MiB"}},
		// 500 less 100 by name, among the embedded database and b; temporary space among all three.
		{"with profiles", Config{Memory: budget, SpillMiB: 900, ConnectionsText: []byte(profiles)}, [2]string{"200MiB", "300MiB"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.config.divideDatabaseLimits()
			if diff := cmp.Diff(test.want, [2]string{got.memory, got.spill}); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

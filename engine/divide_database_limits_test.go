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
		want   [4]string
	}{
		{"nothing is limited", Config{}, [4]string{}},
		{"the embedded database alone", Config{Memory: budget, SpillMiB: 900}, [4]string{"500MiB", "900MiB", "125MiB", "225MiB"}},
		// 500 less 100 by name, among the embedded database and b; temporary space among all three.
		{"with profiles", Config{Memory: budget, SpillMiB: 900, ConnectionsText: []byte(profiles)}, [4]string{"200MiB", "300MiB", "50MiB", "75MiB"}},
		// A third part of the memory, a fourth of the space, for four files.
		{"with local rollups", Config{Memory: budget, SpillMiB: 960, ConnectionsText: []byte(profiles), RollupDir: "x"}, [4]string{"133MiB", "240MiB", "33MiB", "60MiB"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := test.config.divideDatabaseLimits()
			if diff := cmp.Diff(test.want, [4]string{got.memory, got.spill, got.localMemory, got.localSpill}); diff != "" {
				t.Fatal(diff)
			}
		})
	}
}

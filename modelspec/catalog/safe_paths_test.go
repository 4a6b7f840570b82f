package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// simplePaths lists the paths between two datasets along safe edges without a look at what these reach.
func simplePaths(c *catalog.Catalog, path []catalog.JoinStep, visited map[string]bool, at, to string) (out [][]catalog.JoinStep) {
	if at == to {
		return [][]catalog.JoinStep{append([]catalog.JoinStep(nil), path...)}
	}
	visited[at] = true
	defer delete(visited, at)
	for _, r := range c.Relationships {
		for _, s := range []catalog.JoinStep{{Rel: r}, {Rel: r, Reverse: true}} {
			if !r.IsSelfJoin() && s.Safe() && s.SourceDataset().Name == at && !visited[s.TargetDataset().Name] {
				out = append(out, simplePaths(c, append(path, s), visited, s.TargetDataset().Name, to)...)
			}
		}
	}
	return out
}

func TestSafePaths_AreTheSimplePathsOfRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(92, 1))
	for range 300 {
		n := 2 + r.IntN(6)
		lines := make([]string, 0, 12)
		for i := range 1 + r.IntN(11) {
			lines = append(lines, fmt.Sprintf("e%d d%d d%d %s", i, r.IntN(n), r.IntN(n), []string{"n:1", "n:1", "n:1", "1:1", "n:n", "?"}[r.IntN(6)]))
		}
		c := edges(lines...)
		for _, from := range c.Datasets {
			for _, to := range c.Datasets {
				want := simplePaths(c, nil, map[string]bool{}, from.Name, to.Name)
				for _, limit := range []int{1, 2, 1000} {
					got := c.SafePaths(from, to, limit)
					if d := cmp.Diff(show(want[:min(limit, len(want))]), show(got)); d != "" {
						t.Fatalf("%q: from %s to %s, at most %d: %s", lines, from.Name, to.Name, limit, d)
					}
				}
			}
		}
	}
}

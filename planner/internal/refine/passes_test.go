package refine_test

import (
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/internal/plancases"
	"github.com/semlayer/semlayer/planner/internal/refine"
)

// Each pass over the rows of a result has cases in the corpus whose plan is another one without it. The targets lack lists and percentiles, so
// that a pass replaces them.
func TestRowPasses_EachDecidesPlansOfTheCorpus(t *testing.T) {
	cases := plancases.Read(t)
	explain := func() map[string]string {
		out := map[string]string{}
		for _, c := range cases {
			if text, err := c.Plan(t, planner.Target{}); err == nil {
				out[c.Name] = text
			}
		}
		return out
	}
	whole := explain()
	for _, name := range refine.RowPassNames() {
		restore := refine.LeaveOut(name)
		changed := 0
		for of, text := range explain() {
			if text != whole[of] {
				changed++
			}
		}
		restore()
		if changed == 0 {
			t.Errorf("no case of the corpus needs the pass %q", name)
		}
	}
}

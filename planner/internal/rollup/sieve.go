package rollup

import (
	"math"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// sieve returns which of 64 rollups of the home may meet a rule, of which the first has the index 64*word. It may have rollups that do not meet the
// rule, and has all that do.
type sieve func(t *trial, word int) uint64

const allOfWord = math.MaxUint64

// sieveRollups returns the rollups that all sieves leave.
func sieveRollups(t *trial, rollups int) catalog.RollupSet {
	left := make(catalog.RollupSet, (rollups+63)/64)
	for word := range left {
		left[word] = allOfWord
		for i := 0; i < len(rules) && left[word] != 0; i++ {
			if rules[i].sieve != nil {
				left[word] &= rules[i].sieve(t, word)
			}
		}
	}
	return left
}

// mostRulesMet returns for each rollup at least as many rules as it meets before the first that it does not.
func mostRulesMet(t *trial, rollups int) []uint8 {
	out := make([]uint8, rollups)
	for i := range out {
		out[i] = uint8(len(rules) - 1)
	}
	for word := range (rollups + 63) / 64 {
		left := uint64(allOfWord)
		for n, r := range rules {
			if r.sieve == nil || left == 0 {
				continue
			}
			kept := left & r.sieve(t, word)
			for i := word * 64; i < min(rollups, word*64+64); i++ {
				if (left&^kept)&(1<<(i%64)) != 0 {
					out[i] = uint8(n)
				}
			}
			left = kept
		}
	}
	return out
}

// mayReach returns the rollups that may hold the values of a field, or the keys that lead to it.
func mayReach(t *trial, f Field, word int) uint64 {
	if t.In.Cat.IsFieldOfQuery(f.Field) {
		return allOfWord
	}
	out := uint64(0)
	for _, held := range t.In.Cat.RollupsHolding(t.Home, f.Field) {
		if held.Grain == sqlexpr.GrainNone {
			out |= held.By.Word(word)
		}
	}
	if len(f.Path) > 0 {
		out |= mayJoin(t, f.Path, word)
	}
	return out
}

// mayJoin returns the rollups that may hold the keys by which the last edge of a path is followed, or those that lead to it.
func mayJoin(t *trial, path []catalog.JoinStep, word int) uint64 {
	out, at := uint64(allOfWord), path[:len(path)-1]
	for _, key := range keysOf(path[len(path)-1]) {
		out &= mayReach(t, NewField(at, key), word)
	}
	return out
}

// mayStore returns the rollups that may hold a field, its values or buckets, or the keys that lead to it.
func mayStore(t *trial, f Field, word int) uint64 {
	out := mayReach(t, f, word)
	for _, held := range t.In.Cat.RollupsHolding(t.Home, f.Field) {
		out |= held.By.Word(word)
	}
	return out
}

// sieveByLODFields leaves no rollup where the branch reads a level of detail. The sieves behind it read expressions over stored fields alone.
func sieveByLODFields(t *trial, _ int) uint64 {
	if t.lod != nil {
		return 0
	}
	return allOfWord
}

// sieveByGroups leaves the rollups that may have a column of each group, or of the keys that lead to it.
func sieveByGroups(t *trial, word int) uint64 {
	out := uint64(allOfWord)
	for _, g := range t.Groups {
		for _, f := range g.Expression {
			out &= mayReach(t, f, word)
		}
		if g.Expression == nil {
			out &= mayStore(t, g.Field, word)
		}
	}
	return out
}

// sieveByGrains leaves the rollups that may have buckets of each group that make those asked.
func sieveByGrains(t *trial, word int) uint64 {
	out := uint64(allOfWord)
	for _, g := range t.Groups {
		if g.Expression != nil {
			continue
		}
		may := mayReach(t, g.Field, word)
		if !g.isRaw() && g.Period == nil && hasClockOfModel(t, g.Field) {
			may |= mayDivide(t, g, word)
		}
		out &= may
	}
	return out
}

// mayDivide returns the rollups that have buckets of the field of a group which make those of all its units.
func mayDivide(t *trial, g Group, word int) uint64 {
	out := uint64(allOfWord)
	for i := -1; i < len(g.Spans); i++ {
		unit, may := g.unit(), uint64(0)
		if i >= 0 {
			unit = g.Spans[i]
		}
		for _, held := range t.In.Cat.RollupsHolding(t.Home, g.Field.Field) {
			if held.Grain != sqlexpr.GrainNone && divides(t, held.Grain, unit, g.Part) {
				may |= held.By.Word(word)
			}
		}
		out &= may
	}
	return out
}

// sieveByFilters leaves the rollups that may have columns of what each condition reads, and those with conditions, which may absorb it.
func sieveByFilters(t *trial, word int) uint64 {
	out, absorbing := uint64(allOfWord), t.In.Cat.RollupsWithConditions(t.Home).Word(word)
	for _, cond := range t.Conditions {
		if cond.Dropped || cond.Interval != nil {
			continue
		}
		for _, id := range cond.Read {
			out &= mayReach(t, cond.Fields[id], word) | absorbing
		}
	}
	return out
}

// sieveByRangeFields leaves the rollups that may have a column of the field of each range.
func sieveByRangeFields(t *trial, word int) uint64 {
	out, absorbing := uint64(allOfWord), t.In.Cat.RollupsWithConditions(t.Home).Word(word)
	for _, r := range t.ranges {
		out &= mayStore(t, r.Field, word) | absorbing
	}
	return out
}

// sieveByMeasures leaves the rollups that may have columns from which each measure is computed.
func sieveByMeasures(t *trial, word int) uint64 {
	out := uint64(allOfWord)
	for _, m := range t.wanted {
		out &= mayCompute(t, m, word)
	}
	return out
}

// mayCompute returns the rollups that may have columns from which a measure is computed.
func mayCompute(t *trial, m *wantedMeasure, word int) uint64 {
	out := mayHave(t, m, word)
	if m.sum != nil {
		out |= mayHave(t, m.sum, word) & mayHave(t, m.count, word)
	}
	if isOverDistinctValues(m.measure.Agg) {
		arg := m.measure.Arg
		for then, _ := singleWhen(arg); then != nil; then, _ = singleWhen(arg) {
			arg = then
		}
		if r, ok := arg.(*sqlexpr.Ref); ok {
			out |= mayReach(t, NewField(nil, t.In.Cat.FieldByID(r.ID)), word)
		}
	}
	if m.inner != nil {
		out |= mayCompute(t, m.inner, word)
	}
	return out
}

// mayHave returns the rollups that have a column of a measure.
func mayHave(t *trial, m *wantedMeasure, word int) uint64 {
	out := uint64(0)
	for _, stored := range t.In.Cat.MeasuresOfRollups(t.Home) {
		if isOf(t, m, stored.Measure) {
			out |= stored.By.Word(word)
		}
	}
	return out
}

package sqlemit

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// groupingLevelExpr returns the number of the set that a row is grouped by. GROUPING(key) is 0 where the set
// holds the key and 1 where it does not; each condition has as few keys as distinguish its set from those that follow.
func groupingLevelExpr(sets [][]int, keys []outputColumn) sqlexpr.Expr {
	if len(sets) == 2 {
		return newGroupingCall(keys, firstKeyOutside(sets[0], sets[1]))
	}
	last := len(sets) - 1
	numbers := make([]sqlexpr.Number, max(len(sets), 2)) // of the levels; the first two are also what GROUPING returns
	for i := range numbers {
		numbers[i].Text = strconv.Itoa(i)
	}
	e := &sqlexpr.Case{Whens: make([]sqlexpr.When, 0, last), Else: &numbers[last]}
	for level := range last {
		var cond sqlexpr.Expr
		for _, key := range keysDistinguishingSet(make([]int, 0, 8), sets[level], sets[level+1:], len(keys)) {
			outside := &numbers[1]
			if slices.Contains(sets[level], key) {
				outside = &numbers[0]
			}
			cond = sqlexpr.And(cond, newBinary(sqlexpr.OpEq, newGroupingCall(keys, key), outside))
		}
		e.Whens = append(e.Whens, sqlexpr.When{Cond: cond, Then: &numbers[level]})
	}
	return e
}

// groupingCall is a call of GROUPING with its argument.
type groupingCall struct {
	sqlexpr.Call
	key [1]sqlexpr.Expr
}

func newGroupingCall(keys []outputColumn, key int) sqlexpr.Expr {
	c := &groupingCall{Call: sqlexpr.Call{Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: "GROUPING"}}}
	c.key[0] = keys[key].expr
	c.Args = c.key[:]
	return &c.Call
}

// firstKeyOutside returns the first key of a set that another set lacks.
func firstKeyOutside(set, other []int) int {
	i := slices.IndexFunc(set, func(key int) bool { return !slices.Contains(other, key) })
	return set[max(i, 0)]
}

// keysDistinguishingSet appends keys that a set holds and others lack, or the other way round, so that each of the others
// differs from the set in one of them. The key in which most of them differ comes first.
func keysDistinguishingSet(out []int, set []int, others [][]int, keys int) []int {
	differs := func(key int, other []int) bool { return slices.Contains(set, key) != slices.Contains(other, key) }
	rest := append(make([][]int, 0, 8), others...)
	for len(rest) > 0 {
		best, most := 0, 0
		for key := range keys {
			n := 0
			for _, other := range rest {
				if differs(key, other) {
					n++
				}
			}
			if n > most {
				best, most = key, n
			}
		}
		if most == 0 {
			return out // two sets are equal, which plan.CheckTree rejects
		}
		out = append(out, best)
		rest = slices.DeleteFunc(rest, func(other []int) bool { return differs(best, other) })
	}
	return out
}

// printGroupingSets prints GROUP BY GROUPING SETS. Its keys are columns and are named by expression: several
// engines take no position there.
func (w *writer) printGroupingSets(b *selectBlock) {
	w.printClauseSpace()
	w.appendText("GROUP BY GROUPING SETS (")
	for i, set := range b.sets {
		if i > 0 {
			w.appendText(", ")
		}
		w.appendByte('(')
		for j, key := range set {
			if j > 0 {
				w.appendText(", ")
			}
			w.printOutputColumn(&b.keys[key], precAny)
		}
		w.appendByte(')')
	}
	w.appendByte(')')
}

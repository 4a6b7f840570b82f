package find_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine/find"
)

// camelCase joins the words of a name by capitals.
func camelCase(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}

func TestFind_CaseOfCamelCaseDoesNotChangeTheFirstHit(t *testing.T) {
	for seed := range uint64(10) {
		all := vocabulary(rand.New(rand.NewPCG(seed, 29)))
		for i := range all {
			all[i].name = camelCase(all[i].name)
		}
		x := newIndex(t, all)
		for i, o := range all {
			more := " by " + all[(i+7)%len(all)].synonym
			plain := first(t, x, o.name+more)
			for _, name := range []string{strings.ToLower(o.name), strings.ToUpper(o.name), strings.ToUpper(o.name[:1]) + o.name[1:]} {
				if got := first(t, x, name); got != o.queryName() {
					t.Errorf("%q finds %s before %s", name, got, o.queryName())
				}
				if got := first(t, x, name+more); got != plain {
					t.Errorf("%q finds %s first, %q finds %s", name+more, got, o.name+more, plain)
				}
			}
		}
	}
}

func TestFind_CapitalsInsideOfAWord(t *testing.T) {
	x := newIndex(t, []object{
		{name: "orderdate", synonym: "s1", label: "größeTotal", description: "one", dataset: 0},
		{name: "orderDate", synonym: "s2", label: "l2", description: "two", dataset: 1},
		{name: "weight", synonym: "s3", label: "l3", description: "three", dataset: 2},
		{name: "order", synonym: "s4", label: "l4", description: "four", dataset: 2},
	})
	for question, want := range map[string]string{
		"orderdate": "d0.orderdate", "orderDate": "d1.orderDate", "order date": "d1.orderDate", "wEighT": "d2.weight", "WEIGHTs": "d2.weight",
		"GRÖSSETOTAL": "d0.orderdate", "grossetotal": "d0.orderdate", "größetotal, 2024": "d0.orderdate",
	} {
		if got := first(t, x, question); got != want {
			t.Errorf("%q finds %s, want %s", question, got, want)
		}
	}
}

// A name without letters and digits has no trigrams to compare.
func TestFind_NamesWithoutWordsAreNeverNearest(t *testing.T) {
	x := newIndex(t, []object{{name: "___", synonym: "s", label: "l", description: "d", dataset: 0}})
	for _, h := range x.Find(find.SearchRequest{Text: "?!", Limit: 10}).Hits {
		if !(h.Score >= 0.01) {
			t.Errorf("%s scores %v", h.Name, h.Score)
		}
	}
}

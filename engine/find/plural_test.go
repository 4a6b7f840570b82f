package find_test

import "testing"

// A plural that does not begin with its singular is found by its stem alone, before a word that it begins.
func TestFind_PluralsAreFoundByTheirStem(t *testing.T) {
	x := newIndex(t, []object{
		{name: "city", synonym: "town", label: "place", description: "where people live", dataset: 0},
		{name: "citizen", synonym: "inhabitant", label: "person", description: "somebody who lives there", dataset: 0},
		{name: "category", synonym: "sort", label: "class", description: "of goods", dataset: 1},
	})
	for question, want := range map[string]string{"cities": "d0.city", "the cities": "d0.city", "categories": "d1.category"} {
		if got := first(t, x, question); got != want {
			t.Errorf("%q is %s, want %s", question, got, want)
		}
	}
}

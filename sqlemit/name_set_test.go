package sqlemit

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestUniqueNames_DifferWithoutRegardToCase(t *testing.T) {
	for _, c := range []struct{ in, want []string }{
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"a", "A", "a"}, []string{"a", "A_2", "a_3"}},
		{[]string{"a_2", "a", "a"}, []string{"a_2", "a", "a_3"}},
		{[]string{"a", "a", "a_2"}, []string{"a", "a_2", "a_2_2"}},
		{[]string{"a", "a", "A_3", "a"}, []string{"a", "a_2", "A_3", "a_4"}},
		{[]string{"K", "\u212a", "s", "\u017f"}, []string{"K", "\u212a_2", "s", "\u017f_2"}},
		{[]string{"region", "ReGION", "b"}, []string{"region", "ReGION_2", "b"}},
		{[]string{"ak", "a\u212a", "ax", "AK"}, []string{"ak", "a\u212a_2", "ax", "AK_3"}},
		{[]string{"sa", "\u017fA", "a", "A"}, []string{"sa", "\u017fA_2", "a", "A_2"}},
		{[]string{"\u03c3", "\u03c2", "\u03a3"}, []string{"\u03c3", "\u03c2_2", "\u03a3_3"}},
	} {
		cols := make([]outputColumn, len(c.in))
		for i, name := range c.in {
			cols[i].name = name
		}
		makeColumnNamesUnique(cols)
		var got []string
		for _, c := range cols {
			got = append(got, c.name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzNames_Fold(f *testing.F) {
	f.Add("kS", "K\u017f")
	f.Add("Sk", "\u017fK")
	f.Add("a", "b")
	f.Fuzz(func(t *testing.T, a, b string) {
		if (caseInsensitiveNameKey(a) == caseInsensitiveNameKey(b)) != strings.EqualFold(a, b) {
			t.Errorf("%q and %q", a, b)
		}
		if areSameName(a, b) != strings.EqualFold(a, b) {
			t.Errorf("%q and %q are compared as different from EqualFold", a, b)
		}
		if strings.EqualFold(a, b) && lastTwoLettersBit(a)&lastTwoLettersBit(b) == 0 {
			t.Errorf("the marks of %q and %q differ", a, b)
		}
	})
}

// Comparing each of so many names with all before it took minutes.
func TestUniqueNames_CostTheirNumber(t *testing.T) {
	cols := make([]outputColumn, 200_000)
	for i := range cols {
		cols[i].name = "m" + strconv.Itoa(i/2)
	}
	began := time.Now()
	makeColumnNamesUnique(cols)
	if took := time.Since(began); took > time.Minute {
		t.Error(took)
	}
}

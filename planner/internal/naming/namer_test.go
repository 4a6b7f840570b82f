package naming_test

import (
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/planner/internal/naming"
)

// A name is numbered in the same way among few names and among many.
func TestNamer_NumbersTakenNames(t *testing.T) {
	for _, others := range []int{0, 21, 22, 23, 24, 25, 100} {
		n := naming.NewNamer()
		for i := range others {
			if name := "c" + strconv.Itoa(i); n.UniqueName(name) != name {
				t.Fatalf("%d: %s is numbered", others, name)
			}
		}
		for _, c := range []struct{ in, want string }{
			{"Total", "Total"}, {"total", "total_2"}, {"TOTAL", "TOTAL_3"}, {"total_5", "total_5"}, {"total", "total_4"}, {"total", "total_6"}, {"TOTAL_2", "TOTAL_2_2"},
		} {
			if got := n.UniqueName(c.in); got != c.want {
				t.Errorf("%d other names: %s is %s, want %s", others, c.in, got, c.want)
			}
		}
	}
}

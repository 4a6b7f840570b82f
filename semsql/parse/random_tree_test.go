package parse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/semlayer/semlayer/semsql/internal/randomtree"
	"github.com/semlayer/semlayer/semsql/parse"
)

// What is printed parses back to the tree that was printed.
func TestFormat_IsTheInverseOfParse(t *testing.T) {
	limits := parse.DefaultLimits()
	for seed := range uint64(5_000) {
		q := randomtree.RandomQuery(rand.New(rand.NewPCG(seed, 1)), randomtree.Options{})
		printed := parse.Format(q)
		again, err := parse.Parse(printed, limits)
		if err != nil {
			t.Fatalf("seed %d: %s\n%v", seed, printed, err)
		}
		if !parse.Equal(q, again) {
			t.Fatalf("seed %d: %s\nparses to another tree, which prints as\n%s", seed, printed, parse.Format(again))
		}
	}
}

package joinpath

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// SameSets compares two lists of paths as sets.
func SameSets(a, b [][]catalog.JoinStep) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(path []catalog.JoinStep) bool {
		return !slices.ContainsFunc(b, func(other []catalog.JoinStep) bool { return slices.Equal(path, other) })
	})
}

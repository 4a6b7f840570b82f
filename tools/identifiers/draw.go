package main

import (
	"math/rand/v2"
	"slices"
)

// draw chooses as many files and as many other names at random, and returns them sorted, the files first.
func draw(all []Name, seed uint64, files, identifiers int) []Name {
	var named, declared []Name
	for _, n := range all {
		if n.Kind == "file" {
			named = append(named, n)
		} else {
			declared = append(declared, n)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	return append(sample(random, named, files), sample(random, declared, identifiers)...)
}

// sample returns up to n names, each at most once, sorted.
func sample(random *rand.Rand, from []Name, n int) []Name {
	var out []Name
	for _, i := range random.Perm(len(from))[:min(n, len(from))] {
		out = append(out, from[i])
	}
	slices.SortFunc(out, orderByPackage)
	return out
}

package main

import (
	"math/rand/v2"
	"slices"
)

// drawNames chooses as many files and as many other names at random, and returns them sorted, the files first.
func drawNames(all []Name, seed uint64, files, identifiers int) []Name {
	var named, declared []Name
	for _, n := range all {
		if n.Kind == "file" {
			named = append(named, n)
		} else {
			declared = append(declared, n)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0))
	return append(sampleNames(random, named, files), sampleNames(random, declared, identifiers)...)
}

// sampleNames returns up to n names, each at most once, sorted.
func sampleNames(random *rand.Rand, from []Name, n int) []Name {
	var out []Name
	for _, i := range random.Perm(len(from))[:min(n, len(from))] {
		out = append(out, from[i])
	}
	slices.SortFunc(out, compareByPackage)
	return out
}

package metric

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// safePathIndex holds the safe paths that the branches of a query have requested. Branches of one home request the same ones.
type safePathIndex struct {
	ends  distinctKeyNumbers[pathEnds]
	found [][][]catalog.JoinStep // by the number of their ends
}

type pathEnds struct{ from, to *catalog.Dataset }

// safePaths returns the safe paths between two datasets, at most maxPathsPerDataset of them. They are read only.
func (in *Env) safePaths(from, to *catalog.Dataset) [][]catalog.JoinStep {
	return in.paths.findOrSearch(in.Cat, pathEnds{from, to})
}

// findOrSearch returns the paths between two datasets, and searches them the first time.
func (x *safePathIndex) findOrSearch(cat *catalog.Catalog, ends pathEnds) [][]catalog.JoinStep {
	if at, known := x.ends.find(ends); known {
		return x.found[at]
	}
	x.ends.addNewKey(ends)
	x.found = append(x.found, cat.SafePaths(ends.from, ends.to, maxPathsPerDataset))
	return x.found[len(x.found)-1]
}

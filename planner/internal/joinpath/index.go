package joinpath

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/naming"
)

// Index holds the safe paths that the branches of a query have requested. Branches of one home request the same ones.
type Index struct {
	ends  naming.Numbers[Ends]
	found [][][]catalog.JoinStep // by the number of their ends
}

// Ends are the datasets between which paths lead.
type Ends struct{ From, To *catalog.Dataset }

// FindOrSearch returns the paths between two datasets, and searches them the first time.
func (x *Index) FindOrSearch(cat *catalog.Catalog, ends Ends) [][]catalog.JoinStep {
	if at, known := x.ends.Find(ends); known {
		return x.found[at]
	}
	x.ends.AddNewKey(ends)
	x.found = append(x.found, cat.SafePaths(ends.From, ends.To, MaxPaths))
	return x.found[len(x.found)-1]
}

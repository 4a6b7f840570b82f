package joinpath

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// SeveralPathsError returns the error of a reference that a home reaches on several paths. Its
// candidates are the prefixes that name one of them.
func SeveralPathsError(home *catalog.Dataset, ref resolve.Ref, prefixes [][]catalog.JoinStep) *planerr.Error {
	named := resolve.Ref{Prefix: prefixes[0], Field: ref.Field}.String()
	e := &planerr.Error{
		Code: planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + home.Name + " to " + ref.Field.Dataset.Name +
			": name one of them, for example " + named,
		SuggestedRetry: "write " + named + " in place of " + ref.String() + " everywhere",
	}
	for _, p := range prefixes {
		e.Candidates = append(e.Candidates, resolve.PathText(p))
	}
	return e
}

// MaxPaths bounds the search for paths to a dataset: two make it ambiguous,
// the rest are candidates.
const MaxPaths = resolve.MaxCandidates

// Route is how a reference is reached from a root.
type Route struct {
	Ref   resolve.Ref
	Path  []catalog.JoinStep
	Named bool // the query names the path
}

// Search is the path from a dataset to a reference: one where ok, several where tied, else
// none.
type Search struct {
	Path []catalog.JoinStep
	Ok   bool
	Tied [][]catalog.JoinStep
}

// Find returns the way from a home to a reference, given the paths from the home to a
// dataset. The path to the dataset that a named path leaves must be a single one even
// when the named path itself repeats rows.
func Find(home *catalog.Dataset, ref resolve.Ref, paths func(to *catalog.Dataset) [][]catalog.JoinStep) Search {
	var lead []catalog.JoinStep
	if start := ref.SourceDataset(); start != home {
		switch found := paths(start); len(found) {
		case 0:
			return Search{}
		case 1:
			lead = found[0]
		default:
			return Search{Tied: found}
		}
	}
	if slices.ContainsFunc(ref.Prefix, func(s catalog.JoinStep) bool { return !s.Safe() }) {
		return Search{}
	}
	return Search{Path: append(slices.Clip(lead), ref.Prefix...), Ok: true}
}

// FindSafe returns the way along safe edges, which never repeat rows.
func FindSafe(cat *catalog.Catalog, home *catalog.Dataset, ref resolve.Ref) Search {
	return Find(home, ref, func(to *catalog.Dataset) [][]catalog.JoinStep { return cat.SafePaths(home, to, MaxPaths) })
}

// FindSafeRoute returns the route from a root to a reference along safe edges; ok is false where
// there is none. The error is a *planerr.Error where there are several.
func FindSafeRoute(cat *catalog.Catalog, root *catalog.Dataset, ref resolve.Ref) (r Route, ok bool, err error) {
	w := FindSafe(cat, root, ref)
	if w.Tied != nil {
		prefixes := make([][]catalog.JoinStep, len(w.Tied))
		for i, p := range w.Tied {
			prefixes[i] = append(slices.Clone(p), ref.Prefix...)
		}
		return Route{}, false, SeveralPathsError(root, ref, prefixes)
	}
	return Route{Ref: ref, Path: w.Path, Named: len(ref.Prefix) > 0}, w.Ok, nil
}

// NoPathError returns the error of references that no dataset reaches together with the home of some metrics.
func NoPathError(home *catalog.Dataset, metrics []string, missing []resolve.Ref) *planerr.Error {
	return &planerr.Error{
		Code: planerr.CodeNoJoinPath,
		Message: "no dataset reaches both " + home.Name + ", where " + strings.Join(metrics, ", ") +
			" is computed, and " + JoinRefTexts(missing) + " along many-to-one relationships",
		Metrics: metrics,
	}
}

// JoinRefTexts lists references as a message holds them.
func JoinRefTexts(refs []resolve.Ref) string {
	parts := make([]string, len(refs))
	for i, r := range refs {
		parts[i] = r.String()
	}
	return strings.Join(parts, ", ")
}

// Index holds the safe paths that the branches of a query have requested. Branches of one home request the same ones.
type Index struct {
	ends  naming.Numbers[Ends]
	found [][][]catalog.JoinStep // by the number of their ends
}

// Ends are the datasets between which paths lead.
type Ends struct{ From, To *catalog.Dataset }

// FindOrSearch returns the paths between two datasets, and searches them the first time.
func (x *Index) FindOrSearch(cat *catalog.Catalog, ends Ends) [][]catalog.JoinStep {
	if only := cat.OnlySafeEdge(ends.From, ends.To); only != nil {
		return only
	}
	if at, known := x.ends.Find(ends); known {
		return x.found[at]
	}
	x.ends.AddNewKey(ends)
	x.found = append(x.found, cat.SafePaths(ends.From, ends.To, MaxPaths))
	return x.found[len(x.found)-1]
}

// SameSets compares two lists of paths as sets.
func SameSets(a, b [][]catalog.JoinStep) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(path []catalog.JoinStep) bool {
		return !slices.ContainsFunc(b, func(other []catalog.JoinStep) bool { return slices.Equal(path, other) })
	})
}

package detail

import (
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// findRoutes decides how each reference is reached from the root, along edges
// that never multiply rows.
func (d *resolvedQuery) findRoutes() ([]joinpath.Route, error) {
	refs := refsReadByQuery(d.fields, d.where, d.rng)
	routes := make([]joinpath.Route, len(refs))
	for i, ref := range refs {
		if err := d.rooted.ctx.Err(); err != nil {
			return nil, err
		}
		r, ok, err := joinpath.FindSafeRoute(d.rooted.cat, d.rooted.root, ref)
		if err != nil {
			return nil, d.translatePathRetry(err, ref)
		}
		if !ok {
			return nil, d.unreachableError(ref)
		}
		routes[i] = r
	}
	return routes, nil
}

// translatePathRetry puts the retry of an ambiguous path in terms of this plane's query.
func (d *resolvedQuery) translatePathRetry(err error, ref resolve.Ref) error {
	var perr *planerr.Error
	if !errors.As(err, &perr) || perr.Code != planerr.CodeAmbiguousJoinPath {
		return err
	}
	if paths := d.rooted.cat.SafePaths(d.rooted.root, ref.Field.Dataset, 1); len(paths) == 1 {
		perr.Fragment = d.queryFragmentWithMovedReferences(func(r resolve.Ref) resolve.Ref {
			if r.IsSame(ref) {
				return resolve.Ref{Prefix: paths[0], Field: r.Field}
			}
			return r
		})
	}
	return perr
}

// unreachableError returns the error of a reference that no safe path leads to.
func (d *resolvedQuery) unreachableError(ref resolve.Ref) error {
	target := ref.Field.Dataset
	roots := d.candidateRootsFor(target)
	if len(roots) == 0 && !d.hasDatasetJoinedToRootAndTarget(target) {
		e := &planerr.Error{
			Code: planerr.CodeNoJoinPath,
			Message: "no relationship path leads from " + d.rooted.root.Name + " to " + target.Name + ", so a row of " + d.rooted.root.Name +
				" has no " + ref.String(),
		}
		if fields := d.queryFieldsNotReadingRef(ref); len(fields) > 0 {
			e.Fragment = map[string]any{"fields": fields}
		}
		return e
	}
	e := &planerr.Error{Code: planerr.CodeDetailFanout}
	for _, r := range roots {
		for _, path := range d.rooted.cat.SafePaths(r, d.rooted.root, resolve.MaxCandidates) {
			e.Candidates = append(e.Candidates, resolve.PathText(path))
		}
	}
	if len(roots) == 0 {
		e.Candidates = d.unprovenPaths(ref)
		e.Message = "a row of " + d.rooted.root.Name + " may have many of " + target.Name + ", because no relationship between them is proven many-to-one"
		e.SuggestedRetry = "leave out " + ref.String() + ", or declare a key of the dataset on the one side, or the relationship's cardinality"
		return e
	}
	e.Candidates = e.Candidates[:min(len(e.Candidates), resolve.MaxCandidates)]
	e.Message = "a row of " + d.rooted.root.Name + " may have many of " + target.Name + ": ask from " + roots[0].Name +
		", which has one row of " + d.rooted.root.Name + " each"
	e.SuggestedRetry = "ask from " + roots[0].Name
	for _, r := range roots[:min(len(roots), maxRootsTried)] {
		if fragment := d.retryFromRoot(r); d.planSucceeds(fragment) {
			e.Fragment = fragment
			break
		}
	}
	return e
}

// maxRootsTried bounds the queries planned for one error.
const maxRootsTried = 5

// candidateRootsFor lists the datasets of which each row has at most one of this root
// and one of the target: the target itself first, then those with the fewest
// joins.
func (d *resolvedQuery) candidateRootsFor(target *catalog.Dataset) []*catalog.Dataset {
	type candidate struct {
		dataset *catalog.Dataset
		joins   int
	}
	var found []candidate
	for _, r := range d.rooted.cat.Datasets {
		if r == d.rooted.root || !d.rooted.cat.ReachesSafely(r, d.rooted.root) || !d.rooted.cat.ReachesSafely(r, target) {
			continue
		}
		found = append(found, candidate{r, resolve.ShortestPathLength(d.rooted.cat, r, d.rooted.root) + resolve.ShortestPathLength(d.rooted.cat, r, target)})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		switch {
		case (a.dataset == target) != (b.dataset == target):
			if a.dataset == target {
				return -1
			}
			return 1
		default:
			return a.joins - b.joins
		}
	})
	out := make([]*catalog.Dataset, len(found))
	for i, c := range found {
		out[i] = c.dataset
	}
	return out
}

// hasDatasetJoinedToRootAndTarget reports whether some dataset leads to both, proven or not.
func (d *resolvedQuery) hasDatasetJoinedToRootAndTarget(target *catalog.Dataset) bool {
	return slices.ContainsFunc(d.rooted.cat.Datasets, func(r *catalog.Dataset) bool {
		return len(d.rooted.cat.DeclaredDirectionPaths(r, d.rooted.root, 1)) > 0 && len(d.rooted.cat.DeclaredDirectionPaths(r, target, 1)) > 0
	})
}

// unprovenPaths lists the paths between root and target that nothing proves.
func (d *resolvedQuery) unprovenPaths(ref resolve.Ref) []string {
	if len(ref.Prefix) > 0 {
		return []string{resolve.PathText(ref.Prefix)}
	}
	var out []string
	for _, ends := range [][2]*catalog.Dataset{{ref.Field.Dataset, d.rooted.root}, {d.rooted.root, ref.Field.Dataset}} {
		for _, p := range d.rooted.cat.DeclaredDirectionPaths(ends[0], ends[1], resolve.MaxCandidates) {
			if text := resolve.PathText(p); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out[:min(len(out), resolve.MaxCandidates)]
}

// queryFieldsNotReadingRef lists the query's fields less those that read a reference.
func (d *resolvedQuery) queryFieldsNotReadingRef(ref resolve.Ref) []string {
	var out []string
	for i, f := range d.fields {
		if !f.ref.IsSame(ref) {
			out = append(out, d.rooted.q.Fields[i])
		}
	}
	if len(out) == len(d.fields) {
		return nil
	}
	return out
}

// retryFromRoot returns the query asked from another root. References keep their
// spelling where it still means the same field by the same way; the others are
// spelled by their path.
func (d *resolvedQuery) retryFromRoot(root *catalog.Dataset) map[string]any {
	toRoot := d.rooted.cat.SafePaths(root, d.rooted.root, 1)[0]
	fragment := d.queryFragmentWithMovedReferences(func(ref resolve.Ref) resolve.Ref {
		start := ref.Field.Dataset
		if len(ref.Prefix) > 0 {
			return resolve.Ref{Prefix: append(slices.Clone(toRoot), ref.Prefix...), Field: ref.Field}
		}
		if start == root || len(d.rooted.cat.SafePaths(root, start, 2)) < 2 {
			return ref
		}
		onward := [][]catalog.JoinStep{{}}
		if start != d.rooted.root {
			onward = d.rooted.cat.SafePaths(d.rooted.root, start, 1)
		}
		if len(onward) == 0 {
			return ref
		}
		return resolve.Ref{Prefix: append(slices.Clone(toRoot), onward[0]...), Field: ref.Field}
	}, root)
	fragment["from"] = root.Name
	return fragment
}

// queryFragmentWithMovedReferences holds the parts of the query in which some reference is spelled
// differently once it is moved: to another path, or to another root. What a
// bare name means depends on the root.
func (d *resolvedQuery) queryFragmentWithMovedReferences(move func(resolve.Ref) resolve.Ref, root ...*catalog.Dataset) map[string]any {
	fragment := map[string]any{}
	names := d.rooted.names
	if len(root) > 0 {
		names = &resolve.Resolver{Cat: d.rooted.cat, Homes: root, Root: root[0]}
	}
	keeps := func(parts []string, moved resolve.Ref) bool {
		now, err := names.Resolve(parts)
		return err == nil && now.IsSame(moved)
	}
	fields := slices.Clone(d.rooted.q.Fields)
	for i, f := range d.fields {
		moved := move(f.ref)
		if parts, err := resolve.SplitPath(f.text); err == nil && !keeps(parts, moved) {
			fields[i] = scope.AppendUnit(moved.Text(), f.group().UnitText())
			fragment["fields"] = fields
		}
	}
	if where, changed := d.respellWhere(move, keeps); changed {
		fragment["where_sql"] = where
	}
	if d.rng != nil && d.rooted.q.TimeRange.Dimension != "" {
		moved := move(d.rng.ref)
		if parts, err := resolve.SplitPath(d.rooted.q.TimeRange.Dimension); err == nil && !keeps(parts, moved) {
			r := *d.rooted.q.TimeRange
			r.Dimension = moved.Text()
			fragment["time_range"] = r
		}
	}
	return fragment
}

func (d *resolvedQuery) respellWhere(move func(resolve.Ref) resolve.Ref, keeps func([]string, resolve.Ref) bool) (string, bool) {
	if d.where.expr == nil {
		return "", false
	}
	changed := false
	e := sqlexpr.Rewrite(d.where.expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		col, ok := x.(*sqlexpr.Column)
		if !ok {
			return nil
		}
		parts := resolve.NameTexts(col.Path)
		ref, err := d.rooted.names.Resolve(parts)
		if err != nil {
			return x
		}
		moved := move(ref)
		if keeps(parts, moved) {
			return x
		}
		changed = true
		return moved.AsColumnExpr()
	})
	return sqlexpr.Format(e), changed
}

// planSucceeds reports whether the query plans once a fragment is merged, or gets past
// the question of its root.
func (d *resolvedQuery) planSucceeds(fragment map[string]any) bool {
	patched, ok := d.rooted.q.ApplyRetryFragment(fragment)
	if !ok {
		return false
	}
	_, err := planWithExtendedCatalog(d.rooted.ctx, d.rooted.cat, &patched, d.rooted.asked, d.rooted.in.Target)
	var perr *planerr.Error
	if errors.As(err, &perr) {
		return !strings.HasPrefix(perr.Code, planerr.CodeDetailFanout) && perr.Code != planerr.CodeNoJoinPath && perr.Code != planerr.CodeInternal
	}
	return err == nil
}

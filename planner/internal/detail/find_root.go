package detail

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// findRoot looks up the dataset whose rows the result has.
func findRoot(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, s StatementConditionsAndLimit, t plan.Target) (*queryWithRoot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root := cat.Dataset(q.From)
	if root == nil {
		return nil, unknownRootError(ctx, cat, q, s, t)
	}
	return newQueryWithRoot(ctx, cat, q, s, root, t), nil
}

func newQueryWithRoot(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, s StatementConditionsAndLimit, root *catalog.Dataset, t plan.Target) *queryWithRoot {
	return &queryWithRoot{
		ctx: ctx, cat: cat, q: q, asked: s, root: root,
		in:    scope.NewRecordsEnv(ctx, cat, q, t),
		names: &resolve.Resolver{Cat: cat, Homes: []*catalog.Dataset{root}, Root: root},
	}
}

func unknownRootError(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, s StatementConditionsAndLimit, t plan.Target) error {
	var names []string
	for _, ds := range cat.ShownDatasets() {
		names = append(names, ds.Name)
	}
	message := "the model has no dataset named " + q.From
	if q.From == "" {
		message = "the query names no dataset in from"
	}
	candidates := suggest.Nearest(q.From, names, resolve.MaxCandidates)
	return &planerr.Error{
		Code:       planerr.CodeUnknownDataset,
		Message:    message,
		Candidates: candidates,
		Fragment:   fittingRootRetry(ctx, cat, q, s, t, candidates),
	}
}

// fittingRootRetry returns the nearest dataset from which the rest of the query plans.
func fittingRootRetry(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, s StatementConditionsAndLimit, t plan.Target, names []string) map[string]any {
	for _, name := range names {
		if cat.Dataset(name) == nil {
			continue
		}
		other := *q
		other.From = name
		if _, err := planWithExtendedCatalog(ctx, cat, &other, s, t); err == nil {
			return map[string]any{"from": name}
		}
	}
	return nil
}

// checkDuplicateOutputNames rejects two projections of one output name.
func (rq *queryWithRoot) checkDuplicateOutputNames(fields []projectedField) error {
	seen := make(map[string]bool, len(fields))
	for i, f := range fields {
		if key := strings.ToLower(f.name); !seen[key] {
			seen[key] = true
			continue
		}
		e := &planerr.Error{
			Code:    planerr.CodeDuplicateOutputName,
			Message: "two fields give the output column " + f.name,
		}
		asked := slices.Clone(rq.q.Fields)
		if named, ok := rq.findRolePath(fields, f.ref); ok {
			asked[i] = scope.AppendUnit(named.Text(), f.group().UnitText())
			e.Message += "; spelled by its path, the second is the column " + named.OutputName()
		} else {
			asked = slices.Delete(asked, i, i+1)
		}
		e.Fragment = map[string]any{"fields": asked}
		return e
	}
	return nil
}

// findRolePath returns an unprefixed reference by the one path that leads to it, which gives
// its column a distinct name. ok is false if there is no such path, or
// if the field is projected that way or twice the same way already.
func (rq *queryWithRoot) findRolePath(fields []projectedField, ref resolve.Ref) (named resolve.Ref, ok bool) {
	if len(ref.Prefix) > 0 || ref.Field.Dataset == rq.root {
		return named, false
	}
	paths := rq.cat.SafePaths(rq.root, ref.Field.Dataset, 2)
	if len(paths) != 1 {
		return named, false
	}
	named = resolve.Ref{Prefix: paths[0], Field: ref.Field}
	times := 0
	for _, f := range fields {
		if f.ref.IsSame(named) {
			return named, false
		}
		if f.ref.IsSame(ref) {
			times++
		}
	}
	return named, times == 1
}

package scope

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// RowDimension finds the dimension of time_range in a query over the rows of one dataset.
type RowDimension struct {
	In   *Env
	Root *catalog.Dataset
}

// DefaultDimension returns the dimension of a range that names none: the only time field among those that
// the result shows, else the root's primary one, else the root's only one.
func (d RowDimension) DefaultDimension(shown []resolve.Ref) (resolve.Ref, error) {
	var times []resolve.Ref
	for _, ref := range shown {
		if ref.Field.IsTime && !slices.ContainsFunc(times, ref.IsSame) {
			times = append(times, ref)
		}
	}
	if len(times) == 1 {
		return times[0], nil
	}
	if d.Root.PrimaryTime != nil {
		return resolve.Ref{Field: d.Root.PrimaryTime}, nil
	}
	var own []*catalog.Field
	for f := range d.In.Cat.FieldsOf(d.Root) {
		if f.IsTime {
			own = append(own, f)
		}
	}
	if len(own) == 1 {
		return resolve.Ref{Field: own[0]}, nil
	}
	return resolve.Ref{}, d.ambiguousOrMissingDimensionError(times)
}

// ambiguousOrMissingDimensionError returns the error of a range that names none of several dimensions, or that has none.
func (d RowDimension) ambiguousOrMissingDimensionError(times []resolve.Ref) error {
	e := &planerr.Error{
		Code:       planerr.CodeTimeRangeNeedsDimension,
		Message:    "several time dimensions could be meant by time_range: name one as its dimension",
		Candidates: d.DimensionCandidates(times),
	}
	if len(e.Candidates) == 0 {
		e.Message = "time_range has no time dimension to apply to: " + d.Root.Name + " reaches none"
		e.Fragment = map[string]any{"time_range": nil}
		return e
	}
	if len(e.Candidates) == 1 {
		e.Message = "neither the fields nor " + d.Root.Name + " have a single time dimension for time_range: name one as its dimension"
	}
	withDimension := *d.In.Keys.TimeRange
	withDimension.Dimension = e.Candidates[0]
	e.Fragment = map[string]any{"time_range": withDimension}
	return e
}

// DimensionCandidates lists the time dimensions that a range could name, the shown ones first,
// then the root's, then the others within reach: by each path where several lead to one.
func (d RowDimension) DimensionCandidates(shown []resolve.Ref) []string {
	refs := slices.Clone(shown)
	add := func(ref resolve.Ref) {
		if f := ref.Field; f.IsTime && f.AllowsTimeGrains() && f.ErrorForDialect(d.In.Target.Dialect) == nil && !slices.ContainsFunc(refs, ref.IsSame) {
			refs = append(refs, ref)
		}
	}
	for _, f := range d.Root.Fields {
		add(resolve.Ref{Field: f})
	}
	for f := range d.In.Cat.AllFields() {
		paths := d.In.Cat.SafePaths(d.Root, f.Dataset, resolve.MaxCandidates)
		if len(paths) == 1 {
			add(resolve.Ref{Field: f})
			continue
		}
		for _, p := range paths {
			add(resolve.Ref{Prefix: p, Field: f})
		}
	}
	var names []string
	for _, ref := range refs {
		if ref.Field.AllowsTimeGrains() {
			names = append(names, ref.Text())
		}
	}
	return names[:min(len(names), resolve.MaxCandidates)]
}

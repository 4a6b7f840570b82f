package scope

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// TimeDimensionNames lists the time dimensions that every home of the query reaches, each by
// the name that means it: the path where several lead there.
func TimeDimensionNames(in *Env, homes []*catalog.Dataset) []string {
	var names []string
	for f := range in.Cat.AllFields() {
		if f.IsTime && f.AllowsTimeGrains() && f.ErrorForDialect(in.Target.Dialect) == nil {
			names = append(names, fieldNamesFromHomes(in.Cat, homes, f)...)
		}
	}
	return names[:min(len(names), resolve.MaxCandidates)]
}

func fieldNamesFromHomes(cat *catalog.Catalog, homes []*catalog.Dataset, f *catalog.Field) []string {
	name := f.QualifiedName()
	for _, home := range homes {
		paths := cat.SafePaths(home, f.Dataset, resolve.MaxCandidates)
		switch {
		case len(paths) == 0:
			return nil
		case len(paths) > 1 && len(homes) > 1:
			return nil // a path leaves one home, and the name alone is ambiguous
		case len(paths) > 1:
			var out []string
			for _, p := range paths {
				out = append(out, resolve.Ref{Prefix: p, Field: f}.String())
			}
			return out
		}
	}
	return []string{name}
}

// SuggestTimeDimensions makes an error about the name of a range's dimension suggest time
// dimensions only: the planner would reject any other field next. The retry takes the one that is meant.
func (in *Env) SuggestTimeDimensions(err error, dimension string, times []string) error {
	var e *planerr.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case planerr.CodeUnknownDimension:
		if better, ok := suggest.Respelling(dimension, times); ok {
			e.Respelling = better
		}
		if e.Respelling != "" {
			e.Fragment = in.RenameRangeDimension(dimension, e.Respelling)
		}
		e.Candidates, e.UnknownName = suggest.Nearest(dimension, times, resolve.MaxCandidates), ""
	case planerr.CodeAmbiguousDimension:
		e.Candidates = slices.DeleteFunc(slices.Clone(e.Candidates), func(name string) bool { return !slices.Contains(times, name) })
	}
	return err
}

// RangeDimension returns the dimension that the range of a tag names; "" where it names none, or the query has no such range.
func (in *Env) RangeDimension(tag string) string {
	if r := in.Keys.TimeRange; r != nil && tag == "" {
		return r.Dimension
	}
	i := slices.IndexFunc(in.Keys.TimeRanges, func(r query.TaggedRange) bool { return r.Tag == tag })
	if i < 0 {
		return ""
	}
	return in.Keys.TimeRanges[i].Dimension
}

// RenameRangeDimension returns a retry in which the ranges over a dimension are over another; nil where no range names it.
func (in *Env) RenameRangeDimension(name, better string) map[string]any {
	if r := in.Keys.TimeRange; r != nil && r.Dimension == name {
		renamed := *r
		renamed.Dimension = better
		return map[string]any{"time_range": renamed}
	}
	changed := slices.Clone(query.TaggedRanges(in.Keys.TimeRanges))
	isChanged := false
	for i := range changed {
		if changed[i].Dimension == name {
			changed[i].Dimension, isChanged = better, true
		}
	}
	if !isChanged {
		return nil
	}
	return map[string]any{"time_ranges": changed}
}

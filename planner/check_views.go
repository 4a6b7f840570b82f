package planner

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// CheckViews reads the conditions and the time range of every view of the catalog as a query in it does. A view that cannot be used is an error
// at its place. The error is what ctx ended with.
func CheckViews(ctx context.Context, cat *catalog.Catalog, t Target) ([]*modelspec.CompileError, error) {
	t.Now = t.NowOrCallTime()
	var out []*modelspec.CompileError
	for _, v := range cat.Views {
		if v.Err != nil {
			continue
		}
		in := scope.NewEnv(ctx, cat.InView(v), &query.MetricQuery{}, t)
		key, err := checkView(in)
		if late := ctx.Err(); late != nil {
			return nil, late
		}
		if err == nil {
			continue
		}
		found := &modelspec.CompileError{
			Code: extension.CodeInvalidPayload, Location: v.Location, Position: v.Position,
			Message: "the view " + v.Name + " cannot be used, because of its " + key + ": " + err.Error(), Hint: "see docs/extension/views.md#views",
		}
		var refused *planerr.Error
		if errors.As(err, &refused) {
			found.Candidates = refused.Candidates
		}
		out = append(out, found)
	}
	return out, nil
}

// checkView reads the conditions and the time range of the view that a query is in. The key is that of the error.
func checkView(in *scope.Env) (key string, err error) {
	if in.View.Where.Named != "" {
		if _, _, err := where.ParseViewCondition(in, in.View.Where, nil); err != nil {
			return "where", err
		}
	}
	for _, filter := range in.View.Filters {
		if _, _, err := where.ParseViewCondition(in, filter, nil); err != nil {
			return "filters", err
		}
	}
	given, dimension, err := viewrange.Of(in)
	if given == nil || err != nil {
		return "time_range", err
	}
	if hasBoundsAndRelativeRange(given) {
		return "time_range", timerange.InvalidRangeBoundsError("last excludes start and end")
	}
	interval, err := in.Times.ReadInterval("time_range", *given)
	if err == nil && dimension != nil {
		err = where.CheckTimeRangeFitsDimension(in, nil, interval, "", *dimension)
	}
	return "time_range", err
}

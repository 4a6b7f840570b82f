package scope

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// ofPart returns the group with a part of the time in place of the time.
func (g Group) ofPart(p sqlexpr.TimePart) Group {
	g.Part, g.Type = p, sqlexpr.TypeInt
	g.Name += "__" + p.String()
	return g
}

// UnitText returns the name of the group's grain, period or part; "" for a group without one.
func (g Group) UnitText() string {
	if g.Part != sqlexpr.PartNone {
		return g.Part.String()
	}
	return g.BucketUnit().String()
}

// parseTimePart reads the part of a group-by item.
func parseTimePart(q *query.MetricQuery, item query.GroupBy) (sqlexpr.TimePart, error) {
	if item.Part == "" {
		return sqlexpr.PartNone, nil
	}
	replaced := func(unit string) map[string]any {
		return map[string]any{"group_by": ReplaceGroupByItem(q.GroupBy, item, item.WithUnit(unit))}
	}
	if p, ok := sqlexpr.ParseTimePart(item.Part); ok && item.Grain == "" {
		return p, nil
	} else if ok {
		return sqlexpr.PartNone, &planerr.Error{
			Code:     planerr.CodeBadRequest,
			Message:  item.Field + " is grouped by a grain or by a part, and the item has both: " + planerr.ClipText(item.Grain) + " and " + item.Part,
			Fragment: replaced(item.Part),
		}
	}
	names := sqlexpr.TimePartNames()
	e := &planerr.Error{
		Code:       planerr.CodeBadRequest,
		Message:    "unknown part " + planerr.ClipText(item.Part) + " of a time: it is one of " + strings.Join(names, ", "),
		Candidates: suggest.Nearest(item.Part, names, len(names)),
	}
	lower := strings.ToLower(item.Part)
	begins := slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, lower+"_of_") })
	if better, ok := suggest.Respelling(item.Part, sqlexpr.TimePartNames()); ok {
		e.Fragment = replaced(better)
	} else if len(begins) == 1 {
		e.Fragment = replaced(begins[0])
	} else if _, ok := sqlexpr.ParseGrain(lower); ok {
		e.Fragment = replaced(lower)
	}
	return sqlexpr.PartNone, e
}

// checkGroupUnit rejects the grain or the part of a group that a field does not have.
func (in *Env) checkGroupUnit(g Group, f *catalog.Field) error {
	return in.CheckUnit(g, f, f.QualifiedName(), func(unit string) map[string]any {
		return map[string]any{"group_by": ReplaceGroupByItem(in.Query.GroupBy, g.Item, g.Item.WithUnit(unit))}
	})
}

// CheckAxisUnit rejects the grain or the part of a group of metric_time that an axis does not have.
func (in *Env) CheckAxisUnit(g Group, axis *catalog.Field) error {
	if g.HasStoredValue() {
		return nil
	}
	return in.checkGroupUnit(g, axis)
}

// CheckUnit rejects the grain or the part of a group of a field that has no calendar, or one finer than what the field stores.
// replaced returns the fragment with another grain or part, or with none.
func (in *Env) CheckUnit(g Group, f *catalog.Field, field string, replaced func(unit string) map[string]any) error {
	kind, grain := "grain", g.Grain
	if g.Part != sqlexpr.PartNone {
		kind, grain = "part", g.Part.Unit()
	}
	if !f.AllowsTimeGrains() {
		return &planerr.Error{
			Code:     planerr.CodeGrainOnNonTimeDimension,
			Message:  field + " is not a time dimension that takes a " + kind + ", so " + g.UnitText() + " does not apply",
			Fragment: replaced(""),
		}
	}
	if stored := f.StoredGrain(); grain < stored {
		coarser := stored.String()
		if parts := f.TimeParts(); g.Part != sqlexpr.PartNone && len(parts) > 0 {
			coarser = parts[0].String()
		}
		return &planerr.Error{
			Code:     planerr.CodeGrainTooFine,
			Message:  field + " is stored by " + stored.String() + ", which cannot be split by " + g.UnitText(),
			Fragment: replaced(coarser),
		}
	}
	return in.CheckWeekStartMatchesField(f, g.Grain)
}

// CheckWeekStartMatchesField rejects weeks that begin on another day than those that the field stores.
func (in *Env) CheckWeekStartMatchesField(f *catalog.Field, grain sqlexpr.Grain) error {
	if grain != sqlexpr.GrainWeek || f.StoredGrain() != sqlexpr.GrainWeek || in.Times.Clock.WeekStartsOnMonday() {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeGrainTooFine,
		Message:  f.QualifiedName() + " stores weeks that begin on Monday, which cannot begin on another day",
		Fragment: map[string]any{"week_start": "monday"},
	}
}

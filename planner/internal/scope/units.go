package scope

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// AxisTypeText names the type of the group's values over an axis.
func (g Group) AxisTypeText(axis *catalog.Field) string {
	if g.HasStoredValue() {
		return storedTimeTypeText(axis)
	}
	return axis.BucketType(g.Grain).String()
}

// storedTimeTypeText names how a time field is stored: days and timestamps compare with each
// other, codes only with codes of one format.
func storedTimeTypeText(f *catalog.Field) string {
	switch {
	case f.Encoding != nil:
		return f.Encoding.Text + " in " + f.Type.String()
	case f.Type.IsDateOrTimestamp():
		return "time"
	}
	return f.Type.String()
}

// ParseBucketUnit reads a grain or a period of a calendar. Any other word is a malformed request, not a question
// about the model. For a name in other case, or with one wrong letter, replaced returns the fragment with the right spelling.
func ParseBucketUnit(cat *catalog.Catalog, text string, replaced func(spelling string) map[string]any) (catalog.GrainOrPeriod, error) {
	if text == "" {
		return catalog.GrainOrPeriod{}, nil
	}
	if g, ok := sqlexpr.ParseGrain(text); ok {
		return catalog.GrainOrPeriod{Grain: g}, nil
	}
	if p := cat.Period(text); p != nil {
		return catalog.GrainOrPeriod{Period: p}, nil
	}
	names := cat.BucketUnitNames()
	e := &planerr.Error{
		Code:       planerr.CodeBadRequest,
		Message:    "unknown grain " + text + ": it is one of " + strings.Join(names[:min(len(names), resolve.MaxCandidates)], ", "),
		Candidates: suggest.Nearest(text, names, resolve.MaxCandidates),
	}
	lower := strings.ToLower(text)
	if sqlexpr.IsTimePart(lower) {
		e.Message = lower + " is a part of a time, not a grain: a group has it as its part"
		e.Fragment = replaced(lower)
	} else if _, ok := sqlexpr.ParseGrain(lower); ok {
		e.Message = "grain " + text + " is unknown: grains are written in lower case, as " + lower
		e.Fragment = replaced(lower)
	} else if _, ok := sqlexpr.ParseGrain(strings.TrimSuffix(lower, "s")); ok {
		e.Fragment = replaced(strings.TrimSuffix(lower, "s"))
	} else if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) }); i >= 0 {
		e.Message = "grain " + text + " is unknown: the period of the calendar is written " + names[i]
		e.Fragment = replaced(names[i])
	} else if better, ok := suggest.Respelling(text, names); ok {
		e.Fragment = replaced(better)
	}
	return catalog.GrainOrPeriod{}, e
}

// BucketUnit returns the unit of the group's buckets; zero for a group without a grain.
func (g Group) BucketUnit() catalog.GrainOrPeriod {
	if g.Period != nil {
		return catalog.GrainOrPeriod{Period: g.Period}
	}
	return catalog.GrainOrPeriod{Grain: g.Grain}
}

// grainOfUnit returns the grain of the days or times that buckets of a unit are made of: periods are made of days.
func grainOfUnit(u catalog.GrainOrPeriod) sqlexpr.Grain {
	if u.Period != nil {
		return sqlexpr.GrainDay
	}
	return u.Grain
}

// HasFinerBuckets reports whether the buckets of a group are those that the buckets of another group of the same
// field may be made of: days and what is finer, and the grain of which a period has whole buckets, before periods of calendars.
func (g Group) HasFinerBuckets(o Group) bool {
	switch {
	case (g.Period == nil) == (o.Period == nil):
		return g.Grain < o.Grain
	case g.Period != nil:
		return !o.HasFinerBuckets(g)
	}
	return g.Grain <= sqlexpr.GrainDay || o.Period.Whole != sqlexpr.GrainNone && g.Grain.Subdivides(o.Period.Whole)
}

// CanCountBucketsIn reports whether a unit can count the buckets of the group: plain units count plain buckets, and
// the periods of a calendar its own periods and days.
func (g Group) CanCountBucketsIn(u catalog.GrainOrPeriod) bool {
	switch {
	case u.Period == nil:
		return g.Period == nil
	case g.Period == nil:
		return g.Grain == sqlexpr.GrainDay
	}
	return g.Period.Calendar == u.Period.Calendar
}

// FinestUnit returns the grain that the values of the group tell apart: that of its buckets or of its part.
func (g Group) FinestUnit() sqlexpr.Grain {
	if g.Part != sqlexpr.PartNone {
		return g.Part.Unit()
	}
	return g.Grain
}

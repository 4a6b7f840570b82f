package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// HasCalendar reports whether the field's values can be placed in calendar
// buckets: it is a time field and holds dates or timestamps (an undeclared type
// is taken at its word), or encodes them.
func (f *Field) HasCalendar() bool {
	if f.Encoding != nil {
		return true
	}
	return f.IsTime && (f.Type.IsInstant() || f.Type == sqlexpr.TypeUnknown)
}

// StoredGrain is the finest period that the field can tell apart; GrainNone when it
// is finer than a day.
func (f *Field) StoredGrain() sqlexpr.Grain {
	if f.Encoding != nil {
		return max(f.Granularity, f.Encoding.Grain)
	}
	return f.Granularity
}

// Grains lists the grains that a query may ask of the field, from fine to coarse;
// none when it has no calendar.
func (f *Field) Grains() []sqlexpr.Grain {
	if !f.HasCalendar() {
		return nil
	}
	var out []sqlexpr.Grain
	for _, name := range sqlexpr.GrainNames() {
		if g, _ := sqlexpr.ParseGrain(name); g >= f.StoredGrain() {
			out = append(out, g)
		}
	}
	return out
}

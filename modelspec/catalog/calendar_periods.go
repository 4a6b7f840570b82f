package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Calendar names periods of the days that a dataset lists, one row for each day.
type Calendar struct {
	Dataset *Dataset
	Date    *Field
	Periods []*Period // in the order of the model
}

// Period is a period of a calendar, which is a grain of time fields. Days with an equal value of
// Field are one period, which begins with the first of them. Days without a value are in no period.
type Period struct {
	Calendar *Calendar
	Name     string
	Field    *Field
	Whole    sqlexpr.Grain // of which each period has whole buckets; GrainNone when not declared
}

// GrainOrPeriod is what counts buckets: a grain or, where Period is set, a period of a calendar.
type GrainOrPeriod struct {
	Grain  sqlexpr.Grain
	Period *Period
}

// IsZero reports whether the unit counts nothing.
func (u GrainOrPeriod) IsZero() bool { return u == GrainOrPeriod{} }

// String returns the name of the unit in a query.
func (u GrainOrPeriod) String() string {
	if u.Period != nil {
		return u.Period.Name
	}
	return u.Grain.String()
}

// Periods lists the periods of all calendars in document order.
func (c *Catalog) Periods() []*Period {
	var out []*Period
	for _, d := range c.Datasets {
		if d.Calendar != nil {
			out = append(out, d.Calendar.Periods...)
		}
	}
	return out
}

// Period finds a period by its exact name; nil when there is none.
func (c *Catalog) Period(name string) *Period { return c.names.periods[name] }

// BucketUnitNames lists the grains from fine to coarse, then the periods of calendars.
func (c *Catalog) BucketUnitNames() []string {
	out := sqlexpr.GrainNames()
	for _, p := range c.Periods() {
		out = append(out, p.Name)
	}
	return out
}

// AllowsCalendarPeriods reports whether the periods of calendars are grains of the field: it stores days, or
// times within them.
func (f *Field) AllowsCalendarPeriods() bool {
	return f.AllowsTimeGrains() && f.StoredGrain() <= sqlexpr.GrainDay
}

// BucketUnitNamesOfField lists the grains of a field from fine to coarse, then the periods of calendars that it takes.
func (c *Catalog) BucketUnitNamesOfField(f *Field) []string {
	var out []string
	for _, g := range f.Grains() {
		out = append(out, g.String())
	}
	if f.AllowsCalendarPeriods() {
		for _, p := range c.Periods() {
			out = append(out, p.Name)
		}
	}
	return out
}

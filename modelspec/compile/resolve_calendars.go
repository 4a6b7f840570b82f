package compile

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addCalendars resolves the calendars of datasets. Each name of a period belongs to one of them.
func (c *compiler) addCalendars() {
	owners := map[string]*datasetInProgress{}
	for d := range cancel.EachUntilDone(c.ctx, c.datasets) {
		d.hideCalendarPeriods()
		if d.calendar == nil {
			continue
		}
		date := c.resolveCalendarDateField(d)
		periods := c.resolveCalendarPeriods(d, owners)
		if date == nil || len(periods) < len(d.calendar.Periods) {
			continue
		}
		d.cat.Calendar = &catalog.Calendar{Dataset: d.cat, Date: date, Periods: periods}
		for _, p := range periods {
			p.Calendar = d.cat.Calendar
		}
	}
}

// resolveCalendarDateField resolves the field of the days, which must be a key: a day with two rows would be in two
// periods.
func (c *compiler) resolveCalendarDateField(d *datasetInProgress) *catalog.Field {
	f := c.resolveCalendarField(d, d.calendar.Date)
	if f == nil {
		return nil
	}
	isKey := func(key []string) bool { return len(key) == 1 && strings.EqualFold(key[0], f.Name) }
	ref := d.calendar.Date
	switch {
	case f.Err != nil: // which is reported as the error of the field
		return nil
	case f.Type != sqlexpr.TypeDate || f.Encoding != nil:
		c.addErrorOnce(invalidReferenceError(ref, "calendar", "the date %s of a calendar must be of datatype Date", f.QualifiedName()).CompileError)
	case readsOtherTables(f):
		c.addErrorOnce(invalidReferenceError(ref, "calendar", "the date %s of a calendar reads other tables: the fields of a calendar are computed from its own columns", f.QualifiedName()).CompileError)
	case !isKey(d.cat.PrimaryKey) && !slices.ContainsFunc(d.cat.UniqueKeys, isKey):
		err := invalidReferenceError(ref, "calendar", "the date %s of a calendar is not by itself a primary key or a unique key of %s, so that a day may have several rows", f.QualifiedName(), d.cat.Name)
		err.Hint = "declare primary_key: [" + f.Name + "] on the dataset; " + err.Hint
		c.addErrorOnce(err.CompileError)
	default:
		return f
	}
	return nil
}

// readsOtherTables reports whether the value of a field needs other tables than its own.
func readsOtherTables(f *catalog.Field) bool {
	if f.ReadsJoinedTables("") {
		return true
	}
	for dialect := range f.Expr.ByDialect {
		if f.ReadsJoinedTables(dialect) {
			return true
		}
	}
	return false
}

// resolveCalendarField resolves a field that a calendar names.
func (c *compiler) resolveCalendarField(d *datasetInProgress, ref extension.ObjectRef) *catalog.Field {
	f, ok := c.findOwnFieldMaybeQualified(d, ref.Name)
	if !ok {
		c.addErrorOnce(invalidReferenceError(ref, "calendar", "%q is not a field of %s", ref.Name, d.cat.Name).errorWithCandidates(c, ref.Name, d.fieldNames))
		return nil
	}
	return f.cat
}

// resolveCalendarPeriods resolves the periods. Owners are the calendars of all names so far.
func (c *compiler) resolveCalendarPeriods(d *datasetInProgress, owners map[string]*datasetInProgress) []*catalog.Period {
	var out []*catalog.Period
	for _, p := range d.calendar.Periods {
		f := c.resolveCalendarField(d, p.Field)
		if f == nil {
			continue
		}
		key := foldCase(p.Name)
		switch owner := owners[key]; {
		case owner != nil:
			c.addErrorOnce(invalidReferenceError(p.Field, "calendar", "the period %q is a period of the calendar %s already", p.Name, owner.cat.Name).CompileError)
			continue
		case len(owners) >= limits.PeriodsOfAllCalendars:
			c.addErrorOnce(invalidReferenceError(p.Field, "calendar", "the calendars of the model have more than %d periods", limits.PeriodsOfAllCalendars).CompileError)
			continue
		case readsOtherTables(f):
			c.addErrorOnce(invalidReferenceError(p.Field, "calendar", "the period %q has the field %s, which reads other tables: the fields of a calendar are computed from its own columns", p.Name, f.QualifiedName()).CompileError)
			continue
		}
		owners[key] = d
		out = append(out, &catalog.Period{Name: p.Name, Field: f, Whole: p.Whole})
	}
	return out
}

// resolveWindowPeriods resolves the periods of calendars that a window counts or begins again with.
func (c *compiler) resolveWindowPeriods(m *metricInProgress, w *extension.Window) {
	p := c.resolvePeriodOfMetric(m, w.Granularity, "window")
	switch {
	case p == nil:
	case w.Spec.Offset != nil:
		w.Spec.Offset.Period = p
	default:
		w.Spec.Span().Period = p
	}
	p = c.resolvePeriodOfMetric(m, w.Reset, "window")
	switch {
	case p == nil:
	case w.Spec.Recompute != nil:
		w.Spec.Recompute.ResetPeriod = p
	case w.Spec.Cumulative != nil:
		w.Spec.Cumulative.ResetPeriod = p
	default:
		w.Spec.Frame.ResetPeriod = p
	}
}

// resolveGrainsOfMetric resolves the grains at which a metric has its meaning.
func (c *compiler) resolveGrainsOfMetric(m *metricInProgress) {
	for _, ref := range m.ext.Grains {
		unit := catalog.GrainOrPeriod{}
		if g, ok := sqlexpr.ParseGrain(ref.Name); ok {
			unit.Grain = g
		} else if unit.Period = c.resolvePeriodOfMetric(m, ref, "grains"); unit.Period == nil {
			continue
		}
		if !slices.Contains(m.cat.Grains, unit) {
			m.cat.Grains = append(m.cat.Grains, unit)
			c.cat.RestrictsGrains = true
		}
	}
}

// resolvePeriodOfMetric resolves the name of a period in a key of a metric; nil for none and for an unknown one.
func (c *compiler) resolvePeriodOfMetric(m *metricInProgress, ref extension.ObjectRef, key string) *catalog.Period {
	if !ref.IsSet() {
		return nil
	}
	for _, p := range c.cat.Periods() {
		if p.Name == ref.Name {
			return p
		}
	}
	c.failMetric(m, invalidReferenceError(ref, key, "%q is neither a grain nor a period of a calendar", ref.Name).errorWithCandidates(c, ref.Name, c.cat.BucketUnitNames))
	return nil
}

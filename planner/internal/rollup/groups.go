package rollup

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/plan"
)

// checkGroups tries the rule group_by: every group-by is stored, or joined.
func checkGroups(c *candidate) *plan.RollupRejection {
	for _, g := range c.Groups {
		missing := g.Field
		if g.Expression != nil {
			i := slices.IndexFunc(g.Expression, func(f Field) bool { return !c.reaches(f) || holdsOneOfEqualTexts(c, f) })
			if i < 0 {
				continue
			}
			missing = g.Expression[i]
		} else if c.isStored(g.Field) || c.reaches(g.Field) {
			continue
		}
		return c.rejectAbout(plan.RollupRuleGroupBy, g.Name, missing.Field, func(name string) string {
			return "the rollup has no column of " + name + " by this path, and no key that leads to it"
		})
	}
	return nil
}

// fields lists the fields that a group is made of.
func (g Group) fields() []Field {
	if g.Expression != nil {
		return g.Expression
	}
	return []Field{g.Field}
}

// checkGrains tries the rule grain: the stored form of each group-by gives the asked one.
func checkGrains(c *candidate) *plan.RollupRejection {
	for _, g := range c.Groups {
		if g.Expression != nil || c.reaches(g.Field) {
			continue
		}
		if rejected := checkGrain(c, g); rejected != nil {
			return rejected
		}
	}
	return nil
}

// checkGrain tries the rule grain on a group whose field is stored by grains alone.
func checkGrain(c *candidate, g Group) *plan.RollupRejection {
	reject := func(message func(string) string) *plan.RollupRejection {
		return c.rejectAbout(plan.RollupRuleGrain, "", g.Field.Field, message)
	}
	switch {
	case g.isRaw():
		return reject(func(string) string { return "the rollup holds periods, and the values themselves are asked" })
	case g.Period != nil:
		return reject(func(string) string {
			return "the periods of the calendar " + g.Period.Calendar.Dataset.Name + " are made of days, which the rollup does not hold as values"
		})
	case !hasClockOfModel(c.trial, g.Field):
		return reject(func(string) string {
			return "the rollup holds periods of the time zone of the model, and the query has another"
		})
	}
	for i := -1; i < len(g.Spans); i++ {
		unit := g.unit()
		if i >= 0 {
			unit = g.Spans[i]
		}
		if !storesParts(c, g.Field, unit, g.Part) {
			return reject(func(string) string { return storedGrainsText(c, g.Field) + " do not divide a " + unit.String() })
		}
	}
	return nil
}

// storesParts reports whether a column has buckets of a field that make those of a unit.
func storesParts(c *candidate, f Field, unit sqlexpr.Grain, part sqlexpr.TimePart) bool {
	for s := range c.stored(f) {
		if divides(c.trial, s.Grain, unit, part) {
			return true
		}
	}
	return false
}

// unit returns the unit of time that a group tells apart.
func (g Group) unit() sqlexpr.Grain {
	if g.Part != sqlexpr.PartNone {
		return g.Part.Unit()
	}
	return g.Grain
}

// divides reports whether stored buckets make those of a unit. Weeks of another first day are made of days.
func divides(t *trial, stored, unit sqlexpr.Grain, part sqlexpr.TimePart) bool {
	if !stored.Subdivides(unit) {
		return false
	}
	if stored != sqlexpr.GrainWeek {
		return true
	}
	if part != sqlexpr.PartNone { // whose weeks are those of ISO 8601
		return t.model.WeekStartsOnMonday()
	}
	return t.In.Times.Clock.HasWeekStartOfModel(t.In.Cat)
}

// hasClockOfModel reports whether the query reads the times of a field on the clock on which the rollup has its periods.
func hasClockOfModel(t *trial, f Field) bool {
	return t.In.Times.Clock.ForField(f.Field).ZoneName() == t.model.ForField(f.Field).ZoneName()
}

// storedGrainsText lists the buckets in which a field is stored: weeks, months and weeks.
func storedGrainsText(c *candidate, f Field) string {
	var texts []string
	for s := range c.stored(f) {
		texts = append(texts, s.Grain.String()+"s")
	}
	return strings.Join(texts, " and ")
}

// checkSameGroups tries the rule same_groups: a measure that has no value over several groups meets each of them alone.
func checkSameGroups(c *candidate) *plan.RollupRejection {
	m, needs := needsSameGroups(c)
	if !needs {
		return nil
	}
	if c.MergesGroups || c.CopiesRows || len(c.Groups) != len(c.rollup.Groups) {
		return c.rejectMeasure(plan.RollupRuleSameGroups, m, "", afterSeveralGroups)
	}
	for _, s := range c.table().Fields {
		if !slices.ContainsFunc(c.Groups, func(g Group) bool { return isAsStored(c, g, s) }) {
			return c.rejectMeasure(plan.RollupRuleSameGroups, m, "", afterSeveralGroups)
		}
	}
	return nil
}

// afterSeveralGroups follows a measure in a message.
const afterSeveralGroups = " of several groups does not follow from its values in each"

// isAsStored reports whether a group is a column of the table: the same field with the same unit.
func isAsStored(c *candidate, g Group, s joins.StoredField) bool {
	if g.Expression != nil || g.Part != sqlexpr.PartNone || g.Period != nil || !g.Field.IsSame(Field{s.Path, s.Field}) {
		return false
	}
	if s.Grain == sqlexpr.GrainNone {
		return g.Grain == sqlexpr.GrainNone || g.Grain == sqlexpr.GrainDay && s.Field.Type == sqlexpr.TypeDate && s.Field.Encoding == nil
	}
	return g.Grain == s.Grain && hasClockOfModel(c.trial, g.Field) && divides(c.trial, s.Grain, g.Grain, sqlexpr.PartNone)
}

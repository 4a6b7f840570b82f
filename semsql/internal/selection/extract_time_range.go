package selection

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// timeLimits is the limit that a condition gives a time field: it is at or after start, and before end. One may be open.
type timeLimits struct {
	field      *sqlexpr.Ref
	start, end *time.Time
}

// timeFieldInterval are the bounds of one field, and the conditions that give them.
type timeFieldInterval struct {
	timeLimits
	conds []int
}

// extractTimeRange makes a time range of the conditions that bound one time field by constants, and returns the other
// conditions. If several fields are bounded, prefers chooses the one to return.
func (c *selectClauses) extractTimeRange(conds []sqlexpr.Expr, prefers func([]*sqlexpr.Ref) *sqlexpr.Ref) (*query.TimeRange, []sqlexpr.Expr) {
	chosen := c.chooseInterval(c.collectTimeIntervals(conds), prefers)
	if chosen == nil || chosen.start != nil && chosen.end != nil && !chosen.start.Before(*chosen.end) {
		return nil, conds
	}
	var rest []sqlexpr.Expr
	for i, cond := range conds {
		if !slices.Contains(chosen.conds, i) {
			rest = append(rest, cond)
		}
	}
	return &query.TimeRange{Start: timeBoundText(chosen.start), End: timeBoundText(chosen.end), Dimension: c.Refs.ReferenceOf(chosen.field).FieldText()}, rest
}

func (c *selectClauses) chooseInterval(all []*timeFieldInterval, prefers func([]*sqlexpr.Ref) *sqlexpr.Ref) *timeFieldInterval {
	if len(all) == 1 {
		return all[0]
	}
	fields := make([]*sqlexpr.Ref, len(all))
	for i, v := range all {
		fields[i] = v.field
	}
	preferred := prefers(fields)
	for _, v := range all {
		if preferred != nil && v.field.ID == preferred.ID {
			return v
		}
	}
	return nil
}

// collectTimeIntervals joins the bounds of each field.
func (c *selectClauses) collectTimeIntervals(conds []sqlexpr.Expr) []*timeFieldInterval {
	var out []*timeFieldInterval
	for i, cond := range conds {
		b, ok := c.readTimeBound(cond)
		if !ok {
			continue
		}
		at := slices.IndexFunc(out, func(v *timeFieldInterval) bool { return v.field.ID == b.field.ID })
		if at < 0 {
			out = append(out, &timeFieldInterval{timeLimits: b, conds: []int{i}})
			continue
		}
		v := out[at]
		v.conds = append(v.conds, i)
		if b.start != nil && (v.start == nil || b.start.After(*v.start)) {
			v.start = b.start
		}
		if b.end != nil && (v.end == nil || b.end.Before(*v.end)) {
			v.end = b.end
		}
	}
	return out
}

// readTimeBound recognises a condition that bounds a time field by constants.
func (c *selectClauses) readTimeBound(cond sqlexpr.Expr) (timeLimits, bool) {
	switch e := cond.(type) {
	case *sqlexpr.Between:
		low, okLow := c.timeLimitsOfComparison(e.X, sqlexpr.OpGe, e.Lo)
		high, okHigh := c.timeLimitsOfComparison(e.X, sqlexpr.OpLe, e.Hi)
		return timeLimits{field: low.field, start: low.start, end: high.end}, okLow && okHigh && !e.Not
	case *sqlexpr.Binary:
		if b, ok := c.timeLimitsOfComparison(e.L, e.Op, e.R); ok {
			return b, true
		}
		return c.timeLimitsOfComparison(e.R, mirrorComparison(e.Op), e.L)
	}
	return timeLimits{}, false
}

// mirrorComparison returns a comparison with its sides exchanged.
func mirrorComparison(op sqlexpr.BinaryOp) sqlexpr.BinaryOp {
	switch op {
	case sqlexpr.OpLt:
		return sqlexpr.OpGt
	case sqlexpr.OpLe:
		return sqlexpr.OpGe
	case sqlexpr.OpGt:
		return sqlexpr.OpLt
	case sqlexpr.OpGe:
		return sqlexpr.OpLe
	}
	return op
}

// lastYear is that of the last day that a bound names.
const lastYear = 9999

// timeLimitsOfComparison returns the limits that field op constant gives. On a field of days every comparison is a half-open range; on others only
// those that are written so.
func (c *selectClauses) timeLimitsOfComparison(field sqlexpr.Expr, op sqlexpr.BinaryOp, constant sqlexpr.Expr) (timeLimits, bool) {
	ref, ok := field.(*sqlexpr.Ref)
	if !ok || !c.isTimeReference(ref) {
		return timeLimits{}, false
	}
	at, ok := c.clockTimeOfLiteral(constant)
	if !ok {
		return timeLimits{}, false
	}
	ofDays := c.timeAxisType(ref) == sqltype.Date
	var next time.Time
	if ofDays {
		if at, next = sqlexpr.FirstDayFrom(at), sqlexpr.FirstDayAfter(at); next.Year() > lastYear {
			return timeLimits{}, false
		}
	}
	switch {
	case op == sqlexpr.OpGe:
		return timeLimits{field: ref, start: &at}, true
	case op == sqlexpr.OpLt:
		return timeLimits{field: ref, end: &at}, true
	case !ofDays:
		return timeLimits{}, false
	case op == sqlexpr.OpGt:
		return timeLimits{field: ref, start: &next}, true
	case op == sqlexpr.OpLe:
		return timeLimits{field: ref, end: &next}, true
	case (op == sqlexpr.OpEq || op == sqlexpr.OpIsNotDistinctFrom) && at.Before(next):
		return timeLimits{field: ref, start: &at, end: &next}, true
	}
	return timeLimits{}, false
}

// timeAxisType returns the type of the times of a field or of metric_time.
func (c *selectClauses) timeAxisType(ref *sqlexpr.Ref) sqltype.Type {
	r := c.Refs.ReferenceOf(ref)
	if r.Kind == resolve.FieldReferenceKind {
		return sqltype.FromLogicalType(r.Field.DecodedTimeType())
	}
	return c.Schema.MetricTimeType()
}

// clockTimeOfLiteral returns the time of a literal as the session's clock shows it, if that is a whole second, and names one
// instant.
func (c *selectClauses) clockTimeOfLiteral(e sqlexpr.Expr) (time.Time, bool) {
	literal, ok := e.(*sqlexpr.TypedLiteral)
	if !ok {
		return time.Time{}, false
	}
	for _, layout := range []string{time.DateOnly, time.DateTime, "2006-01-02 15:04:05-07:00"} {
		if at, err := time.Parse(layout, literal.Value); err == nil {
			if literal.Type != sqlexpr.TypeTimestampTZ {
				return at, at.Nanosecond() == 0
			}
			shown := c.Zone.LocalTimeOfInstant(at)
			return shown, at.Nanosecond() == 0 && c.Zone.InstantOfLocalTime(shown).Equal(at)
		}
	}
	return time.Time{}, false
}

func isMidnight(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 }

// timeBoundText returns a bound as a query writes it: a date for a midnight.
func timeBoundText(t *time.Time) string {
	switch {
	case t == nil:
		return ""
	case isMidnight(*t):
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05")
}

// preferredTimeRangeField returns the bounded field that is grouped, else the common axis of the metrics; nil when none of them is.
func (g *aggregateSelect) preferredTimeRangeField(fields []*sqlexpr.Ref) *sqlexpr.Ref {
	var grouped []*sqlexpr.Ref
	for _, f := range fields {
		if slices.ContainsFunc(g.groups, func(o group) bool { return o.field != nil && o.field.ID == f.ID }) {
			grouped = append(grouped, f)
		}
	}
	if len(grouped) > 0 {
		return grouped[0]
	}
	for _, f := range fields {
		r := g.Refs.ReferenceOf(f)
		if r.Kind == resolve.MetricTimeReferenceKind || r.Kind == resolve.FieldReferenceKind && len(r.Path) == 0 && g.isCommonAxis(r) {
			return f
		}
	}
	return nil
}

// isCommonAxis reports whether a field is the axis of all metrics.
func (g *aggregateSelect) isCommonAxis(r resolve.Reference) bool {
	found := false
	for _, m := range g.measures {
		if m.ref.Metric == nil {
			continue
		}
		if m.ref.Metric.TimeAxisField() != r.Field {
			return false
		}
		found = true
	}
	return found
}

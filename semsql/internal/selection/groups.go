package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// group is one group of an aggregate select: a field, or metric_time, with or without a grain or a part, else an
// expression over fields.
type group struct {
	expr  sqlexpr.Expr
	field *sqlexpr.Ref // nil for an expression
	grain sqlexpr.Grain
	part  sqlexpr.TimePart
}

// isConstant reports whether all rows have the same value.
func (c *selectClauses) isConstant(e sqlexpr.Expr) bool {
	return !c.Refs.HasReferenceInExpr(e) && !sqlexpr.HasAggregate(e)
}

// timeBucket is DATE_TRUNC of a time field or metric_time in one of its spellings, or its day.
type timeBucket struct {
	field  *sqlexpr.Ref
	grain  sqlexpr.Grain
	asDate bool // the spelling has the type date
	// onClock: the spelling shows the session's clock, as a timestamp without a zone.
	onClock bool
}

// readTimeBucket recognises the bucket of a time field.
func (c *selectClauses) readTimeBucket(e sqlexpr.Expr) (timeBucket, bool) {
	switch e := e.(type) {
	case *sqlexpr.Call:
		return c.readDateTrunc(e)
	case *sqlexpr.Cast:
		if e.To.Type != sqlexpr.TypeDate {
			return timeBucket{}, false
		}
		x, onClock := c.unwrapSessionClock(e.X)
		if ref, ok := x.(*sqlexpr.Ref); ok && c.isTimeReference(ref) {
			return timeBucket{field: ref, grain: sqlexpr.GrainDay, asDate: true}, true
		}
		if b, ok := c.readTimeBucket(x); ok && !b.grain.IsWithinDay() && (onClock || !c.HasZone() || c.timestampTypeOf(b.field) != sqltype.TimestampTZ || b.onClock) {
			b.asDate = true
			return b, true
		}
	}
	return timeBucket{}, false
}

// unwrapSessionClock returns the instant of which an expression is the time on the session's clock, else the expression.
func (c *selectClauses) unwrapSessionClock(e sqlexpr.Expr) (x sqlexpr.Expr, onClock bool) {
	if x, ok := c.OperandOfSessionClock(e); ok {
		return x, true
	}
	return e, false
}

func (c *selectClauses) readDateTrunc(call *sqlexpr.Call) (timeBucket, bool) {
	if call.Fn != sqlexpr.FnDateTrunc || len(call.Args) != 2 {
		return timeBucket{}, false
	}
	part, ok := call.Args[0].(*sqlexpr.String)
	if !ok {
		return timeBucket{}, false
	}
	grain, ok := sqlexpr.ParseGrain(part.Value)
	if !ok {
		return timeBucket{}, false
	}
	x, onClock := c.unwrapSessionClock(unwrapTimeCast(call.Args[1], grain))
	ref, ok := x.(*sqlexpr.Ref)
	if !ok {
		return timeBucket{}, false
	}
	kind := c.Refs.ReferenceOf(ref).Kind
	return timeBucket{field: ref, grain: grain, onClock: onClock}, kind == resolve.FieldReferenceKind || kind == resolve.MetricTimeReferenceKind
}

// unwrapTimeCast returns the operand of a cast that changes no bucket and no part of a grain, else the expression.
func unwrapTimeCast(e sqlexpr.Expr, grain sqlexpr.Grain) sqlexpr.Expr {
	if cast, ok := e.(*sqlexpr.Cast); ok && len(cast.To.Args) == 0 {
		switch t := cast.To.Type; {
		case t == sqlexpr.TypeTimestamp || t == sqlexpr.TypeTimestampTZ, t == sqlexpr.TypeDate && !grain.IsWithinDay():
			return cast.X
		}
	}
	return e
}

// isTimeReference reports whether a reference has buckets.
func (c *selectClauses) isTimeReference(ref *sqlexpr.Ref) bool {
	r := c.Refs.ReferenceOf(ref)
	return r.Kind == resolve.MetricTimeReferenceKind || r.Kind == resolve.FieldReferenceKind && r.Field.AllowsTimeGrains()
}

// newGroup classifies the expression of a group.
func (c *selectClauses) newGroup(e sqlexpr.Expr) group {
	if b, ok := c.readTimeBucket(e); ok {
		return group{expr: e, field: b.field, grain: b.grain}
	}
	if field, part, ok := c.readPartAsTextOrNumber(e); ok {
		return group{expr: e, field: field, part: part}
	}
	ref, _ := e.(*sqlexpr.Ref)
	return group{expr: e, field: ref}
}

// groupType returns the type of a group's column in the query's result.
func (c *selectClauses) groupType(g group) sqltype.Type {
	switch {
	case g.part != sqlexpr.PartNone:
		return c.TypeOf(&sqlexpr.Extract{Part: g.part.ExtractName(), X: g.field})
	case g.grain == sqlexpr.GrainNone:
		return c.TypeOf(g.expr)
	case !g.grain.IsWithinDay():
		return sqltype.Date
	}
	return c.timestampTypeOf(g.field)
}

// timestampTypeOf is timestamptz for a field of that type, else timestamp.
func (c *selectClauses) timestampTypeOf(ref *sqlexpr.Ref) sqltype.Type {
	r := c.Refs.ReferenceOf(ref)
	if r.Kind == resolve.FieldReferenceKind && r.Field.DecodedTimeType() == sqlexpr.TypeTimestampTZ {
		return sqltype.TimestampTZ
	}
	return sqltype.Timestamp
}

// findGroupOfExpr finds the group that an expression is, and the expression over its column.
func (c *selectClauses) findGroupOfExpr(groups []group, e sqlexpr.Expr) (sqlexpr.Expr, bool) {
	if b, ok := c.readTimeBucket(e); ok {
		i := slices.IndexFunc(groups, func(g group) bool { return g.grain == b.grain && g.field != nil && g.field.ID == b.field.ID })
		if i >= 0 {
			return c.bucketValueExpr(i, b), true
		}
	}
	if p, ok := c.readTimePart(e); ok {
		i := slices.IndexFunc(groups, func(g group) bool { return g.part == p.part && g.field != nil && g.field.ID == p.field.ID })
		if i >= 0 {
			return p.valueExpr(i), true
		}
	}
	i := slices.IndexFunc(groups, func(g group) bool {
		return g.grain == sqlexpr.GrainNone && g.part == sqlexpr.PartNone && sqlexpr.Equal(g.expr, e)
	})
	return &sqlexpr.Ref{ID: i}, i >= 0
}

// bucketValueExpr returns the value of a bucket in SQL: of a day and coarser the midnight, a date where it is cast.
func (c *selectClauses) bucketValueExpr(column int, b timeBucket) sqlexpr.Expr {
	ref := &sqlexpr.Ref{Position: b.field.Position, ID: column}
	isInstant := c.timestampTypeOf(b.field) == sqltype.TimestampTZ
	switch {
	case b.asDate:
		return ref
	case b.grain.IsWithinDay() && b.onClock:
		return resolve.NewClockTime(c.Zone, ref)
	case b.grain.IsWithinDay():
		return ref
	case isInstant && c.HasZone() && !b.onClock:
		return resolve.NewInstant(c.Zone, ref)
	}
	to := sqlexpr.TypeTimestamp
	if isInstant && !b.onClock {
		to = sqlexpr.TypeTimestampTZ
	}
	return &sqlexpr.Cast{Position: b.field.Position, X: ref, To: sqlexpr.TypeName{Type: to}}
}

package sequence

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/plan"
)

// Names of columns of the rows of periods, and of the tables that they are joined from.
const (
	periodColumn      = "period"
	periodStartColumn = "period_start"
	eventsColumn      = "events"
	overColumn        = "over_before"

	periodsAlias  = "periods"
	newestAlias   = "newest"
	activityAlias = "activity"
)

// periodRows are the starts with each of their periods, and what is joined to them.
type periodRows struct {
	starts   rows
	periods  *plan.Derived // the columns of the starts, the number of the period and its first day
	newest   *plan.Derived // the first day of the bucket that is the first one not over
	activity *plan.Derived // the number of rows of the second step by entity and bucket; nil where nothing reads it
}

// planPeriods returns a row for each start and each bucket from its own one that is over.
func (p planner) planPeriods() (plan.Node, error) {
	starts, err := p.starts()
	if err != nil {
		return nil, err
	}
	all := periodRows{}
	if p.readsKind(catalog.SequenceColumnActive) || p.readsKind(catalog.SequenceColumnEvents) {
		next, err := p.rowsOfStep(1)
		if err != nil {
			return nil, err
		}
		all.activity = &plan.Derived{Input: countByBucket(next), Alias: activityAlias, Why: "events of step " + p.sequence.Steps[1].Name}
		same := p.sequence.Steps[0].Dataset == p.sequence.Steps[1].Dataset
		starts = nextRows{step: starts, next: next, same: same}.countLater()
	}
	newest, err := p.firstOpenBucket()
	if err != nil {
		return nil, err
	}
	all.starts = starts
	all.periods = &plan.Derived{Input: p.repeatStarts(starts), Alias: periodsAlias, Why: "starts by period"}
	all.newest = &plan.Derived{Input: newest, Alias: newestAlias, Why: "periods that are over"}
	return p.projectPeriods(all), nil
}

func (p planner) readsKind(kind catalog.SequenceColumnKind) bool {
	return slices.ContainsFunc(p.read, func(i int) bool { return p.sequence.Columns[i].Kind == kind })
}

// countByBucket counts the rows of a step by entity and bucket.
func countByBucket(next rows) plan.Node {
	out := &plan.Aggregate{Input: next.node}
	for _, at := range next.entity {
		out.Keys = append(out.Keys, next.columns[at].as(ref(at)))
	}
	count := &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
	out.Measures = []plan.NamedExpr{named(eventsColumn, count, sqlexpr.TypeInt)}
	return out
}

// repeatStarts has each start once for each period, with the first day of its bucket.
func (p planner) repeatStarts(starts rows) plan.Node {
	number := len(starts.columns)
	out := &plan.Project{Input: &plan.Repeat{Input: starts.node, Name: periodColumn, Count: int64(p.sequence.Periods) + 1}}
	for i, c := range starts.columns {
		out.Cols = append(out.Cols, c.as(ref(i)))
	}
	bucket := &sqlexpr.DeclaredTypeExpr{X: ref(bucketOf(starts)), Type: sqlexpr.TypeDate}
	first := asDate(build.Call(sqlexpr.FnDateAdd, "DATEADD", &sqlexpr.String{Value: p.sequence.Every.String()}, ref(number), bucket))
	out.Cols = append(out.Cols, named(periodColumn, ref(number), sqlexpr.TypeInt), named(periodStartColumn, first, sqlexpr.TypeDate))
	return out
}

// bucketOf returns the column of the bucket, which is the last one of the entity.
func bucketOf(r rows) int { return r.entity[len(r.entity)-1] }

// asDate returns a day, which an engine may make a timestamp of.
func asDate(e sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Cast{X: e, To: sqlexpr.TypeName{Type: sqlexpr.TypeDate}}
}

// firstOpenBucket returns the bucket of the day after the newest time of both datasets: a bucket is over if it ends by that day, and so if it
// begins before this one. Without any time it is NULL.
func (p planner) firstOpenBucket() (plan.Node, error) {
	times, err := p.from.TimesOf(0)
	if err != nil {
		return nil, err
	}
	if first, second := p.sequence.Steps[0], p.sequence.Steps[1]; first.Dataset != second.Dataset || first.At != second.At {
		others, err := p.from.TimesOf(1)
		if err != nil {
			return nil, err
		}
		times = &plan.Union{Rows: []plan.Node{times, others}}
	}
	typ := p.sequence.ComparedType()
	newest := &plan.Aggregate{Input: times, Why: "newest time", Measures: []plan.NamedExpr{named(timeColumn, build.Call(sqlexpr.FnMax, "MAX", ref(0)), typ)}}
	day := p.bucket(ref(0), typ, sqlexpr.GrainDay)
	after := p.bucket(asDate(build.TimeLater(sqlexpr.GrainDay, 1, day)), sqlexpr.TypeDate, p.sequence.Every)
	return &plan.Project{Input: newest, Cols: []plan.NamedExpr{named(overColumn, after, sqlexpr.TypeDate)}}, nil
}

// bucket returns the bucket of a time of a type on the calendar of the query.
func (p planner) bucket(e sqlexpr.Expr, typ sqlexpr.Type, g sqlexpr.Grain) sqlexpr.Expr {
	return p.from.Clock.BucketExpr(e, &catalog.Field{Type: typ}, g, clock.TimeBounds{})
}

// projectPeriods returns the columns that are read of the periods that are over.
func (p planner) projectPeriods(all periodRows) plan.Node {
	start := build.DerivedColumn(all.periods, len(all.starts.columns)+1)
	var from plan.Node = &plan.Join{Left: all.periods, Right: all.newest, Kind: plan.InnerJoin, Cardinality: "one row"}
	if all.activity != nil {
		from = &plan.Join{Left: from, Right: all.activity, Kind: plan.LeftJoin, On: p.activityCondition(all, start), Cardinality: "one row per entity and bucket"}
	}
	isOver := &sqlexpr.Binary{Op: sqlexpr.OpLt, L: start, R: build.DerivedColumn(all.newest, 0)}
	out := &plan.Project{Input: &plan.Filter{Input: from, Conds: []sqlexpr.Expr{isOver}, Why: "periods that are over"}}
	for _, i := range p.read {
		c := p.sequence.Columns[i]
		out.Cols = append(out.Cols, plan.NamedExpr{Name: c.Name, Expr: p.valueOfPeriod(all, c), Type: p.typeOf(all.starts, c)})
	}
	if len(out.Cols) == 0 {
		out.Cols = []plan.NamedExpr{named("start", build.Integer(1), sqlexpr.TypeInt)}
	}
	return out
}

// activityCondition joins the counts of an entity in the bucket of a period. The fields of same may be NULL.
func (p planner) activityCondition(all periodRows, start sqlexpr.Expr) []plan.JoinEquality {
	var on []plan.JoinEquality
	for i, at := range all.starts.entity {
		pair := plan.JoinEquality{Left: build.DerivedColumn(all.periods, at), Right: build.DerivedColumn(all.activity, i)}
		if at == bucketOf(all.starts) {
			pair.Left = start
		} else {
			pair.NullSafe = i >= len(p.sequence.Steps[0].Entity)
		}
		on = append(on, pair)
	}
	return on
}

func (p planner) valueOfPeriod(all periodRows, c catalog.SequenceColumn) sqlexpr.Expr {
	width := len(all.starts.columns)
	switch c.Kind {
	case catalog.SequenceColumnEntity:
		return build.DerivedColumn(all.periods, all.starts.entity[c.Index])
	case catalog.SequenceColumnAt:
		at := build.DerivedColumn(all.periods, all.starts.time)
		if own := p.sequence.Steps[0].At.Type; all.starts.columns[all.starts.time].Type != own {
			return &sqlexpr.Cast{X: at, To: sqlexpr.TypeName{Type: own}}
		}
		return at
	case catalog.SequenceColumnKey:
		return build.DerivedColumn(all.periods, all.starts.keys[c.Index])
	case catalog.SequenceColumnPeriod:
		return build.DerivedColumn(all.periods, width)
	case catalog.SequenceColumnPeriodStart:
		return build.DerivedColumn(all.periods, width+1)
	}
	events := p.eventsOfPeriod(all)
	if c.Kind == catalog.SequenceColumnActive {
		return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: events, R: build.Integer(0)}
	}
	return events
}

// eventsOfPeriod counts the rows of the second step in a period. In the bucket of the start itself they are later than the start; those of a later bucket are
// later all the same.
func (p planner) eventsOfPeriod(all periodRows) sqlexpr.Expr {
	isFirst := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: build.DerivedColumn(all.periods, len(all.starts.columns)), R: build.Integer(0)}
	ofStart := build.DerivedColumn(all.periods, p.find(all.starts, 1, partCount))
	ofBucket := build.CoalesceToNumber(build.DerivedColumn(all.activity, len(all.activity.Schema())-1), "0")
	count := &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: isFirst, Then: ofStart}}, Else: ofBucket}
	return &sqlexpr.Cast{X: count, To: sqlexpr.TypeName{Type: sqlexpr.TypeInt}}
}

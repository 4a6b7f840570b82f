package sequence

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/plan"
)

// StepRows plans the rows of a step: the entity, the fields of same, the bucket of a sequence with periods, the time as it is compared with the
// others, and the key.
type StepRows func(step int) (plan.Node, error)

// Source is what the rows of a sequence are made of.
type Source struct {
	Clock  clock.Clock // of the query
	RowsOf StepRows
	// TimesOf plans the times of all rows of the dataset of a step, as they are compared with the others.
	TimesOf StepRows
}

// Plan returns the rows of a sequence, with the columns of the numbers in read.
func Plan(s *catalog.Sequence, read []int, from Source) (plan.Node, error) {
	p := planner{sequence: s, read: read, from: from}
	if s.HasPeriods() {
		return p.planPeriods()
	}
	all, err := p.followSteps()
	if err != nil {
		return nil, err
	}
	return p.project(all), nil
}

type planner struct {
	sequence *catalog.Sequence
	read     []int
	from     Source
}

// rows are rows with the place of what is in their columns. values are what a row keeps beside its entity: its time and key, and those of
// the rows that followed it.
type rows struct {
	node    plan.Node
	columns []column
	entity  []int // with the fields of same, and the bucket of a sequence with periods
	time    int
	keys    []int
	values  []int
}

// column is a column of rows.
type column struct {
	plan.Column
	step int
	part int // a column of the key, or one of the values below
}

// What a column of a step is, unless it is one of its key.
const (
	partTime   = -1
	partEntity = -2
	partCount  = -3
)

func (c column) as(e sqlexpr.Expr) plan.NamedExpr {
	return plan.NamedExpr{Name: c.Name, Expr: e, Type: c.Type}
}

// readsStep reports whether something of a step is read.
func (p planner) readsStep(step int) bool {
	return slices.ContainsFunc(p.read, func(i int) bool {
		c := p.sequence.Columns[i]
		return c.Kind == catalog.SequenceColumnReached || c.Kind != catalog.SequenceColumnEntity && c.Step == step
	})
}

func (p planner) readsKey(step, key int) bool {
	return slices.ContainsFunc(p.read, func(i int) bool {
		c := p.sequence.Columns[i]
		return c.Kind == catalog.SequenceColumnKey && c.Step == step && c.Index == key
	})
}

// followSteps returns the rows of the first step with those that followed. A step that nothing reads, nor anything after it, is left out.
func (p planner) followSteps() (rows, error) {
	start, err := p.starts()
	if err != nil {
		return rows{}, err
	}
	last := len(p.sequence.Steps) - 1
	if p.sequence.AnyOrder {
		for step := 1; step <= last; step++ {
			if !p.readsStep(step) {
				continue
			}
			next, err := p.rowsOfStep(step)
			if err != nil {
				return rows{}, err
			}
			start = p.follow(start, 0, next, step)
		}
		return start, nil
	}
	for last > 0 && !p.readsStep(last) {
		last--
	}
	if last == 0 {
		return start, nil
	}
	next, err := p.rowsOfStep(last)
	if err != nil {
		return rows{}, err
	}
	for step := last - 1; step > 0; step-- {
		own, err := p.rowsOfStep(step)
		if err != nil {
			return rows{}, err
		}
		next = p.follow(own, step, next, step+1)
	}
	return p.follow(start, 0, next, 1), nil
}

// follow gives the rows of a step those of the next one. The next rows keep what is read of them.
func (p planner) follow(own rows, step int, next rows, after int) rows {
	next.values = slices.DeleteFunc(slices.Clone(next.values), func(i int) bool {
		c := next.columns[i]
		return c.part == partTime && !p.readsStep(c.step) || c.part >= 0 && !p.readsKey(c.step, c.part)
	})
	same := p.sequence.Steps[step].Dataset == p.sequence.Steps[after].Dataset
	return nextRows{step: own, next: next, same: same}.plan()
}

// rowsOfStep returns the rows of a step by themselves.
func (p planner) rowsOfStep(step int) (rows, error) {
	in, err := p.from.RowsOf(step)
	if err != nil {
		return rows{}, err
	}
	s := p.sequence.Steps[step]
	out := rows{node: in, time: len(s.Entity) + len(s.Same)}
	if p.sequence.HasPeriods() {
		out.time++ // the bucket
	}
	for i, c := range in.Schema() {
		made := column{plan.Column{Name: c.Name, Type: c.Type}, step, i - out.time - 1}
		switch {
		case i < out.time:
			made.part, made.Name = partEntity, entityColumn+strconv.Itoa(i)
			out.entity = append(out.entity, i)
		case i == out.time:
			made.Name = s.Name + "_at"
			out.values = append(out.values, i)
		default:
			made.Name = s.Name + "_" + s.Key[made.part].Name
			out.keys, out.values = append(out.keys, i), append(out.values, i)
		}
		out.columns = append(out.columns, made)
	}
	return out, nil
}

// firstColumn is the column that numbers the starts of an entity.
const firstColumn = "number"

// starts returns the rows of the first step that are starts.
func (p planner) starts() (rows, error) {
	out, err := p.rowsOfStep(0)
	if err != nil || !p.sequence.FirstOnly {
		return out, err
	}
	number := &sqlexpr.WindowCall{Call: build.Call(sqlexpr.FnRowNumber, "ROW_NUMBER"), Order: []sqlexpr.OrderItem{{X: ref(out.time)}}}
	for i := range p.sequence.Steps[0].Entity {
		number.Partition = append(number.Partition, ref(i))
	}
	for _, key := range out.keys {
		number.Order = append(number.Order, sqlexpr.OrderItem{X: ref(key)})
	}
	width := len(out.columns)
	numbered := &plan.Window{Input: out.node, Funcs: []plan.NamedExpr{{Name: firstColumn, Type: sqlexpr.TypeInt, Expr: number}}}
	first := &plan.Filter{Input: numbered, Conds: []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpEq, L: ref(width), R: build.Integer(1)}}, Why: "first start"}
	project := &plan.Project{Input: first}
	for i, c := range out.columns {
		project.Cols = append(project.Cols, c.as(ref(i)))
	}
	out.node = project
	return out, nil
}

// project returns the columns that are read. A step that follows too late is not reached.
func (p planner) project(all rows) plan.Node {
	out := &plan.Project{Input: all.node}
	for _, i := range p.read {
		c := p.sequence.Columns[i]
		out.Cols = append(out.Cols, plan.NamedExpr{Name: c.Name, Expr: p.value(all, c), Type: p.typeOf(all, c)})
	}
	if len(out.Cols) == 0 {
		out.Cols = []plan.NamedExpr{{Name: "start", Expr: build.Integer(1), Type: sqlexpr.TypeInt}}
	}
	return out
}

func (p planner) typeOf(all rows, c catalog.SequenceColumn) sqlexpr.Type {
	switch c.Kind {
	case catalog.SequenceColumnEntity:
		return all.columns[all.entity[c.Index]].Type
	case catalog.SequenceColumnAt:
		return p.sequence.Steps[c.Step].At.Type
	case catalog.SequenceColumnKey:
		return all.columns[p.find(all, c.Step, c.Index)].Type
	case catalog.SequenceColumnSeconds:
		return sqlexpr.TypeFloat
	case catalog.SequenceColumnPeriodStart:
		return sqlexpr.TypeDate
	case catalog.SequenceColumnActive:
		return sqlexpr.TypeBool
	}
	return sqlexpr.TypeInt
}

// find returns the column with the time of a step, or with a column of its key.
func (p planner) find(all rows, step, part int) int {
	return slices.IndexFunc(all.columns, func(c column) bool { return c.step == step && c.part == part })
}

func (p planner) value(all rows, c catalog.SequenceColumn) sqlexpr.Expr {
	switch c.Kind {
	case catalog.SequenceColumnEntity:
		return ref(all.entity[c.Index])
	case catalog.SequenceColumnAt:
		at := p.find(all, c.Step, partTime)
		e := ref(at)
		if own := p.sequence.Steps[c.Step].At.Type; all.columns[at].Type != own {
			e = &sqlexpr.Cast{X: e, To: sqlexpr.TypeName{Type: own}}
		}
		return p.inTime(all, c.Step, e)
	case catalog.SequenceColumnKey:
		return p.inTime(all, c.Step, ref(p.find(all, c.Step, c.Index)))
	case catalog.SequenceColumnSeconds:
		return p.inTime(all, c.Step, p.secondsSinceStart(all, c.Step))
	}
	reached := build.Integer(1)
	for step := 1; step < len(p.sequence.Steps); step++ {
		one := &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: p.isReached(all, step), Then: build.Integer(1)}}, Else: build.Integer(0)}
		reached = &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: reached, R: one}
	}
	return reached
}

// secondsSinceStart returns the time from the start to a step. Days have 24 hours.
func (p planner) secondsSinceStart(all rows, step int) sqlexpr.Expr {
	asFloat := func(e sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.Cast{X: e, To: sqlexpr.TypeName{Type: sqlexpr.TypeFloat}}
	}
	if step == 0 {
		return asFloat(build.Integer(0))
	}
	typ := all.columns[all.time].Type
	time := func(step int) sqlexpr.Expr {
		return &sqlexpr.DeclaredTypeExpr{X: ref(p.find(all, step, partTime)), Type: typ}
	}
	if typ != sqlexpr.TypeDate {
		return build.Call(sqlexpr.FnElapsedSeconds, "SECONDS_BETWEEN", time(0), time(step))
	}
	days := build.Call(sqlexpr.FnDateDiff, "DATEDIFF", &sqlexpr.String{Value: sqlexpr.GrainDay.String()}, time(0), time(step))
	return asFloat(&sqlexpr.Binary{Op: sqlexpr.OpMul, L: days, R: build.Integer(secondsOfDay)})
}

func (p planner) inTime(all rows, step int, e sqlexpr.Expr) sqlexpr.Expr {
	if step == 0 || p.sequence.Grain == sqlexpr.GrainNone {
		return e
	}
	return build.CaseWhen(p.isReached(all, step), e)
}

// isReached is the condition that a step has a row within the time from the start.
func (p planner) isReached(all rows, step int) sqlexpr.Expr {
	start, at := p.find(all, 0, partTime), p.find(all, step, partTime)
	if p.sequence.Grain == sqlexpr.GrainNone {
		return &sqlexpr.IsNull{Not: true, X: ref(at)}
	}
	typ := all.columns[at].Type
	left, right := p.onUTC(ref(at), typ), p.end(p.onUTC(ref(start), typ), typ)
	return &sqlexpr.Binary{Op: sqlexpr.OpLt, L: &sqlexpr.DeclaredTypeExpr{X: left, Type: typ}, R: right}
}

// onUTC returns the clock of UTC where months are counted on it.
func (p planner) onUTC(e sqlexpr.Expr, typ sqlexpr.Type) sqlexpr.Expr {
	if typ != sqlexpr.TypeTimestampTZ || elapses(p.sequence.Grain) {
		return &sqlexpr.DeclaredTypeExpr{X: e, Type: typ}
	}
	return &sqlexpr.LocalTime{From: typ, X: e}
}

// elapses reports whether a grain has one length.
func elapses(g sqlexpr.Grain) bool { return secondsOf(g) > 0 }

const secondsOfDay = 24 * 60 * 60

// secondsOf returns the length of a week, and of what is finer; 0 for a grain whose length differs.
func secondsOf(g sqlexpr.Grain) int {
	switch g {
	case sqlexpr.GrainSecond:
		return 1
	case sqlexpr.GrainMinute:
		return 60
	case sqlexpr.GrainHour:
		return 60 * 60
	case sqlexpr.GrainDay:
		return secondsOfDay
	case sqlexpr.GrainWeek:
		return 7 * secondsOfDay
	}
	return 0
}

// end returns the time before which the steps follow a start.
func (p planner) end(start sqlexpr.Expr, typ sqlexpr.Type) sqlexpr.Expr {
	n, unit := p.sequence.Count, p.sequence.Grain
	seconds := n * secondsOf(unit)
	switch {
	case seconds == 0:
	case typ == sqlexpr.TypeDate: // a day that begins within the time
		n, unit = (seconds+secondsOfDay-1)/secondsOfDay, sqlexpr.GrainDay
	case typ == sqlexpr.TypeTimestampTZ && seconds%(60*60) == 0: // a day of an instant has 23 or 25 hours in some zones
		n, unit = seconds/(60*60), sqlexpr.GrainHour
	case unit == sqlexpr.GrainWeek:
		n, unit = 7*n, sqlexpr.GrainDay
	}
	later := build.TimeLater(unit, n, start)
	if typ == sqlexpr.TypeDate { // which an engine may make a timestamp of
		return &sqlexpr.Cast{X: later, To: sqlexpr.TypeName{Type: sqlexpr.TypeDate}}
	}
	return later
}

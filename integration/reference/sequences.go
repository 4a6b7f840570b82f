package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// stepRow is a row of a step, with what its place in a sequence depends on.
type stepRow struct {
	step   int
	row    Row
	entity string // with the fields of same
	at     Timestamp
	key    []Value
}

// sequenceRows makes the rows of a sequence: for each start, it compares every row of every other step.
func (e *evaluator) sequenceRows(d *catalog.Dataset) []Row {
	if rows, known := e.sequences[d]; known {
		return rows
	}
	s := d.Sequence
	if s.Err != nil {
		abstain("the sequence %s does not compile", d.Name)
	}
	steps := make([][]stepRow, len(s.Steps))
	for i := range s.Steps {
		steps[i] = e.rowsOfStep(s, i)
	}
	out := []Row{}
	var last Date
	if s.HasPeriods() && len(steps[0]) > 0 {
		last = e.lastDayOfEvents(s)
	}
	for _, start := range steps[0] {
		if s.FirstOnly && slices.ContainsFunc(steps[0], func(o stepRow) bool {
			return e.entityOfStart(s, o) == e.entityOfStart(s, start) && comesLater(s, o, start)
		}) {
			continue
		}
		if s.HasPeriods() {
			out = append(out, e.periodsOfStart(s, start, steps[1], last)...)
			continue
		}
		found := make([]*stepRow, len(steps))
		found[0] = &start
		previous := start
		for i := 1; i < len(steps); i++ {
			next := earliestLater(s, previous, steps[i])
			if next == nil || !e.isWithin(s, start, *next) {
				if s.AnyOrder {
					continue
				}
				break
			}
			if found[i] = next; !s.AnyOrder {
				previous = *next
			}
		}
		out = append(out, e.rowOfSequence(s, found))
	}
	e.sequences[d] = out
	return out
}

// rowsOfStep lists the rows of a step: those with a time and an entity that meet its condition and those of the query.
func (e *evaluator) rowsOfStep(s *catalog.Sequence, at int) []stepRow {
	step := s.Steps[at]
	reads := slices.Concat(step.Entity, step.Same, []*catalog.Field{step.At})
	var out []stepRow
	for _, r := range e.chosenRows(step.Dataset) {
		drops := func(f *catalog.Field) bool { return e.fieldInnerJoinsDropRow(f, r) }
		if step.Where != nil && e.exprInnerJoinsDropRow(step.Where, r) || slices.ContainsFunc(reads, drops) {
			continue
		}
		if step.Where != nil && !e.newRowEvalContext(r).isTrue(step.Where) {
			continue
		}
		made := stepRow{step: at, row: r}
		var values []Value
		missing := false
		for i, f := range slices.Concat(step.Entity, step.Same) {
			v := e.groupByValue(f.SourceField(), groupByItem{}, e.fieldValue(f, r))
			missing = missing || v == nil && i < len(step.Entity)
			values = append(values, v)
		}
		time, known := e.timeOfRow(step.At, r)
		if missing || !known {
			continue
		}
		made.at, made.entity = time, groupKey(values...)
		for _, f := range step.Key {
			made.key = append(made.key, e.fieldValue(f, r))
		}
		out = append(out, made)
	}
	return out
}

// chosenRows lists the rows of the dataset of a step that meet the conditions of the query on them.
func (e *evaluator) chosenRows(d *catalog.Dataset) []Row {
	var conditions []condition
	for _, c := range e.populationConditions {
		switch {
		case !e.choosesStep(c, d):
		case e.isAmbiguousOnStep(c, d):
			e.addMustRejectCode("ambiguous_join_path")
		default:
			conditions = append(conditions, c)
		}
	}
	var targets []fieldTarget
	place := map[*sqlexpr.Column]int{}
	for _, c := range conditions {
		for column, t := range c.fields {
			place[column] = len(targets)
			targets = append(targets, t)
		}
	}
	route, _ := e.findJoinRoute(d, true, targets)
	var out []Row
	for _, joined := range e.joinAlongPaths(d, route.targetPaths) {
		read := func(c *sqlexpr.Column) Value {
			return e.fieldValue(targets[place[c]].field, joined[pathKey(route.targetPaths[place[c]])])
		}
		if meetsAllConditions(conditions, read) {
			out = append(out, joined[""])
		}
	}
	return out
}

// choosesStep reports whether a condition of context_filter is one on the rows of a step.
func (e *evaluator) choosesStep(c condition, step *catalog.Dataset) bool {
	return !slices.ContainsFunc(c.targets(), func(t fieldTarget) bool {
		if t.field.Dataset.Sequence != nil || t.sourceDataset != nil && t.sourceDataset.Sequence != nil || e.cat.ReadsSequence(t.field) {
			return true
		}
		_, found := e.safePath(step, t)
		return found != foundOnePath && found != foundSeveralPaths
	})
}

// isAmbiguousOnStep reports whether several paths lead from the rows of a step to a field of a condition.
func (e *evaluator) isAmbiguousOnStep(c condition, step *catalog.Dataset) bool {
	return slices.ContainsFunc(c.targets(), func(t fieldTarget) bool {
		_, found := e.safePath(step, t)
		return found == foundSeveralPaths
	})
}

// choosesStepsOf reports whether a condition is one on the rows of some step of a sequence, and none on its own.
func (e *evaluator) choosesStepsOf(c condition, d *catalog.Dataset) bool {
	return d.Sequence != nil && slices.ContainsFunc(d.Sequence.Steps, func(s catalog.SequenceStep) bool { return e.choosesStep(c, s.Dataset) })
}

// entityOfStart returns the entity of a row of the first step, without the fields of same.
func (e *evaluator) entityOfStart(s *catalog.Sequence, r stepRow) string {
	var values []Value
	for _, f := range s.Steps[0].Entity {
		values = append(values, e.groupByValue(f.SourceField(), groupByItem{}, e.fieldValue(f, r.row)))
	}
	return groupKey(values...)
}

// comesLater reports whether b is later than a: by its time, by its key within one dataset, and always in another one.
func comesLater(s *catalog.Sequence, a, b stepRow) bool {
	switch {
	case a.at != b.at:
		return b.at > a.at
	case s.Steps[a.step].Dataset != s.Steps[b.step].Dataset:
		return true
	}
	for i := range a.key {
		if order := compareNullsLast(b.key[i], a.key[i]); order != 0 {
			return order > 0
		}
	}
	return false
}

// earliestLater returns the first row of a step that is later than a row of the same entity; nil where there is none.
func earliestLater(s *catalog.Sequence, than stepRow, rows []stepRow) *stepRow {
	var first *stepRow
	for i := range rows {
		r := &rows[i]
		if r.entity == than.entity && comesLater(s, than, *r) && (first == nil || comesLater(s, *r, *first)) {
			first = r
		}
	}
	return first
}

// isWithin reports whether a row follows a start in time.
func (e *evaluator) isWithin(s *catalog.Sequence, start, r stepRow) bool {
	if s.Grain == sqlexpr.GrainNone {
		return true
	}
	end, ok := toTimestamp(shiftedTime(s.Grain, s.Count, start.at))
	return ok && r.at < end
}

func shiftedTime(g sqlexpr.Grain, n int, at Timestamp) Value {
	if seconds := secondsOfGrain(g); seconds > 0 {
		return at + Timestamp(int64(n)*int64(seconds)*1e6)
	}
	switch g {
	case sqlexpr.GrainDay:
		return at + Timestamp(int64(n)*86400e6)
	case sqlexpr.GrainWeek:
		return at + Timestamp(int64(n)*7*86400e6)
	}
	moved, _ := shiftByUnits(g.String(), float64(n), at)
	return moved
}

// rowOfSequence returns a row of a sequence by the names of its columns.
func (e *evaluator) rowOfSequence(s *catalog.Sequence, found []*stepRow) Row {
	out := Row{}
	for _, c := range s.Columns {
		var v Value
		switch r := found[c.Step]; {
		case c.Kind == catalog.SequenceColumnEntity:
			v = e.fieldValue(s.Steps[0].Entity[c.Index], found[0].row)
		case c.Kind == catalog.SequenceColumnReached:
			reached := 0.0
			for _, r := range found {
				if r != nil {
					reached++
				}
			}
			v = reached
		case r == nil:
		case c.Kind == catalog.SequenceColumnSeconds:
			v = float64(r.at-found[0].at) / 1e6
		case c.Kind == catalog.SequenceColumnAt:
			v = e.fieldValue(s.Steps[c.Step].At, r.row)
		case c.Kind == catalog.SequenceColumnKey:
			v = e.fieldValue(s.Steps[c.Step].Key[c.Index], r.row)
		}
		out[strings.ToLower(c.Name)] = v
	}
	return out
}

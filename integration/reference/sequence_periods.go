package reference

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// periodsOfStart makes the rows of a start: one for each bucket from its own one that ends by the day after the last one, for which it looks at every
// row of the second step.
func (e *evaluator) periodsOfStart(s *catalog.Sequence, start stepRow, others []stepRow, last Date) []Row {
	own := e.bucketOfStep(s, start, s.Every)
	var out []Row
	for n := 0; n <= s.Periods; n++ {
		bucket := addBuckets(s.Every, own, n)
		if addBuckets(s.Every, bucket, 1) > last+1 {
			break
		}
		events := 0.0
		for _, r := range others {
			if r.entity == start.entity && comesLater(s, start, r) && e.bucketOfStep(s, r, s.Every) == bucket {
				events++
			}
		}
		row := Row{}
		for _, c := range s.Columns {
			var v Value
			switch c.Kind {
			case catalog.SequenceColumnEntity:
				v = e.fieldValue(s.Steps[0].Entity[c.Index], start.row)
			case catalog.SequenceColumnAt:
				v = e.fieldValue(s.Steps[0].At, start.row)
			case catalog.SequenceColumnKey:
				v = e.fieldValue(s.Steps[0].Key[c.Index], start.row)
			case catalog.SequenceColumnPeriod:
				v = float64(n)
			case catalog.SequenceColumnPeriodStart:
				v = bucket
			case catalog.SequenceColumnActive:
				v = events > 0
			case catalog.SequenceColumnEvents:
				v = events
			}
			row[strings.ToLower(c.Name)] = v
		}
		out = append(out, row)
	}
	return out
}

func (e *evaluator) bucketOfStep(s *catalog.Sequence, r stepRow, g sqlexpr.Grain) Date {
	return e.clock.bucketOfValue(s.Steps[r.step].At, g, r.at).(Date)
}

// lastDayOfEvents returns the day of the newest time among the rows of both datasets, of any kind and entity.
func (e *evaluator) lastDayOfEvents(s *catalog.Sequence) Date {
	var newest stepRow
	known := false
	for i, step := range s.Steps {
		for _, r := range e.chosenRows(step.Dataset) {
			if at, hasTime := e.timeOfRow(step.At, r); hasTime && (!known || at > newest.at) {
				newest, known = stepRow{step: i, at: at}, true
			}
		}
	}
	return e.bucketOfStep(s, newest, sqlexpr.GrainDay)
}

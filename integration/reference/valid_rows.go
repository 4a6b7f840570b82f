package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// validRows keeps those of the rows with the key of r that are valid at the time of r.
func (e *evaluator) validRows(v *catalog.RelationshipValidity, r Row, rows []Row) []Row {
	at, known := e.timeOfRow(v.At, r)
	if !known {
		return nil
	}
	begins := func(row Row) bool {
		from, bounded := e.timeOfRow(v.From, row)
		return !bounded || from <= at
	}
	if v.To == nil {
		return e.latestValidRow(v, slices.DeleteFunc(rows, func(row Row) bool { return !begins(row) }))
	}
	return slices.DeleteFunc(rows, func(row Row) bool {
		to, bounded := e.timeOfRow(v.To, row)
		ended := bounded && to <= at
		if e.fault == FaultValidityEndIncluded {
			ended = bounded && to < at
		}
		return ended || !begins(row)
	})
}

// latestValidRow keeps the row that begins last, and of several the one with the greatest primary key.
func (e *evaluator) latestValidRow(v *catalog.RelationshipValidity, rows []Row) []Row {
	if len(rows) == 0 {
		return nil
	}
	last := rows[0]
	for _, row := range rows[1:] {
		if e.validityBeginsLater(v, row, last) {
			last = row
		}
	}
	return []Row{last}
}

// validityBeginsLater compares two rows by their beginning, without one first, and then by their primary key.
func (e *evaluator) validityBeginsLater(v *catalog.RelationshipValidity, a, b Row) bool {
	from, bounded := e.timeOfRow(v.From, a)
	other, otherBounded := e.timeOfRow(v.From, b)
	switch {
	case bounded != otherBounded:
		return bounded
	case bounded && from != other:
		return from > other
	}
	key := v.From.Dataset.PrimaryKey
	for _, column := range key {
		if order := compareNullsLast(a[column], b[column]); order != 0 {
			return order > 0
		}
	}
	abstain("two rows of %s that begin at one time, which no primary key orders", v.From.Dataset.Name)
	return false
}

// timeOfRow returns the time in a row: of a Date, the midnight of its day. known is false for a null.
func (e *evaluator) timeOfRow(f *catalog.Field, r Row) (at Timestamp, known bool) {
	at, known = toTimestamp(e.fieldValue(f, r))
	if known && f.Datatype == modelspec.DatatypeDate {
		at = at.toDate().toTimestamp()
	}
	return at, known
}

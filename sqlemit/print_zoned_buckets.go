package sqlemit

import (
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// printBucketInZone prints a bucket of instants on the clock of a zone.
func (w *writer) printBucketInZone(e *sqlexpr.Bucket, min precedence) {
	if e.Grain.IsWithinDay() {
		w.printZonedBucketWithinDay(e, min)
		return
	}
	through, ok := w.newLocalTimeOperand(e.Zone, e.X)
	if !ok {
		return
	}
	if through.template == nil {
		w.printBucket(&sqlexpr.Bucket{Grain: e.Grain, From: sqlexpr.TypeTimestamp, X: through.x}, min)
		return
	}
	if e.Grain == sqlexpr.GrainDay {
		day := &w.d.time.day[sqlexpr.TypeTimestamp]
		w.printTemplateOfOperands(day, min, through)
		return
	}
	if int(e.Grain) >= len(w.d.time.bucket) || w.d.time.bucket[e.Grain].isEmpty() {
		w.recordInternalError("a bucket without a grain")
		return
	}
	w.printTemplateOfOperands(&w.d.time.bucket[e.Grain], min, through)
}

// newLocalTimeOperand returns the timestamp that the clock of a zone shows at an instant. It has no template where the offsets
// of the zone are spelled out; ok is false after an error.
func (w *writer) newLocalTimeOperand(z *sqlexpr.TimeZone, x sqlexpr.Expr) (shown templateOperand, ok bool) {
	if w.d.time.zone == "" || z.Name == "" { // an engine without zones, or an offset without a name
		var shifted sqlexpr.Expr = newCall(sqlexpr.FnDateAdd, newStringLiteral("second"), w.zoneOffsetExpr(z, x), x)
		if w.d.time.zone != "" {
			shifted = newCast(shifted, sqlexpr.TypeTimestamp)
		}
		return templateOperand{x: shifted}, true
	}
	if !isZoneName(z.Name) {
		w.recordInternalError("a time in a zone without a name")
		return templateOperand{}, false
	}
	through := parseTemplate(strings.ReplaceAll(w.d.time.zone, "{zone}", z.Name))
	return templateOperand{x: x, template: &through}, true
}

// printLocalTime prints the timestamp that the clock of a zone shows.
func (w *writer) printLocalTime(e *sqlexpr.LocalTime, min precedence) {
	from := e.From
	if from == sqlexpr.TypeUnknown {
		from = w.typeOf(e.X)
	}
	shown, ok := templateOperand{x: e.X, template: &w.d.time.instant[from]}, true
	if e.Zone != nil {
		shown, ok = w.newLocalTimeOperand(e.Zone, e.X)
	}
	switch {
	case !ok:
	case shown.template == nil:
		w.printExpr(shown.x, min)
	default:
		w.printTemplateOperand(shown, min)
	}
}

// printZonedBucketWithinDay prints the bucket of the instant that is later by what the zone is
// ahead of UTC past the unit, and takes that away again.
func (w *writer) printZonedBucketWithinDay(e *sqlexpr.Bucket, min precedence) {
	offset := w.zoneOffsetExpr(e.Zone, e.X)
	instant := &sqlexpr.DeclaredTypeExpr{X: e.X, Type: sqlexpr.TypeTimestampTZ, ReadsClock: true}
	later := newCall(sqlexpr.FnDateAdd, newStringLiteral("second"), offset, instant)
	bucket := &sqlexpr.Bucket{Grain: e.Grain, From: sqlexpr.TypeTimestampTZ, X: later}
	var start sqlexpr.Expr = newCall(sqlexpr.FnDateAdd, newStringLiteral("second"), newUnaryMinus(offset), bucket)
	if !w.d.HasOneTimestampType() {
		start = newCast(start, sqlexpr.TypeTimestampTZ)
	}
	w.printExpr(start, min)
}

func newUnaryMinus(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: x} }

// zoneOffsetExpr returns the offset of a zone from UTC at an instant, in seconds: a CASE over its
// changes that compares as often as there are digits in their number.
func (w *writer) zoneOffsetExpr(z *sqlexpr.TimeZone, x sqlexpr.Expr) sqlexpr.Expr {
	return zoneOffsetCase(z.Offset, z.Changes, func(at int64) sqlexpr.Expr {
		text := time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05+00:00")
		return newBinary(sqlexpr.OpLt, x, &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestampTZ, Value: text})
	})
}

// zoneOffsetAtEpochCount returns the offset at a count since 1970, of which so many are a second, in units of
// which so many are one.
func zoneOffsetAtEpochCount(z *sqlexpr.TimeZone, x sqlexpr.Expr, countsPerSecond, unitsPerSecond int64) sqlexpr.Expr {
	changes := make([]sqlexpr.ZoneOffsetChange, len(z.Changes))
	for i, c := range z.Changes {
		changes[i] = sqlexpr.ZoneOffsetChange{At: c.At * countsPerSecond, Offset: c.Offset * int(unitsPerSecond)}
	}
	return zoneOffsetCase(z.Offset*int(unitsPerSecond), changes, func(at int64) sqlexpr.Expr { return newBinary(sqlexpr.OpLt, x, newIntegerConstant(at)) })
}

// zoneOffsetCase returns an offset before some changes and after each.
func zoneOffsetCase(offset int, changes []sqlexpr.ZoneOffsetChange, before func(at int64) sqlexpr.Expr) sqlexpr.Expr {
	if len(changes) == 0 {
		return newIntegerConstant(int64(offset))
	}
	middle := len(changes) / 2
	return &sqlexpr.Case{
		Whens: []sqlexpr.When{{Cond: before(changes[middle].At), Then: zoneOffsetCase(offset, changes[:middle], before)}},
		Else:  zoneOffsetCase(changes[middle].Offset, changes[middle+1:], before),
	}
}

// isZoneName reports whether a text has the letters of names in the IANA database only.
func isZoneName(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isWordLetter(c) && (c < '0' || c > '9') && !strings.ContainsRune("/_+-", rune(c)) {
			return false
		}
	}
	return true
}

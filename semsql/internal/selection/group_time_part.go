package selection

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
)

// timePart is EXTRACT of a part of a time field or of metric_time.
type timePart struct {
	extract *sqlexpr.Extract
	field   *sqlexpr.Ref
	part    sqlexpr.TimePart
}

// readTimePart recognises EXTRACT of a part that queries group by. The cast and the clock of the session between EXTRACT and the field are
// those of the query.
func (c *selectClauses) readTimePart(e sqlexpr.Expr) (timePart, bool) {
	extract, ok := e.(*sqlexpr.Extract)
	if !ok {
		return timePart{}, false
	}
	part, ok := partOfExtract(extract.Part)
	if !ok {
		return timePart{}, false
	}
	x, _ := c.unwrapSessionClock(extract.X)
	x, _ = c.unwrapSessionClock(unwrapTimeCast(x, part.Unit()))
	ref, ok := x.(*sqlexpr.Ref)
	return timePart{extract, ref, part}, ok && c.isTimeReference(ref)
}

func partOfExtract(name string) (sqlexpr.TimePart, bool) {
	if name == sqlexpr.PartFromSunday {
		return sqlexpr.PartDayOfWeek, true
	}
	for _, text := range sqlexpr.TimePartNames() {
		if p, _ := sqlexpr.ParseTimePart(text); p.ExtractName() == name {
			return p, true
		}
	}
	return sqlexpr.PartNone, false
}

// valueExpr returns what EXTRACT is where a column has the part. Weeks of statements begin on Monday.
func (p timePart) valueExpr(column int) sqlexpr.Expr {
	ref := &sqlexpr.Ref{Position: p.extract.Position, ID: column}
	if p.extract.Part != sqlexpr.PartFromSunday {
		return ref
	}
	return sqlexpr.DayFromSunday(p.extract.Position, ref)
}

// readPartAsTextOrNumber recognises EXTRACT of a part, or the text that TO_CHAR makes of one.
func (c *selectClauses) readPartAsTextOrNumber(e sqlexpr.Expr) (*sqlexpr.Ref, sqlexpr.TimePart, bool) {
	if extract, ok := resolve.ExtractOfToChar(e); ok {
		e = extract
	}
	p, ok := c.readTimePart(e)
	return p.field, p.part, ok
}

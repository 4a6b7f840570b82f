package extension

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Calendar is a calendar block: Date and the fields of Periods are fields of the dataset.
type Calendar struct {
	modelspec.Place
	Date    ObjectRef
	Periods []CalendarPeriod
}

// CalendarPeriod is the name of a period and the field whose values it has.
type CalendarPeriod struct {
	Name  string
	Field ObjectRef
	Whole sqlexpr.Grain // of which the period has whole buckets; GrainNone when not declared
}

// maxCalendarPeriods bounds the periods of all calendars.
const maxCalendarPeriods = limits.PeriodsOfAllCalendars

func (o payloadObjectReader) readCalendarBlock() *Calendar {
	n := o.findMember("calendar")
	if _, known := o.findKeyDefinitionForCarrier("calendar"); n == nil || !known {
		return nil
	}
	before := len(o.Errors)
	in, ok := o.openMember("calendar")
	if !ok {
		return nil
	}
	out := &Calendar{Place: o.placeOfNode(n), Date: in.readObjectRef("date")}
	if periods := in.readMember("periods"); periods != nil {
		out.Periods = in.readCalendarPeriods(periods)
	}
	if len(o.Errors) > before {
		return nil
	}
	return out
}

// readCalendarPeriods reads an object of names of fields.
func (o payloadObjectReader) readCalendarPeriods(n *document.Node) []CalendarPeriod {
	switch {
	case n.Kind == document.MappingNode && len(n.Content) == 0:
		o.addInvalidError(n, "%s must have at least one period", o.pathForMessage(n))
		return nil
	case n.Kind != document.MappingNode:
		o.addInvalidError(n, "%s must be an object with a member for each period, is %s", o.pathForMessage(n), describeValue(n))
		return nil
	case len(n.Content)/2 > maxCalendarPeriods:
		o.addInvalidError(n, "%s has %d periods; a model has at most %d", o.pathForMessage(n), len(n.Content)/2, maxCalendarPeriods)
		return nil
	}
	out := make([]CalendarPeriod, len(n.Content)/2)
	for i := range out {
		name, field := n.Content[2*i].Value, n.Content[2*i+1]
		_, isGrain := sqlexpr.ParseGrain(strings.ToLower(name))
		switch {
		case !identifierPattern.MatchString(name):
			o.addInvalidError(field, "the period %q must be a name of letters, digits and _", name)
		case isGrain:
			o.addInvalidError(field, "the period %q has the name of a grain", name)
		case field.IsNull():
			o.addInvalidError(field, "the period %q needs a field", name)
		default:
			out[i] = o.readCalendarPeriod(name, field)
		}
	}
	return out
}

// readCalendarPeriod reads the name of the field of a period, or an object that has it.
func (o payloadObjectReader) readCalendarPeriod(name string, n *document.Node) CalendarPeriod {
	if n.Kind != document.MappingNode {
		o.checkShape(n, &periodShape.Forms[0])
		return CalendarPeriod{Name: name, Field: o.newObjectRef(n)}
	}
	in, ok := o.openObject(n, &periodBlockShape)
	if !ok {
		return CalendarPeriod{}
	}
	return CalendarPeriod{name, in.readObjectRef("field"), in.readGrain("whole")}
}

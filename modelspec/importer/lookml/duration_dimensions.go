package lookml

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// durationIntervals are the units in which a group of type duration counts, the ones of a group
// that names none.
var durationIntervals = sqlexpr.GrainNames()

// addDurationDimensions adds a dimension for each interval of a group of type duration: days_open counts the
// days of the group open.
func (v *view) addDurationDimensions(group *block) {
	intervals := group.listValuesOfKey("intervals")
	if len(intervals) == 0 {
		intervals = durationIntervals
	}
	start, end := group.valueOfKey("sql_start"), group.valueOfKey("sql_end")
	for _, interval := range intervals {
		d := &dimension{block: group, name: interval + "s_" + group.name, kind: "number", approximated: "it counts how often the " + interval + " changes between the two times"}
		d.field = &draft.Field{Name: d.name, Role: draft.FieldRoleDimension, Datatype: modelspec.DatatypeInteger}
		d.field.Label = group.valueOfKey("label")
		d.field.Description, d.field.Context = readDescriptionAndContext(group, d.field.Label)
		if d.field.Label != "" {
			d.field.Label += " (" + interval + "s)"
		}
		switch {
		case !slices.Contains(durationIntervals, interval):
			d.refused = "the interval " + interval + " has no counterpart"
		case start == "" || end == "":
			d.refused = "it has no sql_start or no sql_end"
		default:
			d.sql = "DATEDIFF('" + interval + "', " + start + ", " + end + ")"
		}
		v.addUniqueDimension(d)
	}
}

// addUniqueDimension adds a dimension under its name, which no other one may have.
func (v *view) addUniqueDimension(d *dimension) bool {
	v.list = append(v.list, d)
	if v.dimensions[d.name] != nil || d.name == "" {
		d.refused = "another dimension of the view has the name"
		return false
	}
	v.dimensions[d.name] = d
	if d.block.isYes("hidden") {
		d.field.IsDimension = new(false)
	}
	return true
}

// isDurationGroup reports whether a block is a group of differences between two times.
func isDurationGroup(b *block) bool {
	return b.key == "dimension_group" && strings.EqualFold(b.valueOfKey("type"), "duration")
}

package lookml

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// dayOrCoarserTimeframes are those that a query has as a grain; the ones within a day only where the field has hours.
var (
	dayOrCoarserTimeframes = []string{"date", "week", "month", "quarter", "year"}
	withinDayTimeframes    = []string{"second", "minute", "hour"}
	// dateTimeframes are those whose filters are of times.
	dateTimeframes = slices.Concat([]string{"raw", "time"}, dayOrCoarserTimeframes, withinDayTimeframes)
)

// repeatingTimeframe is a part of a time whose values come again: the month of the year, the hour of the day. No grain
// has them, so that each is a field.
type repeatingTimeframe struct {
	part   string   // as EXTRACT names it
	first  int      // the value of the part that Looker counts as zero, 0 where both count alike
	labels []string // what Looker shows for the values 1, 2, …; nil for the number
	ofDay  bool     // only times with hours have it
	ofWeek bool     // it counts from the first day of the week
}

// repeatingTimeframes are those of https://cloud.google.com/looker/docs/reference/param-field-dimension-group.
// week_of_year follows ISO 8601; the first day of the week does not change it.
var repeatingTimeframes = map[string]repeatingTimeframe{
	"hour_of_day":       {part: "HOUR", ofDay: true},
	"day_of_week":       {part: "ISODOW", labels: weekdayNames()},
	"day_of_week_index": {part: "ISODOW", first: 1, ofWeek: true},
	"day_of_month":      {part: "DAY"},
	"day_of_year":       {part: "DOY"},
	"week_of_year":      {part: "WEEK"},
	"month_num":         {part: "MONTH"},
	"month_name":        {part: "MONTH", labels: monthNames()},
	"quarter_of_year":   {part: "QUARTER", labels: []string{"Q1", "Q2", "Q3", "Q4"}},
}

func weekdayNames() []string {
	var names []string
	for day := range 7 {
		names = append(names, time.Weekday((day+1)%7).String())
	}
	return names
}

func monthNames() []string {
	var names []string
	for month := range 12 {
		names = append(names, time.Month(month+1).String())
	}
	return names
}

// sql returns the timeframe of a time.
func (f repeatingTimeframe) sql(of string) string {
	part := "EXTRACT(" + f.part + " FROM " + of + ")"
	switch {
	case f.first > 0:
		return part + " - " + strconv.Itoa(f.first)
	case f.labels == nil:
		return part
	}
	var out strings.Builder
	out.WriteString("CASE " + part)
	for i, label := range f.labels {
		out.WriteString(" WHEN " + strconv.Itoa(i+1) + " THEN " + quoteStringLiteral(label))
	}
	return out.String() + " END"
}

// addRepeatingTimeframes adds a dimension for each timeframe of the groups of a view that repeats.
func (v *view) addRepeatingTimeframes() {
	for _, group := range slices.Clone(v.list) {
		frames := group.block.findLastItem("timeframes")
		if frames == nil || !group.isGroup || group.refused != "" {
			continue
		}
		for _, item := range frames.list {
			if frame, repeats := repeatingTimeframes[item.node.Text]; repeats {
				v.addRepeatingTimeframe(group, item.node, frame)
			}
		}
	}
}

func (v *view) addRepeatingTimeframe(group *dimension, node *importer.Node, frame repeatingTimeframe) {
	d := &dimension{block: group.block, name: group.name + "_" + node.Text, kind: "number", frame: node, sql: timeframeSQL(group, node.Text, group.sql)}
	d.field = &draft.Field{Name: d.name, Role: draft.FieldRoleDimension, Datatype: modelspec.DatatypeInteger, Context: group.field.Context}
	if frame.labels != nil {
		d.kind, d.field.Datatype, d.field.Order = "string", modelspec.DatatypeString, frame.labels
	}
	if group.field.Label != "" {
		d.field.Label = group.field.Label + " (" + strings.ReplaceAll(node.Text, "_", " ") + ")"
	}
	switch {
	case d.sql == "":
		d.refused = "the stored time is a number or has no hours, and has no such part"
	case frame.ofWeek && v.project.weeksMoved:
		d.approximated = "it counts from Monday, and in Looker from the first day of the week"
	case group.field.Datatype == modelspec.DatatypeDateTime && !strings.EqualFold(group.block.valueOfKey("convert_tz"), "no"):
		d.approximated = "it is a part of the stored time, and in Looker of the time in the query's zone"
	}
	v.addUniqueDimension(d)
}

// timeframeSQL returns a timeframe of a time, "" where it has no expression.
func timeframeSQL(d *dimension, frame, time string) string {
	repeating, repeats := repeatingTimeframes[frame]
	switch {
	case frame == "" || frame == "raw" || frame == "date" && d.field.Datatype == modelspec.DatatypeDate:
		return time
	case d.field.Datatype == modelspec.DatatypeInteger || repeating.ofDay && d.field.Datatype == modelspec.DatatypeDate:
	case frame == "date":
		return "CAST(" + time + " AS DATE)"
	case frame == "year":
		return "EXTRACT(YEAR FROM " + time + ")"
	case repeats:
		return repeating.sql(time)
	}
	return ""
}

// recordTimeframes records what the timeframes of a group become, without those that are dimensions.
func (p *projectImport) recordTimeframes(d *dimension, name string) {
	frames := d.block.findLastItem("timeframes")
	if frames == nil || !d.isGroup {
		return
	}
	for _, frame := range frames.list {
		text := frame.node.Text
		_, repeats := repeatingTimeframes[text]
		isGrain := slices.Contains(dayOrCoarserTimeframes, text) || d.field.Datatype == modelspec.DatatypeDateTime && slices.Contains(withinDayTimeframes, text)
		switch {
		case text == "raw" || text == "time":
			p.recordPresentation(frame.node, "timeframe", name+"_"+text, "the field without a grain has these values")
		case repeats || isGrain:
		case strings.HasPrefix(text, "fiscal_"):
			p.recordDroppedConstruct(frame.node, "timeframe", name+"_"+text, fiscalPeriodDropReason)
		default:
			p.recordDroppedConstruct(frame.node, "timeframe", name+"_"+text, "a query has the grains second, minute, hour, day, week, month, quarter and year")
		}
	}
}

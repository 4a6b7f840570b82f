package describe

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// semiAdditiveRuleOf returns the rule by which a metric adds up over every dimension but time; nil for others. Such a metric is one
// plain aggregate.
func semiAdditiveRuleOf(m *catalog.Metric) *catalog.SemiAdditiveRule {
	measure := (*catalog.Measure)(nil)
	switch {
	case m.Window != nil:
		measure = m.Window.Base.Default
	case m.Forms.Default != nil && len(m.Forms.Default.Operands) == 1:
		measure, _ = m.Forms.Default.Operands[0].(*catalog.Measure)
	}
	if measure == nil {
		return nil
	}
	return measure.NonAdditive
}

// semiAdditiveWords describes how the snapshots of a bucket make its value, as the end of a sentence about the aggregate.
func semiAdditiveWords(rule *catalog.SemiAdditiveRule) string {
	by := rule.By.QualifiedNameExpr()
	if !rule.Take.SelectsOneSnapshot() {
		return ", the " + rule.Take.String() + " of its values by " + sqlexpr.Format(by)
	}
	text := " of the rows with the " + rule.Take.String() + " " + sqlexpr.Format(by)
	for i, per := range rule.Per {
		text += [...]string{" of each ", " and "}[min(i, 1)] + sqlexpr.Format(per.Field.QualifiedNameExpr())
	}
	return text
}

// nullReplacementWords names the number in the place of null.
func nullReplacementWords(m *catalog.Metric) string {
	text := ""
	if m.Derive != nil && m.Derive.Fill != "" {
		text += ", with " + m.Derive.Fill + " for each part that is null"
	}
	if m.Fill != "" {
		text += ", " + m.Fill + " in place of null"
	}
	return text
}

// windowWords describes a window, as the end of a sentence about what it is applied to.
func windowWords(w *catalog.Window) string {
	article := " over a "
	if w.Family() == "offset" {
		article = " over an "
	}
	text := article + windowFamilyWords(w.Family()) + " window"
	if f := w.FunctionOrCalculation(); f != "" && f != w.Family() {
		text += " (" + f + ")"
	}
	for _, part := range []string{windowExtentWords(w), resetWords(w), orderWords(w), partitionWords(w), populationWords(w)} {
		if part != "" {
			text += ", " + part
		}
	}
	if w.RequiresFullWindow() {
		text += ", null where a part of the window is missing"
	}
	return text
}

// populationWords names the rows that a window sees beside a time range, where the window declares them.
func populationWords(w *catalog.Window) string {
	switch w.Population {
	case catalog.PopulationRange:
		return "within the time range"
	case catalog.PopulationAll:
		return "also of rows outside of the time range"
	}
	return ""
}

// windowFamilyWords is how a sentence names a family of windows.
func windowFamilyWords(family string) string {
	switch family {
	case "pop":
		return "period-over-period"
	case "recompute":
		return "recomputed"
	}
	return family
}

// windowExtentWords names the buckets that a window reads; "" where its family has one extent.
func windowExtentWords(w *catalog.Window) string {
	switch {
	case w.Offset != nil:
		direction := " before"
		if w.Offset.Forward {
			direction = " after"
		}
		return countedWords(w.Offset.Count, grainOrPeriodName(w.Offset.Unit())) + direction
	case w.Rolling != nil && w.Rolling.Span != nil:
		return "each of the last " + countedWords(w.Rolling.Span.Count, grainOrPeriodName(w.Rolling.Span.Unit()))
	case w.Rolling != nil:
		return "the last " + countedWords(w.Rolling.Periods, "period")
	case w.Frame != nil:
		return frameWords(w.Frame)
	case w.Recompute != nil && w.Recompute.Unbounded:
		return "all rows so far"
	case w.Recompute != nil && w.Recompute.Span != nil:
		span := w.Recompute.Span
		return "the rows of the last " + countedWords(span.Count, grainOrPeriodName(span.Unit()))
	case w.Recompute != nil:
		return "the rows of the last " + countedWords(w.Recompute.Periods, "period")
	case w.Rank != nil && w.Rank.Buckets != (catalog.WindowCountOrParam{}):
		return "into " + countedWords(w.Rank.Buckets, "bucket")
	case w.Value != nil && w.Value.N != (catalog.WindowCountOrParam{}):
		return "the value number " + countText(w.Value.N)
	}
	return ""
}

// frameWords names the rows of a frame.
func frameWords(f *catalog.FrameWindow) string {
	switch {
	case f.PartitionScope:
		return "all rows"
	case f.Unbounded:
		return "all rows so far"
	case f.Range:
		return "the current row and those at most " + countText(f.Preceding) + " before it"
	}
	return "the current row and the " + countedWords(f.Preceding, "row") + " before it"
}

// resetWords names the period with which a window begins again.
func resetWords(w *catalog.Window) string {
	name := grainOrPeriodName(w.ResetUnit())
	if name == "" {
		return ""
	}
	return "from the beginning of each " + name
}

// orderWords describes an order that a model declares.
func orderWords(w *catalog.Window) string {
	if w.Frame == nil && w.Rank == nil && w.Value == nil {
		return ""
	}
	order := w.EffectiveOrder()
	switch {
	case order == nil:
		return ""
	case order.ByTime && order.Desc:
		return "by time, the latest first"
	case order.ByTime:
		return "by time"
	case order.Desc:
		return "by value, the largest first"
	}
	return "by value, the least first"
}

// partitionWords describes what divides the rows of a window of rows.
func partitionWords(w *catalog.Window) string {
	if w.Frame == nil && w.Rank == nil && w.Value == nil {
		return ""
	}
	partition := w.EffectivePartition()
	//exhaustive:enforce
	switch partition.Mode {
	case catalog.PartitionNone:
		return "over all groups"
	case catalog.PartitionTimeBucket:
		return "within each period"
	case catalog.PartitionDimensionsExcept:
		names := make([]string, len(partition.Exclude))
		for i, f := range partition.Exclude {
			names[i] = sqlexpr.Format(f.QualifiedNameExpr())
		}
		return "within each group of the dimensions but " + strings.Join(names, " and ")
	case catalog.PartitionDefault, catalog.PartitionDimensions: // the other group-bys divide the rows, as in every window
	}
	return ""
}

// grainOrPeriodName returns the name of a grain or of a period of a calendar; "" for neither.
func grainOrPeriodName(u catalog.GrainOrPeriod) string {
	switch {
	case u.Period != nil:
		return sqlexpr.FormatPath(u.Period.Name)
	case u.Grain == sqlexpr.GrainNone:
		return ""
	}
	return u.Grain.String()
}

// countedWords returns a number with what it counts.
func countedWords(n catalog.WindowCountOrParam, unit string) string {
	if n.Param == "" && n.N == 1 {
		return "1 " + unit
	}
	return countText(n) + " " + unit + "s"
}

// countText returns a number, or the parameter that gives it.
func countText(n catalog.WindowCountOrParam) string {
	if n.Param != "" {
		return ":" + n.Param
	}
	return strconv.Itoa(n.N)
}

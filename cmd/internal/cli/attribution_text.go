package cli

import (
	"math"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/semlayer/semlayer/engine"
)

// The sizes of an attribution's report.
const (
	changeBarWidth          = 24
	maxShownDimensionValues = 12 // values of a dimension
)

// metricFormats returns how the numbers of a metric are shown.
type metricFormats func(metric string) engine.ColumnFormat

// amounts returns a column of numbers of a metric.
func (formats metricFormats) amounts(metric string, numbers ...attributionNumber) amountColumn {
	texts := make([]string, 0, len(numbers))
	for _, n := range numbers {
		if isFinite(n) {
			texts = append(texts, attributionNumberText(n))
		}
	}
	return amountColumn{newNumberColumn(formats(metric), texts...)}
}

// attributionText returns an attribution for people: what changed, then for each
// dimension its values with the largest changes, each with a bar.
func attributionText(r *engine.Attribution, formats metricFormats) string {
	var b strings.Builder
	t := r.TotalChange
	amounts := formats.amounts(r.Metric, t.BaselineValue, t.CurrentValue, t.Delta)
	b.WriteString(terminalSafeLine(r.Metric) + ": " + amounts.amount(t.BaselineValue) + " -> " + amounts.amount(t.CurrentValue) + "  " + amounts.change(t.Delta))
	if t.PctChange != nil {
		b.WriteString(" (" + formatPercent(*t.PctChange) + ")")
	}
	m := r.ComparisonMetadata
	b.WriteString("\n" + m.Baseline.Start + " .. " + m.Baseline.End + " against " + m.Current.Start + " .. " + m.Current.End)
	if m.TimeDimension != "" {
		b.WriteString(" of " + m.TimeDimension)
	}
	b.WriteString("; " + strings.ReplaceAll(string(r.Strategy), "_", " ") + "\n")
	if r.UnsupportedReason != nil {
		b.WriteString("no contributions: " + r.UnsupportedReason.Message + "\n")
	}
	if r.WindowMapping != nil {
		b.WriteString(r.WindowMapping.Family + " window: " + r.WindowMapping.Note + "\n")
	}
	writeAttributedMetricComponents(&b, r, formats)
	for _, d := range r.DimensionRanking {
		writeDimensionContributions(&b, d.Dimension, r, formats)
	}
	for _, w := range r.Warnings {
		b.WriteString("warning: " + w.Message + "\n")
	}
	return b.String()
}

// writeAttributedMetricComponents are the lines of what the metric is made of.
func writeAttributedMetricComponents(b *strings.Builder, r *engine.Attribution, formats metricFormats) {
	var g textTable
	line := func(name string, numbers amountColumn, v engine.AttributionComparison, note string) {
		g.rows = append(g.rows, []tableCell{newTextCell("  " + name), newTextCell(numbers.amount(v.BaselineValue)), newTextCell("-> " + numbers.amount(v.CurrentValue)), newTextCell(numbers.change(v.Delta)), newTextCell(note)})
	}
	var factors, effects []attributionNumber
	for _, f := range r.Factors {
		factors, effects = append(factors, f.BaselineValue, f.CurrentValue, f.Delta), append(effects, f.Effect)
	}
	for _, f := range r.Factors {
		line("factor "+f.Factor, formats.amounts("", factors...), f.ComparedValue, "effect "+formats.amounts(r.Metric, effects...).change(f.Effect))
	}
	if f := r.FactorTotals; f != nil {
		effects := formats.amounts(r.Metric, f.MixEffect, f.RateEffect, f.Entered, f.Exited, f.Fallback)
		for _, p := range []struct {
			name  string
			value attributionNumber
		}{{"mix", f.MixEffect}, {"rate", f.RateEffect}, {"entered", f.Entered}, {"exited", f.Exited}, {"without a rate", f.Fallback}} {
			if p.value != 0 || p.name == "mix" || p.name == "rate" {
				b.WriteString("  " + p.name + " " + effects.change(p.value) + "\n")
			}
		}
	}
	var members, counted []attributionNumber
	for _, m := range r.MemberBreakdown {
		members = append(members, m.BaselineValue, m.CurrentValue, m.Delta)
		if m.WeightedDelta != nil {
			counted = append(counted, *m.WeightedDelta)
		}
	}
	for _, m := range r.MemberBreakdown {
		note := ""
		if m.WeightedDelta != nil {
			note = "counts " + formats.amounts(r.Metric, counted...).change(*m.WeightedDelta)
		}
		line(m.Metric, formats.amounts(m.Metric, members...), m.ComparedValue, note)
	}
	if f := r.FilterBreakdown; f != nil {
		all := formats.amounts(r.Metric, f.Base.BaselineValue, f.Base.CurrentValue, f.Base.Delta, f.Filtered.BaselineValue, f.Filtered.CurrentValue,
			f.Filtered.Delta, f.Complement.BaselineValue, f.Complement.CurrentValue, f.Complement.Delta)
		line(f.BaseMetric, all, f.Base, "all of it")
		line("filtered", all, f.Filtered, "")
		line("the rest", all, f.Complement, "")
	}
	writeAlignedRows(b, g.rows)
}

func writeDimensionContributions(b *strings.Builder, name string, r *engine.Attribution, formats metricFormats) {
	d := r.PerDimension[name]
	b.WriteString("\n" + terminalSafeLine(name))
	if d.Score != nil {
		b.WriteString("  (score " + strconv.FormatFloat(float64(*d.Score), 'f', 2, 64) + ")")
	}
	b.WriteString("\n")
	largest := 0.0
	for _, v := range d.Values {
		if size := math.Abs(float64(v.Delta)); size > largest {
			largest = size
		}
	}
	shown := d.Values[:min(len(d.Values), maxShownDimensionValues)]
	var numbers []attributionNumber
	for _, v := range shown {
		numbers = append(numbers, v.BaselineValue, v.CurrentValue, v.Delta)
	}
	amounts := formats.amounts(r.Metric, numbers...)
	var rows [][]tableCell
	for _, v := range shown {
		note := ""
		if v.ContributionPct != nil {
			note = formatPercent(*v.ContributionPct)
		}
		if v.SegmentKind != "normal" {
			note = strings.TrimSpace(note + " " + string(v.SegmentKind))
		}
		rows = append(rows, []tableCell{
			newTextCell("  " + cellDisplayText(tableCell{text: v.Value, null: v.Null}, numberColumn{}, maxCellWidth)), newTextCell(amounts.amount(v.BaselineValue)), newTextCell("-> " + amounts.amount(v.CurrentValue)),
			newTextCell(amounts.change(v.Delta)), newTextCell(formatChangeBar(float64(v.Delta), largest)), newTextCell(note),
		})
	}
	writeAlignedRows(b, rows)
	if more := len(d.Values) - maxShownDimensionValues; more > 0 {
		b.WriteString("  and " + strconv.Itoa(more) + " more\n")
	} else if d.Truncated {
		b.WriteString("  and others\n")
	}
}

// formatChangeBar returns a bar whose length shows the size of a change; that of a decrease is light.
func formatChangeBar(delta, largest float64) string {
	if largest == 0 || math.IsNaN(delta) {
		return ""
	}
	n := int(math.Round(math.Abs(delta) / largest * changeBarWidth))
	if delta != 0 {
		n = max(n, 1)
	}
	if delta < 0 {
		return strings.Repeat("░", n)
	}
	return strings.Repeat("█", n)
}

// writeAlignedRows writes rows in columns: names to the left, numbers to the right, what
// follows them to the left.
func writeAlignedRows(b *strings.Builder, rows [][]tableCell) {
	var widths []int
	for _, row := range rows {
		for i := range row {
			c := &row[i]
			c.text = terminalSafeLine(c.text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], displaywidth.String(c.text))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", widths[i]-displaywidth.String(c.text))
			if i == 1 || i == 3 {
				line.WriteString(pad + c.text)
			} else {
				line.WriteString(c.text + pad)
			}
			line.WriteString("  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// attributionNumber is a number of an attribution.
type attributionNumber = engine.AttributionNumber

// amountColumn shows numbers of an attribution; a missing one is null.
type amountColumn struct{ numbers numberColumn }

func (c amountColumn) amount(n attributionNumber) string {
	if !isFinite(n) {
		return nullText
	}
	return c.numbers.text(attributionNumberText(n))
}

func (c amountColumn) change(n attributionNumber) string {
	if !isFinite(n) {
		return nullText
	}
	return c.numbers.changeText(attributionNumberText(n))
}

func isFinite(n attributionNumber) bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// attributionNumberText returns a number with all its digits.
func attributionNumberText(n attributionNumber) string {
	if size := math.Abs(float64(n)); size != 0 && (size < 1e-6 || size >= 1e15) {
		return strconv.FormatFloat(float64(n), 'e', -1, 64)
	}
	return strconv.FormatFloat(float64(n), 'f', -1, 64)
}

func formatPercent(n attributionNumber) string {
	text := strconv.FormatFloat(float64(n), 'f', 1, 64)
	if n > 0 {
		text = "+" + text
	}
	return text + " %"
}

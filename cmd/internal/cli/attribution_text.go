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

// attributionText returns an attribution for people: what changed, then for each
// dimension its values with the largest changes, each with a bar.
func attributionText(r *engine.Attribution) string {
	var b strings.Builder
	t := r.TotalChange
	b.WriteString(terminalSafeLine(r.Metric) + ": " + formatAttributionNumber(t.BaselineValue) + " -> " + formatAttributionNumber(t.CurrentValue) + "  " + formatSignedAttributionNumber(t.Delta))
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
	writeAttributedMetricComponents(&b, r)
	for _, d := range r.DimensionRanking {
		writeDimensionContributions(&b, d.Dimension, r)
	}
	for _, w := range r.Warnings {
		b.WriteString("warning: " + w.Message + "\n")
	}
	return b.String()
}

// writeAttributedMetricComponents are the lines of what the metric is made of.
func writeAttributedMetricComponents(b *strings.Builder, r *engine.Attribution) {
	var g textTable
	line := func(name, before, after, delta, note string) {
		g.rows = append(g.rows, []tableCell{newTextCell("  " + name), newTextCell(before), newTextCell("-> " + after), newTextCell(delta), newTextCell(note)})
	}
	for _, f := range r.Factors {
		line("factor "+f.Factor, formatAttributionNumber(f.BaselineValue), formatAttributionNumber(f.CurrentValue), formatSignedAttributionNumber(f.Delta), "effect "+formatSignedAttributionNumber(f.Effect))
	}
	if f := r.FactorTotals; f != nil {
		for _, p := range []struct {
			name  string
			value attributionNumber
		}{{"mix", f.MixEffect}, {"rate", f.RateEffect}, {"entered", f.Entered}, {"exited", f.Exited}, {"without a rate", f.Fallback}} {
			if p.value != 0 || p.name == "mix" || p.name == "rate" {
				b.WriteString("  " + p.name + " " + formatSignedAttributionNumber(p.value) + "\n")
			}
		}
	}
	for _, m := range r.MemberBreakdown {
		note := ""
		if m.WeightedDelta != nil {
			note = "counts " + formatSignedAttributionNumber(*m.WeightedDelta)
		}
		line(m.Metric, formatAttributionNumber(m.BaselineValue), formatAttributionNumber(m.CurrentValue), formatSignedAttributionNumber(m.Delta), note)
	}
	if f := r.FilterBreakdown; f != nil {
		line(f.BaseMetric, formatAttributionNumber(f.Base.BaselineValue), formatAttributionNumber(f.Base.CurrentValue), formatSignedAttributionNumber(f.Base.Delta), "all of it")
		line("filtered", formatAttributionNumber(f.Filtered.BaselineValue), formatAttributionNumber(f.Filtered.CurrentValue), formatSignedAttributionNumber(f.Filtered.Delta), "")
		line("the rest", formatAttributionNumber(f.Complement.BaselineValue), formatAttributionNumber(f.Complement.CurrentValue), formatSignedAttributionNumber(f.Complement.Delta), "")
	}
	writeAlignedRows(b, g.rows)
}

func writeDimensionContributions(b *strings.Builder, name string, r *engine.Attribution) {
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
	var rows [][]tableCell
	for _, v := range d.Values[:min(len(d.Values), maxShownDimensionValues)] {
		note := ""
		if v.ContributionPct != nil {
			note = formatPercent(*v.ContributionPct)
		}
		if v.SegmentKind != "normal" {
			note = strings.TrimSpace(note + " " + string(v.SegmentKind))
		}
		rows = append(rows, []tableCell{
			newTextCell("  " + cellDisplayText(newTextCell(v.Value), engine.ColumnFormat{}, maxCellWidth)), newTextCell(formatAttributionNumber(v.BaselineValue)), newTextCell("-> " + formatAttributionNumber(v.CurrentValue)),
			newTextCell(formatSignedAttributionNumber(v.Delta)), newTextCell(formatChangeBar(float64(v.Delta), largest)), newTextCell(note),
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

// formatAttributionNumber prints a number with four decimals at most, "none" for a missing number.
func formatAttributionNumber(n attributionNumber) string {
	f := float64(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "none"
	}
	if math.Abs(f) >= 1e15 || f != 0 && math.Abs(f) < 1e-4 {
		return strconv.FormatFloat(f, 'g', 6, 64)
	}
	text := strconv.FormatFloat(f, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func formatSignedAttributionNumber(n attributionNumber) string {
	text := formatAttributionNumber(n)
	if n > 0 {
		text = "+" + text
	}
	return text
}

func formatPercent(n attributionNumber) string {
	text := strconv.FormatFloat(float64(n), 'f', 1, 64)
	if n > 0 {
		text = "+" + text
	}
	return text + " %"
}

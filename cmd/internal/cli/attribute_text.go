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
	barWidth   = 24
	shownTexts = 12 // values of a dimension
)

// attributionText is an attribution for people: what changed, then for each
// dimension its values with the largest changes, each with a bar.
func attributionText(r *engine.Attribution) string {
	var b strings.Builder
	t := r.TotalChange
	b.WriteString(oneLine(r.Metric) + ": " + amount(t.BaselineValue) + " -> " + amount(t.CurrentValue) + "  " + signed(t.Delta))
	if t.PctChange != nil {
		b.WriteString(" (" + percent(*t.PctChange) + ")")
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
	parts(&b, r)
	for _, d := range r.DimensionRanking {
		dimensionText(&b, d.Dimension, r)
	}
	for _, w := range r.Warnings {
		b.WriteString("warning: " + w.Message + "\n")
	}
	return b.String()
}

// parts are the lines of what the metric is made of.
func parts(b *strings.Builder, r *engine.Attribution) {
	var g grid
	line := func(name, before, after, delta, note string) {
		g.rows = append(g.rows, []cell{textCell("  " + name), textCell(before), textCell("-> " + after), textCell(delta), textCell(note)})
	}
	for _, f := range r.Factors {
		line("factor "+f.Factor, amount(f.BaselineValue), amount(f.CurrentValue), signed(f.Delta), "effect "+signed(f.Effect))
	}
	if f := r.FactorTotals; f != nil {
		for _, p := range []struct {
			name  string
			value number
		}{{"mix", f.MixEffect}, {"rate", f.RateEffect}, {"entered", f.Entered}, {"exited", f.Exited}, {"without a rate", f.Fallback}} {
			if p.value != 0 || p.name == "mix" || p.name == "rate" {
				b.WriteString("  " + p.name + " " + signed(p.value) + "\n")
			}
		}
	}
	for _, m := range r.MemberBreakdown {
		note := ""
		if m.WeightedDelta != nil {
			note = "counts " + signed(*m.WeightedDelta)
		}
		line(m.Metric, amount(m.BaselineValue), amount(m.CurrentValue), signed(m.Delta), note)
	}
	if f := r.FilterBreakdown; f != nil {
		line(f.BaseMetric, amount(f.Base.BaselineValue), amount(f.Base.CurrentValue), signed(f.Base.Delta), "all of it")
		line("filtered", amount(f.Filtered.BaselineValue), amount(f.Filtered.CurrentValue), signed(f.Filtered.Delta), "")
		line("the rest", amount(f.Complement.BaselineValue), amount(f.Complement.CurrentValue), signed(f.Complement.Delta), "")
	}
	aligned(b, g.rows)
}

func dimensionText(b *strings.Builder, name string, r *engine.Attribution) {
	d := r.PerDimension[name]
	b.WriteString("\n" + oneLine(name))
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
	var rows [][]cell
	for _, v := range d.Values[:min(len(d.Values), shownTexts)] {
		note := ""
		if v.ContributionPct != nil {
			note = percent(*v.ContributionPct)
		}
		if v.SegmentKind != "normal" {
			note = strings.TrimSpace(note + " " + string(v.SegmentKind))
		}
		rows = append(rows, []cell{
			textCell("  " + display(textCell(v.Value), maxCell)), textCell(amount(v.BaselineValue)), textCell("-> " + amount(v.CurrentValue)),
			textCell(signed(v.Delta)), textCell(bar(float64(v.Delta), largest)), textCell(note),
		})
	}
	aligned(b, rows)
	if more := len(d.Values) - shownTexts; more > 0 {
		b.WriteString("  and " + strconv.Itoa(more) + " more\n")
	} else if d.Truncated {
		b.WriteString("  and others\n")
	}
}

// bar is as long as a change is large; a decrease is light.
func bar(delta, largest float64) string {
	if largest == 0 || math.IsNaN(delta) {
		return ""
	}
	n := int(math.Round(math.Abs(delta) / largest * barWidth))
	if delta != 0 {
		n = max(n, 1)
	}
	if delta < 0 {
		return strings.Repeat("░", n)
	}
	return strings.Repeat("█", n)
}

// aligned writes rows in columns: names to the left, numbers to the right, what
// follows them to the left.
func aligned(b *strings.Builder, rows [][]cell) {
	var widths []int
	for _, row := range rows {
		for i := range row {
			c := &row[i]
			c.text = oneLine(c.text)
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

// number is a number of an attribution's answer.
type number = engine.AttributionNumber

// amount prints a number with four decimals at most, "none" where there is none.
func amount(n number) string {
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

func signed(n number) string {
	text := amount(n)
	if n > 0 {
		text = "+" + text
	}
	return text
}

func percent(n number) string {
	text := strconv.FormatFloat(float64(n), 'f', 1, 64)
	if n > 0 {
		text = "+" + text
	}
	return text + " %"
}

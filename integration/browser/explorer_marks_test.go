package browser_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// signed has values of both signs, of two magnitudes, a month without rows and a kind without a value.
const signed = `version: 0.2.0.dev0
name: signed
datasets:
  - name: entry
    source: SELECT * FROM (VALUES (DATE '2024-01-10', 'a', 1000, 0.5), (DATE '2024-02-10', 'b', -500, -0.25), (DATE '2024-04-10', 'c', 250, 0.75), (DATE '2024-05-10', 'd', NULL, 0.1), (DATE '2024-06-30', 'e', -750, -0.6)) AS t(day, kind, large, small)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: large, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: large}]}}
      - {name: small, datatype: Float, expression: {dialects: [{dialect: ANSI_SQL, expression: small}]}}
metrics:
  - {name: large, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(entry.large)}]}}
  - {name: small, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(entry.small)}]}}
`

// plotPixels is what the pixels of one canvas show: the height of the line of zero, and for
// each column of pixels with the colour of the first series where it begins and ends.
type plotPixels struct {
	Zero int
	Runs []struct{ X, Top, Bottom int }
}

// readPixels reads the canvases of the page. The colours are those of the light theme.
const readPixels = `[...document.querySelectorAll(".plot canvas")].map(c => {
	const {width: w, height: h} = c, data = c.getContext("2d").getImageData(0, 0, w, h).data
	const like = (x, y, [r, g, b]) => { const i = (y * w + x) * 4; return data[i + 3] > 200 && Math.abs(data[i] - r) < 12 && Math.abs(data[i + 1] - g) < 12 && Math.abs(data[i + 2] - b) < 12 }
	const mark = [0x00, 0x72, 0xb2], ink = [0x59, 0x66, 0x75]
	let zero = -1
	for (let y = 0; y < h; y++) { let n = 0; for (let x = 100; x < w - 40; x++) if (like(x, y, ink)) n++; if (n > w / 4) { zero = y; break } }
	const runs = []
	for (let x = 0; x < w; x++) { let top = -1, bottom = -1; for (let y = 0; y < h; y++) if (like(x, y, mark)) { if (top < 0) top = y; bottom = y }; if (top >= 0) runs.push({X: x, Top: top, Bottom: bottom}) }
	return {Zero: zero, Runs: runs}
})`

// span is what one bar covers.
type span struct{ left, right, top, bottom int }

// barsOf joins columns of pixels that lie side by side.
func barsOf(p plotPixels) []span {
	var out []span
	for _, r := range p.Runs {
		if n := len(out); n > 0 && out[n-1].right+1 == r.X {
			out[n-1].right, out[n-1].top, out[n-1].bottom = r.X, min(out[n-1].top, r.Top), max(out[n-1].bottom, r.Bottom)
			continue
		}
		out = append(out, span{r.X, r.X, r.Top, r.Bottom})
	}
	return out
}

func drawnPixels(t *testing.T, b *chromium.Browser, origin, query string, plots int) []plotPixels {
	t.Helper()
	p := openChart(t, b, origin, query)
	var out []plotPixels
	p.RunActions(
		waitFor(fmt.Sprintf(`document.querySelectorAll(".plot canvas").length === %d`, plots)),
		waitFor(stands),
		waitFor(readPixels+`.every(p => p.Zero >= 0 && p.Runs.length > 0)`),
		chromedp.Evaluate(readPixels, &out),
	)
	clean(t, p, origin)
	return out
}

// Each bar reaches from the line of zero to its value: the lengths of the bars of a plot are
// to each other as the values are, below zero too, and in every plot of the figure.
func TestMarks_BarsReachFromZeroToTheirValues(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, signed)
	plots := drawnPixels(t, b, origin, "metric=large&metric=small&by=entry.kind", 2)
	// Bars are in the order of the first metric; d has no value of it.
	for i, values := range [][]float64{{1000, 250, -500, -750}, {0.5, 0.75, -0.25, -0.6, 0.1}} {
		compareBars(t, plots[i], values)
	}
	for _, kind := range []string{"bar", "stacked"} {
		compareBars(t, drawnPixels(t, b, origin, "metric=large&by=metric_time:month&kind="+kind, 1)[0], []float64{1000, -500, 250, -750})
	}
	compareBars(t, drawnPixels(t, b, origin, "metric=large&by=entry.kind&filter=entry.kind~in~b,e", 1)[0], []float64{-500, -750})
}

func compareBars(t *testing.T, p plotPixels, values []float64) {
	t.Helper()
	bars := barsOf(p)
	if p.Zero < 0 || len(bars) != len(values) {
		t.Fatalf("the line of zero is at %d; %d bars are drawn, want %d: %v", p.Zero, len(bars), len(values), bars)
	}
	longest, pixels := 0.0, 0.0
	for i, v := range values {
		if math.Abs(v) > longest {
			longest, pixels = math.Abs(v), float64(bars[i].bottom-bars[i].top+1)
		}
	}
	if pixels < 30 {
		t.Fatalf("the longest bar has %.0f pixels", pixels)
	}
	for i, v := range values {
		length := pixels * math.Abs(v) / longest
		wantTop, wantBottom := float64(p.Zero)-length, float64(p.Zero)
		if v < 0 {
			wantTop, wantBottom = float64(p.Zero), float64(p.Zero)+length
		}
		if math.Abs(float64(bars[i].top)-wantTop) > 2 || math.Abs(float64(bars[i].bottom)-wantBottom) > 2 {
			t.Errorf("bar %d of %g reaches from %d to %d, want %.1f to %.1f; zero is at %d", i, v, bars[i].top, bars[i].bottom, wantTop, wantBottom, p.Zero)
		}
	}
}

// The points of a line are at equal steps of time, at heights that are to each other as
// their values are; a month without rows and one without a value are gaps.
func TestMarks_LinesPassThroughTheirValuesAndLeaveGaps(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, signed)
	null := math.NaN()
	plots := drawnPixels(t, b, origin, "metric=large&metric=small&by=metric_time:month", 2)
	for i, values := range [][]float64{{1000, -500, null, 250, null, -750}, {0.5, -0.25, null, 0.75, 0.1, -0.6}} {
		compareLine(t, plots[i], values)
	}
	if a, z := plots[0].Runs, plots[1].Runs; a[0].X != z[0].X || a[len(a)-1].X != z[len(z)-1].X {
		t.Errorf("the two plots have their time at different places: %d to %d and %d to %d", a[0].X, a[len(a)-1].X, z[0].X, z[len(z)-1].X)
	}
}

func compareLine(t *testing.T, p plotPixels, values []float64) {
	t.Helper()
	const radius = 2
	first, last := float64(p.Runs[0].X+radius), float64(p.Runs[len(p.Runs)-1].X-radius)
	step := (last - first) / float64(len(values)-1)
	at := func(i int) (middle float64, found bool) {
		x := int(math.Round(first + step*float64(i)))
		for _, r := range p.Runs {
			if r.X == x {
				return float64(r.Top+r.Bottom) / 2, true
			}
		}
		return 0, false
	}
	scale := 0.0 // pixels of one unit, by the first value
	for i, v := range values {
		middle, found := at(i)
		if found == math.IsNaN(v) {
			t.Errorf("stop %d of value %g is drawn: %t", i, v, found)
			continue
		}
		if !found {
			continue
		}
		if scale == 0 {
			scale = (float64(p.Zero) - middle) / v
			if scale*math.Abs(v) < 20 {
				t.Fatalf("the first value is %.1f pixels above zero", scale*v)
			}
		}
		if want := float64(p.Zero) - v*scale; math.Abs(middle-want) > 3.5 {
			t.Errorf("stop %d of %g is drawn at %.1f, want %.1f; zero is at %d", i, v, middle, want, p.Zero)
		}
	}
}

// On a narrow screen the labels of values and of long names leave the plot most of its width.
func TestMarks_LabelsLeaveThePlotItsWidth(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, hostile)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(look("light", 390)...)
	var plots []plotPixels
	var width int
	p.RunActions(
		chromedp.Navigate(origin+"/#/explore?metric=amount_sum&by=%22odd%20name%22.kind"),
		waitFor(stands),
		waitFor(readPixels+`.every(p => p.Runs.length > 0)`),
		chromedp.Evaluate(readPixels, &plots),
		chromedp.Evaluate(`document.querySelector(".plot canvas").width`, &width),
	)
	if first := plots[0].Runs[0].X; first*10 > width*4 {
		t.Errorf("the first mark of a plot %d wide is at %d", width, first)
	}
	// In the table of the same page texts are cut, numbers are not.
	const cutNumbers = `[...document.querySelectorAll("td.number")].filter(c => c.scrollWidth > c.clientWidth).map(c => c.innerText)`
	p.RunActions(click(tableTab), waitFor(drawnTable), reads("tbody", "1,000,000,000,000,000"), awaits(cutNumbers, []string{}))
	clean(t, p, origin)
}

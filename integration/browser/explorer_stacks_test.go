package browser_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// kinds has two kinds over four months: a 10, 20, 30, 40 and b 10, 5, 20, 10.
const kinds = `version: 0.2.0.dev0
name: kinds
datasets:
  - name: entry
    source: SELECT * FROM (VALUES (DATE '2024-01-10', 'a', 10), (DATE '2024-01-11', 'b', 10), (DATE '2024-02-10', 'a', 20), (DATE '2024-02-11', 'b', 5), (DATE '2024-03-10', 'a', 30), (DATE '2024-03-11', 'b', 20), (DATE '2024-04-30', 'a', 40), (DATE '2024-04-30', 'b', 10)) AS t(day, kind, amount)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(entry.amount)}]}}
`

// paint is a colour of a chart and the least and most of its opacity.
type paint struct{ red, green, blue, least, most int }

// The colours of the first two series in the light theme: as lines and bars, as the areas below
// lines, and as the bars of the range before.
var (
	solidA  = paint{0x00, 0x72, 0xb2, 200, 255}
	solidB  = paint{0xe6, 0x9f, 0x00, 200, 255}
	areaA   = paint{0x00, 0x72, 0xb2, 60, 76}
	areaB   = paint{0xe6, 0x9f, 0x00, 60, 76}
	beforeA = paint{0x00, 0x72, 0xb2, 94, 110}
	beforeB = paint{0xe6, 0x9f, 0x00, 94, 110}
)

// stretch is an unbroken run of a colour in one column of pixels.
type stretch struct{ X, Top, Bottom int }

// painted reads every run of a colour of the first plot, column by column.
func painted(c paint) string {
	return fmt.Sprintf(`(() => {
		const c = document.querySelector(".plot canvas"), {width: w, height: h} = c, data = c.getContext("2d").getImageData(0, 0, w, h).data, out = []
		const like = (x, y) => { const i = (y * w + x) * 4; return data[i + 3] >= %d && data[i + 3] <= %d && Math.abs(data[i] - %d) < 12 && Math.abs(data[i + 1] - %d) < 12 && Math.abs(data[i + 2] - %d) < 12 }
		const plotBottom = h - 60
		for (let x = 75; x < w; x++) for (let y = 0, top = -1; y <= plotBottom; y++) { const on = y < plotBottom && like(x, y); if (on && top < 0) top = y; if (!on && top >= 0) { out.push({X: x, Top: top, Bottom: y - 1}); top = -1 } }
		return out
	})()`, c.least, c.most, c.red, c.green, c.blue)
}

// readPaint opens a chart and reads the line of zero and the runs of some colours.
func readPaint(t *testing.T, b *chromium.Browser, origin, query string, colours ...paint) (zero int, found [][]stretch) {
	t.Helper()
	p := openChart(t, b, origin, query)
	var plots []plotPixels
	p.RunActions(waitFor(stands), waitFor(readPixels+`.every(p => p.Zero >= 0 && p.Runs.length > 0)`), chromedp.Evaluate(readPixels, &plots))
	for _, c := range colours {
		var runs []stretch
		p.RunActions(chromedp.Evaluate(painted(c), &runs))
		found = append(found, runs)
	}
	clean(t, p, origin)
	return plots[0].Zero, found
}

// bars joins runs that lie side by side, or are parted by a line of the grid; what is only an edge
// between two others is left out.
func bars(runs []stretch) []span {
	var out []span
	for _, r := range runs {
		if n := len(out); n > 0 && r.X-out[n-1].right <= 1 {
			out[n-1].right, out[n-1].top, out[n-1].bottom = r.X, min(out[n-1].top, r.Top), max(out[n-1].bottom, r.Bottom)
			continue
		}
		out = append(out, span{r.X, r.X, r.Top, r.Bottom})
	}
	var wide []span
	for _, s := range out {
		if s.right-s.left > 4 {
			wide = append(wide, s)
		}
	}
	return wide
}

// compareStacks fails unless the bars of two series are on top of each other with the lengths of their values.
func compareStacks(t *testing.T, what string, zero int, unit float64, lower, upper []span, a, b []float64) {
	t.Helper()
	if len(lower) != len(a) || len(upper) != len(b) {
		t.Fatalf("%s: %d lower and %d upper bars, want %d and %d", what, len(lower), len(upper), len(a), len(b))
	}
	near := func(got int, want float64) bool { return math.Abs(float64(got)-want) <= 2.5 }
	for i := range a {
		bottom, middle, top := float64(zero), float64(zero)-a[i]*unit, float64(zero)-(a[i]+b[i])*unit
		if !near(lower[i].bottom, bottom) || !near(lower[i].top, middle) || !near(upper[i].bottom, middle) || !near(upper[i].top, top) || math.Abs(float64(lower[i].left-upper[i].left)) > 1 {
			t.Errorf("%s %d: %+v below %+v, want from %.1f over %.1f to %.1f", what, i, lower[i], upper[i], bottom, middle, top)
		}
	}
}

// The values of a month are on top of each other, and reach from zero to their sum. With the range
// before there are two stacks for each month, side by side.
func TestMarks_StacksReachTheSumOfTheirValues(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, kinds)
	zero, found := readPaint(t, b, origin, "metric=total&by=metric_time:month&by=entry.kind&kind=stacked", solidA, solidB)
	lower, upper := bars(found[0]), bars(found[1])
	if len(lower) == 0 {
		t.Fatal("no bars are drawn")
	}
	unit := float64(zero-lower[len(lower)-1].top) / 40
	if unit < 2 {
		t.Fatalf("one unit has %.1f pixels", unit)
	}
	compareStacks(t, "stack", zero, unit, lower, upper, []float64{10, 20, 30, 40}, []float64{10, 5, 20, 10})

	zero, found = readPaint(t, b, origin, "metric=total&by=metric_time:month&by=entry.kind&kind=stacked&start=2024-03-01&end=2024-05-01&compare=previous", solidA, solidB, beforeA, beforeB)
	now, before := bars(found[0]), bars(found[2])
	if len(now) != 2 || len(before) != 2 {
		t.Fatalf("%d stacks of the range and %d of the one before", len(now), len(before))
	}
	unit = float64(zero-now[1].top) / 40
	compareStacks(t, "stack", zero, unit, now, bars(found[1]), []float64{30, 40}, []float64{20, 10})
	compareStacks(t, "stack before", zero, unit, before, bars(found[3]), []float64{10, 20}, []float64{10, 5})
	for i := range now {
		if now[i].left <= before[i].right && before[i].left <= now[i].right {
			t.Errorf("the stacks of month %d lie over each other: %+v and %+v", i, now[i], before[i])
		}
	}
}

// areaStack is two areas on top of each other, a value for each stop.
type areaStack struct{ lower, upper []float64 }

// compareAreas fails unless the lower area is filled from zero to its values and the upper one from there to the sum, between
// two stops as the line between them. The colours are those of the edges and of the areas.
func compareAreas(t *testing.T, zero int, found [][]stretch, want areaStack) {
	t.Helper()
	first, last := found[0][0].X+2, found[0][len(found[0])-1].X-2 // without the marks of the points
	sum := make([]float64, len(want.lower))
	for i := range sum {
		sum[i] = want.lower[i] + want.upper[i]
	}
	at := func(values []float64, x int) float64 {
		place := float64(x-first) / float64(last-first) * float64(len(values)-1)
		i := min(int(place), len(values)-2)
		return values[i] + (values[i+1]-values[i])*(place-float64(i))
	}
	// The highest edge at the last stop has the sum there.
	end := math.Inf(1)
	for _, r := range found[1] {
		if r.X == last {
			end = min(end, float64(r.Top+r.Bottom)/2)
		}
	}
	unit := (float64(zero) - end) / sum[len(sum)-1]
	if unit < 2 {
		t.Fatalf("one unit has %.1f pixels", unit)
	}
	for part := 1; part < 12; part++ {
		x := first + (last-first)*part/12
		edges := []float64{float64(zero), float64(zero) - at(want.lower, x)*unit, float64(zero) - at(sum, x)*unit}
		for i, runs := range found[:2] {
			if !slices.ContainsFunc(runs, func(r stretch) bool { return r.X == x && math.Abs(float64(r.Top+r.Bottom)/2-edges[i+1]) <= 4 }) {
				t.Errorf("at %d area %d has no edge at %.1f", x, i, edges[i+1])
			}
		}
		// A line of the grid may cross an area: most of each is filled, and nothing below or above it.
		for i, runs := range found[2:] {
			filled, outside := 0, 0
			for _, r := range runs {
				if r.X != x {
					continue
				}
				if float64(r.Bottom) <= edges[i]+3 && float64(r.Top) >= edges[i+1]-3 {
					filled += r.Bottom - r.Top + 1
				} else {
					outside += r.Bottom - r.Top + 1
				}
			}
			if want := edges[i] - edges[i+1]; want > 12 && float64(filled) < 0.6*want || outside > 4 {
				t.Errorf("at %d area %d has %d filled pixels of %.0f, and %d outside", x, i, filled, want, outside)
			}
		}
	}
}

// The upper area begins where the lower one ends, the lowest one at zero: also where a kind has no row, and where two metrics
// and the range before share a plot.
func TestMarks_AreasReachTheSumOfTheirValues(t *testing.T) {
	b := browseInLongForm(t)
	for _, c := range []struct {
		name, model, query string
		want               areaStack
	}{
		{"kinds", kinds, "metric=total&by=metric_time:month&by=entry.kind&kind=area", areaStack{[]float64{10, 20, 30, 40}, []float64{10, 5, 20, 10}}},
		{"gaps", gaps, "metric=total&by=metric_time:month&by=entry.kind&kind=area", areaStack{[]float64{10, 0, 30, 40}, []float64{0, 5, 20, 10}}},
		{"two metrics with the range before", gaps, "metric=total&metric=costs&by=metric_time:month&kind=area&start=2024-03-01&end=2024-05-01&compare=previous", areaStack{[]float64{50, 50}, []float64{20, 30}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			origin, _ := serveModel(t, c.model)
			zero, found := readPaint(t, b, origin, c.query, solidA, solidB, areaA, areaB)
			compareAreas(t, zero, found, c.want)
		})
	}
}

// gaps has no row of b in January and none of a in February. Its months have the costs 6, 8, 20 and 30.
var gaps = modelOf("(DATE '2024-01-10', 'a', 10, 6)", "(DATE '2024-02-11', 'b', 5, 8)", "(DATE '2024-03-10', 'a', 30, 15)",
	"(DATE '2024-03-11', 'b', 20, 5)", "(DATE '2024-04-30', 'a', 40, 20)", "(DATE '2024-04-30', 'b', 10, 10)")

// The line of the range before is dashed, at its values; that of the range is not.
func TestMarks_TheLineBeforeIsDashed(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, kinds)
	zero, found := readPaint(t, b, origin, "metric=total&by=metric_time:month&start=2024-03-01&end=2024-05-01&compare=previous", solidA)
	// The range has 50 and 50, the one before 20 and 25.
	runs := found[0]
	first, last := runs[0].X+3, runs[len(runs)-1].X-3
	columns := make(map[int][]stretch)
	for _, r := range runs {
		columns[r.X] = append(columns[r.X], r)
	}
	top := columns[(first+last)/2][0]
	unit := (float64(zero) - float64(top.Top+top.Bottom)/2) / 50
	covered := func(value func(part float64) float64) (part float64, gaps int) {
		n, on := 0, true
		for x := first; x <= last; x++ {
			want := float64(zero) - value(float64(x-first)/float64(last-first))*unit
			hit := false
			for _, r := range columns[x] {
				hit = hit || float64(r.Top) <= want+2 && float64(r.Bottom) >= want-2
			}
			if hit {
				n++
			} else if on {
				gaps++
			}
			on = hit
		}
		return float64(n) / float64(last-first+1), gaps
	}
	if part, gaps := covered(func(float64) float64 { return 50 }); part < 1 || gaps > 0 {
		t.Errorf("the line of the range covers %.2f of its length, with %d gaps", part, gaps)
	}
	if part, gaps := covered(func(p float64) float64 { return 20 + 5*p }); part < 0.4 || part > 0.85 || gaps < 10 {
		t.Errorf("the line of the range before covers %.2f of its length, with %d gaps", part, gaps)
	}
}

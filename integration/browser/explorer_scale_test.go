package browser_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"
)

// linesOfGrid reads the heights of the lines of the grid at a column of pixels of the first plot, in the light theme.
func linesOfGrid(x int) string {
	return fmt.Sprintf(`(() => {
		const c = document.querySelector(".plot canvas"), d = c.getContext("2d").getImageData(%d, 0, 1, c.height - 60).data, out = []
		for (let y = 0; y * 4 < d.length; y++) if (d[y * 4 + 3] > 120 && Math.abs(d[y * 4] - 0xdd) < 8 && Math.abs(d[y * 4 + 1] - 0xe2) < 8 && Math.abs(d[y * 4 + 2] - 0xe8) < 8 && out.at(-1) !== y - 1) out.push(y)
		return out
	})()`, x)
}

// A mark has the height of its value on the axis, not only beside the other marks: the lines of the grid are at the multiples of
// 5 or of 10, and so are the values of the first series.
func TestMarks_HaveTheHeightsOfTheAxis(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, kinds)
	for _, kind := range []string{"bar", "stacked", "line"} {
		zero, found := readPaint(t, b, origin, "metric=total&by=metric_time:month&by=entry.kind&kind="+kind, solidA)
		var tops []float64
		var beside int // a column of pixels without a mark
		if kind == "line" {
			runs := found[0]
			first, last := runs[0].X+2, runs[len(runs)-1].X-2
			for i := range 4 {
				x := first + (last-first)*i/3
				for _, r := range runs {
					if r.X == x {
						tops = append(tops, float64(r.Top+r.Bottom)/2)
					}
				}
			}
			beside = first + (last-first)/6
		} else {
			for _, s := range bars(found[0]) {
				tops = append(tops, float64(s.top))
			}
			beside = found[0][0].X - 4
		}
		if len(tops) != 4 {
			t.Fatalf("%s: the first series has %d marks, want 4", kind, len(tops))
		}
		var lines []int
		b.LastPage().RunActions(chromedp.Evaluate(linesOfGrid(beside), &lines))
		if len(lines) < 3 {
			t.Fatalf("%s: the grid has the lines %v", kind, lines)
		}
		spacing := math.Inf(1)
		for i, y := range append(lines[1:], zero) {
			spacing = min(spacing, float64(y-lines[i]))
		}
		// Lines are drawn at whole pixels: their mean distance is that of the axis.
		height := float64(zero - lines[0])
		spacing = height / math.Round(height/spacing)
		step := 10.0
		if (float64(zero)-tops[3])/spacing > 6 {
			step = 5
		}
		for i, value := range []float64{10, 20, 30, 40} {
			if got := (float64(zero) - tops[i]) / spacing * step; math.Abs(got-value) > 0.8 {
				t.Errorf("%s: the mark of %g is at %.1f of the axis", kind, value, got)
			}
		}
	}
}

package browser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// A metric alone is enough: the page compares the last complete month of the data, April, with
// the one before, in a sentence and as steps. North is new with 25, south fell from 40 to 35.
func TestWhy_ComparesTheLastPeriodWithTheOneBefore(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue")
	var figures, segments []string
	var words string
	p.RunActions(
		chromedp.WaitVisible(".segments canvas"),
		chromedp.Evaluate(`[...document.querySelectorAll(".figure")].map(f => f.innerText)`, &figures),
		chromedp.Evaluate(`[...document.querySelectorAll(".segments tbody tr")].map(r => [...r.children].slice(0, 4).map(c => c.innerText.trim()).join(" "))`, &segments),
		chromedp.Text(".words", &words),
	)
	pictures(p, "why")
	if want := []string{"€40.00", "€60.00", "▲ €20.00"}; !slices.Equal(figures, want) {
		t.Errorf("the figures are %q, want %q", figures, want)
	}
	if want := []string{"north entered €0.00 €25.00 €25.00", "south €40.00 €35.00 -€5.00"}; !slices.Equal(segments, want) {
		t.Errorf("the segments are %q, want %q", segments, want)
	}
	if want := "Money in rose by €20.00. The largest part by sale.region: north, +€25.00. It is a sum: the changes of the segments add up to the change."; strings.TrimSpace(words) != want {
		t.Errorf("the words are %q, want %q", words, want)
	}
	if at := hash(p); !strings.Contains(at, "baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01") {
		t.Errorf("the address is %s", at)
	}
	p.RunActions(
		chromedp.Click(`//button[starts-with(., "last month with a year before")]`, chromedp.BySearch),
		waitFor(`location.hash.includes("baseline=2023-04-01..2023-05-01")`),
		chromedp.NavigateBack(),
		waitFor(`location.hash.includes("baseline=2024-03-01..2024-04-01")`),
		chromedp.Click(`//tr[th[contains(., "south")]]//button[.="Within"]`, chromedp.BySearch),
		waitFor(`document.querySelector(".figure")?.innerText === "€40.00" && document.querySelectorAll(".figure")[1].innerText === "€35.00"`),
	)
	pictures(p, "why-within")
	clean(t, p, origin)
}

// The steps of the waterfall begin where the one before ends, and the last is the whole change.
func TestWhy_StepsReachTheWholeChange(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue&dimension=sale.region&baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01")
	const pixels = `(() => {
		const c = document.querySelector(".segments canvas"), {width: w, height: h} = c, data = c.getContext("2d").getImageData(0, 0, w, h).data
		const find = ([r, g, b]) => { let [top, bottom] = [-1, -1]; for (let y = 0; y < h; y++) for (let x = 90; x < w; x++) { const i = (y * w + x) * 4; if (data[i + 3] > 200 && Math.abs(data[i] - r) < 8 && Math.abs(data[i + 1] - g) < 8 && Math.abs(data[i + 2] - b) < 8) { if (top < 0) top = y; bottom = y; break } } return [top, bottom] }
		const last = x0 => { let [top, bottom] = [-1, -1]; for (let y = 0; y < h; y++) { let n = 0; for (let x = x0; x < w; x++) { const i = (y * w + x) * 4; if (data[i + 3] > 200 && Math.abs(data[i] - 0x59) < 8 && Math.abs(data[i + 1] - 0x66) < 8 && Math.abs(data[i + 2] - 0x75) < 8) n++ } if (n > 40) { if (top < 0) top = y; bottom = y } } return [top, bottom] }
		return [find([0x00, 0x80, 0x5a]), find([0xc4, 0x49, 0x2b]), last(Math.floor(w * 0.7))]
	})()`
	var steps [3][2]int
	p.RunActions(
		chromedp.WaitVisible(".segments canvas"),
		waitFor(pixels+`.flat().every(y => y >= 0)`),
		chromedp.Evaluate(pixels, &steps),
	)
	north, south, change := steps[0], steps[1], steps[2]
	unit := float64(north[1]-north[0]) / 25
	near := func(a, b float64) bool { return a-b < 3 && b-a < 3 }
	if unit < 2 || !near(float64(south[0]), float64(north[0])) || !near(float64(south[1]-south[0]), 5*unit) || !near(float64(change[0]), float64(south[1])) || !near(float64(change[1]), float64(north[1])) {
		t.Errorf("north +25 reaches over %v, south −5 over %v, the change +20 over %v", north, south, change)
	}
	clean(t, p, origin)
}

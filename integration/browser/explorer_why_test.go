package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// segmentRows are the segments of all dimensions: name, from, to and change.
const segmentRows = `[...document.querySelectorAll(".segments tbody tr")].map(r => [...r.children].slice(0, 4).map(c => c.innerText.trim()).join(" "))`

// A metric alone is enough: the page compares the last complete month of the data, April, with
// the one before, in a sentence and as steps. North is new with 25, south fell from 40 to 35.
func TestWhy_ComparesTheLastPeriodWithTheOneBefore(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue")
	p.RunActions(
		visible(".segments canvas"),
		awaits(textsOf(".figure"), []string{"€40.00", "€60.00", "▲ €20.00"}),
		awaits(segmentRows, []string{"north entered €0.00 €25.00 €25.00", "south €40.00 €35.00 -€5.00"}),
		awaits(textOf(".words"), "Money in rose by €20.00. Most surprising: Region north, +€25.00, €25.00 more than its share of the change. It is a sum: the changes of the segments add up to the change."),
		atHash("baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01"),
	)
	pictures(p, "why")
	p.RunActions(
		awaits(textsOf(".story li"), []string{"Region north +€25.00, €25.00 more than its share of the change", "Region south -€5.00, €25.00 less than its share of the change"}),
		opens("Compare"),
		click(`//button[starts-with(., "last month with a year before")]`),
		waitFor(`location.hash.includes("baseline=2023-04-01..2023-05-01")`),
		goBack(),
		waitFor(`location.hash.includes("baseline=2024-03-01..2024-04-01")`),
		click(`//tr[th[contains(., "south")]]//button[.="Within"]`),
		awaits(textsOf(".figure")+`.slice(0, 2)`, []string{"€40.00", "€35.00"}),
	)
	pictures(p, "why-within")
	clean(t, p, origin)
}

// The steps of the waterfall begin where the one before ends, from the first value to the second, which are lines at their heights.
func TestWhy_StepsReachTheWholeChange(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue&dimension=sale.region&baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01")
	const pixels = `(() => {
		const c = document.querySelector(".segments canvas"), {width: w, height: h} = c, data = c.getContext("2d").getImageData(0, 0, w, h).data
		const find = ([r, g, b]) => { let [top, bottom] = [-1, -1]; for (let y = 0; y < h; y++) for (let x = 90; x < w; x++) { const i = (y * w + x) * 4; if (data[i + 3] > 200 && Math.abs(data[i] - r) < 8 && Math.abs(data[i + 1] - g) < 8 && Math.abs(data[i + 2] - b) < 8) { if (top < 0) top = y; bottom = y; break } } return [top, bottom] }
		const line = (x0, x1) => { let [top, bottom] = [-1, -1]; for (let y = 0; y < h; y++) { let n = 0; for (let x = x0; x < x1; x++) { const i = (y * w + x) * 4; if (data[i + 3] > 200 && Math.abs(data[i] - 0x59) < 8 && Math.abs(data[i + 1] - 0x66) < 8 && Math.abs(data[i + 2] - 0x75) < 8) n++ } if (n > 40) { if (top < 0) top = y; bottom = y } } return [top, bottom] }
		return [find([0x00, 0x80, 0x5a]), find([0xc4, 0x49, 0x2b]), line(90, Math.floor(w * 0.3)), line(Math.floor(w * 0.75), w)]
	})()`
	var steps [4][2]int
	p.RunActions(
		visible(".segments canvas"),
		waitFor(pixels+`.flat().every(y => y >= 0)`),
		chromedp.Evaluate(pixels, &steps),
	)
	north, south, start, end := steps[0], steps[1], steps[2], steps[3]
	unit := float64(north[1]-north[0]) / 25
	near := func(a, b float64) bool { return a-b < 3 && b-a < 3 }
	if unit < 2 || !near(float64(south[0]), float64(north[0])) || !near(float64(south[1]-south[0]), 5*unit) || !near(float64(start[0]), float64(north[1])) || !near(float64(end[0]), float64(south[1])) {
		t.Errorf("north +25 reaches over %v, south −5 over %v, from %v to %v", north, south, start, end)
	}
	clean(t, p, origin)
}

// A metric of which the model does not say whether more is better has no colours of good and bad: its
// rise is in the colour of the page, and its falls are pale.
func TestWhy_HasNoColoursWithoutADirection(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, kinds)
	// From January to February a rises by 10 and b falls by 5.
	p := b.OpenPage(t, origin+"/#/attribution?metric=total&dimension=entry.kind&baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01")
	const colours = `(() => {
		const c = document.querySelector(".segments canvas"), {width: w, height: h} = c, data = c.getContext("2d").getImageData(0, 0, w, h).data
		const wanted = {good: [0x00, 0x80, 0x5a, 200, 255], bad: [0xc4, 0x49, 0x2b, 200, 255], rise: [0x1f, 0x5f, 0xbf, 200, 255], fall: [0x1f, 0x5f, 0xbf, 105, 125]}
		const found = new Set()
		for (let i = 0; i < data.length; i += 4) for (const [name, [r, g, b, least, most]] of Object.entries(wanted)) if (data[i + 3] >= least && data[i + 3] <= most && Math.abs(data[i] - r) < 8 && Math.abs(data[i + 1] - g) < 8 && Math.abs(data[i + 2] - b) < 8) found.add(name)
		return [...found].sort()
	})()`
	p.RunActions(
		visible(".segments canvas"),
		awaits(segmentRows, []string{"a 10 20 10", "b 10 5 -5"}),
		awaits(colours, []string{"fall", "rise"}),
		awaits(`document.querySelectorAll(".attribution .up, .attribution .down").length`, 0),
	)
	pictures(p, "why-neutral")
	clean(t, p, origin)
}

// A percentage of a value below zero would have the wrong sign: from -16 to 9 the metric rises.
func TestWhy_NoPercentageOfANegativeValue(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, modelOf("(DATE '2024-01-15', 'a', -16, 16)", "(DATE '2024-02-10', 'a', 9, 20)"))
	const figures = `[...document.querySelectorAll(".attribution .cards .card")].map(e => e.innerText.replaceAll(/\s+/g, " ").trim())`
	p := b.OpenPage(t, origin+"/#/attribution?metric=total&dimension=entry.kind&baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01")
	p.RunActions(
		visible(".segments canvas"),
		awaits(figures, []string{"from -16", "to 9", "change ▲ 25"}),
		chromedp.Navigate(origin+"/#/attribution?metric=costs&dimension=entry.kind&baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01"),
		awaits(figures, []string{"from 16", "to 20", "change ▲ 4 25.0%"}),
	)
	clean(t, p, origin)
}

// The table of many segments ends with the rest of the change: of 1,200 items it has 15, and what all lines have is
// the change of the metric.
func TestWhy_TheRestOfTheSegmentsIsALine(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue&dimension=sale.item&baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01")
	const changes = `[...document.querySelectorAll(".segments tbody tr")].map(r => Number(r.children[3].innerText.replaceAll(",", "")))`
	p.RunActions(
		visible(".segments canvas"),
		awaits(changes+`.length`, 16),
		reads(".segments tr.rest", "the rest: "),
		// January has the multiples of four up to 1,200, which sum to 180,600; February has 1, 5, … 1,197, which sum to 179,700.
		awaits(textsOf(".figure"), []string{"180,600", "179,700", "▼ -900"}),
		awaits(changes+`.reduce((a, b) => a + b)`, -900),
	)
	clean(t, p, origin)
}

// The marks of the first and the last value are whole, also where one of them is the end of the axis.
func TestWhy_TheMarkOfTheFirstValueIsWhole(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, twoDimensions)
	p := b.OpenPage(t, origin+"/#/attribution?metric=total&dimension=entry.kind")
	// The rows of pixels in which the left third of the plot has a mark of the colour of the texts.
	const rows = `(() => {
		const c = document.querySelector(".segments canvas"), w = Math.floor(c.width / 3), d = c.getContext("2d").getImageData(0, 0, w, c.height).data
		let rows = 0
		for (let y = 0; y < c.height; y++) {
			let run = 0, longest = 0
			for (let x = 0; x < w; x++) {
				const i = (y * w + x) * 4
				run = d[i + 3] > 200 && Math.abs(d[i] - 0x59) < 12 && Math.abs(d[i + 1] - 0x66) < 12 && Math.abs(d[i + 2] - 0x75) < 12 ? run + 1 : 0
				longest = Math.max(longest, run)
			}
			if (longest > 30 && longest < 100) rows++
		}
		return rows
	})()`
	p.RunActions(waitFor(`document.querySelector(".segments canvas")`), reads(".attribution", "from Mar 2024 to Apr 2024"), waitFor(rows+" >= 2"))
	clean(t, p, origin)
}

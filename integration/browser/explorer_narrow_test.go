package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// bottomOf is how far below the upper end of the page an element ends.
func bottomOf(selector string) string {
	return fmt.Sprintf(`(%s?.getBoundingClientRect().bottom ?? Infinity) + scrollY`, element(selector))
}

// stops lists what the Tab key reaches between the header and the plot, the lists of the picker apart.
const stops = `[...document.querySelectorAll(".explore a[href], .explore button, .explore input, .explore select, .explore textarea, .explore summary")].
	filter(e => e.checkVisibility() && e.tabIndex >= 0 && !e.closest(".lists") && e.compareDocumentPosition(document.querySelector(".plot")) & Node.DOCUMENT_POSITION_FOLLOWING && !e.closest(".plot")).length`

// The query is one bar: a person reaches the plot by nine stops, and it is on the screen; on a narrow page the lists are folded.
func TestBar_LeavesTheScreenToThePlot(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	const query = "/#/explore?metric=revenue&by=metric_time:month&filter=sale.region~%3D~north&start=2024-01-01&order=-revenue&limit=50"
	for _, size := range []struct {
		width, height, top int64
		folded             bool
	}{{1400, 900, 220, false}, {1000, 700, 260, true}, {390, 844, 420, true}} {
		p.RunActions(
			chromedp.EmulateViewport(size.width, size.height),
			chromedp.Navigate("about:blank"),
			chromedp.Navigate(origin+query),
			waitFor(stands),
			awaits(textsOf(".pop .name"), []string{"Money in", "by Time (month)", "Region is north", "since Jan 1, 2024", "Compare", "More (2)"}),
			waitFor(fmt.Sprintf(`document.querySelector(".plot canvas").getBoundingClientRect().top <= %d`, size.top)),
			waitFor(fmt.Sprintf("%s <= %d", bottomOf(".plot canvas"), size.height)),
			waitFor(stops+" <= 9"),
			awaits(`document.querySelector("aside details").open`, !size.folded),
		)
		picture(p, fmt.Sprintf("bar-%d", size.width))
	}
	p.RunActions(
		opens("Time"),
		choose(`select[aria-label="Time range"]`, ""),
		awaits(textsOf(".pop .name"), []string{"Money in", "by Time (month)", "Region is north", "All time", "Compare", "More (2)"}),
		waitFor(`(({left, right}) => left >= 0 && right <= 390)(document.querySelector(".popover").getBoundingClientRect())`),
		chromedp.KeyEvent("\u001b"),
		absent(".popover"),
		awaits(`document.activeElement.dataset.part`, "Time"),
	)
	clean(t, p, origin)
}

// The figures of the page Why are in sight on a narrow page, too.
func TestNarrow_WhyHasItsFiguresInSight(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		chromedp.EmulateViewport(390, 844),
		chromedp.Navigate(origin+"/#/attribution"),
		choose(`select[aria-label="Metric"]`, "revenue"),
		visible(".segments canvas"),
		awaits(textsOf(".pop .name"), []string{"from Mar 2024 to Apr 2024", "by Region"}),
		waitFor(bottomOf(".words")+" <= 844"),
	)
	clean(t, p, origin)
}

// A search on a telephone has its hits within the page.
func TestNarrow_TheHitsAreWithinThePage(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		chromedp.EmulateViewport(390, 844),
		chromedp.Navigate(origin+"/#/explore"),
		visible(".welcome"),
		chromedp.SendKeys(".searchbox input", "region"),
		awaits(textOf("#hits li .name"), "Region"),
		awaits(`(({left, right}) => left >= 0 && right <= 390)(document.querySelector(".hits").getBoundingClientRect())`, true),
	)
	clean(t, p, origin)
}

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

// On a telephone the first screen has the result: a line names the query, and opens the form.
func TestNarrow_TheResultIsInSight(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		chromedp.EmulateViewport(390, 844),
		chromedp.Navigate(origin+"/#/explore?metric=revenue&by=metric_time:month&filter=sale.region~%3D~north&start=2024-01-01&order=-revenue&limit=50"),
		waitFor(drawnChart),
		awaits(textOf(".asked .line"), "Money in by metric_time (month) · from Jan 1, 2024 · sale.region = north · revenue, largest first · at most 50 rows"),
		waitFor(bottomOf(".plot canvas")+" <= 844"),
		awaits(`document.querySelector(".form").checkVisibility()`, false),
	)
	picture(p, "narrow-folded")
	p.RunActions(
		click(".asked"),
		visible(".form"),
		choose(`select[aria-label="Time range"]`, ""),
		awaits(textOf(".asked .line"), "Money in by metric_time (month) · sale.region = north · revenue, largest first · at most 50 rows"),
		waitFor(drawnChart),
		settled(p),
		visible(".form"), // who uses it keeps it
	)
	picture(p, "narrow-open")
	p.RunActions(
		click(".asked"),
		awaits(`document.querySelector(".form").checkVisibility()`, false),
		chromedp.EmulateViewport(1280, 844),
		visible(".form"),
		absent(".asked"),
	)
	clean(t, p, origin)
}

// The page Why shows its form until the query is complete. Then the figures are in sight.
func TestNarrow_WhyHasItsFiguresInSight(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		chromedp.EmulateViewport(390, 844),
		chromedp.Navigate(origin+"/#/attribution"),
		visible(".attribution .form"),
		absent(".asked"),
		choose(`select[aria-label="Metric"]`, "revenue"),
		visible(".segments canvas"),
		awaits(textOf(".asked .line"), "Money in · from Mar 1, 2024 until Apr 1, 2024 to Apr 1, 2024 until May 1, 2024 · by sale.region"),
		waitFor(bottomOf(".words")+" <= 844"),
		awaits(`document.querySelector(".form").checkVisibility()`, false),
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
		awaits(textOf("#hits li .name"), "sale.region"),
		awaits(`(({left, right}) => left >= 0 && right <= 390)(document.querySelector(".hits").getBoundingClientRect())`, true),
	)
	clean(t, p, origin)
}

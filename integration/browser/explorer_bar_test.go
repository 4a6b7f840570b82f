package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A calculation is a metric of the query: 130 is 812.5 percent of 16, and 82 is 820 percent of 10. It is a part of the address.
func TestBar_AddsACalculation(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(
		shows("region revenue\nnorth 130\nsouth 82"),
		opens("Metrics"),
		click(`//button[.="+ calculation"]`),
		choose(`select[aria-label="Second metric"]`, "refunds"),
		click(`//button[.="Add it"]`),
		shows("region revenue percent_revenue_refunds\nnorth 130 812.5\nsouth 82 820.0"),
		chromedp.Reload(),
		shows("region revenue percent_revenue_refunds\nnorth 130 812.5\nsouth 82 820.0"),
	)
	pictures(p, "calculation")
	// The service reports what is wrong with an expression.
	p.RunActions(
		opens("Metrics"),
		click(`//button[.="+ calculation"]`),
		chromedp.SendKeys(".calculation .wide", "revenu * 2"),
		reads(".calculation .problem", "unknown_metric", "revenu"),
		awaits(`[...document.querySelectorAll(".calculation button")].at(-1).disabled`, true),
	)
	clean(t, p, origin)
}

// The lists of the picker are one stop of the Tab key each, in which the arrows move; Enter in the search takes the first entry of
// either list; the page begins with a way past them.
func TestPicker_IsUsedByKeys(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue")
	const focused = `document.activeElement.dataset.name ?? document.activeElement.title`
	p.RunActions(
		visible(".explore .figure"),
		visible(item("sale.region")),
		awaits(`[...document.querySelectorAll(".lists button")].filter(b => b.tabIndex >= 0).length`, 2),
		chromedp.Focus(`.picker input`),
		chromedp.KeyEvent(kb.Tab),
		awaits(focused, "sale"),
		chromedp.KeyEvent(kb.ArrowDown),
		awaits(focused, "revenue"),
		chromedp.KeyEvent(kb.End),
		awaits(focused, "shelves"),
		chromedp.KeyEvent(kb.Tab),
		awaits(`document.activeElement.closest(".pick").getAttribute("aria-label")`, "Break down by"),
		chromedp.SendKeys(`.picker input`, "region"+kb.Enter),
		atHash("metric=revenue&by=sale.region"),
		chromedp.Focus(".skip"),
		chromedp.KeyEvent(kb.Enter),
		awaits(`document.activeElement.tagName`, "MAIN"),
	)
	clean(t, p, origin)
}

// A relative range that has no rows on the clock counts from the newest day of the data; the last day of a range is shown.
func TestBar_RangesOfTheData(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&tab=table")
	p.RunActions(
		opens("Time"),
		choose(`select[aria-label="Time range"]`, "3 month"),
		// The data ends on 10 May 2024: the last three whole months have 100, 40 and 60.
		atHash("last=3-month&as_of=2024-05-11"),
		shows("revenue\n200"),
		awaits(textOf(`.pop[data-part="Time"] .name`), "last 3 months of the data, to May 10, 2024"),
		reads(".range", "Feb 2024 – Apr 2024"),
		chromedp.SetValue(`input[aria-label="to"]`, "2024-04-08"),
		chromedp.Evaluate(`document.querySelector('input[aria-label="to"]').dispatchEvent(new Event("change", {bubbles: true}))`, nil),
		atHash("end=2024-04-09"),
		awaits(textOf(`.pop[data-part="Time"] .name`), "up to Apr 8, 2024"),
		shows("revenue\n165"),
	)
	clean(t, p, origin)
}

// A metric that a join would repeat is counted once in each group, by the button of its error.
func TestExplorer_CountsRowsOncePerGroup(t *testing.T) {
	b := browseInLongForm(t)
	origin := retail(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=product_count&by=customers.region&tab=table")
	p.RunActions(
		reads(`[role="alert"]`, "fan_out_risk"),
		click(`//button[.="Count each row once in each group"]`),
		waitFor(drawnTable),
		absent(`[role="alert"]`),
		awaits(textOf(`.pop[data-part="More"] .name`), "More (1)"),
		waitFor(`decodeURIComponent(location.hash).includes('more={"fan_out":"once_per_group"}')`),
	)
	clean(t, p, origin)
}

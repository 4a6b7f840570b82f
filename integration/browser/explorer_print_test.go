package browser_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// onPaper shows a page as it is printed on a page of A4, without printing it.
func onPaper() chromedp.Action {
	return chromedp.Tasks{
		emulation.SetDeviceMetricsOverride(718, 1000, 1, false),
		emulation.SetEmulatedMedia().WithMedia("print"),
	}
}

// within is whether elements are drawn, and none of them beyond the paper.
func within(selector string) string {
	return `(all => all.length > 0 && all.every(e => { const box = e.getBoundingClientRect(); return box.width > 0 && box.height > 0 && box.left >= 0 && box.right <= innerWidth }))([...document.querySelectorAll("` + selector + `")])`
}

// Paper does not scroll: it has every row of a table, the whole plot, and in words what the controls of the page show.
func TestPrint_HasAllThatThePageShows(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, sales)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.item&tab=table")
	p.RunActions(look("light", 1400)...)
	p.RunActions(waitFor(drawnTable))
	const rows = `document.querySelectorAll("tbody tr[aria-rowindex]").length`
	p.RunActions(
		chromedp.Evaluate(`window.most = `+rows+`; new MutationObserver(() => window.most = Math.max(window.most, `+rows+`)).observe(document.body, {childList: true, subtree: true})`, nil),
		waitFor(`window.most < 100`),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, err := page.PrintToPDF().Do(ctx)
			return err
		}),
		awaits(`window.most`, 1000),
		waitFor(rows+` < 100`),
		onPaper(),
		awaits(`["h1", ".printed", ".querybar", ".top"].map(s => document.querySelector(s).checkVisibility())`, []bool{true, true, false, false}),
		reads("h1.printed", "Revenue by Item"),
	)

	origin, _ = serveModel(t, business)
	p = b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&by=sale.region&kind=stacked&start=2024-02-01&end=2024-06-01&filter=sale.region~%3D~north")
	p.RunActions(waitFor(drawnChart), onPaper(), waitFor(within(".plot canvas")), reads("main", "Region is north", "Feb 2024", "May 2024", "business"))
	p.RunActions(turn("#/attribution?metric=revenue"), waitFor(`document.querySelector(".segments canvas")`), waitFor(within(".segments canvas")), reads(".attribution .printed", "Money in", "Mar 2024", "Apr 2024"))
	clean(t, p, origin)
}

// The lists of a metric that no one has scrolled to are there, too, so that the most surprising one comes first, and paper has them.
func TestHome_ListsOutOfSightAreAskedFor(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		emulation.SetDeviceMetricsOverride(390, 200, 1, false), // the list is more than 200 pixels below
		chromedp.Navigate(origin+"/#/home?metric=revenue"),
		waitFor(boardsDrawn),
		awaits(`scrollY`, 0),
		onPaper(),
		waitFor(within(".leaders table")),
		reads(".home .printed", "20"),
	)
	clean(t, p, origin)
}

// Paper does not scroll to the side either: a wide table is smaller on it, and has its last column.
func TestPrint_WideTablesKeepTheirColumns(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, sales)
	const right = `Math.max(...[...document.querySelectorAll(".rows th, .rows td")].map(c => c.getBoundingClientRect().right))`
	for _, c := range []struct{ query, last string }{
		{"kind=pivot&metric=revenue&by=sale.region&by=sale.item&limit=40&across=item", ".pivot thead th:last-child"},
		{"tab=table&metric=revenue&metric=profit&metric=margin&by=sale.item&by=sale.region&by=metric_time:month&limit=5&shares=1&totals=1", "thead th:last-child"},
	} {
		p := openChart(t, b, origin, c.query)
		p.RunActions(
			look("light", 1400)[0],
			waitFor(drawnTable),
			onPaper(),
			waitFor(right+" > innerWidth"), // as long as nothing is printed
			chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil),
			waitFor(right+" <= innerWidth"),
			waitFor(within(c.last)),
			chromedp.Evaluate(`dispatchEvent(new Event("afterprint"))`, nil),
			waitFor(right+" > innerWidth"),
		)
		clean(t, p, origin)
	}
}

package browser_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/restapi"
)

// The menu of a mark opens where the mark was pressed, the menu of a cell that a key opens opens below the cell, and
// Escape gives the focus back to it.
func TestMenu_OpensAtItsMark(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&kind=bar")
	p.RunActions(visible("canvas"), waitFor(`!document.querySelector(".stale")`))
	drag(p, 0.4, 0.4)
	var pressedAt, menu struct{ X, Y float64 }
	const place = `(() => { const b = document.querySelector("[role=menu]").getBoundingClientRect(); return {X: b.left, Y: b.top} })()`
	p.RunActions(
		visible(`[role="menu"]`),
		chromedp.Evaluate(`(() => { const b = document.querySelector(".plot canvas").getBoundingClientRect(); return {X: b.left + b.width * 0.4, Y: b.top + b.height / 2} })()`, &pressedAt),
		chromedp.Evaluate(place, &menu),
	)
	if math.Abs(menu.X-pressedAt.X) > 2 || math.Abs(menu.Y-pressedAt.Y) > 2 {
		t.Errorf("the menu of a mark that was pressed at %v is at %v", pressedAt, menu)
	}
	p.RunActions(
		chromedp.KeyEvent(kb.Escape),
		absent(`[role="menu"]`),
		click(tableTab),
		waitFor(drawnTable),
		chromedp.Focus("tbody .cell"),
		chromedp.KeyEvent(kb.Enter),
		visible(`[role="menu"]`),
		waitFor(`(() => { const c = document.querySelector("tbody .cell").getBoundingClientRect(), m = document.querySelector("[role=menu]").getBoundingClientRect(); return Math.abs(m.left - c.left) < 2 && Math.abs(m.top - c.bottom) < 2 })()`),
		reads(`[role="menu"]`, "Why did it change since Jan 2024"), // the month before in the calendar
		chromedp.KeyEvent(kb.Escape),
		absent(`[role="menu"]`),
		awaits(`document.activeElement === document.querySelector("tbody .cell")`, true),
	)
	clean(t, p, origin)
}

// A cell of a pivot leads to its rows as a cell of a table does: revenue of the north in April is 25.
func TestPivot_CellsLeadToTheirRows(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&by=sale.region&kind=pivot")
	p.RunActions(
		click(`//tbody//button[.="€25.00"]`),
		reads(`[role="menu"]`, "Apr 2024 · north"),
		pressed("Show records"),
		awaits(`[...document.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()).slice(0, 3).join(" "))`, []string{"2024-04-07 north 25"}),
		// The order of the records is of their columns, which a query of metrics does not have.
		click(`//th[3]/button`),
		atHash("order=amount"),
		click(`//button[.="Back to the chart"]`),
		awaits(textsOf("tbody td.number"), []string{"€25.00"}),
	)
	if at := hash(p); strings.Contains(at, "order=") {
		t.Errorf("the order of the records is still at %s", at)
	}
	clean(t, p, origin)
}

// A pivot of 1,200 lines draws those in sight, and scrolls to its last one.
func TestPivot_DrawsTheLinesInSight(t *testing.T) {
	b := browse(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.item&by=sale.region&kind=pivot&limit=5000")
	p.RunActions(
		waitFor(`document.querySelector("table[aria-rowcount='1201']")`),
		waitFor(`document.querySelectorAll("tbody tr").length < 100`),
		chromedp.Evaluate(`document.querySelector(".pivot .scroll").scrollTop = 1e9`, nil),
		reads("tbody", "item 1200"),
	)
	clean(t, p, origin)
}

// The bars behind the values of rows are measured by rows: with totals the largest row still has the longest bar.
func TestTable_BarsAreMeasuredByRows(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	const ends = `[...document.querySelectorAll("tbody td.number")].map(c => Math.round(parseFloat(c.style.background.match(/([\d.]+)%, transparent/)[1])))`
	for _, query := range []string{"", "&totals=1"} {
		p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table"+query)
		p.RunActions(waitFor(drawnTable), awaits(ends, []int{100, 63})) // 82 of 130
		clean(t, p, origin)
	}
}

// What a person types is one step for each text, a choice is a step, and the order of a table and the client of a
// request are in the address.
func TestHistory_TextsAreStepsToo(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	at := func(want string) chromedp.Action {
		return waitFor(fmt.Sprintf(`decodeURIComponent(location.hash) === %q`, want))
	}
	const start = "#/explore?metric=revenue&by=sale.region&tab=table"
	const filtered = "#/explore?metric=revenue&by=sale.region&filter=sale.region~=~north&tab=table"
	p.RunActions(
		shows("region Money in (EUR)\nnorth 130\nsouth 82"),
		click(`//button[.="Add filter"]`),
		choose(`.filter select[aria-label="Field"]`, "sale.region"),
		chromedp.SendKeys(`.filter input`, "north"),
		at(filtered),
		choose(`.filter select[aria-label="Comparison"]`, "<>"),
		shows("region Money in (EUR)\nsouth 82"),
		goBack(),
		at(filtered),
		shows("region Money in (EUR)\nnorth 130"),
		chromedp.SendKeys(`.filter input`, "ern"),
		atHash("~northern"),
		goBack(),
		at(filtered),
		click(`button[aria-label="Remove filter"]`),
		at(start),
		click(`//button[.="SQL condition"]`),
		chromedp.SendKeys(`.condition textarea`, "sale.region = 'south'"),
		shows("region Money in (EUR)\nsouth 82"),
		goBack(),
		at(start),
		shows("region Money in (EUR)\nnorth 130\nsouth 82"),
		click(`//th[2]/button`),
		shows("region Money in (EUR) ↑\nsouth 82\nnorth 130"),
		atHash("sort=revenue"),
		chromedp.Reload(),
		shows("region Money in (EUR) ↑\nsouth 82\nnorth 130"),
		goBack(),
		shows("region Money in (EUR)\nnorth 130\nsouth 82"),
		click(requestTab),
		click("#tab-Python"),
		atHash("client=Python"),
		chromedp.Reload(),
		reads("pre.code", "import"),
	)
	clean(t, p, origin)
}

// A name that a condition has wrong is marked, and its candidates take its place.
func TestCondition_OffersTheNamesThatItMayMean(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(
		click(`//button[.="SQL condition"]`),
		chromedp.SendKeys(`.condition textarea`, "sale.regio = 'south'"),
		awaits(textOf(".fault mark"), "sale.regio"),
		click(`//div[contains(@class, "fault")]//button[.="sale.region"]`),
		shows("region Money in (EUR)\nsouth 82"),
		absent(".fault"),
	)
	clean(t, p, origin)
}

// The page distinguishes a token that the service does not accept from no token.
func TestToken_AWrongOneIsNamed(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{Tokens: []string{token}})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		reads(".boot", "This service wants an access token."),
		awaits(`document.activeElement.name`, "token"),
		chromedp.SendKeys(`input[name="token"]`, "wrong"+kb.Enter),
		reads(`.boot [role="alert"]`, "does not accept this token"),
		chromedp.SendKeys(`input[name="token"]`, token+kb.Enter),
		visible(".metriccard .figure"),
	)
	clean(t, p, origin)
}

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
		awaits(`[...document.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()).slice(0, 3).join(" "))`, []string{"Apr 7, 2024 north 25"}),
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
	b := browseInLongForm(t)
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

// pivotRows waits for the rows of a pivot, its cells with a line between them.
func pivotRows(want ...string) chromedp.Action {
	return awaits(`[...document.querySelectorAll(".pivot tr")].map(r => [...r.children].map(c => c.innerText.trim().replaceAll("\u00a0", " ")).join(" | "))`, want)
}

// countedBusiness counts its regions: the count of several months is not the sum of theirs.
const countedBusiness = business + `  - {name: regions, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT sale.region)}]}}
`

// The totals of a pivot are computed from the rows of the data, for each line, each column and all: both
// regions sold in April, and two regions sold in the four months.
func TestPivot_HasTotalsOfLinesAndColumns(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, countedBusiness)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&metric=regions&by=metric_time:month&by=sale.region&start=2024-02-01&end=2024-06-01&kind=pivot&totals=1")
	p.RunActions(pivotRows(
		"Time (month) | north | south | Total",
		"Money in | Regions | Money in | Regions | Money in | Regions",
		"Feb 2024 | €100.00 | 1 |  |  | €100.00 | 1",
		"Mar 2024 |  |  | €40.00 | 1 | €40.00 | 1",
		"Apr 2024 | €25.00 | 1 | €35.00 | 1 | €60.00 | 2",
		"May 2024 | €5.00 | 1 |  |  | €5.00 | 1",
		"Total | €130.00 | 1 | €75.00 | 1 | €205.00 | 2",
	))
	pictures(p, "pivot-totals")
	p.RunActions(
		choose(`//label[contains(., "across")]/select`, "metric_time__month"),
		pivotRows(
			"Region | Feb 2024 | Mar 2024 | Apr 2024 | May 2024 | Total",
			"Money in | Regions | Money in | Regions | Money in | Regions | Money in | Regions | Money in | Regions",
			"north | €100.00 | 1 |  |  | €25.00 | 1 | €5.00 | 1 | €130.00 | 1",
			"south |  |  | €40.00 | 1 | €35.00 | 1 |  |  | €75.00 | 1",
			"Total | €100.00 | 1 | €40.00 | 1 | €60.00 | 2 | €5.00 | 1 | €205.00 | 2",
		),
		// A limit leaves rows out of the pivot, with their columns, and none out of its totals.
		turn("#/explore?metric=revenue&by=metric_time:month&by=sale.region&start=2024-02-01&end=2024-06-01&kind=pivot&totals=1&order=-revenue&limit=1"),
		pivotRows("Time (month) | north | Total", "Feb 2024 | €100.00 | €100.00", "Total | €130.00 | €205.00"),
		reads(".pivot .bar", "totals are of all rows, not only of those shown"),
	)
	clean(t, p, origin)
}

// A pivot without its totals shows the reason: the metric has no value for the two rows of April, and one for each cell and for all five rows.
func TestPivot_ShowsTheReasonOfMissingTotals(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business+`  - {name: rounds, expression: {dialects: [{dialect: ANSI_SQL, expression: "YEAR(CAST(CASE WHEN COUNT(sale.amount) = 2 THEN 'two' ELSE '0001-01-01' END AS DATE))"}]}}
`)
	p := b.OpenPage(t, origin+"/#/explore?metric=rounds&by=metric_time:month&by=sale.region&start=2024-02-01&end=2024-06-01&kind=pivot&totals=1")
	p.RunActions(
		reads(".pivot .bar", "without totals: "),
		pivotRows("Time (month) | north | south", "Feb 2024 | 1 | ", "Mar 2024 |  | 1", "Apr 2024 | 1 | 1", "May 2024 | 1 | "),
	)
	pictures(p, "pivot-without-totals")
	clean(t, p, origin)
}

// The headings of the lines of a pivot stay beside each other when its columns scroll, and those above and below them too. They
// take half of the width at most, so that a narrow page keeps the first one alone.
func TestPivot_KeepsHeadingsOfLinesInView(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, countedBusiness)
	for width, kept := range map[int64]int{390: 1, 600: 2} {
		p := b.OpenPage(t, origin+"/#/explore?metric=revenue&metric=regions&by=metric_time:year&by=sale.region&by=metric_time:month&kind=pivot&totals=1")
		p.RunActions(
			chromedp.EmulateViewport(width, 844),
			choose(`//label[contains(., "across")]/select`, "metric_time__month"),
			awaits(`[...document.querySelectorAll(".pivot tbody tr")].map(r => r.querySelectorAll("th.sticky").length)`, []int{kept, kept, kept}),
			chromedp.Evaluate(`document.querySelector(".pivot .scroll").scrollLeft = 60`, nil),
		)
		pictures(p, fmt.Sprint("pivot-scrolled-", width))
		for _, row := range []string{"thead", "tbody", "tfoot"} {
			p.RunActions(waitFor(`(() => {
				const scroller = document.querySelector(".pivot .scroll")
				const headings = [...document.querySelector(".pivot ` + row + ` tr").querySelectorAll("th.sticky")].map(h => h.getBoundingClientRect())
				const left = scroller.getBoundingClientRect().left + scroller.clientLeft
				return scroller.scrollLeft >= 60 && headings.length > 0 && headings.every((h, i) => Math.abs(h.left - (i ? headings[i - 1].right : left)) < 1)
			})()`))
		}
		clean(t, p, origin)
	}
}

// The two lines of headings stay one below the other when the rows scroll, with the line height that a reader has set.
func TestPivot_KeepsBothLinesOfHeadingsInView(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&metric=profit&by=sale.item&by=sale.region&kind=pivot&limit=5000")
	const apart = `(() => {
		const box = document.querySelector(".pivot .scroll"), top = box.getBoundingClientRect().top + box.clientTop
		const [first, second] = [...document.querySelectorAll(".pivot thead tr")].map(r => r.lastElementChild.getBoundingClientRect())
		const row = document.querySelector(".pivot thead th").getBoundingClientRect()
		return Math.max(Math.abs(first.top - top), Math.abs(second.top - first.bottom), Math.abs(row.bottom - second.bottom))
	})()`
	p.RunActions(
		waitFor(`document.querySelector("table[aria-rowcount='1202']")`),
		chromedp.Evaluate(`document.querySelector(".pivot .scroll").scrollTop = 3000`, nil),
		waitFor(apart+` < 0.5`),
		chromedp.Evaluate(`{ const sheet = new CSSStyleSheet(); sheet.replaceSync("* { line-height: 1.8 !important }"); document.adoptedStyleSheets = [sheet] }`, nil),
		waitFor(apart+` < 0.5`),
		reads("tbody", "item 0110"),
	)
	pictures(p, "pivot-spaced")
	clean(t, p, origin)
}

// The pivot of a saved query replaces its totals by those of its lines and columns.
func TestPivot_HasTotalsOfSavedQueries(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, strings.Replace(business, "name: business\n", `name: business
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "queries": [{"name": "months", "query": {"metrics": ["revenue"], "group_by": [{"field": "metric_time", "grain": "quarter"}, {"field": "sale.region"}],
       "time_range": {"start": "2024-01-01", "end": "2024-07-01"}, "totals": [[]]}}]}
`, 1))
	p := b.OpenPage(t, origin+"/#/saved?saved=months&kind=pivot")
	p.RunActions(pivotRows("Time (quarter) | north | south | Total", "Q1 2024 | €100.00 | €40.00 | €140.00", "Q2 2024 | €30.00 | €35.00 | €65.00", "Total | €130.00 | €75.00 | €205.00"))
	clean(t, p, origin)
}

// A pivot has the shares and the comparison of its query in each group of columns: of 205, February in the
// north is 100, and south went from 40 to 35.
func TestPivot_HasSharesAndChanges(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&by=sale.region&start=2024-02-01&end=2024-06-01&kind=pivot&shares=1")
	p.RunActions(pivotRows(
		"Time (month) | north | south",
		"Money in | Money in, share | Money in | Money in, share",
		"Feb 2024 | €100.00 | 48.8% |  | ",
		"Mar 2024 |  |  | €40.00 | 19.5%",
		"Apr 2024 | €25.00 | 12.2% | €35.00 | 17.1%",
		"May 2024 | €5.00 | 2.4% |  | ",
	))
	pictures(p, "pivot-shares")
	p.RunActions(
		turn("#/explore?metric=revenue&by=sale.region&start=2024-04-01&end=2024-06-01&compare=previous&kind=pivot&totals=1"),
		pivotRows(
			"north | south | Total",
			"Money in | Money in, before | Money in, change | Money in, change % | Money in | Money in, before | Money in, change | Money in, change % | Money in | Money in, before | Money in, change | Money in, change %",
			"€30.00 | €100.00 | -€70.00 | -70.0% | €35.00 | €40.00 | -€5.00 | -12.5% | €65.00 | €140.00 | -€75.00 | -53.6%",
		),
	)
	pictures(p, "pivot-compare")
	clean(t, p, origin)
}

// The bars behind the values of rows are measured by rows: with totals the largest row still has the longest bar.
func TestTable_BarsAreMeasuredByRows(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	const ends = `[...document.querySelectorAll("tbody td.number")].map(c => Math.round(parseFloat(c.style.background.match(/([\d.]+)%, transparent/)[1])))`
	for _, query := range []string{"", "&totals=1"} {
		p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table"+query)
		p.RunActions(waitFor(drawnTable), awaits(ends, []int{100, 63})) // 82 of 130
		// A table that has room does not scroll sideways.
		p.RunActions(awaits(`(e => e.scrollWidth - e.clientWidth)(document.querySelector(".grid"))`, 0))
		clean(t, p, origin)
	}
}

// What a person types is one step for each text, a choice is a step, and the order of a table and the client of a
// request are in the address.
func TestHistory_TextsAreStepsToo(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	at := func(want string) chromedp.Action {
		return waitFor(fmt.Sprintf(`decodeURIComponent(location.hash) === %q`, want))
	}
	const start = "#/explore?metric=revenue&by=sale.region&tab=table"
	const filtered = "#/explore?metric=revenue&by=sale.region&filter=sale.region~=~north&tab=table"
	p.RunActions(
		shows("region revenue\nnorth 130\nsouth 82"),
		opens("Filter"),
		choose(`.filter select[aria-label="Field"]`, "sale.region"),
		chromedp.SendKeys(`.filter input`, "north"+kb.Enter),
		at(filtered),
		choose(`.filter select[aria-label="Comparison"]`, "<>"),
		shows("region revenue\nsouth 82"),
		goBack(),
		at(filtered),
		shows("region revenue\nnorth 130"),
		chromedp.SendKeys(`.filter input`, "northern"+kb.Enter),
		waitFor(`decodeURIComponent(location.hash).includes("in~north,+northern")`),
		goBack(),
		at(filtered),
		click(`button[aria-label="Remove filter"]`),
		at(start),
		opens("More"), click(`//summary[.="SQL condition"]`),
		chromedp.SendKeys(`.condition textarea`, "sale.region = 'south'"),
		shows("region revenue\nsouth 82"),
		goBack(),
		at(start),
		shows("region revenue\nnorth 130\nsouth 82"),
		opens("More"),
		click(`//th[2]/button`),
		shows("region revenue ↑\nsouth 82\nnorth 130"),
		atHash("sort=revenue"),
		chromedp.Reload(),
		shows("region revenue ↑\nsouth 82\nnorth 130"),
		goBack(),
		shows("region revenue\nnorth 130\nsouth 82"),
		click(requestTab),
		click("#tab-Python"),
		atHash("client=Python"),
		chromedp.Reload(),
		reads("pre.code", "import"),
	)
	clean(t, p, origin)
}

// A step back takes a condition out of the box that it was typed in, and a step forward brings it back: what a person
// chooses next has no condition that the page does not show.
func TestCondition_AStepBackEmptiesItsBox(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	const box = `document.querySelector(".condition textarea").value`
	p.RunActions(
		shows("region revenue\nnorth 130\nsouth 82"),
		opens("More"), click(`//summary[.="SQL condition"]`),
		chromedp.SendKeys(`.condition textarea`, "sale.region = 'south'"),
		shows("region revenue\nsouth 82"),
		goBack(),
		shows("region revenue\nnorth 130\nsouth 82"),
		awaits(box, ""),
		chromedp.Evaluate(`history.forward()`, nil),
		shows("region revenue\nsouth 82"),
		awaits(box, "sale.region = 'south'"),
		goBack(),
		awaits(box, ""),
		click(item("refunds")),
		shows("region revenue refunds\nnorth 130 16\nsouth 82 10"),
		settled(p),
		shows("region revenue refunds\nnorth 130 16\nsouth 82 10"),
	)
	if at := hash(p); strings.Contains(at, "where=") {
		t.Errorf("the condition is back at %s", at)
	}
	clean(t, p, origin)
}

// A name that a condition has wrong is marked, and its candidates take its place.
func TestCondition_OffersTheNamesThatItMayMean(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(
		opens("More"), click(`//summary[.="SQL condition"]`),
		chromedp.SendKeys(`.condition textarea`, "sale.regio = 'south'"),
		awaits(textOf(".fault mark"), "sale.regio"),
		click(`//div[contains(@class, "fault")]//button[.="sale.region"]`),
		shows("region revenue\nsouth 82"),
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

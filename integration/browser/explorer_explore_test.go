package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// pressed picks an entry of the menu.
func pressed(text string) chromedp.Action {
	return click(fmt.Sprintf(`//div[@role="menu"]//button[starts-with(., %q)]`, text))
}

// drag draws over the canvas from one part of its width to another.
func drag(p *chromium.Page, from, to float64) {
	var box struct{ Left, Top, Width, Height float64 }
	p.RunActions(waitFor(stands), chromedp.Evaluate(`(() => { const b = document.querySelector(".plot canvas").getBoundingClientRect(); return {Left: b.left, Top: b.top, Width: b.width, Height: b.height} })()`, &box))
	y := box.Top + box.Height/2
	x := func(part float64) float64 { return box.Left + box.Width*part }
	p.RunActions(
		chromedp.MouseEvent(input.MousePressed, x(from), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, x((from+to)/2), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, x(to), y, chromedp.ButtonLeft),
	)
	if to > from { // what is drawn over is marked
		p.RunActions(waitFor(fmt.Sprintf(`Math.abs(document.querySelector(".stretch")?.getBoundingClientRect().width - %f) < 2`, x(to)-x(from))))
	}
	p.RunActions(
		chromedp.MouseEvent(input.MouseReleased, x(to), y, chromedp.ButtonLeft),
	)
}

// Drawing over the months from February to March of four chooses them; Back undoes it.
func TestBrush_ChoosesTheTimeThatIsDrawnOver(t *testing.T) {
	b := browse(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month")
	p.RunActions(visible("canvas"), waitFor(`!document.querySelector(".stale")`))
	drag(p, 0.38, 0.66)
	p.RunActions(waitFor(`location.hash.includes("start=2024-02-01&end=2024-04-01")`), click(tableTab),
		shows("metric_time__month revenue\nFeb 2024 179,700\nMar 2024 180,000"))
	p.RunActions(goBack(), waitFor(`!location.hash.includes("tab=table")`), goBack(), waitFor(`!location.hash.includes("start=")`))
	clean(t, p, origin)
}

// The menu of a mark keeps, excludes, breaks down, and shows the records that add up to the value.
func TestDrill_LeadsFromAMarkToItsRecords(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	table := origin + "/#/explore?metric=revenue&by=sale.region&tab=table"
	p := b.OpenPage(t, table)
	p.RunActions(
		shows("region revenue\nnorth 130\nsouth 82"),
		click(`//tbody//button[.="north"]`),
		visible(`[role="menu"]`),
	)
	pictures(p, "drill-menu")
	p.RunActions(
		pressed("Show records"),
		awaits(`[...document.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()).slice(0, 3).join(" ")).sort()`,
			[]string{"Apr 7, 2024 north 25", "Feb 10, 2024 north 100", "May 10, 2024 north 5"}),
	)
	pictures(p, "drill-records")
	p.RunActions(
		goBack(),
		click(`//tbody//button[.="north"]`),
		pressed("Exclude north"),
		shows("region revenue\nsouth 82"),
		goBack(),
		shows("region revenue\nnorth 130\nsouth 82"),
		click(`//tbody//button[.="south"]`),
		pressed("Break down by"),
		pressed("Sale · Day"),
		shows("day__month revenue\nMar 2024 40\nApr 2024 35\n∅ none 7"),
		atHash("filter=sale.region~=~south"),
	)
	clean(t, p, origin)
}

// A text of no characters is a value as any other: keeping it leaves its one row, which has −7, and
// excluding it leaves the others, those without a value included.
func TestDrill_TellsAnEmptyTextFromEveryOther(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, hostile)
	p := b.OpenPage(t, origin+"/#/explore?metric=amount_sum&by=%22odd%20name%22.kind&tab=table")
	const rows, kinds = `document.querySelectorAll("tbody tr").length`, `[...document.querySelectorAll("tbody .cell")].map(c => c.innerText)`
	p.RunActions(
		awaits(rows, 6),
		click(`//tbody//button[.="(empty)"]`),
		pressed("Keep only (empty)"),
		awaits(kinds, []string{"(empty)"}),
		awaits(textOf("tbody td.number"), "-7"),
		goBack(),
		awaits(rows, 6),
		click(`//tbody//button[.="(empty)"]`),
		pressed("Exclude (empty)"),
		awaits(rows, 5),
		awaits(kinds+`.includes("(empty)")`, false),
		awaits(kinds+`.includes("∅ none")`, true),
	)
	clean(t, p, origin)
}

// The marks of a chart have the menu too, with the question why.
func TestDrill_AsksWhyAMonthDiffersFromTheOneBefore(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&kind=bar")
	p.RunActions(visible("canvas"), waitFor(`!document.querySelector(".stale")`))
	drag(p, 0.62, 0.62) // April is the third of four
	p.RunActions(visible(`[role="menu"]`))
	pictures(p, "drill-mark")
	p.RunActions(
		pressed("Why did it change since Mar 2024"),
		visible(".attribution .figure"),
		atHash("baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01"),
	)
	clean(t, p, origin)
}

// Totals, shares and a comparison are those of the service: revenue of April 60, of March 40.
func TestExplorer_AddsTotalsSharesAndAComparison(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table&start=2024-04-01&end=2024-05-01")
	p.RunActions(
		shows("region revenue\nnorth 25\nsouth 35"),
		opens("More"),
		click(`//label[contains(., "Totals")]/input`),
		shows("region revenue\nnorth 25\nsouth 35\nTotal 60"),
		click(`//label[contains(., "Shares")]/input`),
		shows("region revenue revenue__share\nnorth 25 41.7%\nsouth 35 58.3%\nTotal 60 100.0%"),
		opens("Compare"),
		click(`input[value="previous"]`),
		shows("region revenue revenue__previous revenue__change revenue__change_ratio revenue__share\nnorth 25 ∅ none ∅ none ∅ none 41.7%\nsouth 35 40 -5 -12.5% 58.3%\nTotal 60 40 20 50.0% 100.0%"),
	)
	pictures(p, "explorer-totals")
	p.RunActions(
		click(chartTab),
		visible("canvas"),
		waitFor(`[...document.querySelectorAll(".plotbox th")].some(t => t.innerText.includes("before"))`),
	)
	pictures(p, "explorer-compare")
	clean(t, p, origin)
}

// Of 1,200 items a chart shows the 20 largest and the others as one, which the service computes:
// the largest are 1,181 to 1,200, and the others sum to 696,790.
func TestChart_PutsTheRestOfManyValuesTogether(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.item")
	var want []string
	for i := 1200; i > 1180; i-- {
		want = append(want, fmt.Sprintf("item %d 1,%d", i, i-1000))
	}
	p.RunActions(awaits(`[...document.querySelectorAll(".plotbox tbody tr")].map(r => [...r.children].map(c => c.textContent).join(" "))`, want), reads(".beside", "other 696,790"))
	pictures(p, "chart-top")
	clean(t, p, origin)
}

func TestChart_HasItsKinds(t *testing.T) {
	b := browse(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&by=sale.region")
	p.RunActions(visible(`canvas[aria-label^="Line"]`))
	for kind, name := range map[string]string{"area": "Area", "bar": "Bar", "stacked": "Stacked bar", "line": "Line"} {
		p.RunActions(
			choose(`//label[contains(., "Chart")]/select`, kind),
			visible(fmt.Sprintf(`canvas[aria-label^="%s chart of Revenue by Time (month)"]`, name)),
			// The table behind the picture is for people who do not see it.
			shows("Time (month) east north south\nJan 2024 60,200 60,600 59,800\nFeb 2024 59,900 60,300 59,500\nMar 2024 59,600 60,000 60,400\nApr 2024 60,500 59,700 60,100"),
		)
		pictures(p, "chart-"+kind)
	}
	p.RunActions(
		choose(`//label[contains(., "Chart")]/select`, "pivot"),
		shows("Time (month) east north south\nJan 2024 60,200 60,600 59,800\nFeb 2024 59,900 60,300 59,500\nMar 2024 59,600 60,000 60,400\nApr 2024 60,500 59,700 60,100"),
	)
	pictures(p, "chart-pivot")
	clean(t, p, origin)
}

// groupsOfPicker lists the titles of the groups of a list, without their counts.
func groupsOfPicker(list string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("[aria-label='%s'] .grouptitle")].map(g => g.title)`, list)
}

// The groups of the picker keep their places while a person types and chooses, and Enter takes the metric with the mark.
func TestPicker_GroupsKeepTheirPlaces(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore")
	judged := waitFor(`document.querySelectorAll("aside .pick[aria-busy=false]").length === 2`)
	metrics, dimensions := groupsOfPicker("Metrics"), groupsOfPicker("Break down by")
	all := []string{"sale", "visit", "shelf"}
	p.RunActions(
		judged,
		awaits(metrics, all),
		awaits(dimensions, append([]string{"Time"}, all...)),
		click(item("visits")),
		visible(".figure"),
		waitFor(`document.querySelector("[data-name='sale.region']")?.getAttribute("aria-disabled") === "true"`),
		judged,
		awaits(metrics, all),
		awaits(dimensions, append([]string{"Time"}, all...)),
		// Of the names that begin with what is typed, the first of the model is in the last group.
		chromedp.SendKeys(`aside input[type="search"]`, "s"),
		awaits(metrics, all),
		awaits(`[...document.querySelectorAll("aside .item.best")].map(e => e.dataset.name)`, []string{"shelves"}),
		awaits(dimensions, []string{"sale", "visit", "shelf"}),
	)
	pictures(p, "picker-typed")
	clean(t, p, origin)

	// Of 200 groups without relationships, the list goes to the one that fits.
	before, after, _ := strings.Cut(largeModel(), "relationships:\n")
	_, after, _ = strings.Cut(after, "metrics:\n")
	after, _, _ = strings.Cut(after, "  - {name: broken")
	large, _ := serveModel(t, before+"metrics:\n"+after)
	q := b.OpenPage(t, large+"/#/explore?metric=amount_123")
	const inSight = `(() => {
		const list = document.querySelector("[aria-label='Break down by'] .scrolled").getBoundingClientRect()
		const entry = document.querySelector("[data-name='money_123.kind']")
		const box = entry?.getBoundingClientRect()
		return box && entry.getAttribute("aria-disabled") === "false" && box.top >= list.top && box.bottom <= list.bottom
	})()`
	q.RunActions(visible(".figure"), judged, waitFor(inSight), awaits(dimensions+`.includes("people_122")`, true))
	pictures(q, "picker-large")
	clean(t, q, large)
}

// What does not fit is greyed, its reason is the error of the query with it, and a broken metric shows its code.
func TestPicker_GivesTheReasonOfWhatDoesNotFit(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=visits")
	p.RunActions(
		waitFor(`document.querySelector("[data-name='sale.region']")?.getAttribute("aria-disabled") === "true"`),
		chromedp.Focus(`[data-name="sale.region"]`),
		reads(".reason", "sale.region"),
		chromedp.KeyEvent(kb.Enter),
	)
	pictures(p, "picker-reason")
	// What was pressed leads nowhere: the next key that does something finds the address as it was.
	p.RunActions(chromedp.Focus(`[data-name="refunds"]`), click(item("refunds")), atHash("refunds"), settled(p))
	if at := hash(p); strings.Contains(at, "sale.region") {
		t.Errorf("what does not fit was chosen: %s", at)
	}
	clean(t, p, origin)
}

// The list of 151 metrics scrolls to its last one.
func TestPicker_ScrollsToTheLastMetric(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveLarge(t)
	p := b.OpenPage(t, origin+"/#/explore")
	p.RunActions(
		visible(item("amount_000")),
		absent(item("amount_149")),
		chromedp.Evaluate(`document.querySelector(".scrolled").scrollTop = 1e9`, nil),
		visible(item("amount_149")),
	)
	clean(t, p, origin)
}

// A person without a mouse opens the menu of a cell, excludes a value and undoes it.
func TestKeyboard_ReachesTheMenuOfACell(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(
		shows("region revenue\nnorth 130\nsouth 82"),
		chromedp.Focus("tbody .cell"),
		chromedp.KeyEvent(kb.Enter),
		visible(`[role="menu"]`),
		waitFor(`document.activeElement.innerText.startsWith("Keep only")`),
		chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.Enter),
		shows("region revenue\nsouth 82"),
		chromedp.Focus("tbody .cell"),
		chromedp.KeyEvent(kb.Enter),
		visible(`[role="menu"]`),
		chromedp.KeyEvent(kb.Escape),
		absent(`[role="menu"]`),
	)
	clean(t, p, origin)
}

// Values are offered with the number of their rows; a condition in SQL is completed, and its
// error is marked at its place.
func TestFilter_OffersValuesAndChecksConditions(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(
		shows("region revenue\nnorth 130\nsouth 82"),
		opens("Filter"),
		awaits(element(`.filter select[aria-label="Field"]`)+`?.value`, "sale.region"),
		absent(`button[aria-label="Remove filter"]`), // nothing is filtered yet
		chromedp.SendKeys(`.filter input`, "sou"),
		awaits(`[...document.querySelectorAll(".values li")].map(l => l.innerText.replaceAll("\n", " "))`, []string{"south 3"}),
		click(`.values input`),
		atHash("filter=sale.region~=~south"),
		shows("region revenue\nsouth 82"),
		click(`button[aria-label="Remove filter"]`),
		shows("region revenue\nnorth 130\nsouth 82"),
		opens("More"), click(`//summary[.="SQL condition"]`),
		chromedp.SendKeys(`.condition textarea`, "sale.reg"+kb.Tab),
		waitFor(`document.querySelector(".condition textarea").value === "sale.region"`),
		chromedp.SendKeys(`.condition textarea`, " = ("),
		waitFor(`document.querySelector(".fault:has(mark) code")?.innerText.trim() === "sale.region = ("`),
		chromedp.SendKeys(`.condition textarea`, "'south')"),
		shows("region revenue\nsouth 82"),
	)
	clean(t, p, origin)
}

// A range without rows leads to the range of the data, by the hint of the service: sales are from 10 February to 10 May.
func TestExplorer_OffersTheRangeOfTheData(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&start=1990-01-01&end=1990-02-01")
	p.RunActions(
		click(`//p[contains(., "2024-02-10") and contains(., "2024-05-10")]/button`),
		awaits(textOf(".explore .figure"), "€205.00"),
		atHash("start=2024-02-10&end=2024-05-11"),
	)
	clean(t, p, origin)
}

// A condition that no row meets leads to the value that the data has, by the hint of the service.
func TestExplorer_AppliesTheHintOfAnEmptyResult(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&filter=sale.region~%3D~North&tab=table")
	p.RunActions(
		reads(`//p[contains(., "filter_matched_nothing")]`, "North", "north"),
		click(`//p[contains(., "filter_matched_nothing")]/button`),
		shows("region revenue\nnorth 130"),
	)
	clean(t, p, origin)
}

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

// waitFor waits until a condition of the page holds.
func waitFor(condition string) chromedp.Action {
	return chromedp.Poll(condition, nil, chromedp.WithPollingTimeout(0))
}

// pressed picks an entry of the menu.
func pressed(text string) chromedp.Action {
	return chromedp.Click(fmt.Sprintf(`//div[@role="menu"]//button[starts-with(., %q)]`, text), chromedp.BySearch)
}

// drag draws over the canvas from one part of its width to another.
func drag(p *chromium.Page, from, to float64) {
	var box struct{ Left, Top, Width, Height float64 }
	p.RunActions(chromedp.Evaluate(`(() => { const b = document.querySelector(".plot canvas").getBoundingClientRect(); return {Left: b.left, Top: b.top, Width: b.width, Height: b.height} })()`, &box))
	y := box.Top + box.Height/2
	x := func(part float64) float64 { return box.Left + box.Width*part }
	p.RunActions(
		chromedp.MouseEvent(input.MousePressed, x(from), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, x((from+to)/2), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, x(to), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseReleased, x(to), y, chromedp.ButtonLeft),
	)
}

// Drawing over the months from February to March of four chooses them; Back undoes it.
func TestBrush_ChoosesTheTimeThatIsDrawnOver(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month")
	p.RunActions(chromedp.WaitVisible("canvas"), waitFor(`!document.querySelector(".stale")`))
	drag(p, 0.38, 0.66)
	p.RunActions(waitFor(`location.hash.includes("start=2024-02-01&end=2024-04-01")`), chromedp.Click(tableTab),
		shows(p, "metric_time__month revenue\n2024-02-01 179,700\n2024-03-01 180,000"))
	p.RunActions(chromedp.NavigateBack(), chromedp.NavigateBack(), waitFor(`!location.hash.includes("start=")`))
	clean(t, p, origin)
}

// The menu of a mark keeps, excludes, breaks down, and shows the records that add up to the value.
func TestDrill_LeadsFromAMarkToItsRecords(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	table := origin + "/#/explore?metric=revenue&by=sale.region&tab=table"
	p := b.OpenPage(t, table)
	var rows []string
	p.RunActions(
		shows(p, "region Money in (EUR)\nnorth 130\nsouth 82"),
		chromedp.Click(`//tbody//button[.="north"]`, chromedp.BySearch),
		chromedp.WaitVisible(`[role="menu"]`),
	)
	pictures(p, "drill-menu")
	p.RunActions(
		pressed("Show records"),
		waitFor(`document.querySelectorAll("tbody tr").length === 3`),
		chromedp.Evaluate(`[...document.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()).join(" "))`, &rows),
	)
	pictures(p, "drill-records")
	if got := strings.Join(rows, "\n"); !strings.Contains(got, "2024-02-10 north 100") || !strings.Contains(got, "2024-04-07 north 25") || !strings.Contains(got, "2024-05-10 north 5") {
		t.Errorf("the records are\n%s", got)
	}
	p.RunActions(
		chromedp.NavigateBack(),
		chromedp.Click(`//tbody//button[.="north"]`, chromedp.BySearch),
		pressed("Exclude north"),
		shows(p, "region Money in (EUR)\nsouth 82"),
		chromedp.NavigateBack(),
		shows(p, "region Money in (EUR)\nnorth 130\nsouth 82"),
		chromedp.Click(`//tbody//button[.="south"]`, chromedp.BySearch),
		pressed("Break down by"),
		pressed("sale.day"),
		shows(p, "day__month Money in (EUR)\n2024-03-01 40\n2024-04-01 35\n∅ none 7"),
	)
	if at := hash(p); !strings.Contains(at, "filter=sale.region~=~south") {
		t.Errorf("the address is %s", at)
	}
	clean(t, p, origin)
}

// The marks of a chart have the menu too, with the question why.
func TestDrill_AsksWhyAMonthDiffersFromTheOneBefore(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&kind=bar")
	p.RunActions(chromedp.WaitVisible("canvas"), waitFor(`!document.querySelector(".stale")`))
	drag(p, 0.62, 0.62) // April is the third of four
	p.RunActions(chromedp.WaitVisible(`[role="menu"]`))
	pictures(p, "drill-mark")
	p.RunActions(
		pressed("Why did it change since Mar 2024"),
		chromedp.WaitVisible(".attribution .figure"),
	)
	if at := hash(p); !strings.Contains(at, "baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01") {
		t.Errorf("the address is %s", at)
	}
	clean(t, p, origin)
}

// Totals, shares and a comparison are those of the service: revenue of April 60, of March 40.
func TestExplorer_AddsTotalsSharesAndAComparison(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table&start=2024-04-01&end=2024-05-01")
	p.RunActions(
		shows(p, "region Money in (EUR)\nnorth 25\nsouth 35"),
		chromedp.Click(`//label[contains(., "Totals")]/input`, chromedp.BySearch),
		shows(p, "region Money in (EUR)\nnorth 25\nsouth 35\nTotal 60"),
		chromedp.Click(`//label[contains(., "Shares")]/input`, chromedp.BySearch),
		shows(p, "region Money in (EUR) Money in, share\nnorth 25 41.7 %\nsouth 35 58.3 %\nTotal 60 100.0 %"),
		chromedp.SetValue(`//label[contains(., "Compare")]/select`, "previous", chromedp.BySearch),
		shows(p, "region Money in (EUR) Money in, before (EUR) Money in, change (EUR) Money in, change % Money in, share\nnorth 25 ∅ none ∅ none ∅ none 41.7 %\nsouth 35 40 -5 -12.5 % 58.3 %\nTotal 60 40 20 50.0 % 100.0 %"),
	)
	pictures(p, "explorer-totals")
	p.RunActions(
		chromedp.Click(chartTab),
		chromedp.WaitVisible("canvas"),
		waitFor(`[...document.querySelectorAll(".plotbox th")].some(t => t.innerText.includes("before"))`),
	)
	pictures(p, "explorer-compare")
	clean(t, p, origin)
}

// Of 1,200 items a chart shows the 20 largest and the others as one, which the service computes:
// the largest are 1,181 to 1,200, and the others sum to 696,790.
func TestChart_PutsTheRestOfManyValuesTogether(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.item")
	var figures []string
	p.RunActions(
		waitFor(`document.querySelectorAll(".plotbox tbody tr").length === 21`),
		chromedp.Evaluate(`[...document.querySelectorAll(".plotbox tbody tr")].map(r => [...r.children].map(c => c.textContent).join(" "))`, &figures),
	)
	pictures(p, "chart-top")
	if figures[0] != "item 1200 1,200" || figures[19] != "item 1181 1,181" || figures[20] != "other 696,790" {
		t.Errorf("the figures are %q", figures)
	}
	clean(t, p, origin)
}

func TestChart_HasItsKinds(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&by=sale.region")
	p.RunActions(chromedp.WaitVisible(`canvas[aria-label^="Line"]`))
	for kind, name := range map[string]string{"area": "Area", "bar": "Bar", "stacked": "Stacked bar", "line": "Line"} {
		p.RunActions(
			chromedp.SetValue(`//label[contains(., "Chart")]/select`, kind, chromedp.BySearch),
			chromedp.WaitVisible(fmt.Sprintf(`canvas[aria-label^="%s chart of revenue by metric_time__month"]`, name)),
		)
		pictures(p, "chart-"+kind)
	}
	p.RunActions(
		chromedp.SetValue(`//label[contains(., "Chart")]/select`, "pivot", chromedp.BySearch),
		shows(p, "metric_time__month east north south\nJan 2024 60,200 60,600 59,800\nFeb 2024 59,900 60,300 59,500\nMar 2024 59,600 60,000 60,400\nApr 2024 60,500 59,700 60,100"),
	)
	pictures(p, "chart-pivot")
	clean(t, p, origin)
}

// What does not fit is greyed, its reason is the error of the query with it, and a broken metric shows its code.
func TestPicker_GivesTheReasonOfWhatDoesNotFit(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=visits")
	var reason string
	p.RunActions(
		waitFor(`document.querySelector("[data-name='sale.region']")?.getAttribute("aria-disabled") === "true"`),
		chromedp.Focus(`[data-name="sale.region"]`),
		waitFor(`document.querySelector(".reason")?.innerText !== ""`),
		chromedp.Text(".reason", &reason),
		chromedp.KeyEvent(kb.Enter),
	)
	pictures(p, "picker-reason")
	if !strings.Contains(reason, "sale.region") || strings.Contains(hash(p), "sale.region") {
		t.Errorf("the reason is %q at %s", reason, hash(p))
	}
	clean(t, p, origin)
}

// A person without a mouse opens the menu of a cell, excludes a value and undoes it.
func TestKeyboard_ReachesTheMenuOfACell(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(
		shows(p, "region Money in (EUR)\nnorth 130\nsouth 82"),
		chromedp.Focus("tbody .cell"),
		chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(`[role="menu"]`),
		waitFor(`document.activeElement.innerText.startsWith("Keep only")`),
		chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.Enter),
		shows(p, "region Money in (EUR)\nsouth 82"),
		chromedp.Focus("tbody .cell"),
		chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(`[role="menu"]`),
		chromedp.KeyEvent(kb.Escape),
		chromedp.WaitNotPresent(`[role="menu"]`),
	)
	clean(t, p, origin)
}

// Values are offered with the number of their rows; a condition in SQL is completed, and its
// error is marked at its place.
func TestFilter_OffersValuesAndChecksConditions(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	var offered []string
	p.RunActions(
		shows(p, "region Money in (EUR)\nnorth 130\nsouth 82"),
		chromedp.Click(`//button[.="Add filter"]`, chromedp.BySearch),
		chromedp.SetValue(`.filter select[aria-label="Field"]`, "sale.region"),
		chromedp.SendKeys(`.filter input`, "sou"),
		waitFor(`document.querySelectorAll(".values li").length === 1`),
		chromedp.Evaluate(`[...document.querySelectorAll(".values li")].map(l => l.innerText.replaceAll("\n", " "))`, &offered),
		chromedp.SendKeys(`.filter input`, kb.ArrowDown+kb.Enter),
		shows(p, "region Money in (EUR)\nsouth 82"),
		chromedp.Click(`button[aria-label="Remove filter"]`),
		shows(p, "region Money in (EUR)\nnorth 130\nsouth 82"),
		chromedp.Click(`//button[.="SQL condition"]`, chromedp.BySearch),
		chromedp.SendKeys(`.condition textarea`, "sale.reg"+kb.Tab),
		waitFor(`document.querySelector(".condition textarea").value === "sale.region"`),
		chromedp.SendKeys(`.condition textarea`, " = ("),
		waitFor(`document.querySelector(".fault:has(mark) code")?.innerText.trim() === "sale.region = ("`),
		chromedp.SendKeys(`.condition textarea`, "'south')"),
		shows(p, "region Money in (EUR)\nsouth 82"),
	)
	if len(offered) != 1 || offered[0] != "south 3" {
		t.Errorf("offered %q", offered)
	}
	clean(t, p, origin)
}

// A range without rows leads to the range of the data, by the hint of the service: sales are from 10 February to 10 May.
func TestExplorer_OffersTheRangeOfTheData(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&start=1990-01-01&end=1990-02-01")
	p.RunActions(
		chromedp.Click(`//p[contains(., "2024-02-10") and contains(., "2024-05-10")]/button`, chromedp.BySearch),
		waitFor(`document.querySelector(".explore .figure")?.innerText === "€205.00"`),
	)
	if at := hash(p); !strings.Contains(at, "start=2024-02-10&end=2024-05-11") {
		t.Errorf("the address is %s", at)
	}
	clean(t, p, origin)
}

// A condition that no row meets leads to the value that the data has, by the hint of the service.
func TestExplorer_AppliesTheHintOfAnEmptyResult(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&filter=sale.region~%3D~North&tab=table")
	var hint string
	p.RunActions(
		chromedp.Text(`//p[contains(., "filter_matched_nothing")]`, &hint, chromedp.BySearch),
		chromedp.Click(`//p[contains(., "filter_matched_nothing")]/button`, chromedp.BySearch),
		shows(p, "region Money in (EUR)\nnorth 130"),
	)
	if !strings.Contains(hint, "North") || !strings.Contains(hint, "north") {
		t.Errorf("the hint is %q", hint)
	}
	clean(t, p, origin)
}

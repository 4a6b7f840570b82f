package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/restapi"
)

// item is a metric or a dimension of the explorer's list.
func item(name string) string {
	return fmt.Sprintf(`//aside//button[@data-name="%s"]`, name)
}

// shows waits until the table of the explorer holds these rows, cells by spaces.
func shows(p *chromium.Page, want string) chromedp.Action {
	return chromedp.Poll(fmt.Sprintf(`[...document.querySelectorAll("table tr")].map(r => [...r.children].map(c => c.innerText.trim()).join(" ")).join("\n") === %q`, want), nil,
		chromedp.WithPollingTimeout(0)) // the page's own patience ends it
}

const (
	chartTab   = "#tab-chart"
	tableTab   = "#tab-table"
	sqlTab     = "#tab-sql"
	planTab    = "#tab-plan"
	requestTab = "#tab-request"
)

func hash(p *chromium.Page) string {
	var out string
	p.RunActions(chromedp.Evaluate(`decodeURIComponent(location.hash)`, &out))
	return out
}

// clean fails if the page had an error itself, or sent a request to another server. A
// request that the service or the warehouse rejected is not an error of the page, but the browser reports it as one.
func clean(t *testing.T, p *chromium.Page, origin string) {
	t.Helper()
	for _, problem := range p.PageErrors() {
		const answered = "network: Failed to load resource: the server responded with a status of "
		if !strings.HasPrefix(problem, answered+"4") && !strings.HasPrefix(problem, answered+"502") {
			t.Errorf("the page has a problem: %s", problem)
		}
	}
	if out := p.RequestsToOtherOrigins(origin); len(out) > 0 {
		t.Errorf("requests to elsewhere: %q", out)
	}
}

// A person who has never seen the model picks a metric, breaks it down, filters
// it, and takes the request along.
func TestExplorer_AnswersQuery(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore")
	p.RunActions(
		chromedp.WaitVisible(item("revenue"), chromedp.BySearch),
		chromedp.Click(item("revenue"), chromedp.BySearch),
		chromedp.WaitVisible(`.figure`),
	)
	var figure string
	p.RunActions(chromedp.Text(".figure", &figure))
	if figure != "450" {
		t.Errorf("revenue is shown as %q", figure)
	}
	p.RunActions(
		chromedp.Click(item("orders.status"), chromedp.BySearch),
		chromedp.WaitVisible("canvas"),
		chromedp.Click(tableTab),
		shows(p, "status revenue\ncancelled 100\ncompleted 350"),
		// A filter on the field that the form begins with, changed to another.
		chromedp.Click(`//button[.="Add filter"]`, chromedp.BySearch),
		chromedp.SetValue(`.filter select[aria-label="Field"]`, "customers.region"),
		chromedp.SendKeys(`.filter input`, "east"),
		shows(p, "status revenue\ncancelled 70\ncompleted 270"),
		// Sorting by a column, twice to have the largest first.
		chromedp.Click(`//th[2]/button`, chromedp.BySearch),
		chromedp.Click(`//th[2]/button`, chromedp.BySearch),
		shows(p, "status revenue ↓\ncompleted 270\ncancelled 70"),
	)
	picture(p, "explorer-table")

	var sql, plan, request string
	p.RunActions(
		chromedp.Click(sqlTab),
		chromedp.WaitVisible(`pre.code .hljs-keyword`),
		chromedp.SetValue(`//label[contains(.,"Dialect")]/select`, "mysql", chromedp.BySearch),
		chromedp.Poll(`document.querySelector("pre.code")?.innerText.includes("`+"`status`"+`")`, nil),
		chromedp.Text("pre.code", &sql),
		chromedp.Click(planTab),
		chromedp.Poll(`document.querySelector("pre.code")?.innerText.includes("Scan orders")`, nil),
		chromedp.Text("pre.code", &plan),
		chromedp.Click(requestTab),
		chromedp.Poll(`document.querySelector("pre.code")?.innerText.startsWith("curl")`, nil),
		chromedp.Text("pre.code", &request),
	)
	if !strings.Contains(sql, "'east'") || !strings.Contains(plan, "Aggregate of orders") {
		t.Errorf("SQL %s\nplan %s", sql, plan)
	}
	if want := `"where_sql":"customers.region = '\''east'\''"`; !strings.Contains(request, want) || !strings.Contains(request, origin+"/v1/query/execute") {
		t.Errorf("the request is %s", request)
	}
	clean(t, p, origin)
}

// The address is the whole state: what another person opens shows the same.
func TestExplorer_AddressHoldsState(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	first := b.OpenPage(t, origin+"/#/explore")
	first.RunActions(
		chromedp.WaitVisible(item("revenue"), chromedp.BySearch),
		chromedp.Click(item("revenue"), chromedp.BySearch),
		chromedp.Click(item("metric_time"), chromedp.BySearch),
		chromedp.WaitVisible("canvas"),
		chromedp.Click(tableTab),
		shows(first, "metric_time__month revenue\n2024-01-01 150\n2024-02-01 230\n2024-03-01 70"),
		chromedp.SetValue(`select[aria-label="Grain of metric_time"]`, "quarter"),
		shows(first, "metric_time__quarter revenue\n2024-01-01 450"),
	)
	second := b.OpenPage(t, origin+"/"+hash(first))
	second.RunActions(shows(second, "metric_time__quarter revenue\n2024-01-01 450"))
	for _, p := range []*chromium.Page{first, second} {
		clean(t, p, origin)
	}
}

// An error is shown as a sentence, and its suggested retry as a button.
func TestExplorer_AppliesSuggestion(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=orders.status&where=order_count > 1&tab=table")
	var said string
	p.RunActions(
		chromedp.WaitVisible(`[role="alert"] button.primary`),
		chromedp.Text(`[role="alert"]`, &said),
	)
	picture(p, "explorer-refusal")
	if !strings.Contains(said, "result_filter_metric_not_selected") || !strings.Contains(said, "order_count") {
		t.Errorf("the refusal says %q", said)
	}
	p.RunActions(
		chromedp.Click(`[role="alert"] button.primary`),
		shows(p, "status revenue order_count\ncancelled 100 2\ncompleted 350 4"),
		chromedp.WaitNotPresent(`[role="alert"]`),
	)
	if at := hash(p); !strings.Contains(at, "metric=revenue&metric=order_count") {
		t.Errorf("the address is %s", at)
	}

	// A candidate takes the place of what does not exist.
	p = b.OpenPage(t, origin+"/#/explore?metric=revenu&tab=table")
	p.RunActions(
		chromedp.Click(`//div[@id="app"]//*[@role="alert"]//button[.="revenue"]`, chromedp.BySearch),
		shows(p, "revenue\n450"),
	)
}

// What the chosen metric does not take is greyed out: a customer has no order.
func TestExplorer_OffersOnlyMetricDimensions(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore")
	const grey = `[...document.querySelectorAll("aside button.item[aria-disabled=true]")].map(b => b.dataset.name)`
	var before, after, chosen []string
	p.RunActions(
		chromedp.WaitVisible(item("orders.status"), chromedp.BySearch),
		chromedp.Evaluate(grey, &before),
		chromedp.SendKeys(`input[type="search"]`, "customer_count"+kb.Enter),
		chromedp.WaitVisible(".figure"),
		chromedp.Evaluate(`[...document.querySelectorAll("aside button.item[aria-pressed=true]")].map(b => b.innerText)`, &chosen),
		chromedp.SendKeys(`input[type="search"]`, strings.Repeat(kb.Backspace, len("customer_count"))),
		chromedp.WaitVisible(item("orders.status"), chromedp.BySearch),
		chromedp.Evaluate(grey, &after),
	)
	if len(before) > 0 || !slices.Equal(chosen, []string{"customer_count"}) {
		t.Errorf("grey before anything is chosen: %q; chosen: %q", before, chosen)
	}
	for _, name := range []string{"orders.status", "orders.order_date", "products.category"} {
		if !slices.Contains(after, name) {
			t.Errorf("%s can be chosen", name)
		}
	}
	for _, name := range []string{"customers.region", "customers.signup_date", "metric_time"} {
		if slices.Contains(after, name) {
			t.Errorf("%s is grey", name)
		}
	}
	clean(t, p, origin)
}

// Without a token the page asks for one; with it, it works, and the
// token is in no store of the browser.
func TestExplorer_KeepsTokenInMemory(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{Tokens: []string{token}})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&tab=table")
	var kept string
	p.RunActions(
		chromedp.WaitVisible(`input[name="token"]`),
		chromedp.SendKeys(`input[name="token"]`, token+kb.Enter),
		shows(p, "revenue\n450"),
		chromedp.Evaluate(`JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])`, &kept),
	)
	if strings.Contains(kept, token) {
		t.Errorf("the token is kept: %s", kept)
	}
	clean(t, p, origin)
}

// A server that only compiles has an explorer that only compiles.
func TestExplorer_CompileOnlyServer(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{DisableExecute: true})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue")
	var tabs []string
	p.RunActions(
		chromedp.WaitVisible(`pre.code .hljs-keyword`),
		chromedp.Evaluate(`[...document.querySelectorAll("[role=tab]")].map(b => b.innerText)`, &tabs),
	)
	if !slices.Equal(tabs, []string{"SQL", "Plan", "Request"}) {
		t.Errorf("the tabs are %q", tabs)
	}
	clean(t, p, origin)
}

func TestExplorer_ModelPageDrawsModel(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/model")
	var boxes, ends []string
	p.RunActions(
		chromedp.WaitVisible(`.diagram .box`),
		chromedp.Evaluate(`[...document.querySelectorAll(".box .title")].map(b => b.textContent)`, &boxes),
		chromedp.Evaluate(`[...document.querySelectorAll(".arrow .end")].map(b => b.textContent)`, &ends),
		chromedp.Click(`//th/button[.="total_margin"]`, chromedp.BySearch),
		chromedp.WaitVisible(`.box.measure`),
	)
	picture(p, "explorer-model")
	slices.Sort(boxes)
	if !slices.Equal(boxes, []string{"customers", "orders", "products"}) || !slices.Equal(ends, []string{"N", "1", "N", "1"}) {
		t.Errorf("boxes %q, ends of arrows %q", boxes, ends)
	}
	clean(t, p, origin)
}

// January to February: completed orders gained 50 (150 to 200), cancelled ones 30.
func TestExplorer_AttributionOpensSegment(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue&dimension=orders.status&baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01")
	var changes []string
	p.RunActions(
		chromedp.WaitVisible(`.segments canvas`),
		chromedp.Evaluate(`[...document.querySelectorAll(".segments tbody tr")].map(r => r.children[0].innerText.split(" ")[0] + " " + r.children[3].innerText)`, &changes),
	)
	picture(p, "explorer-attribution")
	if !slices.Equal(changes, []string{"completed 50", "cancelled 30"}) {
		t.Errorf("the changes are %q", changes)
	}
	p.RunActions(
		chromedp.Click(`.segments tbody tr:first-child button:last-child`),
		chromedp.WaitVisible(tableTab),
		chromedp.Click(tableTab),
		shows(p, "metric_time__day revenue\n2024-01-05 100\n2024-01-20 50\n2024-02-10 80\n2024-02-20 120"),
	)
	clean(t, p, origin)
}

// Dark mode follows the system and the button; a narrow screen scrolls in one
// direction only.
func TestExplorer_DarkModeAndNarrowScreen(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	var light, dark, back string
	var wide int
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=orders.order_date:month")
	const colour = `getComputedStyle(document.body).backgroundColor`
	p.RunActions(
		chromedp.WaitVisible("canvas"),
		chromedp.Evaluate(colour, &light),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(colour, &dark),
	)
	picture(p, "explorer-dark")
	p.RunActions(
		chromedp.Click(`button[aria-label="Switch between light and dark"]`),
		chromedp.Evaluate(colour, &back),
		chromedp.EmulateViewport(390, 844),
		chromedp.Sleep(0),
		chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide),
	)
	picture(p, "explorer-narrow")
	if light == dark || back != light {
		t.Errorf("light %s, dark %s, switched back %s", light, dark, back)
	}
	if wide > 390 {
		t.Errorf("a page 390 wide is %d wide", wide)
	}
	clean(t, p, origin)
}

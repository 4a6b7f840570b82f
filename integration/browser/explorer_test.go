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

// item returns a metric or a dimension of the explorer's list.
func item(name string) string {
	return fmt.Sprintf(`//aside//button[@data-name="%s"]`, name)
}

// opens presses a chip of the query.
func opens(part string) chromedp.Action { return click(fmt.Sprintf(".pop[data-part=%q]", part)) }

// shows waits until the table of the explorer holds these rows, cells by spaces, with the exact names of the columns.
func shows(want string) chromedp.Action {
	return awaits(`[...document.querySelectorAll("table tr")].map(r => [...r.children].map(c => { const text = c.innerText.trim(), name = c.querySelector(":scope > button.bare")?.title; return name ? name.split(":")[0] + (text.match(/ [↑↓]$/)?.[0] ?? "") : text }).join(" ")).join("\n")`, want)
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
		if !strings.HasPrefix(problem, answered+"4") && !strings.HasPrefix(problem, answered+"501") && !strings.HasPrefix(problem, answered+"502") {
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
	b := browse(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore")
	p.RunActions(
		visible(item("revenue")),
		click(item("revenue")),
		awaits(textOf(".figure"), "450"),
		click(item("orders.status")),
		visible("canvas"),
		click(tableTab),
		shows("status revenue\ncancelled 100\ncompleted 350"),
		// A filter on the field that the form begins with, changed to another.
		opens("Filter"),
		choose(`.filter select[aria-label="Field"]`, "customers.region"),
		chromedp.SendKeys(`.filter input`, "east"+kb.Enter),
		shows("status revenue\ncancelled 70\ncompleted 270"),
		// Sorting by a column, twice to have the largest first.
		click(`//th[2]/button`),
		click(`//th[2]/button`),
		shows("status revenue ↓\ncompleted 270\ncancelled 70"),
	)
	picture(p, "explorer-table")

	p.RunActions(
		click(sqlTab),
		visible(`pre.code .hljs-keyword`),
		choose(`//label[contains(.,"Dialect")]/select`, "mysql"),
		reads("pre.code", "`status`", "'east'"),
		click(planTab),
		reads("pre.code", "Scan orders", "Aggregate of orders"),
		click(requestTab),
		reads("pre.code", "curl ", `"where_sql":"customers.region = '\''east'\''"`, origin+"/v1/query/execute"),
	)
	clean(t, p, origin)
}

// The address is the whole state: what another person opens shows the same.
func TestExplorer_AddressHoldsState(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{})
	first := b.OpenPage(t, origin+"/#/explore")
	first.RunActions(
		visible(item("revenue")),
		click(item("revenue")),
		click(item("metric_time")),
		visible("canvas"),
		click(tableTab),
		shows("metric_time__month revenue\nJan 2024 150\nFeb 2024 230\nMar 2024 70"),
		opens("Break down by"),
		choose(`select[aria-label="Grain of Over time"]`, "quarter"),
		shows("metric_time__quarter revenue\nQ1 2024 450"),
	)
	second := b.OpenPage(t, origin+"/"+hash(first))
	second.RunActions(shows("metric_time__quarter revenue\nQ1 2024 450"))
	for _, p := range []*chromium.Page{first, second} {
		clean(t, p, origin)
	}
}

// An error is shown as a sentence, and its suggested retry as a button.
func TestExplorer_AppliesSuggestion(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=orders.status&where=order_count > 1&tab=table")
	p.RunActions(
		visible(`[role="alert"] button.primary`),
		reads(`[role="alert"]`, "result_filter_metric_not_selected", "order_count"),
	)
	picture(p, "explorer-refusal")
	p.RunActions(
		click(`[role="alert"] button.primary`),
		shows("status revenue order_count\ncancelled 100 2\ncompleted 350 4"),
		absent(`[role="alert"]`),
		atHash("metric=revenue&metric=order_count"),
	)

	// A candidate takes the place of what does not exist.
	p = b.OpenPage(t, origin+"/#/explore?metric=revenu&tab=table")
	p.RunActions(
		click(`//div[@id="app"]//*[@role="alert"]//button[.="revenue"]`),
		shows("revenue\n450"),
	)
}

// What the chosen metric does not take is greyed out: a customer has no order.
func TestExplorer_OffersOnlyMetricDimensions(t *testing.T) {
	b := browseInLongForm(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore")
	const grey = `[...document.querySelectorAll("aside button.item[aria-disabled=true]")].map(b => b.dataset.name)`
	const judged = `document.querySelectorAll("aside .pick[aria-busy=false]").length === 2`
	var after []string
	p.RunActions(
		visible(item("orders.status")),
		waitFor(judged),
		awaits(grey, []string{}),
		chromedp.SendKeys(`input[type="search"]`, "customer_count"+kb.Enter),
		visible(".figure"),
		awaits(textsOf("aside button.item[aria-pressed=true]"), []string{"Customer count"}),
		chromedp.SendKeys(`input[type="search"]`, strings.Repeat(kb.Backspace, len("customer_count"))),
		visible(item("orders.status")),
		waitFor(judged),
		chromedp.Evaluate(grey, &after),
	)
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

// Without a token the page requests one; with it, it works, and the
// token is in no store of the browser.
func TestExplorer_KeepsTokenInMemory(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{Tokens: []string{token}})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&tab=table")
	var kept string
	p.RunActions(
		visible(`input[name="token"]`),
		chromedp.SendKeys(`input[name="token"]`, token+kb.Enter),
		shows("revenue\n450"),
		chromedp.Evaluate(`JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])`, &kept),
	)
	if strings.Contains(kept, token) {
		t.Errorf("the token is kept: %s", kept)
	}
	clean(t, p, origin)
}

// A server that only compiles has an explorer that only compiles.
func TestExplorer_CompileOnlyServer(t *testing.T) {
	b := browseInLongForm(t)
	origin := serve(t, restapi.Config{DisableExecute: true})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue")
	p.RunActions(
		visible(`pre.code .hljs-keyword`),
		awaits(textsOf("[role=tab]"), []string{"SQL", "Plan", "Request"}),
	)
	clean(t, p, origin)
}

func TestExplorer_ModelPageDrawsModel(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/model")
	p.RunActions(
		visible(`.diagram .box`),
		awaits(`[...document.querySelectorAll(".box .title")].map(b => b.textContent).sort()`, []string{"customers", "orders", "products"}),
		awaits(`[...document.querySelectorAll(".arrow .end")].map(b => b.textContent)`, []string{"N", "1", "N", "1"}),
		click(`//th/button[.="total_margin"]`),
		visible(`.box.measure`),
	)
	picture(p, "explorer-model")
	clean(t, p, origin)
}

// January to February: completed orders gained 50 (150 to 200), cancelled ones 30.
func TestExplorer_AttributionOpensSegment(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue&dimension=orders.status&baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01")
	p.RunActions(
		visible(`.segments canvas`),
		awaits(`[...document.querySelectorAll(".segments tbody tr")].map(r => r.children[0].innerText.split(" ")[0] + " " + r.children[3].innerText)`, []string{"completed 50", "cancelled 30"}),
	)
	picture(p, "explorer-attribution")
	p.RunActions(
		click(`.segments tbody tr:first-child button:last-child`),
		visible(tableTab),
		click(tableTab),
		shows("metric_time__day revenue\nJan 5, 2024 100\nJan 20, 2024 50\nFeb 10, 2024 80\nFeb 20, 2024 120"),
	)
	clean(t, p, origin)
}

// Dark mode follows the system and the button; a narrow screen scrolls in one
// direction only.
func TestExplorer_DarkModeAndNarrowScreen(t *testing.T) {
	b := browseInLongForm(t)
	origin := serve(t, restapi.Config{})
	var light, dark string
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=orders.order_date:month")
	const colour = `getComputedStyle(document.body).backgroundColor`
	p.RunActions(
		visible("canvas"),
		chromedp.Evaluate(colour, &light),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}),
		chromedp.Evaluate(colour, &dark),
	)
	picture(p, "explorer-dark")
	p.RunActions(
		click(`button[aria-label="Switch between light and dark"]`),
		awaits(colour, light),
		chromedp.EmulateViewport(390, 844),
		waitFor(`innerWidth === 390 && document.querySelector("canvas").getBoundingClientRect().width < 390`),
		waitFor(`document.documentElement.scrollWidth <= 390`),
	)
	picture(p, "explorer-narrow")
	if light == dark {
		t.Errorf("light and dark are both %s", light)
	}
	clean(t, p, origin)
}

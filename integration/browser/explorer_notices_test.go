package browser_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// serveFailing serves a model, and answers as a proxy without a server where a function of the path and the body is true.
func serveFailing(t *testing.T, text string, fails func(path, body string) bool) string {
	t.Helper()
	server, err := restapi.New(openModel(t, text), restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	handler := server.Handler("")
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if fails(r.URL.Path, string(body)) {
			http.Error(w, "<h1>Bad Gateway</h1>", http.StatusBadGateway)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h.URL
}

const askAgain = `//*[@role="alert"]//button[.="Try again"]`

// Why cannot choose its dimensions without their list: it shows the error, and asks for the list again.
func TestWhy_NamesTheErrorOfItsDimensions(t *testing.T) {
	b := browse(t)
	var broken atomic.Bool
	broken.Store(true)
	origin := serveFailing(t, business, func(path, _ string) bool { return broken.Load() && path == "/v1/dimensions" })
	p := b.OpenPage(t, origin+"/#/attribution?metric=revenue")
	p.RunActions(reads(`[role="alert"]`, "The response is not from the service (HTTP status 502)."))
	pictures(p, "why-without-dimensions")
	broken.Store(false)
	p.RunActions(click(askAgain), waitFor(`document.querySelector(".segments canvas")`), absent(`[role="alert"]`))
	clean(t, p, origin)
	p.RunActions(turn("#/attribution?metric=nowhere"), reads(".attribution", "The model has no metric named nowhere."), absent(`[role="alert"]`))
}

// Lists of Home that fail for one cause have one box, which asks for all of them again.
func TestHome_ListsThatFailHaveOneBox(t *testing.T) {
	b := browse(t)
	var broken atomic.Bool
	broken.Store(true)
	origin := serveFailing(t, twoDimensions, func(path, body string) bool {
		return broken.Load() && path == "/v1/query/execute" && strings.Contains(body, `"top"`)
	})
	p := b.OpenPage(t, origin+"/#/home?metric=total")
	p.RunActions(
		waitFor(cardsDrawn),
		awaits(textsOf(".leaders > p"), []string{"not loaded", "not loaded"}),
		awaits(`document.querySelectorAll("[role=alert]").length`, 1),
	)
	pictures(p, "home-without-lists")
	broken.Store(false)
	p.RunActions(
		click(askAgain),
		awaits(`document.querySelectorAll(".leaders table").length`, 2),
		absent(`[role="alert"]`),
	)
	clean(t, p, origin)
}

// twoDimensions has two dimensions, of two values each. The kind b has rows in March alone, and the town v none in April.
const twoDimensions = `version: 0.2.0.dev0
name: towns
datasets:
  - name: entry
    source: SELECT * FROM (VALUES (DATE '2024-03-01', 'a', 'u', 6), (DATE '2024-03-31', 'b', 'v', 4), (DATE '2024-04-01', 'a', 'u', 7), (DATE '2024-04-30', 'a', 'u', 2)) AS t(day, kind, town, amount)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: town, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(entry.amount)}]}}
  - {name: nothing, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN entry.kind = 'none' THEN entry.amount END)}]}}
`

// What had rows in the period before and has none any more has lost all of it.
func TestHome_APartThatIsGoneHasLostAll(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, twoDimensions)
	p := b.OpenPage(t, origin+"/#/home?metric=total")
	p.RunActions(
		waitFor(boardsDrawn),
		awaits(`[...document.querySelectorAll(".leaders[data-dimension='entry.kind'] tbody tr")].map(r => r.innerText.replace(/\s+/g, " ").trim()).sort()`, []string{"a 9 100% ▲ +50%", "other ∅ none ▼ -100%"}),
	)
	clean(t, p, origin)
}

// A chart of rows without a value has a note of it.
func TestChart_SaysThatNoRowHasAValue(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, twoDimensions)
	p := b.OpenPage(t, origin+"/#/explore?metric=nothing&by=entry.kind")
	p.RunActions(waitFor(drawnChart), reads("figcaption", "Drawn: nothing, because no row has a value."))
	p.RunActions(turn("#/explore?metric=total&by=entry.kind"), waitFor(drawnChart), absent("figcaption"))
	clean(t, p, origin)
}

// A browser that keeps nothing does not get the words of one that does.
func TestKeep_ABrowserThatKeepsNothing(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	save := chromedp.Tasks{waitFor(drawnChart), click(`//button[.="Save view"]`), click(`.keep form button`)}
	p.RunActions(
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(`Object.defineProperty(window, "localStorage", {get() { throw new DOMException("denied", "SecurityError") }})`).Do(ctx)
			return err
		}),
		chromedp.Navigate(origin+"/#/explore?metric=revenue&by=sale.region"),
		save,
		reads(`.keep [role="alert"]`, "The view is not saved", "Copy the link"),
		visible(`//button[.="Save view"]`),
	)
	pictures(p, "view-not-kept")
	clean(t, p, origin)

	// Another program wrote over the views: the page leaves out values in another form, and an address of an unknown metric shows an error.
	p = b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region")
	p.RunActions(
		chromedp.Evaluate(`localStorage.setItem("semlayer.views.business", JSON.stringify([{name: "gone", hash: "#/explore?metric=gone"}, {name: " ", hash: "#/home"}, {name: 5, hash: "#/home"}, null, {name: "script", hash: "javascript:alert(1)"}]))`, nil),
		save,
		visible(`//button[.="Saved in this browser"]`),
		turn("#/home"),
		awaits(textsOf(".homefilters a"), []string{"Money in by Region", "gone"}),
		click(`//a[.="gone"]`),
		reads(`[role="alert"]`, "gone"),
		visible(`//div[@class="explore"]//*[@role="alert"]//button[.="revenue"]`),
	)
	clean(t, p, origin)
}

// Paper is light: a page in the dark has its texts and its plots in the colours of the light while it is printed.
func TestPrint_OfADarkPageIsLight(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, kinds)
	p := b.OpenPage(t, "about:blank")
	lightBars := `(() => { const found = ` + painted(solidA) + `; return found.length > 0 })()`
	p.RunActions(look("dark", 1400)...)
	p.RunActions(
		chromedp.Navigate(origin+"/#/explore?metric=total&by=metric_time:month&by=entry.kind&kind=stacked"),
		waitFor(stands),
		awaits(lightBars, false),
		// It is called after the page has drawn itself for paper.
		chromedp.Evaluate(`addEventListener("beforeprint", () => { window.printed = [`+lightBars+`, getComputedStyle(document.documentElement).getPropertyValue("--ink")] })`, nil),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, _, err := page.PrintToPDF().Do(ctx)
			return err
		}),
		awaits(`window.printed`, []any{true, "#17202b"}),
		awaits(lightBars, false),
		awaits(`document.documentElement.dataset.theme ?? "none"`, "none"),
		// The theme that a person chose is back, too.
		chromedp.Evaluate(`document.documentElement.dataset.theme = "dark"`, nil),
		emulation.SetEmulatedMedia().WithMedia("print"),
		awaits(`getComputedStyle(document.documentElement).getPropertyValue("--ink")`, "#17202b"),
	)
	clean(t, p, origin)
}

// storedSales has a rollup of sales whose rows are older than those of the base table.
const storedSales = `version: 0.2.0.dev0
name: stored
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "rollups": [{"name": "sale_by_region", "of": "sale", "source": "sale_by_region", "group_by": [{"field": "sale.region"}],
       "measures": [{"expression": "SUM(sale.amount)", "column": "amount"}], "as_of": "MIN(built_at)"}]}
datasets:
  - name: sale
    source: sale
    fields:
      - {name: region, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: item, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: item}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}}
`

// The rows of a stored aggregation have their time below them; rows of the base table do not.
func TestExplorer_NamesTheAgeOfStoredRows(t *testing.T) {
	b := browse(t)
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "stored.yaml", ModelText: []byte(storedSales), Logger: slog.New(slog.DiscardHandler),
		Setup: []string{
			`CREATE TABLE sale AS SELECT * FROM (VALUES ('north', 'pen', 5), ('south', 'cup', 7)) AS t(region, item, amount)`,
			`CREATE TABLE sale_by_region AS SELECT * FROM (VALUES ('north', 4, TIMESTAMP '2024-03-05 06:00:00')) AS t(region, amount, built_at)`,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	origin := serving.Serve(t, e, restapi.Config{})
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		emulation.SetTimezoneOverride("UTC"),
		chromedp.Navigate(origin+"/#/explore?metric=revenue&by=sale.region&tab=table"),
		shows("region revenue\nnorth 4"),
		reads("p.stored", "Read from the stored aggregation sale_by_region, with the rows as of Mar 5, 2024, 6:00"),
	)
	pictures(p, "stored-rows")
	p.RunActions(turn("#/explore?metric=revenue&by=sale.item&tab=table"), shows("item revenue\ncup 7\npen 5"), absent("p.stored"))
	clean(t, p, origin)
}

package browser_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// business has two time axes and metrics without an axis. Its newest sale is of 10 May,
// so that April is the last complete month; its newest visit is of 30 June.
const business = `version: 0.2.0.dev0
name: business
datasets:
  - name: sale
    source: SELECT * FROM (VALUES (DATE '2024-02-10', 'north', 100, 1), (DATE '2024-03-05', 'south', 40, 10), (DATE '2024-04-07', 'north', 25, 15), (DATE '2024-04-09', 'south', 35, 0), (DATE '2024-05-10', 'north', 5, 0), (NULL, 'south', 7, 0)) AS t(day, region, amount, refund)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: region, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: refund, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: refund}]}}
  - name: visit
    source: SELECT * FROM (VALUES (DATE '2024-05-02'), (DATE '2024-06-01'), (DATE '2024-06-30')) AS t(day)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]
    fields: [{name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}]
  - name: shelf
    source: SELECT * FROM (VALUES (1), (2), (3)) AS t(id)
    fields: [{name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}]
metrics:
  - {name: visits, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(visit.day)}]}}
  - name: refunds
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.refund)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "better": "down"}'}]
  - {name: shelves, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(shelf.id)}]}}
  - name: revenue
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "label": "Money in", "headline": true, "better": "up", "unit": "EUR"}'}]
  - {name: sales, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sale.amount)}]}}
`

// faultyBusiness has a metric more, whose query fails when it runs.
var faultyBusiness = strings.Replace(business, "  - name: visit\n", `      - {name: faulty, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: YEAR(CAST(region AS DATE))}]}}
  - name: visit
`, 1) + `  - {name: faulty, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.faulty)}]}}
`

// readCards lists the texts of the cards, with their mood.
const readCards = `[...document.querySelectorAll(".metriccard")].map(c => [...c.querySelectorAll(".open, .figure, .figure + .quiet, .change")].map(e => e.innerText.trim() + (e.matches(".good") ? " good" : e.matches(".bad") ? " bad" : "")).join(" | "))`

const cardsDrawn = `document.querySelectorAll(".metriccard").length > 0 && !document.querySelector(".metriccard[aria-busy=true]")`

func TestHome_ShowsTheLastCompletePeriodOfTheData(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		waitFor(cardsDrawn),
		awaits(readCards, []string{
			"Money in | €60.00 | Apr 2024 | ▲ +50% against Mar 2024 good",
			"Visits | 2 | Jun 2024 | ▲ +100% against May 2024",
			"Refunds | 15 | Apr 2024 | ▲ +50% against Mar 2024 bad",
			"Shelves | 3 | all rows",
			"Sales | 2 | Apr 2024 | ▲ +100% against Mar 2024",
		}),
	)
	pictures(p, "home")
	p.RunActions(settled(p))
	// Two requests for each of two axes, one for the metric without an axis.
	if got := countRequests(p, "/v1/query/execute"); got != 5 {
		t.Errorf("the page sent %d queries, want 5", got)
	}
	p.RunActions(
		choose(`.homebar label:first-child select`, "quarter"),
		awaits(readCards+`[0]`, "Money in | €140.00 | Q1 2024"),
		goBack(),
		awaits(textOf(".metriccard .figure + .quiet"), "Apr 2024"),
		click(`.metriccard[data-metric="revenue"] .open`),
		waitFor(boardsDrawn),
		click(`//button[.="Over time"]`),
		visible("canvas[aria-label^='Line']"),
		atHash("explore?metric=revenue&by=metric_time:month&start=2022-05-01&end=2024-05-01"),
	)
	clean(t, p, origin)
}

const boardsDrawn = `document.querySelector(".leaders table") && !document.querySelector(".leaders[aria-busy=true]")`

// A click on a metric opens its parts on the first page; a click on one of them filters the page. In April south fell from 40 to 35
// while the whole rose from 40 to 60, and north is new with 25: both are 25 from what they would be, and south is the larger one.
func TestHome_OpensAMetricInPlace(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/")
	const leaders = `[...document.querySelectorAll(".leaders tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()).filter(Boolean).join(" | "))`
	p.RunActions(
		waitFor(cardsDrawn),
		click(`.metriccard[data-metric="revenue"] .open`),
		atHash("home?metric=revenue"),
		waitFor(boardsDrawn),
		reads(".board h2", "Money in, Apr 2024"),
		awaits(textsOf(".leaders h3"), []string{"Region"}),
		awaits(leaders, []string{"south | €35 | 58% | ▼ -12.5%", "north | €25 | 42%"}),
	)
	pictures(p, "home-board")
	p.RunActions(
		click(`//tbody//button[.="north"]`),
		atHash("metric=revenue&filter=sale.region~=~north"),
		reads(".homefilters", "Region is north"),
		waitFor(cardsDrawn),
		reads(`.metriccard[data-metric="revenue"] .figure`, "€25.00"),
		// Visits and shelves have no region: both are in one box, and not on their cards.
		awaits(`document.querySelectorAll(".cause").length`, 1),
		reads(".cause", "Visits", "Shelves"),
		absent(`.metriccard[data-metric="visits"]`),
		// The filter leaves one value of the region, so that it has no list.
		absent(".leaders"),
	)
	pictures(p, "home-filtered")
	p.RunActions(
		goBack(),
		waitFor(boardsDrawn),
		absent(".homefilters"),
		chromedp.Reload(),
		waitFor(boardsDrawn),
		click(`.metriccard[data-metric="revenue"] .open`),
		absent(".board"),
	)
	clean(t, p, origin)
}

// The demo begins with its headlines, and colours the changes of its cards: less to ship and fewer returns are good, less
// revenue is bad, and a number of products is neither.
func TestHome_TheDemoColoursItsChanges(t *testing.T) {
	b := browseInLongForm(t)
	origin := retail(t)
	p := b.OpenPage(t, origin+"/")
	const moods = `[...document.querySelectorAll(".metriccard")].map(c => {
		const e = c.querySelector(".change")
		return c.dataset.metric + " " + (!e || e.innerText.includes("→") ? "same" : (e.innerText.includes("▲") ? "up " : "down ") + (e.matches(".good") ? "good" : e.matches(".bad") ? "bad" : "neutral"))
	})`
	var got []string
	p.RunActions(
		waitFor(cardsDrawn),
		awaits(`[...document.querySelectorAll(".metriccard")].slice(0, 6).map(c => c.dataset.metric)`, []string{"revenue", "order_count", "avg_order_value", "avg_days_to_ship", "return_rate", "net_revenue"}),
		chromedp.Evaluate(moods, &got),
	)
	pictures(p, "home-demo")
	lessIsGood := []string{"cancelled_revenue", "avg_days_to_ship", "return_count", "refunds", "return_rate"}
	changed := 0
	for _, card := range got {
		metric, move, _ := strings.Cut(card, " ")
		want := "down bad"
		switch up := strings.HasPrefix(move, "up"); {
		case move == "same":
			continue
		case metric == "product_count":
			want = strings.Fields(move)[0] + " neutral"
		case slices.Contains(lessIsGood, metric):
			want = map[bool]string{true: "up bad", false: "down good"}[up]
		case up:
			want = "up good"
		}
		if changed++; move != want {
			t.Errorf("the card of %s is %q, want %q", metric, move, want)
		}
	}
	if changed < 8 {
		t.Errorf("%d cards changed: %q", changed, got)
	}
	clean(t, p, origin)
}

// A card that fails shows its error, and the others stay.
func TestHome_ACardThatFailsLeavesTheOthers(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, faultyBusiness)
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		waitFor(cardsDrawn),
		reads(`.metriccard[data-metric="revenue"]`, "Money in", "€60.00"),
		awaits(textOf(`.metriccard[data-metric="sales"] .figure`), "2"),
		reads(`.metriccard[data-metric="faulty"] [role="alert"]`, "sql_rejected"),
	)
	pictures(p, "home-failing-card")
}

func countRequests(p *chromium.Page, path string) int {
	n := 0
	for _, r := range p.Requests() {
		if strings.HasSuffix(r, path) {
			n++
		}
	}
	return n
}

// The search finds metrics by their words and leads to them with the keyboard alone.
func TestSearch_LeadsToWhatItFinds(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		visible(".metriccard"),
		chromedp.KeyEvent("/"),
		chromedp.KeyEvent("money in"),
		awaits(textOf("#hits li .name"), "Money in"),
	)
	pictures(p, "search")
	p.RunActions(
		chromedp.KeyEvent(kb.Enter),
		visible(".explore .figure"),
		chromedp.KeyEvent("/"),
		chromedp.KeyEvent("regoin"),
		awaits(textOf("#hits li .name"), "Region"),
		chromedp.KeyEvent(kb.Enter),
		visible("canvas[aria-label^='Bar']"),
		atHash("explore?metric=revenue&by=sale.region"),
	)
	clean(t, p, origin)
}

// A server that only compiles has one note in place of an error for each card, and is asked for no rows.
func TestHome_CompileOnlyServer(t *testing.T) {
	b := browse(t)
	origin := serving.Serve(t, openModel(t, business), restapi.Config{DisableExecute: true})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		waitFor(cardsDrawn),
		settled(p),
		awaits(textOf(".home .note"), "This service compiles and does not execute."),
		awaits(`document.querySelectorAll("[role=alert]").length`, 0),
	)
	pictures(p, "home-compile-only")
	if got := countRequests(p, "/v1/query/execute"); got != 0 {
		t.Errorf("the page sent %d queries", got)
	}
	clean(t, p, origin)
}

// A server whose data are in a warehouse starts on it, on every page; the embedded database has no tables.
func TestHome_StartsOnTheOnlyWarehouse(t *testing.T) {
	dir, model := t.TempDir(), business
	for table, rows := range map[string]string{
		"sale":  "day,region,amount,refund\n2024-02-10,north,100,1\n2024-03-05,south,40,10\n2024-04-07,north,25,15\n2024-04-09,south,35,0\n2024-05-10,north,5,0\n,south,7,0\n",
		"visit": "day\n2024-05-02\n2024-06-01\n2024-06-30\n",
		"shelf": "id\n1\n2\n3\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, table+".csv"), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		model = regexp.MustCompile(`(name: `+table+`\n    source: ).*`).ReplaceAllString(model, "${1}"+table)
	}
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "business.yaml", ModelText: []byte(model),
		ConnectionsPath: "connections.yaml", ConnectionsText: []byte("datasources: {lake: {type: duckdb, data: ['" + dir + "']}, gone: {type: oracle}}"), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	b, origin := browse(t), serving.Serve(t, e, restapi.Config{})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(waitFor(cardsDrawn), reads(".metriccard .figure", "€60.00"), absent(`[role="alert"]`), waitFor(`document.querySelector('select[aria-label="Connection"]').value === "lake"`))
	picture(p, "home-warehouse")
	p.RunActions(chromedp.Navigate(origin+"/#/explore?metric=revenue"), reads(".explore .figure", "€212.00"))
	p.RunActions(chromedp.Navigate(origin+"/#/attribution?metric=revenue"), waitFor(`document.querySelector('select[aria-label="Connection"]').value === "lake"`), absent(`[role="alert"]`))
}

// Saved queries with home are drawn below the metrics; the others are buttons.
func TestHome_DrawsSavedQueries(t *testing.T) {
	const queries = `custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "queries": [
        {"name": "sales_by_region", "home": true, "chart": "bar", "query": {"metrics": ["revenue"], "group_by": [{"field": "sale.region"}], "order_by": [{"key": "revenue", "desc": true}]}},
        {"name": "newest", "questions": ["What was sold last?"], "home": true, "select": {"from": "sale", "fields": ["day", "amount"], "order_by": [{"key": "day", "desc": true}], "limit": 2}},
        {"name": "all_money", "home": true, "chart": "number", "query": {"metrics": ["revenue"]}},
        {"name": "since", "home": true, "params": [{"name": "day", "type": "date"}], "query": {"metrics": ["revenue"], "where_sql": "sale.day >= :day"}},
        {"name": "months", "home": true, "chart": "line", "query": {"metrics": ["revenue"], "group_by": [{"field": "metric_time", "grain": "month"}]}},
        {"name": "kept", "query": {"metrics": ["visits"]}}]}
`
	b := browse(t)
	p := b.OpenPage(t, serving.Serve(t, openModel(t, business+queries), restapi.Config{})+"/")
	p.RunActions(
		waitFor(cardsDrawn), waitFor(`document.querySelectorAll(".tile").length === 4 && !document.querySelector(".tile[aria-busy=true]")`),
		reads(".tile:nth-child(1)", "sales by region", "north", "130", "south", "82"),
		reads(".tile:nth-child(2)", "What was sold last?", "May 10, 2024", "5"),
		reads(".tile:nth-child(3) .figure", "€212.00"),
		// The data ends on 10 May.
		reads(".tile:nth-child(4) figcaption", "May 2024 has 10 of 31 days"),
		visible(`//button[.="since"]`), visible(`//button[.="kept"]`),
		absent(`[role="alert"]`),
	)
	pictures(p, "home-tiles")
	p.RunActions(click(`//*[contains(@class, "tile")]//button[.="all money"]`), visible(`//h1[.="all_money"]`))
	// A saved query opens with its chart, which shows the cut period as its tile does.
	p.RunActions(
		goBack(),
		click(`//*[contains(@class, "tile")]//button[.="months"]`),
		visible(`//h1[.="months"]`),
		reads("figcaption", "May 2024 has 10 of 31 days"),
		awaits(`document.querySelector(".tools select").value`, "line"),
	)
}

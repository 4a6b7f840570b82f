package browser_test

import (
	"log/slog"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// sales has 1,200 items, of which the largest is the last by name, profits below
// zero, and a metric whose query does not end.
const sales = `version: 0.2.0.dev0
name: sales
datasets:
  - name: sale
    source: SELECT 'item ' || lpad(i::VARCHAR, 4, '0') AS item, CASE i % 3 WHEN 0 THEN 'north' WHEN 1 THEN 'south' ELSE 'east' END AS region, DATE '2024-01-15' + (i % 4 * 31)::INTEGER AS day, i AS amount, CASE i % 3 WHEN 0 THEN 40 ELSE -i END AS profit FROM range(1, 1201) AS t(i)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: item, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: item}]}}
      - {name: region, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: profit, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: profit}]}}
  - name: endless
    source: SELECT n FROM (WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t)
    fields: [{name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}]
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}}
  - {name: profit, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.profit)}]}}
  - {name: margin, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.profit) / SUM(sale.amount)}]}}
  - {name: endless, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(endless.n)}]}}
  - name: growth
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "format": "0.0%", "window": {"type": "pop", "offset": "1 month", "calculation": "percent_change"}}'}]
`

// serveSales serves the sales and returns the engine too.
func serveSales(t *testing.T) (string, *engine.Engine) {
	t.Helper()
	return serveModel(t, sales)
}

// serveModel serves a model on an empty database and returns the engine too.
func serveModel(t *testing.T, text string) (string, *engine.Engine) {
	t.Helper()
	e := openModel(t, text)
	return serving.Serve(t, e, restapi.Config{}), e
}

// openModel opens a model on an empty database.
func openModel(t *testing.T, text string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "sales.yaml", ModelText: []byte(text), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, broken := range e.CompileErrors() {
		t.Fatal(broken)
	}
	return e
}

func TestExplorer_SortsALimitedAnswerOnTheServer(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.item&tab=table")
	firstRow := func(want string) chromedp.Action {
		return awaits(`[...document.querySelectorAll("tbody tr:first-child td")].map(c => c.innerText.trim()).join(" ")`, want)
	}
	p.RunActions(
		firstRow("item 0001 1"),
		reads(".limited", "These are the first 1,000 of 1,200 rows."),
		click(`//th[2]/button`),
		click(`//th[2]/button`),
		firstRow("item 1200 1,200"),
		visible(`//th[2][@aria-sort="descending"]`),
	)
	picture(p, "explorer-limited")
	p.RunActions(
		atHash("order=-revenue"),
		click(`//button[.="Ask for 10,000"]`),
		absent(".limited"),
	)
	clean(t, p, origin)
}

func TestExplorer_DrawsAPlotForEachUnit(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	for _, c := range []struct {
		name, address string
		want          []string
	}{
		{"time", "metric=revenue&metric=growth&by=metric_time:month", []string{
			"Line chart of Revenue by Time (month); the table holds the same figures", "Line chart of Growth by Time (month); the table holds the same figures",
		}},
		{"bars", "metric=profit&metric=margin&by=sale.region", []string{
			"Bar chart of Profit by Region; the table holds the same figures", "Bar chart of Margin by Region; the table holds the same figures",
		}},
		{"negative", "metric=profit&by=sale.region&filter=sale.region~<>~north", []string{"Bar chart of Profit by Region; the table holds the same figures"}},
		{"many", "metric=revenue&metric=profit&by=sale.item&limit=5000", []string{"Bar chart of Revenue, Profit by Item; the table holds the same figures"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := b.OpenPage(t, origin+"/#/explore?"+c.address)
			p.RunActions(
				visible("canvas"),
				awaits(`[...document.querySelectorAll("canvas")].map(c => c.getAttribute("aria-label"))`, c.want),
			)
			picture(p, "explorer-plots-"+c.name)
			p.RunActions(chromedp.EmulateViewport(390, 844))
			picture(p, "explorer-plots-"+c.name+"-narrow")
			clean(t, p, origin)
		})
	}
}

func TestExplorer_LeavingThePageEndsItsQuery(t *testing.T) {
	b := browseInLongForm(t)
	origin, e := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=endless")
	waitRunning(t, e, true)
	p.RunActions(chromedp.Navigate(origin + "/docs"))
	waitRunning(t, e, false)
}

func TestExplorer_BackUndoesAChoice(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?tab=table")
	p.RunActions(
		visible(item("revenue")),
		click(item("revenue")),
		shows("revenue\n720,600"),
		click(item("sale.region")),
		visible(`//th[2]`),
		goBack(),
		shows("revenue\n720,600"),
	)
	clean(t, p, origin)
}

func TestExplorer_AWindowMetricComesWithItsTimeAxis(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore")
	p.RunActions(
		visible(item("growth")),
		click(item("growth")),
		visible("canvas"),
		atHash("by=metric_time:month"),
	)
	clean(t, p, origin)
}

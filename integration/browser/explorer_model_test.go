package browser_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// largeModel has 200 datasets of five subjects, 150 metrics and one that does not compile.
func largeModel() string {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: large\ndatasets:\n")
	subject := func(i int) string { return []string{"sales", "stock", "people", "money", "web"}[i%5] }
	field := func(name, datatype, dimension string) string {
		return fmt.Sprintf("      - {name: %s, datatype: %s, %sexpression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", name, datatype, dimension, name)
	}
	for i := range 200 {
		fmt.Fprintf(&b, "  - name: %s_%03d\n    source: SELECT i AS id, i %% 7 AS up, 'v' || (i %% 9) AS kind, DATE '2024-01-01' + (i %% 300)::INTEGER AS day, i * 1.5 AS amount FROM range(1, 500) AS t(i)\n    primary_key: [id]\n"+
			"    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"time_dimension\": \"day\"}'}]\n    fields:\n", subject(i), i)
		b.WriteString(field("id", "Integer", "") + field("up", "Integer", "") + field("kind", "String", "dimension: {}, ") + field("day", "Date", "dimension: {is_time: true}, ") + field("amount", "Decimal", ""))
	}
	b.WriteString("relationships:\n")
	for i := 5; i < 200; i++ {
		fmt.Fprintf(&b, "  - {name: r%d, from: %s_%03d, to: %s_%03d, from_columns: [up], to_columns: [id]}\n", i, subject(i), i, subject(i), i%5)
	}
	b.WriteString("metrics:\n")
	for i := range 150 {
		fmt.Fprintf(&b, "  - {name: amount_%03d, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(%s_%03d.amount)}]}}\n", i, subject(i), i)
	}
	b.WriteString("  - {name: broken, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales_000.nothing)}]}}\n")
	return b.String()
}

// serveLarge serves the large model, whose one metric does not compile.
func serveLarge(t *testing.T) string {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "large.yaml", ModelText: []byte(largeModel())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return serving.Serve(t, e, restapi.Config{})
}

// The diagram of 200 datasets is in clusters, is searched and zoomed; a dataset has its fields and values.
func TestModel_ShowsTwoHundredDatasets(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveLarge(t)
	p := b.OpenPage(t, origin+"/#/model")
	var scale float64
	const scaleOf = `Number(document.querySelector(".diagram svg").dataset.scale)`
	p.RunActions(
		visible(".diagram .box"),
		awaits(`[...document.querySelectorAll(".cluster text")].map(c => c.textContent)`, []string{"sales", "stock", "people", "money", "web"}),
		awaits(`document.querySelectorAll(".diagram .box").length`, 200),
		chromedp.Evaluate(scaleOf, &scale),
	)
	pictures(p, "model-large")
	if scale < 0.5 {
		t.Errorf("the whole diagram has the scale %g: its names cannot be read", scale)
	}
	p.RunActions(
		click(`button[aria-label="Larger"]`),
		waitFor(fmt.Sprintf(`%s > %g`, scaleOf, scale)),
		chromedp.SendKeys(`input[aria-label="Find in the diagram"]`, "people_102\r"),
		waitFor(`document.querySelectorAll(".box.found").length === 1 && `+scaleOf+` === 1`),
	)
	pictures(p, "model-large-found")
	p.RunActions(
		click(`.box.found`),
		visible(`//h2[.="people_102"]`),
		click(`button[aria-label="Show values of people_102.kind"]`),
		waitFor(`[...document.querySelectorAll("td")].some(c => c.innerText.includes("v0") && c.innerText.includes("v1"))`),
	)
	pictures(p, "model-dataset")
	clean(t, p, origin)
}

// The findings name their places, and the page of a metric what it is made of and what uses it.
func TestModel_HasPagesOfFindingsAndMetrics(t *testing.T) {
	b := browse(t)
	origin := serveLarge(t)
	p := b.OpenPage(t, origin+"/#/model?focus=findings")
	p.RunActions(
		reads(`.findings li`, "unknown_field", "metrics[150].expression"),
		chromedp.Navigate(origin+"/#/model?focus=metric:broken"),
		reads(`[role="alert"]`, "unknown_field"),
	)
	pictures(p, "model-broken")
	clean(t, p, origin)

	sales, _ := serveModel(t, strings.Replace(sales, "name: sales\n", salesQueries, 1)+"  - {name: double, expression: {dialects: [{dialect: ANSI_SQL, expression: 2 * revenue}]}}\n")
	q := b.OpenPage(t, sales+"/#/model?focus=metric:revenue")
	q.RunActions(
		visible(".box.measure"),
		reads(".facts", "saved query top_regions", "sum(sale.amount)", "sale.day", "day, week, month, quarter, year", "sale.region", "double", "saved query by_month"),
	)
	pictures(q, "model-metric")
	clean(t, q, sales)
}

// composedSales has a metric more of each way in which metrics are made of others, and one of a snapshot.
const composedSales = sales + `  - {name: sold, expression: {dialects: [{dialect: ANSI_SQL, expression: "COUNT(sale.item) FILTER (WHERE sale.profit > 0)"}]}}
  - {name: per_sale, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / sold}]}}
  - name: large
    expression: {dialects: [{dialect: ANSI_SQL, expression: "SUM(CASE WHEN sale.amount > 1000 THEN sale.amount END)"}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "filter", "base": "revenue", "where": "amount > 1000"}}'}]
  - {name: large_share, expression: {dialects: [{dialect: ANSI_SQL, expression: large / revenue}]}}
  - name: recent
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "rolling", "function": "sum", "periods": 3}}'}]
  - name: stock
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "non_additive": {"by": "day", "take": "last", "per": ["region"]}}'}]
`

// The page of a metric shows its formula, and leads to the metrics that it names.
func TestModel_MetricPageHasTheDefinition(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, composedSales)
	p := b.OpenPage(t, origin+"/#/model?focus=metric:per_sale")
	formula := awaits[[]string]
	const lines = `[...document.querySelectorAll(".formula")].map(f => f.innerText.trim().replace(/\n+/g, " | "))`
	p.RunActions(
		formula(lines, []string{"formula | revenue / sold", "computes | SUM(sale.amount) / COUNT(CASE WHEN sale.profit > 0 THEN sale.item END)"}),
		waitFor(`document.querySelector(".box.measure")`),
	)
	pictures(p, "model-definition")
	p.RunActions(
		click(`//div[contains(@class,"formula")]//button[.="sold"]`),
		visible(`//h2[.="sold"]`),
		formula(lines, []string{"computes | COUNT(CASE WHEN sale.profit > 0 THEN sale.item END)"}),
		turn("#/model?focus=metric:large_share"),
		formula(lines, []string{"formula | large / revenue", "computes | large / SUM(sale.amount) | large = revenue where amount > 1000 | revenue = SUM(sale.amount)"}),
		awaits(textsOf(".formula button"), []string{"large", "revenue", "large", "sale.amount", "large", "revenue", "amount", "revenue", "sale.amount"}),
		waitFor(`document.querySelector(".box.measure")`),
	)
	pictures(p, "model-definition-named")
	p.RunActions(
		// A name in a condition is that of a field, and leads to its dataset.
		click(`//div[contains(@class,"formula")]//button[.="amount"]`),
		visible(`//h2[.="sale"]`),
		goBack(),
		visible(`//h2[.="large_share"]`),
		turn("#/model?focus=metric:recent"),
		formula(lines, []string{"computes | SUM(sale.amount) over a rolling window (sum), the last 3 periods"}),
		turn("#/model?focus=metric:stock"),
		formula(lines, []string{"computes | SUM(sale.amount) of the rows with the last sale.day of each sale.region"}),
	)
	clean(t, p, origin)
}

// The SELECT of the request runs as it is copied, and has the rows of the query.
func TestRequest_TheSelectHasTheRowsOfTheQuery(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&metric=sales&by=sale.region&filter=sale.amount~%3E~5&start=2024-02-01&end=2024-05-01&order=-revenue&tab=request")
	var statement string
	p.RunActions(
		click(`//button[@role="tab"][.="SELECT"]`),
		visible(`pre.code .hljs-keyword`),
		reads("pre.code", "SELECT", "MEASURE"),
		chromedp.Evaluate(textOf("pre.code"), &statement),
	)
	pictures(p, "request-select")
	body, err := json.Marshal(map[string]string{"sql": statement})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, origin+"/v1/sql/execute", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var got struct {
		Rows []struct {
			Region  string
			Revenue int
			Sales   int
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if want := "[{north 125 2} {south 75 2}]"; fmt.Sprint(got.Rows) != want {
		t.Errorf("%s\nhas the rows %v, want %s", statement, got.Rows, want)
	}
	// What a SELECT cannot say has none.
	q := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&totals=1&tab=request")
	q.RunActions(visible("pre.code"), settled(q), awaits(textsOf("[role=tabpanel] [role=tab]"), []string{"curl", "Go", "Python", "MCP", "JSON"}))
	for _, page := range []*chromium.Page{p, q} {
		clean(t, page, origin)
	}
}

// strangeNames has a dataset whose name is that of a part of the page, and one whose field does not compile.
const strangeNames = `version: 0.2.0.dev0
name: strange
datasets:
  - name: findings
    source: SELECT 1 AS id, 'a' AS kind
    description: "<b>What was found</b>"
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
  - name: "wide WWWW and @@@@ and MMMM"
    source: SELECT 1 AS id
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: wrong, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: "id +"}]}}
relationships:
  - {name: found, from: "wide WWWW and @@@@ and MMMM", to: findings, from_columns: [id], to_columns: [id]}
metrics:
  - {name: count_of_findings, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(findings.kind)}]}}
`

func serveStrangeNames(t *testing.T) string {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "strange.yaml", ModelText: []byte(strangeNames), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return serving.Serve(t, e, restapi.Config{})
}

// namesOfButtons lists the buttons of a diagram by the names that a screen reader reads.
func namesOfButtons(p *chromium.Page) []string {
	var nodes []*accessibility.Node
	p.RunActions(chromedp.ActionFunc(func(ctx context.Context) error {
		var diagram []*cdp.Node
		if err := chromedp.Nodes(".diagram", &diagram, chromedp.ByQuery).Do(ctx); err != nil {
			return err
		}
		var err error
		nodes, err = accessibility.QueryAXTree().WithBackendNodeID(diagram[0].BackendNodeID).WithRole("button").Do(ctx)
		return err
	}))
	var out []string
	for _, n := range nodes {
		var name string
		if n.Name == nil || json.Unmarshal(n.Name.Value, &name) != nil {
			name = "(no name)"
		}
		out = append(out, name)
	}
	return out
}

// A box is read by the name of what it stands for, not by its source, and holds its texts in every font.
func TestModel_BoxesHaveTheirNamesAndHoldTheirTexts(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveStrangeNames(t)
	const overflows = `[...document.querySelectorAll(".diagram .box")].filter(b => [...b.querySelectorAll("text")].some(t => t.getBBox().x + t.getBBox().width > b.querySelector("rect").getBBox().width - 4)).map(b => b.querySelector(".title").textContent)`
	p := b.OpenPage(t, origin+"/#/model")
	p.RunActions(visible(".diagram .box"), awaits(overflows, []string{}))
	pictures(p, "model-strange")
	want := []string{"findings 2 fields key id", "wide WWWW and @@@@ and MMMM 2 fields no key ⚠ unparseable_expression"}
	if d := cmp.Diff(want, namesOfButtons(p)); d != "" {
		t.Errorf("boxes (-want +got):\n%s", d)
	}
	// Of the lineage the metric and the dataset have pages, and are buttons.
	q := b.OpenPage(t, origin+"/#/model?focus=metric:count_of_findings")
	q.RunActions(visible(".box.measure"), awaits(overflows, []string{}))
	got := namesOfButtons(q)
	slices.Sort(got)
	if d := cmp.Diff([]string{"count_of_findings metric", "findings dataset"}, got); d != "" {
		t.Errorf("lineage (-want +got):\n%s", d)
	}
	for _, page := range []*chromium.Page{p, q} {
		clean(t, page, origin)
	}
}

// A search leads to the page of a dataset, also of one that is named as the page of the findings is.
func TestSearch_LeadsToADatasetOfAnyName(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveStrangeNames(t)
	p := b.OpenPage(t, origin+"/#/model")
	p.RunActions(
		chromedp.SendKeys(".searchbox input", "findings"),
		awaits(textsOf("#hits li:first-child span"), []string{"dataset", "Findings", "<b>What was found</b>"}),
		chromedp.KeyEvent(kb.Enter),
		visible(`//h2[.="findings"]`),
		atHash("focus=dataset:findings"),
	)
	clean(t, p, origin)
}

// A person who reaches a dataset with the Tab key sees it, also where the diagram is larger than its frame.
func TestKeyboard_ReachesDatasetsInSight(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveLarge(t)
	p := b.OpenPage(t, origin+"/#/model")
	const inSight = `(() => {
		const box = document.activeElement.getBoundingClientRect(), frame = document.querySelector(".diagram").getBoundingClientRect()
		return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom
	})()`
	p.RunActions(
		visible(".diagram .box"),
		click(`button[aria-label="Larger"]`), click(`button[aria-label="Larger"]`), click(`button[aria-label="Larger"]`),
		chromedp.Focus(".diagram"),
	)
	for i := range 12 { // the datasets of a subject: every fifth
		p.RunActions(
			chromedp.KeyEvent(kb.Tab),
			awaits(`document.activeElement.querySelector(".title")?.textContent.slice(-3)`, fmt.Sprintf("%03d", 5*i)),
			waitFor(inSight),
		)
	}
	pictures(p, "model-focus")
	p.RunActions(chromedp.KeyEvent(kb.Enter), visible(`//h2[.="sales_055"]`))
	clean(t, p, origin)
}

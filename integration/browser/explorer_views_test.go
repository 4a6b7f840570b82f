package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// placed has a view of the open sales, with folders, a label, a hierarchy and a condition that acts by default.
const placed = `version: 0.2.0.dev0
name: placed
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "views": [{"name": "open_sales", "label": "Open ones", "metrics": ["taken"], "fields": ["sale.country", "sale.town", "sale.kind"],
       "where": "sale.state = 'open'", "filters": ["sale.kind <> 'test'"], "labels": {"sale.town": "Place of sale"},
       "folders": [{"name": "Where", "items": ["sale.country"], "folders": [{"name": "Near", "items": ["sale.town"]}]}],
       "hierarchies": [{"name": "place", "levels": ["sale.country", "sale.town"]}]}]}
datasets:
  - name: sale
    source: SELECT * FROM (VALUES ('DE', 'Ulm', 'a', 'open', 1), ('DE', 'Bonn', 'a', 'open', 2), ('FR', 'Nice', 'a', 'open', 4), ('FR', 'Lyon', 'test', 'open', 8), ('FR', 'Lyon', 'a', 'done', 16)) AS t(country, town, kind, state, n)
    fields:
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: country, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: country}]}}
      - {name: town, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: state, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: state}]}}
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
metrics:
  - {name: taken, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.n)}]}}
  - {name: sales, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sale.n)}]}}
`

const viewSwitch = `select[aria-label="View"]`

// A person chooses a view: the lists, the results and the way down follow it, and Back leaves it.
func TestView_ListsAndQueriesFollowIt(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, placed)
	p := b.OpenPage(t, origin+"/#/explore?metric=taken&by=sale.country&order=-taken&tab=table")
	const whole, inView = "country taken ↓\nFR 28\nDE 3", "country taken ↓\nFR 4\nDE 3"
	p.RunActions(
		shows(whole),
		visible(item("sales")),
		choose(viewSwitch, "open_sales"),
		atHash("view=open_sales"),
		absent(item("sales")),
		click(item("taken")),
		click(item("sale.country")),
		atHash("view=open_sales", "metric=taken", "by=sale.country"),
		click(tableTab),
		shows("country taken\nDE 3\nFR 4"),
		reads("p.view", "sale.kind <> 'test'"),
		reads(item("sale.town"), "Place of sale"),
		awaits(`[...document.querySelectorAll("aside .pick:last-of-type .grouptitle")].map(b => b.title)`, []string{"Where", "Where/Near", "sale"}),
		click(`//tbody//button[.="FR"]`),
		pressed("Break down by…"),
		awaits(`document.querySelector(".menu button").innerText.trim()`, "Place of sale next level"),
		pressed("Place of sale next level"),
		shows("town taken\nNice 4"),
		click(requestTab),
		reads("main", `"view":"open_sales"`),
	)
	clean(t, p, origin)
	p = b.OpenPage(t, origin+"/#/explore?view=open_sales&metric=taken&by=sale.country&order=-taken&tab=table")
	p.RunActions(shows(inView), choose(viewSwitch, ""), absent("table"), goBack(), shows(inView))
	p.RunActions(chromedp.Evaluate(`location.hash = "#/explore?view=gone&metric=taken"`, nil), reads("[role=alert]", "gone"))
	p.RunActions(choose(viewSwitch, ""), visible(item("sales")))
	if h := hash(p); strings.Contains(h, "gone") {
		t.Errorf("the view that does not exist stays: %s", h)
	}
}

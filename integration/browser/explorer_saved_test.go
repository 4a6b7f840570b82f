package browser_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// salesQueries are saved queries of the sales: of metrics, of records and of an attribution.
const salesQueries = `name: sales
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "queries": [
        {"name": "top_regions", "description": "The two regions with the most revenue", "questions": ["Which regions sell most?"],
         "params": [{"name": "since", "type": "date", "default": "2024-01-01"}], "verified": {"by": "finance", "on": "2024-07-01"},
         "query": {"metrics": ["revenue"], "group_by": [{"field": "sale.region"}], "time_range": {"start": ":since"},
                   "order_by": [{"key": "revenue", "desc": true}], "limit": 2}},
        {"name": "of_region", "params": [{"name": "region", "type": "string", "allowed": ["north", "south"]}],
         "query": {"metrics": ["revenue"], "where_sql": "sale.region = :region"}},
        {"name": "by_month", "query": {"metrics": ["revenue"], "group_by": [{"field": "metric_time", "grain": "month"}]}},
        {"name": "largest", "description": "The largest sales",
         "select": {"from": "sale", "fields": ["item", "amount"], "order_by": [{"key": "amount", "desc": true}], "limit": 2}},
        {"name": "change", "attribute": {"metric": "revenue", "dimensions": ["sale.region"],
         "baseline": {"start": "2024-01-01", "end": "2024-02-01"}, "current": {"start": "2024-04-01", "end": "2024-05-01"}}}]}
`

func serveSavedSales(t *testing.T) string {
	t.Helper()
	origin, _ := serveModel(t, strings.Replace(sales, "name: sales\n", salesQueries, 1))
	return origin
}

// Amounts are 1 to 1,200 in turn south, east and north; those from April on are 3, 7, 11 and so on.
func TestExplorer_OpensASavedQueryWithItsParameters(t *testing.T) {
	b := chromium.Start(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/")
	var names []string
	p.RunActions(
		chromedp.Click(`//nav/button[.="Saved"]`, chromedp.BySearch),
		chromedp.WaitVisible(".cardlist"),
		chromedp.Evaluate(`[...document.querySelectorAll(".cardlist button")].map(b => b.innerText)`, &names),
	)
	if want := []string{"top_regions", "of_region", "by_month", "largest", "change"}; !slices.Equal(names, want) {
		t.Errorf("the list is %q, want %q", names, want)
	}
	var card string
	p.RunActions(chromedp.Text(".cardlist li", &card))
	for _, want := range []string{"The two regions with the most revenue", "Which regions sell most?", "since (default 2024-01-01)", "verified by finance on 2024-07-01"} {
		if !strings.Contains(card, want) {
			t.Errorf("the list does not show %q: %s", want, card)
		}
	}
	pictures(p, "explorer-saved-list")
	var note, request string
	p.RunActions(
		chromedp.Click(`//li/button[.="top_regions"]`, chromedp.BySearch),
		chromedp.WaitVisible("canvas"),
	)
	pictures(p, "explorer-saved-chart")
	p.RunActions(
		chromedp.Click(tableTab),
		shows(p, "region revenue\nnorth 240,600\neast 240,200"),
		chromedp.SetValue(`input[aria-label="Parameter since"]`, "2024-04-01"),
		shows(p, "region revenue\neast 60,500\nsouth 60,100"),
		chromedp.Text(".limited", &note),
	)
	pictures(p, "explorer-saved-table")
	if !strings.HasPrefix(note, "These are the first 2 rows.") {
		t.Errorf("below the table: %q", note)
	}
	p.RunActions(
		chromedp.Click(requestTab),
		chromedp.Text("pre.code", &request),
	)
	if want := `{"saved":"top_regions","params":{"since":"2024-04-01"}}`; !strings.Contains(request, want) {
		t.Errorf("the request is %s", request)
	}
	p.RunActions(
		chromedp.Click(tableTab),
		chromedp.Click(`//button[.="Ask for 20"]`, chromedp.BySearch),
		shows(p, "region revenue\neast 60,500\nsouth 60,100\nnorth 59,700"),
		chromedp.Click(`button[aria-label="Remove limit"]`),
		shows(p, "region revenue\neast 60,500\nsouth 60,100"),
	)
	second := b.OpenPage(t, origin+"/"+hash(p))
	second.RunActions(shows(second, "region revenue\neast 60,500\nsouth 60,100"))
	for _, page := range []*chromium.Page{p, second} {
		clean(t, page, origin)
	}
}

func TestExplorer_OpensEveryKindOfSavedQuery(t *testing.T) {
	b := chromium.Start(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=largest")
	var tabs []string
	p.RunActions(
		shows(p, "item amount\nitem 1200 1,200\nitem 1199 1,199"),
		chromedp.Evaluate(`[...document.querySelectorAll("[role=tab]")].map(b => b.innerText)`, &tabs),
		chromedp.Click(planTab),
		chromedp.Poll(`document.querySelector("pre.code")?.innerText.includes("Scan sale")`, nil),
	)
	if want := []string{"Table", "SQL", "Plan", "Request"}; !slices.Equal(tabs, want) {
		t.Errorf("the tabs are %q, want %q", tabs, want)
	}
	clean(t, p, origin)

	months := b.OpenPage(t, origin+"/#/saved?saved=by_month")
	months.RunActions(chromedp.WaitVisible(`canvas[aria-label^="Line chart of revenue by metric_time__month"]`))
	clean(t, months, origin)

	// The sales of January sum to 180,600, those of April to 180,300.
	change := b.OpenPage(t, origin+"/#/saved?saved=change")
	var figures []string
	change.RunActions(
		chromedp.WaitVisible(".segments canvas"),
		chromedp.Evaluate(`[...document.querySelectorAll(".figure")].map(f => f.innerText)`, &figures),
	)
	pictures(change, "explorer-saved-attribution")
	if want := []string{"180,600", "180,300", "▼ -300"}; !slices.Equal(figures, want) {
		t.Errorf("the figures are %q, want %q", figures, want)
	}
	clean(t, change, origin)
}

func TestExplorer_AsksForTheParametersOfASavedQuery(t *testing.T) {
	b := chromium.Start(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=of_region&tab=table")
	var note string
	p.RunActions(
		chromedp.WaitVisible(".note"),
		chromedp.Text(".note", &note),
	)
	pictures(p, "explorer-saved-parameter")
	if want := "The query runs once it has a value for region."; note != want {
		t.Errorf("the note is %q, want %q", note, want)
	}
	if i := slices.IndexFunc(p.Requests(), func(r string) bool { return strings.Contains(r, "/v1/query/") }); i >= 0 {
		t.Errorf("a query without its parameter was sent: %q", p.Requests())
	}
	p.RunActions(
		chromedp.SetValue(`select[aria-label="Parameter region"]`, "north"),
		shows(p, "revenue\n240,600"),
	)
	clean(t, p, origin)
}

func TestExplorer_ShowsTheErrorsOfASavedQuery(t *testing.T) {
	b := chromium.Start(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=of_region&param=region=west&tab=table")
	var refused string
	p.RunActions(
		chromedp.WaitVisible(`[role="alert"]`),
		chromedp.Text(`[role="alert"]`, &refused),
	)
	pictures(p, "explorer-saved-refusal")
	if !strings.Contains(refused, "param_out_of_domain") || !strings.Contains(refused, "region") {
		t.Errorf("the page shows %q", refused)
	}
	clean(t, p, origin)

	unknown := b.OpenPage(t, origin+"/#/saved?saved=top_region&tab=table")
	unknown.RunActions(
		chromedp.Click(`//*[@role="alert"]//button[.="top_regions"]`, chromedp.BySearch),
		chromedp.Click(tableTab),
		shows(unknown, "region revenue\nnorth 240,600\neast 240,200"),
	)
	clean(t, unknown, origin)
}

// The condition and the parameters of a query do not follow a person to another page.
func TestExplorer_LeavesASavedQueryBehind(t *testing.T) {
	b := chromium.Start(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=top_regions&param=since=2024-04-01&tab=table")
	p.RunActions(
		shows(p, "region revenue\neast 60,500\nsouth 60,100"),
		chromedp.Click(`//nav/button[.="Explore"]`, chromedp.BySearch),
		chromedp.SendKeys(`input[type="search"]`, "revenue"+kb.Enter),
		chromedp.WaitVisible(".figure"),
	)
	var figure string
	p.RunActions(chromedp.Text(".figure", &figure))
	if at := hash(p); figure != "720,600" || strings.Contains(at, "since") || strings.Contains(at, "saved") {
		t.Errorf("revenue is %s at %s", figure, at)
	}
	clean(t, p, origin)
}

// pictures keeps what the page looks like in the light and in the dark, wide and narrow,
// where pictures are wanted. A page that was just resized takes a click at its old place.
func pictures(p *chromium.Page, name string) {
	if os.Getenv("SEMLAYER_TEST_SCREENSHOTS") == "" {
		return
	}
	picture(p, name)
	scheme := func(value string) chromedp.Action {
		return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}})
	}
	p.RunActions(scheme("dark"))
	picture(p, name+"-dark")
	p.RunActions(scheme("light"), emulation.SetDeviceMetricsOverride(390, 844, 1, false))
	picture(p, name+"-narrow")
	p.RunActions(emulation.ClearDeviceMetricsOverride())
}

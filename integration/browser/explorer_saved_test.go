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
	b := browse(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		click(`//nav/button[.="Saved"]`),
		visible(".cardlist"),
		awaits(textsOf(".cardlist button"), []string{"top_regions", "of_region", "by_month", "largest", "change"}),
		reads(".cardlist li", "The two regions with the most revenue", "Which regions sell most?", "since (default 2024-01-01)", "verified by finance on 2024-07-01"),
	)
	pictures(p, "explorer-saved-list")
	p.RunActions(
		click(`//li/button[.="top_regions"]`),
		visible("canvas"),
	)
	pictures(p, "explorer-saved-chart")
	p.RunActions(
		click(tableTab),
		shows("region revenue\nnorth 240,600\neast 240,200"),
		chromedp.SetValue(`input[aria-label="Parameter since"]`, "2024-04-01"),
		shows("region revenue\neast 60,500\nsouth 60,100"),
		reads(".limited", "These are the first 2 of 3 rows."),
	)
	pictures(p, "explorer-saved-table")
	p.RunActions(
		click(requestTab),
		reads("pre.code", `{"saved":"top_regions","params":{"since":"2024-04-01"}}`),
		click(tableTab),
		click(`//button[.="Ask for 20"]`),
		shows("region revenue\neast 60,500\nsouth 60,100\nnorth 59,700"),
		click(`button[aria-label="Remove limit"]`),
		shows("region revenue\neast 60,500\nsouth 60,100"),
	)
	second := b.OpenPage(t, origin+"/"+hash(p))
	second.RunActions(shows("region revenue\neast 60,500\nsouth 60,100"))
	for _, page := range []*chromium.Page{p, second} {
		clean(t, page, origin)
	}
}

func TestExplorer_OpensEveryKindOfSavedQuery(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=largest")
	p.RunActions(
		shows("item amount\nitem 1200 1,200\nitem 1199 1,199"),
		awaits(textsOf("[role=tab]"), []string{"Table", "SQL", "Plan", "Request"}),
		click(planTab),
		reads("pre.code", "Scan sale"),
	)
	clean(t, p, origin)

	months := b.OpenPage(t, origin+"/#/saved?saved=by_month")
	months.RunActions(visible(`canvas[aria-label^="Line chart of Revenue by Time (month)"]`))
	clean(t, months, origin)

	// The sales of January sum to 180,600, those of April to 180,300.
	change := b.OpenPage(t, origin+"/#/saved?saved=change")
	change.RunActions(
		visible(".segments canvas"),
		awaits(textsOf(".figure"), []string{"180,600", "180,300", "▼ -300"}),
	)
	pictures(change, "explorer-saved-attribution")
	clean(t, change, origin)
}

func TestExplorer_AsksForTheParametersOfASavedQuery(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=of_region&tab=table")
	p.RunActions(awaits(textOf(".note"), "The query runs once it has a value for region."), settled(p))
	pictures(p, "explorer-saved-parameter")
	if i := slices.IndexFunc(p.Requests(), func(r string) bool { return strings.Contains(r, "/v1/query/") }); i >= 0 {
		t.Errorf("a query without its parameter was sent: %q", p.Requests())
	}
	p.RunActions(
		choose(`select[aria-label="Parameter region"]`, "north"),
		shows("revenue\n240,600"),
	)
	clean(t, p, origin)
}

func TestExplorer_ShowsTheErrorsOfASavedQuery(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=of_region&param=region=west&tab=table")
	p.RunActions(reads(`[role="alert"]`, "param_out_of_domain", "region"))
	pictures(p, "explorer-saved-refusal")
	clean(t, p, origin)

	unknown := b.OpenPage(t, origin+"/#/saved?saved=top_region&tab=table")
	unknown.RunActions(
		click(`//*[@role="alert"]//button[.="top_regions"]`),
		click(tableTab),
		shows("region revenue\nnorth 240,600\neast 240,200"),
	)
	clean(t, unknown, origin)
}

// The condition and the parameters of a query do not follow a person to another page.
func TestExplorer_LeavesASavedQueryBehind(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveSavedSales(t)
	p := b.OpenPage(t, origin+"/#/saved?saved=top_regions&param=since=2024-04-01&tab=table")
	p.RunActions(
		shows("region revenue\neast 60,500\nsouth 60,100"),
		click(`//nav/button[.="Explore"]`),
		chromedp.SendKeys(`input[type="search"]`, "revenue"+kb.Enter),
		awaits(textOf(".figure"), "720,600"),
	)
	if at := hash(p); strings.Contains(at, "since") || strings.Contains(at, "saved") {
		t.Errorf("the saved query is still at %s", at)
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
	// The picker of a wide page is there again.
	p.RunActions(emulation.ClearDeviceMetricsOverride(), waitFor(`innerWidth > 900 && document.querySelector("aside details")?.open !== false`))
}

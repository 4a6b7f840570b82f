package browser_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// A statement has its rows as a table and as a chart, and its error at its place, with names that take the place of the wrong one.
func TestSQL_RunsAStatement(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/sql")
	const box = `textarea[aria-label="Statement"]`
	p.RunActions(
		chromedp.SendKeys(box, "SELECT regon, MEASURE(revenue) AS revenue FROM business GROUP BY 1 ORDER BY 1"),
		click(`//button[.="Run"]`),
		awaits(textOf(".fault mark"), "regon"),
		click(`//div[contains(@class, "fault")]//button[.="region"]`),
		chromedp.Focus(box),
		chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2)), // Control
		click(tableTab),
		shows("region revenue\nnorth 130\nsouth 82"),
		atHash("sql?statement=SELECT+region"),
	)
	pictures(p, "sql-table")
	p.RunActions(
		click(chartTab),
		visible(`canvas[aria-label^="Bar chart of Money in (EUR) by Region"]`),
		chromedp.Reload(),
		visible(`canvas[aria-label^="Bar chart of Money in (EUR) by Region"]`),
	)
	pictures(p, "sql-chart")
	clean(t, p, origin)
}

// A question in words becomes one query; a word that is neither a name nor a range is named.
func TestSearch_ReadsAQuestion(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		waitFor(cardsDrawn),
		chromedp.SendKeys(".searchbox input", "revenue by region last 2 months frobnicated"),
		reads("#hit-0", "Money in by Region · last 2 months of the data, to May 10, 2024", "Not understood: frobnicated"),
	)
	pictures(p, "search-question")
	p.RunActions(
		chromedp.SendKeys(".searchbox input", kb.Enter),
		atHash("explore?metric=revenue&by=sale.region&last=2-month&as_of=2024-05-11"),
		visible("canvas"),
	)
	clean(t, p, origin)
}

// A view is kept in the browser and opens from the first page; a query is copied as an entry of the saved queries of a model.
func TestKeep_AViewAndASavedQuery(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region")
	p.RunActions(
		waitFor(stands),
		click(`//button[.="Save view"]`),
		waitFor(`document.querySelector('[aria-label="Name of the view"]').value === "Money in by Region"`),
		click(`//form//button[.="Save"]`),
		visible(`//button[.="Saved in this browser"]`),
		chromedp.Evaluate(`navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }`, nil),
		click(`//button[.="Copy as a saved query"]`),
		awaits(`window.copied ?? ""`, "- name: revenue_by_sale_region\n  query: {\"metrics\":[\"revenue\"],\"group_by\":[{\"field\":\"sale.region\"}],\"limit\":1000}\n"),
		click(`//nav//button[.="Home"]`),
		click(`//a[.="Money in by Region"]`),
		atHash("explore?metric=revenue&by=sale.region"),
		waitFor(stands),
		click(`//nav//button[.="Home"]`),
		click(`button[aria-label="Delete the view Money in by Region"]`),
		absent(`//a[.="Money in by Region"]`),
	)
	clean(t, p, origin)
}

// A workbook has the columns, and the rows with their types.
func TestDownload_AsAWorkbook(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&by=metric_time:month&tab=table")
	downloads := p.SaveDownloads()
	p.RunActions(waitFor(drawnTable), click(`//button[.="XLSX"]`))
	content := downloads.Read("revenue.xlsx")
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(part)
	if err != nil {
		t.Fatal(err)
	}
	var sheet struct {
		Rows []struct {
			Cells []struct {
				Style string `xml:"s,attr"`
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.Unmarshal(text, &sheet); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range sheet.Rows {
		var cells []string
		for _, c := range row.Cells {
			cells = append(cells, strings.Join([]string{c.Text, c.Value, c.Style}, ""))
		}
		got = append(got, strings.Join(cells, " "))
	}
	// A day is the number of days since the end of 1899, in the first format: the first of February 2024 is day 45323.
	want := []string{"region metric_time__month revenue", "north 453231 100", "north 453831 25", "north 454131 5", "south  7", "south 453521 40", "south 453831 35"}
	sortRows := func(rows []string) map[string]bool {
		set := map[string]bool{}
		for _, r := range rows {
			set[r] = true
		}
		return set
	}
	if d := cmp.Diff(sortRows(want), sortRows(got)); d != "" {
		t.Errorf("the sheet (-want +got):\n%s", d)
	}
	clean(t, p, origin)
}

// A browser of another language has the texts in it, and numbers and dates as it writes them.
func TestLanguage_OfTheBrowser(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, "about:blank")
	p.RunActions(
		emulation.SetUserAgentOverride("a browser").WithAcceptLanguage("de-DE"),
		chromedp.Navigate(origin+"/#/explore?metric=revenue&by=metric_time:month&start=2024-02-01&end=2024-05-01"),
		waitFor(stands),
		awaits(textsOf(".pop .name"), []string{"Money in", "nach Zeit (Monat)", "Filter", "Feb. 2024 – Apr. 2024", "Vergleichen", "Mehr"}),
		awaits(`document.documentElement.lang`, "de"),
	)
	pictures(p, "german")
	clean(t, p, origin)
}

// The page notices that the model was loaded again, and reads it quietly.
func TestReload_IsNoticed(t *testing.T) {
	b := browse(t)
	models := func(e *engine.Engine) restapi.Models { return restapi.Models{List: []*restapi.Model{{Service: e}}} }
	server, origin := serving.StartServer(t, models(openModel(t, business)), restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region")
	p.RunActions(waitFor(stands), settled(p))
	if err := server.ReplaceModels(models(openModel(t, strings.Replace(business, `"label": "Money in"`, `"label": "Sold"`, 1)))); err != nil {
		t.Fatal(err)
	}
	p.RunActions(
		chromedp.Evaluate(`location.hash = "#/explore?metric=revenue&by=metric_time:month"`, nil), // whose response names the revision
		reads(".renewed", "The model was loaded again"),
		awaits(textOf(".pop .name"), "Sold"),
		waitFor(stands),
		click(`//button[.="Close"]`),
		absent(".renewed"),
	)
	clean(t, p, origin)
}

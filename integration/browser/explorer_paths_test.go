package browser_test

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/png" // the format of the picture
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

// Records come page by page, in the order that was requested: of 1,200 items a page has 100, and the one that begins at 1,151 is the last.
func TestRecords_ComeInPages(t *testing.T) {
	b := browse(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/records?metric=revenue&from=sale&order=item")
	const first = `document.querySelector("tbody tr[aria-rowindex='2'] td")?.innerText ?? ""`
	p.RunActions(
		awaits(first, "item 0001"),
		awaits(textOf(".pages .quiet"), "Rows 1 to 100 of 1,200"),
		awaits(`document.querySelector(".pages button").disabled`, true),
		click(`//div[contains(@class, "pages")]/button[.="Next"]`),
		awaits(first, "item 0101"),
		awaits(textOf(".pages .quiet"), "Rows 101 to 200 of 1,200"),
		atHash("offset=100"),
		goBack(),
		awaits(first, "item 0001"),
		chromedp.Navigate(origin+"/#/records?metric=revenue&from=sale&order=item&offset=1150"),
		awaits(first, "item 1151"),
		awaits(`[...document.querySelectorAll(".pages button")].map(b => b.disabled)`, []bool{false, true}),
	)
	clean(t, p, origin)
}

// The columns of records have the labels of their fields, as the lists of Explore have.
func TestRecords_HaveTheLabelsOfFields(t *testing.T) {
	b := browse(t)
	origin := retail(t)
	p := b.OpenPage(t, origin+"/#/records?metric=revenue&from=orders&dimension=orders.channel&dimension=products.name&dimension=orders.order_date")
	p.RunActions(
		awaits(textsOf("thead th"), []string{"Sales channel", "Product", "Order date"}),
		// Days are written as in Explore; the pointer shows them as they are stored.
		waitFor(`(c => /^[A-Z][a-z]{2} \d{1,2}, \d{4}$/.test(c.innerText) && /^\d{4}-\d\d-\d\d$/.test(c.title))(document.querySelector("tbody td:nth-child(3)"))`),
	)
	clean(t, p, origin)
}

// Of two marks that are not beside each other, the first is compared with the second.
func TestDrill_ComparesTwoMarks(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=metric_time:month&tab=table")
	p.RunActions(
		click(`//tbody//button[.="Feb 2024"]`),
		pressed("Compare another mark with this one"),
		absent(`[role="menu"]`),
		click(`//tbody//button[.="Apr 2024"]`),
		pressed("Why did it change since Feb 2024"),
		atHash("baseline=2024-02-01..2024-03-01&current=2024-04-01..2024-05-01"),
		awaits(textsOf(".figure"), []string{"€100.00", "€60.00", "▼ -€40.00"}),
	)
	clean(t, p, origin)
}

// The rows leave the page as text for a spreadsheet and as files, and a chart as a picture of what is drawn.
func TestDownload_TextsAndPicturesHoldTheRows(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	downloads := p.SaveDownloads()
	p.RunActions(
		chromedp.Evaluate(`Object.defineProperty(navigator, "clipboard", {value: {writeText: async text => { window.copied = text }}})`, nil),
		click(`//div[contains(@class, "tablebox")]//button[.="Copy"]`),
		awaits(`window.copied ?? ""`, "region\trevenue\nnorth\t130\nsouth\t82\n"),
		click(`button[aria-label="Download CSV"]`),
		click(`button[aria-label="Download JSON"]`),
	)
	if d := cmp.Diff("region,revenue\r\nnorth,130\r\nsouth,82\r\n", string(downloads.Read("revenue.csv"))); d != "" {
		t.Errorf("CSV (-want +got):\n%s", d)
	}
	type row struct {
		Region  string
		Revenue int
	}
	var rows []row
	if err := json.Unmarshal(downloads.Read("revenue.json"), &rows); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]row{{"north", 130}, {"south", 82}}, rows); d != "" {
		t.Errorf("JSON (-want +got):\n%s", d)
	}
	var size struct{ Width, Height int }
	p.RunActions(
		click(chartTab),
		waitFor(drawnChart),
		chromedp.Evaluate(`(({width, height}) => ({width, height}))(document.querySelector(".plot canvas"))`, &size),
		click(`//button[.="Picture (PNG)"]`),
	)
	picture, _, err := image.Decode(bytes.NewReader(downloads.Read("revenue.png")))
	if err != nil {
		t.Fatal(err)
	}
	// Above the chart are its title and a line with the range and the day.
	got := picture.Bounds().Size()
	if above := got.Y - size.Height; got.X != size.Width || above < 50 || above > 150 {
		t.Errorf("the picture is %v, the chart %v", got, size)
	}
	const blue = 0x0072b2 // of the first series
	marks := 0
	for y := range got.Y {
		for x := range got.X {
			if r, g, b, _ := picture.At(x, y).RGBA(); int(r>>8)<<16|int(g>>8)<<8|int(b>>8) == blue {
				marks++
			}
		}
	}
	if marks < 1000 {
		t.Errorf("the picture has %d points in the colour of the bars", marks)
	}
	clean(t, p, origin)
}

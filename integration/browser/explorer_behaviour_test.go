package browser_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// stopsWithin fails unless the statement that runs ends within the time that a person waits.
func stopsWithin(t *testing.T, e *engine.Engine, limit time.Duration, leave func()) {
	t.Helper()
	waitRunning := func(want bool, within time.Duration) time.Duration {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(time.Millisecond) {
			if (e.ExecutionStats().Running > 0) == want {
				return time.Since(begin)
			}
			if time.Since(begin) > within {
				t.Fatalf("after %s the query runs: %t, want %t", within, !want, want)
			}
		}
	}
	waitRunning(true, 20*time.Second)
	leave()
	took := waitRunning(false, 5*time.Second)
	t.Logf("the statement ended after %s", took)
	if took > limit {
		t.Errorf("the statement ended after %s, later than %s", took, limit)
	}
}

// stopLimit is 0.3 seconds on a machine that has nothing else to do.
const stopLimit = 300 * time.Millisecond

func TestCancel_LeavingThePageEndsItsQuery(t *testing.T) {
	b := chromium.Start(t)
	origin, e := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=endless")
	stopsWithin(t, e, idle(stopLimit), func() { p.RunActions(chromedp.Evaluate(`setTimeout(() => { location.href = "docs" })`, nil)) })
}

func TestCancel_TheButtonEndsTheQuery(t *testing.T) {
	b := chromium.Start(t)
	origin, e := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=endless")
	p.RunActions(chromedp.WaitVisible(`//div[@role="status"]//button[.="Cancel"]`, chromedp.BySearch))
	stopsWithin(t, e, idle(stopLimit), func() {
		p.RunActions(chromedp.Evaluate(`document.querySelector("[role=status] button").click()`, nil))
	})
	p.RunActions(chromedp.WaitVisible(`//button[.="Run it again"]`, chromedp.BySearch))
	clean(t, p, origin)
}

// retail is the model of `semlayer demo`.
func retail(t *testing.T) string {
	t.Helper()
	read := func(file string) []byte {
		text, err := os.ReadFile(filepath.Join("..", "..", "cmd", "internal", "demo", file))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "retail.yaml", ModelText: read("retail.yaml"), Setup: []string{string(read("retail.sql"))}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return serving.Serve(t, e, restapi.Config{})
}

// clicker counts what a person does with the mouse.
type clicker struct {
	p      *chromium.Page
	clicks int
}

func (c *clicker) click(selector string, options ...chromedp.QueryOption) {
	c.clicks++
	c.p.RunActions(chromedp.Click(selector, options...))
}

// The story of the first minute, on the demo: a person who sees the page for the first time
// finds the region whose revenue fell most from one month to the next, and what is behind it.
func TestStory_WhichRegionFellAndWhy(t *testing.T) {
	b := chromium.Start(t)
	p := b.OpenPage(t, retail(t)+"/")
	c := &clicker{p: p}
	p.RunActions(waitFor(cardsDrawn))
	c.click(`.metriccard[data-metric="revenue"] .open`)
	p.RunActions(chromedp.WaitVisible(`.explore canvas[aria-label^="Line"]`), waitFor(`!document.querySelector(".stale")`))
	// The mark of October, at which the line falls.
	var at struct{ X, Y float64 }
	p.RunActions(chromedp.Evaluate(`(() => { const b = document.querySelector(".plot canvas").getBoundingClientRect(); return {X: b.left + 74 + (b.width - 74 - 32) * 21 / 23, Y: b.top + b.height * .3} })()`, &at))
	c.clicks++
	p.RunActions(
		chromedp.MouseEvent(input.MousePressed, at.X, at.Y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseReleased, at.X, at.Y, chromedp.ButtonLeft),
		chromedp.WaitVisible(`[role="menu"]`),
	)
	var menu string
	p.RunActions(chromedp.Text(`[role="menu"]`, &menu))
	if !strings.Contains(menu, "Oct 2024") || !strings.Contains(menu, "Sep 2024") {
		t.Fatalf("the menu is of another mark: %s", menu)
	}
	c.clicks++
	p.RunActions(pressed("Why did it change since Sep 2024"), chromedp.WaitVisible(".segments canvas"))
	var region string
	p.RunActions(
		chromedp.WaitVisible(`//section[h2[.="customers.region"]]//tbody/tr[1]`, chromedp.BySearch),
		chromedp.Text(`//section[h2[.="customers.region"]]//tbody/tr[1]/th`, &region, chromedp.BySearch),
	)
	c.click(`//section[h2[.="customers.region"]]//tbody/tr[1]//button[.="Within"]`, chromedp.BySearch)
	p.RunActions(waitFor(`location.hash.includes("where=") && document.querySelector(".segments canvas") && !document.querySelector("[role=status] progress")`))
	pictures(p, "story")
	var words string
	p.RunActions(chromedp.Text(".words", &words))
	if !strings.Contains(words, "revenue fell by") || !strings.Contains(words, "The largest part by") {
		t.Errorf("the words are %q", words)
	}
	t.Logf("%s fell most: %s (%d clicks)", region, words, c.clicks)
	if c.clicks > 8 {
		t.Errorf("the story takes %d clicks", c.clicks)
	}
}

// The numbers of the table are those of the interface, digit by digit.
func TestNumbers_AreThoseOfTheInterface(t *testing.T) {
	b := chromium.Start(t)
	origin := retail(t)
	query := `{"metrics":["revenue","buyers","return_rate"],"group_by":[{"field":"customers.region"},{"field":"orders.status"}],"limit":1000}`
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, origin+"/v1/query/execute", strings.NewReader(query))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Columns []string
		Rows    []map[string]any
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range answer.Rows {
		for _, c := range answer.Columns {
			text := fmt.Sprint(r[c])
			if r[c] == nil {
				text = "∅ none"
			}
			want = append(want, text)
		}
	}
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&metric=buyers&metric=return_rate&by=customers.region&by=orders.status&tab=table")
	p.RunActions(
		waitFor(drawnTable),
		// The digits without their grouping; zeros that only align the points do not count.
		chromedp.Evaluate(`[...document.querySelectorAll("tbody td")].map(c => { const t = c.innerText.trim().replaceAll(",", ""); return /^-?[\d.]+$/.test(t) ? String(Number(t)) : t })`, &got),
	)
	for i, w := range want {
		if n := json.Number(w); strings.Contains(w, ".") {
			if f, err := n.Float64(); err == nil {
				want[i] = fmt.Sprint(f)
			}
		}
	}
	if len(want) == 0 {
		t.Fatal("the query has no rows")
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	clean(t, p, origin)
}

// The theme stays with the browser; a token does not, as another test checks.
func TestTheme_IsRemembered(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/")
	var theme string
	p.RunActions(
		chromedp.Click(`button[aria-label="Switch between light and dark"]`),
		chromedp.Reload(),
		chromedp.WaitVisible(".metriccard"),
		chromedp.Evaluate(`document.documentElement.dataset.theme`, &theme),
	)
	if theme != "dark" {
		t.Errorf("after a reload the theme is %q", theme)
	}
	clean(t, p, origin)
}

// Every deliberate change is a step that Back undoes, and a reload gives the same page.
func TestHistory_BackUndoesEachChange(t *testing.T) {
	b := chromium.Start(t)
	origin, _ := serveModel(t, business)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue")
	p.RunActions(chromedp.WaitVisible(".explore .figure"))
	var steps []string
	for _, change := range []chromedp.Action{
		chromedp.Click(item("sale.region"), chromedp.BySearch),
		chromedp.SetValue(`//label[contains(., "Chart")]/select`, "stacked", chromedp.BySearch),
		chromedp.Click(tableTab),
		chromedp.Click(`//label[contains(., "Totals")]/input`, chromedp.BySearch),
		chromedp.SetValue(`select[aria-label="Time range"]`, "12 month"),
		chromedp.Click(`//th[2]/button`, chromedp.BySearch),
	} {
		steps = append(steps, hash(p))
		before := steps[len(steps)-1]
		p.RunActions(chromedp.WaitNotPresent(".stale"), change)
		if !strings.Contains(before, "last=") { // sorting complete rows leaves the question as it was
			p.RunActions(waitFor(fmt.Sprintf(`decodeURIComponent(location.hash) !== %q`, before)))
		}
	}
	if slices.Contains(steps[1:], steps[0]) {
		t.Fatalf("a change left the address as it was: %q", steps)
	}
	p.RunActions(chromedp.Reload(), waitFor(fmt.Sprintf(`decodeURIComponent(location.hash) === %q`, steps[5])))
	for i := 4; i >= 0; i-- {
		p.RunActions(chromedp.NavigateBack(), waitFor(fmt.Sprintf(`decodeURIComponent(location.hash) === %q`, steps[i])))
	}
	clean(t, p, origin)
}

// The budgets of the page: its files, its first view, and the time from an interaction to its
// picture. The times are those of an idle machine of two cores; a busy one gets five times as much.
func TestBudgets_OfThePage(t *testing.T) {
	b := chromium.Start(t)
	origin := retail(t)
	weight := 0
	for _, path := range []string{"/", "/explorer/app.js", "/explorer/style.css", "/explorer/icon.svg"} {
		weight += packedSize(t, origin+path)
	}
	t.Logf("the page weighs %d bytes gzipped", weight)
	if weight > 250_000 {
		t.Errorf("the page weighs %d bytes gzipped, more than 250,000", weight)
	}
	// The second visit is measured: the first starts the renderer of the browser too.
	warm := b.OpenPage(t, origin+"/")
	warm.RunActions(waitFor(cardsDrawn))
	p := b.OpenPage(t, "about:blank")
	const firstView = `new Promise(done => { const look = () => document.querySelectorAll(".metriccard .figure").length > 0 ? requestAnimationFrame(() => done(performance.now())) : setTimeout(look, 2); look() })`
	var first float64
	p.RunActions(chromedp.Navigate(origin+"/"), chromedp.Evaluate(firstView, &first, awaited))
	t.Logf("first view after %.0f ms", first)
	if first > float64(idle(500*time.Millisecond).Milliseconds()) {
		t.Errorf("the first view comes after %.0f ms", first)
	}
}

// Ten thousand rows scroll and sort without a wait, and a chart moves nothing once it is drawn.
func TestBudgets_OfTenThousandRows(t *testing.T) {
	b := chromium.Start(t)
	many := strings.Replace(sales, "range(1, 1201)", "range(1, 10001)", 1)
	many = strings.Replace(many, "lpad(i::VARCHAR, 4, '0')", "lpad(i::VARCHAR, 5, '0')", 1)
	origin, _ := serveModel(t, many)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&metric=profit&by=sale.item&tab=table&limit=10001")
	var drawn int
	p.RunActions(
		waitFor(drawnTable),
		waitFor(`document.querySelector("table[aria-rowcount='10001']")`),
		chromedp.Evaluate(`document.querySelectorAll("tbody tr").length`, &drawn),
	)
	if drawn > 100 {
		t.Errorf("%d rows are drawn at once", drawn)
	}
	const paint = `(change => new Promise(done => { const begin = performance.now(); change(); requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => done(performance.now() - begin); channel.port2.postMessage(0) }) }))`
	for name, change := range map[string]string{
		"sort":   `() => document.querySelectorAll("th > button")[1].click()`,
		"scroll": `() => { document.querySelector(".grid").scrollTop = 150000 }`,
		"chart":  `() => document.querySelector("#tab-chart").click()`,
	} {
		p.RunActions(chromedp.Click(tableTab), waitFor(drawnTable))
		var took float64
		p.RunActions(chromedp.Evaluate(paint+"("+change+")", &took, awaited))
		t.Logf("%s: painted after %.0f ms", name, took)
		if took > float64(idle(100*time.Millisecond).Milliseconds()) {
			t.Errorf("%s is painted after %.0f ms", name, took)
		}
	}
	chart := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region")
	var shifts float64
	chart.RunActions(
		waitFor(drawnChart),
		chromedp.Evaluate(`new Promise(done => { let sum = 0; const begin = performance.now(); new PerformanceObserver(list => { for (const e of list.getEntries()) if (e.startTime > begin) sum += e.value }).observe({type: "layout-shift", buffered: true}); setTimeout(() => done(sum), 1000) })`, &shifts, awaited),
	)
	if shifts > 0 {
		t.Errorf("after the chart was drawn the layout shifted by %g", shifts)
	}
	clean(t, p, origin)
}

func packedSize(t *testing.T, address string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Len()
}

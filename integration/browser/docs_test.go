package browser_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

const token = "a-token-of-the-tests"

func fixture(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "fixtures", "orders", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// serve serves the six orders until the test ends and returns the origin.
func serve(t *testing.T, c restapi.Config) string {
	t.Helper()
	return serving.Serve(t, orders(t), c)
}

// orders opens the six orders.
func orders(t *testing.T) *engine.Engine {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		ModelPath: "orders.yaml", ModelText: []byte(fixture(t, "model.yaml")), Setup: []string{fixture(t, "data.sql")}, Logger: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// picture keeps what the page looks like, where pictures are wanted.
func picture(p *chromium.Page, name string) {
	if folder := os.Getenv("SEMLAYER_TEST_SCREENSHOTS"); folder != "" {
		if err := os.MkdirAll(folder, 0o750); err != nil {
			panic(err)
		}
		p.Screenshot(filepath.Join(folder, name+".png"))
	}
}

// The parts of Swagger UI.
const (
	executeQuery = "#operations-metrics-executeQuery"
	status       = executeQuery + " .live-responses-table tbody .response-col_status"
	answer       = executeQuery + " .live-responses-table tbody .response-col_description"
)

// A person authorises, opens an operation and executes the query that is
// there as an example.
func TestDocsPage_ExecutesQuery(t *testing.T) {
	b := browse(t)
	origin := serve(t, restapi.Config{Tokens: []string{token}})
	p := b.OpenPage(t, origin+"/docs")
	p.RunActions(visible(executeQuery))
	picture(p, "docs")

	p.RunActions(
		click(executeQuery+" .opblock-summary-control"),
		execute(),
		waitFor(element(status)+`?.innerText.startsWith("401")`),
		// The browser reports a rejected request in the same way as a missing file.
		chromedp.ActionFunc(until(func() bool { return len(p.PageErrors()) > 0 })),
	)
	before := p.PageErrors()
	if len(before) != 1 || !strings.Contains(before[0], "401") {
		t.Errorf("problems: %q", before)
	}

	const field = "#auth-bearer-value"
	p.RunActions(
		click(".scheme-container .btn.authorize"),
		visible(field),
		chromedp.SendKeys(field, token),
		click(".auth-btn-wrapper .authorize"),
		visible(".auth-btn-wrapper .btn-done"),
		click(".auth-btn-wrapper .btn-done"),
		click(executeQuery+" .btn-clear"),
		absent(executeQuery+" .live-responses-table"),
		execute(),
		waitFor(element(status)+`?.innerText.startsWith("200")`),
		reads(answer, `"row_count"`, "SELECT"),
	)
	picture(p, "docs-answer")
	// The schema of the body has the parts that the document refers to.
	p.RunActions(
		click(executeQuery+` .opblock-section-request-body .tablinks[data-name="model"]`),
		reads(executeQuery+" .opblock-section-request-body .json-schema-2020-12", "metrics", "group_by", "time_range"),
		absent(`.errors-wrapper`),
	)
	if after := p.PageErrors(); !slices.Equal(before, after) {
		t.Errorf("problems: %q", after)
	}
	if out := p.RequestsToOtherOrigins(origin); len(out) > 0 {
		t.Errorf("requests to elsewhere: %q", out)
	}
	for _, want := range []string{"/docs", "/docs/swagger-ui-bundle.js", "/openapi.json", "/v1/query/execute"} {
		if !slices.Contains(p.Requests(), origin+want) {
			t.Errorf("%s was not asked for: %q", want, p.Requests())
		}
	}
	var kept string
	p.RunActions(chromedp.Evaluate(`JSON.stringify([localStorage, sessionStorage, document.cookie])`, &kept))
	if strings.Contains(kept, token) {
		t.Errorf("the token is kept: %s", kept)
	}
}

// Every operation can be opened, and none makes the page fail.
func TestDocsPage_OpensEveryOperation(t *testing.T) {
	b := browseInLongForm(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/docs")
	var ids []string
	p.RunActions(
		visible(executeQuery),
		chromedp.Evaluate(`[...document.querySelectorAll(".opblock")].map(o => o.id)`, &ids),
	)
	// One at a time: a browser on a busy machine takes more than a minute to draw all of them.
	for _, id := range ids {
		section := element("#" + id)
		press := chromedp.Evaluate(section+`.querySelector(".opblock-summary-control").click()`, nil)
		p.RunActions(press, waitFor(section+`.querySelector(".responses-wrapper")?.checkVisibility()`), press, waitFor("!"+section+`.matches(".is-open")`))
	}
	if want := len(restapi.Routes()); len(ids) != want {
		t.Errorf("there are %d operations and %d routes", len(ids), want)
	}
	var authorize int
	p.RunActions(chromedp.Evaluate(`document.querySelectorAll(".btn.authorize").length`, &authorize))
	if authorize != 0 {
		t.Error("a token is asked for where none is needed")
	}
	if got := p.PageErrors(); len(got) > 0 {
		t.Errorf("problems: %q", got)
	}
	if out := p.RequestsToOtherOrigins(origin); len(out) > 0 {
		t.Errorf("requests to elsewhere: %q", out)
	}
}

// The page is free of what axe finds, in the light and in the dark, also with an operation open, and leads back to the explorer.
func TestDocsPage_IsAccessible(t *testing.T) {
	axe, b := axeSource(t), browse(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, "about:blank")
	p.RunActions(look("light", 1400)...)
	p.RunActions(chromedp.Navigate(origin+"/docs"), visible(executeQuery), chromedp.Evaluate(axe+";undefined", nil))
	open := executeQuery + " .opblock-summary-control"
	opened := element(executeQuery+" textarea") + `?.value.trim().startsWith("{")`
	judge := func(what string) {
		for _, v := range violations(p, wholePage, allRules) {
			t.Errorf("%s: %s", what, v)
		}
		p.RunActions(chromedp.Evaluate(underPointer, nil))
		for _, v := range violations(p, changedParts, contrastAlone) {
			t.Errorf("%s, under the pointer: %s", what, v)
		}
		p.RunActions(chromedp.Evaluate(withoutPointer, nil))
	}
	// The theme changes in the page: to draw it again takes longer than to judge it.
	judge("light")
	p.RunActions(click(open), waitFor(opened))
	picture(p, "docs-light")
	judge("light, with an operation")
	p.RunActions(look("dark", 1400)...)
	// Colours fade to those of the other theme.
	p.RunActions(awaits(`document.documentElement.classList.contains("dark-mode")`, true), awaits(`document.getAnimations().length`, 0))
	picture(p, "docs-dark")
	judge("dark, with an operation")
	p.RunActions(click(open), waitFor("!"+opened))
	judge("dark")
	p.RunActions(click(".back a"), visible(".metriccard"))
}

// execute presses the button Execute. Its section still moves while it opens, so that a click of the mouse could miss it.
func execute() chromedp.Action {
	button := executeQuery + " .execute"
	return chromedp.Tasks{
		visible(button),
		// The example of the body comes after the button, which does nothing before.
		waitFor(element(executeQuery+" textarea") + `?.value.trim().startsWith("{")`),
		chromedp.Evaluate("document.querySelector('"+button+"').click()", nil),
	}
}

package browser_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/restapi"
)

// serveTwo serves the orders and the sales under a prefix and returns its address.
func serveTwo(t *testing.T, prefix, defaultModel string, c restapi.Config) string {
	t.Helper()
	c.Logger = slog.New(slog.DiscardHandler)
	server, err := restapi.NewForModels(restapi.Models{Several: true, Default: defaultModel, List: []*restapi.Model{
		{Name: "orders", Service: orders(t)}, {Name: "sales", Service: openModel(t, sales)},
	}}, c)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(prefix+"/", server.Handler(prefix))
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h.URL + prefix
}

const modelSwitch = `select[aria-label="Model"]`

// explorePage is the button of the page of questions.
const explorePage = `//nav/button[.="Explore"]`

// place is the path of the page.
func place(p *chromium.Page) string {
	var out string
	p.RunActions(chromedp.Evaluate(`location.pathname`, &out))
	return out
}

// The revenue of the orders is 450, that of the sales 720,600.
func TestExplorer_ListsTheModelsWhereNoneIsTheDefault(t *testing.T) {
	const prefix = "/semantic"
	b := chromium.Start(t)
	origin := serveTwo(t, prefix, "", restapi.Config{})
	p := b.OpenPage(t, origin+"/")
	var heading string
	var names []string
	p.RunActions(
		chromedp.WaitVisible(".cardlist"),
		chromedp.Text("h1", &heading),
		chromedp.Evaluate(`[...document.querySelectorAll(".cardlist a")].map(a => a.innerText)`, &names),
	)
	pictures(p, "explorer-models")
	if heading != "Models" || !slices.Equal(names, []string{"orders", "sales"}) {
		t.Errorf("%s: %q", heading, names)
	}
	if problems := p.PageErrors(); len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	p.RunActions(
		chromedp.Click(`//li/a[.="sales"]`, chromedp.BySearch),
		chromedp.WaitVisible(`.metriccard[data-metric="growth"]`),
		chromedp.Click(explorePage, chromedp.BySearch),
		chromedp.WaitVisible(item("revenue"), chromedp.BySearch),
		chromedp.Click(item("revenue"), chromedp.BySearch),
		chromedp.Click(tableTab),
		shows(p, "revenue\n720,600"),
	)
	if at := place(p); at != prefix+"/m/sales/" {
		t.Errorf("the page is at %s", at)
	}
	// Its address is a link to it.
	second := b.OpenPage(t, origin+"/m/sales/"+hash(p))
	second.RunActions(shows(second, "revenue\n720,600"))
	// The list marks the model that was open last.
	var first string
	p.RunActions(
		chromedp.Navigate(origin+"/"),
		chromedp.WaitVisible(".cardlist"),
		chromedp.Text(".cardlist li:first-child", &first),
	)
	if !strings.HasPrefix(first, "sales opened last") {
		t.Errorf("the list begins with %q", first)
	}
	for _, page := range []*chromium.Page{p, second} {
		clean(t, page, strings.TrimSuffix(origin, prefix))
	}
}

func TestExplorer_SwitchesBetweenModels(t *testing.T) {
	b := chromium.Start(t)
	origin := serveTwo(t, "", "orders", restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&tab=table")
	var shown string
	p.RunActions(
		shows(p, "revenue\n450"),
		chromedp.Value(modelSwitch, &shown),
	)
	pictures(p, "explorer-switch")
	if shown != "orders" {
		t.Errorf("the default model is %q", shown)
	}
	p.RunActions(
		chromedp.SetValue(modelSwitch, "sales"),
		chromedp.WaitVisible(`.metriccard[data-metric="growth"]`),
		chromedp.Click(explorePage, chromedp.BySearch),
		chromedp.Click(item("revenue"), chromedp.BySearch),
		chromedp.Click(tableTab),
		shows(p, "revenue\n720,600"),
	)
	if at := place(p); at != "/m/sales/" {
		t.Errorf("the page is at %s", at)
	}
	p.RunActions(
		chromedp.SetValue(modelSwitch, "orders"),
		chromedp.WaitVisible(`.metriccard[data-metric="total_margin"]`),
	)
	if at := place(p); at != "/m/orders/" {
		t.Errorf("the page is at %s", at)
	}
	// Back leads to the model before, with its query.
	p.RunActions(
		chromedp.NavigateBack(),
		shows(p, "revenue\n720,600"),
		chromedp.Value(modelSwitch, &shown),
	)
	if shown != "sales" {
		t.Errorf("after going back the model is %q", shown)
	}
	clean(t, p, origin)
}

func TestExplorer_KeepsTheTokenFromModelToModel(t *testing.T) {
	b := chromium.Start(t)
	origin := serveTwo(t, "", "", restapi.Config{Tokens: []string{token}})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		chromedp.WaitVisible(`input[name="token"]`),
		chromedp.SendKeys(`input[name="token"]`, token+kb.Enter),
		chromedp.Click(`//li/a[.="orders"]`, chromedp.BySearch),
		chromedp.WaitVisible(`.metriccard[data-metric="total_margin"]`),
		chromedp.SetValue(modelSwitch, "sales"),
		chromedp.WaitVisible(`.metriccard[data-metric="growth"]`),
		chromedp.WaitNotPresent(`input[name="token"]`),
	)
	clean(t, p, origin)
}

// A server of one model has no switch.
func TestExplorer_OneModelHasNoSwitch(t *testing.T) {
	b := chromium.Start(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		chromedp.WaitVisible(`.metriccard[data-metric="revenue"]`),
		chromedp.WaitVisible(".modelname"),
		chromedp.WaitNotPresent(modelSwitch),
	)
	clean(t, p, origin)
}

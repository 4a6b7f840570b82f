package browser_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
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

// atPath waits until the page has a path.
func atPath(path string) chromedp.Action { return awaits(`location.pathname`, path) }

// showsModel waits until the switch shows a model and the page has opened it.
func showsModel(name string) chromedp.Action {
	return chromedp.Tasks{awaits(element(modelSwitch)+`?.value`, name), waitFor(`document.title.includes("` + name + `")`)}
}

// The revenue of the orders is 450, that of the sales 720,600.
func TestExplorer_ListsTheModelsWhereNoneIsTheDefault(t *testing.T) {
	const prefix = "/semantic"
	b := browseInLongForm(t)
	origin := serveTwo(t, prefix, "", restapi.Config{})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		visible(".cardlist"),
		awaits(textOf("h1"), "Models"),
		awaits(textsOf(".cardlist a"), []string{"orders", "sales"}),
	)
	pictures(p, "explorer-models")
	if problems := p.PageErrors(); len(problems) > 0 {
		t.Errorf("problems: %q", problems)
	}
	p.RunActions(
		click(`//li/a[.="sales"]`),
		visible(`.metriccard[data-metric="growth"]`),
		click(explorePage),
		visible(item("revenue")),
		click(item("revenue")),
		click(tableTab),
		shows("revenue\n720,600"),
		atPath(prefix+"/m/sales/"),
	)
	// Its address is a link to it.
	second := b.OpenPage(t, origin+"/m/sales/"+hash(p))
	second.RunActions(shows("revenue\n720,600"))
	// The list marks the model that was open last.
	p.RunActions(
		chromedp.Navigate(origin+"/"),
		visible(".cardlist"),
		waitFor(element(".cardlist li:first-child")+`?.innerText.startsWith("sales opened last")`),
	)
	for _, page := range []*chromium.Page{p, second} {
		clean(t, page, strings.TrimSuffix(origin, prefix))
	}
}

func TestExplorer_SwitchesBetweenModels(t *testing.T) {
	b := browse(t)
	origin := serveTwo(t, "", "orders", restapi.Config{})
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&tab=table")
	p.RunActions(
		shows("revenue\n450"),
		showsModel("orders"),
	)
	pictures(p, "explorer-switch")
	p.RunActions(
		choose(modelSwitch, "sales"),
		visible(`.metriccard[data-metric="growth"]`),
		click(explorePage),
		click(item("revenue")),
		click(tableTab),
		shows("revenue\n720,600"),
		atPath("/m/sales/"),
		choose(modelSwitch, "orders"),
		visible(`.metriccard[data-metric="total_margin"]`),
		atPath("/m/orders/"),
		// Back leads to the model before, with its query.
		goBack(),
		shows("revenue\n720,600"),
		showsModel("sales"),
		atPath("/m/sales/"),
	)
	clean(t, p, origin)
}

func TestExplorer_KeepsTheTokenFromModelToModel(t *testing.T) {
	b := browseInLongForm(t)
	origin := serveTwo(t, "", "", restapi.Config{Tokens: []string{token}})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		visible(`input[name="token"]`),
		chromedp.SendKeys(`input[name="token"]`, token+kb.Enter),
		click(`//li/a[.="orders"]`),
		visible(`.metriccard[data-metric="total_margin"]`),
		choose(modelSwitch, "sales"),
		visible(`.metriccard[data-metric="growth"]`),
		absent(`input[name="token"]`),
	)
	clean(t, p, origin)
}

// A server of one model has no switch.
func TestExplorer_OneModelHasNoSwitch(t *testing.T) {
	b := browseInLongForm(t)
	origin := serve(t, restapi.Config{})
	p := b.OpenPage(t, origin+"/")
	p.RunActions(
		visible(`.metriccard[data-metric="revenue"]`),
		visible(".modelname"),
		absent(modelSwitch),
	)
	clean(t, p, origin)
}

package browser_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// unreachable is a profile of a server at a port where nothing listens.
const unreachable = `datasources:
  far:
    type: postgres
    host: 127.0.0.1
    port: 1
    username: reader
    password: wrong
    database: sales
    sslmode: disable
`

// twoTiles are saved queries that Home draws.
const twoTiles = `custom_extensions:
  - vendor_name: SEMLAYER
    data: '{"v": "1.10", "queries": [{"name": "all_money", "home": true, "query": {"metrics": ["revenue"]}}, {"name": "all_visits", "home": true, "query": {"metrics": ["visits"]}}]}'
`

func serveUnreachable(t *testing.T) string {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "business.yaml", ModelText: []byte(business + twoTiles),
		ConnectionsPath: "connections.yaml", ConnectionsText: []byte(unreachable), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return serving.Serve(t, e, restapi.Config{})
}

// A broken connection is named on each page, with a way to ask again, and another one is a choice away.
func TestBroken_NamesTheConnection(t *testing.T) {
	b := browse(t)
	origin := serveUnreachable(t)
	const named = "The connection far did not answer as it should"
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&connection=far")
	p.RunActions(reads(`[role="alert"]`, named, "connection"), visible(`//*[@role="alert"]//button[.="Try again"]`))
	pictures(p, "broken-explore")
	sent := countRequests(p, "/v1/query/execute")
	p.RunActions(
		click(`//*[@role="alert"]//button[.="Try again"]`),
		chromedp.ActionFunc(until(func() bool { return countRequests(p, "/v1/query/execute") > sent })),
		reads(`[role="alert"]`, named),
		opens("More"),
		choose(`select[aria-label="Connection"]`, ""),
		awaits(textOf(".explore .figure"), "€212.00"),
		absent(`[role="alert"]`),
	)
	clean(t, p, origin)

	home := b.OpenPage(t, origin+"/#/home?connection=far")
	home.RunActions(
		waitFor(cardsDrawn),
		reads(`.home > [role="alert"]`, named),
		awaits(textsOf(".tile > p"), []string{"not loaded", "not loaded"}),
		awaits(`document.querySelectorAll("[role=alert]").length`, 1), // not one for each card and each tile
		visible(`.metriccard[data-metric="revenue"] .open`),
	)
	pictures(home, "broken-home")
	home.RunActions(
		click(`//*[@role="alert"]//button[.="Ask the embedded database"]`),
		awaits(textOf(`.metriccard[data-metric="revenue"] .figure`), "€60.00"),
		reads(".tile:nth-child(1) .figure", "€212.00"),
		absent(`[role="alert"]`),
	)
	clean(t, home, origin)

	why := b.OpenPage(t, origin+"/#/attribution?metric=revenue&dimension=sale.region&baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01&connection=far")
	why.RunActions(reads(`[role="alert"]`, named))
	pictures(why, "broken-why")
	clean(t, why, origin)
}

// A service that has gone leaves an error in place of the rows; when it is back, asking again shows the rows.
func TestBroken_AServiceThatIsBackAnswers(t *testing.T) {
	b := browseInLongForm(t)
	server, err := restapi.New(openModel(t, business), restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	var gone, foreign atomic.Bool
	handler := server.Handler("")
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if foreign.Load() {
			http.Error(w, "<h1>Bad Gateway</h1>", http.StatusBadGateway)
			return
		}
		if gone.Load() {
			panic(http.ErrAbortHandler) // the connection breaks without a word
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	p := b.OpenPage(t, h.URL+"/#/explore?metric=revenue")
	p.RunActions(awaits(textOf(".explore .figure"), "€212.00"))
	gone.Store(true)
	p.RunActions(click(item("sale.region")), reads(`[role="alert"]`, "The service does not answer.", "Check that it runs"))
	pictures(p, "broken-service")
	foreign.Store(true)
	p.RunActions(click(`//*[@role="alert"]//button[.="Try again"]`), reads(`[role="alert"]`, "The response is not from the service (HTTP status 502)."))
	foreign.Store(false)
	gone.Store(false)
	p.RunActions(
		click(`//*[@role="alert"]//button[.="Try again"]`),
		visible("canvas"),
		absent(`[role="alert"]`),
		click(tableTab),
		shows("region revenue\nnorth 130\nsouth 82"),
	)
}

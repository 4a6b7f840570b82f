package browser_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/restapi"
)

// mount serves the six orders under a path of another server and returns its origin.
func mount(t *testing.T, prefix string) string {
	t.Helper()
	server, err := restapi.New(orders(t), restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(prefix+"/", server.Handler(prefix))
	h := httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h.URL
}

// Both pages send their requests under the path that the server is mounted at.
func TestMount_ThePagesWorkUnderAPath(t *testing.T) {
	const prefix = "/data/semantic"
	b := chromium.Start(t)
	origin := mount(t, prefix)
	p := b.OpenPage(t, origin+prefix+"/#/explore")
	var figure string
	p.RunActions(
		chromedp.WaitVisible(item("revenue"), chromedp.BySearch),
		chromedp.Click(item("revenue"), chromedp.BySearch),
		chromedp.WaitVisible(`.figure`),
		chromedp.Text(".figure", &figure),
	)
	picture(p, "explorer-mounted")
	if figure != "450" {
		t.Errorf("revenue is shown as %q", figure)
	}
	clean(t, p, origin)

	docs := b.OpenPage(t, origin+prefix+"/docs")
	var shown, body string
	docs.RunActions(
		chromedp.WaitVisible(executeQuery),
		chromedp.Click(executeQuery+" .opblock-summary-control"),
		execute(),
		chromedp.Text(status, &shown),
		chromedp.Text(answer, &body),
	)
	picture(docs, "docs-mounted")
	if !strings.HasPrefix(shown, "200") || !strings.Contains(body, `"row_count"`) {
		t.Errorf("the response is %q: %s", shown, body)
	}
	if !slices.Contains(docs.Requests(), origin+prefix+"/v1/query/execute") {
		t.Errorf("requests: %q", docs.Requests())
	}
	clean(t, docs, origin)
}

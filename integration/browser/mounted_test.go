package browser_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

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
	b := browse(t)
	origin := mount(t, prefix)
	p := b.OpenPage(t, origin+prefix+"/#/explore")
	p.RunActions(
		visible(item("revenue")),
		click(item("revenue")),
		awaits(textOf(".figure"), "450"),
	)
	picture(p, "explorer-mounted")
	clean(t, p, origin)

	docs := b.OpenPage(t, origin+prefix+"/docs")
	docs.RunActions(
		visible(executeQuery),
		click(executeQuery+" .opblock-summary-control"),
		execute(),
		waitFor(element(status)+`?.innerText.startsWith("200")`),
		reads(answer, `"row_count"`),
	)
	picture(docs, "docs-mounted")
	if !slices.Contains(docs.Requests(), origin+prefix+"/v1/query/execute") {
		t.Errorf("requests: %q", docs.Requests())
	}
	clean(t, docs, origin)
}

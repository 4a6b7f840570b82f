package chromium_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// A page that does everything wrong must not pass for one that does nothing
// wrong.
func TestBrowser_ReportsPageFailures(t *testing.T) {
	b := chromium.StartBrowser(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-x'; img-src * data:; connect-src *")
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<link rel="icon" href="data:,"><p id="p" style="color:red">text</p><img src="/missing.png"><img src="http://example.org/x.png">
			<script nonce="x">console.error("said", 7); setTimeout(() => { document.title = "late"; throw new Error("thrown") })</script>`))
	}))
	t.Cleanup(server.Close)
	p := b.OpenPage(t, server.URL+"/")
	p.RunActions(chromedp.WaitVisible("#p"), chromedp.Poll(`document.title === "late"`, nil))
	all := strings.Join(p.PageErrors(), "\n")
	for _, want := range []string{`console: "said" 7`, "Error: thrown", "Content Security Policy", "404", "ERR_NAME_NOT_RESOLVED"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not among the problems:\n%s", want, all)
		}
	}
	if got := p.RequestsToOtherOrigins(server.URL); len(got) != 1 || got[0] != "http://example.org/x.png" {
		t.Errorf("elsewhere: %v", got)
	}
	image := filepath.Join(t.TempDir(), "page.png")
	p.Screenshot(image)
	if png, err := os.ReadFile(image); err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("%d bytes, %v", len(png), err)
	}
}

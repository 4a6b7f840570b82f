package chromium

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// stepTimeout is how long a page gets for each step, on a machine that has much
// else to do.
const stepTimeout = time.Minute

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Page is one tab. It must be used by one goroutine at a time.
type Page struct {
	t     testing.TB
	ctx   context.Context
	close context.CancelFunc

	mu       sync.Mutex
	problems []string
	requests []string
}

// Start runs a browser until the test ends. These names, and 127.0.0.1, lead to this
// machine; all others lead nowhere.
func Start(t testing.TB, names ...string) *Browser {
	t.Helper()
	rules := "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
	for _, name := range slices.Backward(names) {
		rules = "MAP " + name + " 127.0.0.1, " + rules
	}
	path := findExecutable()
	if path == "" {
		if os.Getenv("SEMLAYER_REQUIRE_BROWSER") == "1" {
			t.Fatal("Chromium is not installed; `make browser-install` installs it")
		}
		t.Skip("Chromium is not installed; `make browser-install` installs it")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Headless,
		chromedp.NoSandbox, // which it has no use of as root
		chromedp.DisableGPU,
		chromedp.WindowSize(1280, 1000),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), // small in containers
		chromedp.Flag("host-resolver-rules", rules),
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("Chromium does not start: %v", err)
	}
	t.Cleanup(func() {
		// Waits for the process, which writes to its profile until it ends.
		if err := chromedp.Cancel(ctx); err != nil {
			t.Errorf("Chromium does not stop: %v", err)
		}
	})
	return &Browser{ctx}
}

func findExecutable() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// OpenPage opens a page in a new tab, which the end of the test closes.
func (b *Browser) OpenPage(t testing.TB, url string) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	p := &Page{t: t, ctx: ctx, close: cancel}
	chromedp.ListenTarget(ctx, p.recordEvent)
	// The tab lives as long as the context of the first Run.
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("no tab: %v", err)
	}
	// Keys reach a tab that another one covers.
	p.RunActions(network.Enable(), runtime.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true), chromedp.Navigate(url))
	return p
}

// Close closes the tab before the test ends, for tests that open many.
func (p *Page) Close() { p.close() }

func (p *Page) recordEvent(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, "exception: "+e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeAssert {
			p.problems = append(p.problems, "console: "+consoleText(e.Args))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.problems = append(p.problems, string(e.Entry.Source)+": "+e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

func consoleText(args []*runtime.RemoteObject) string {
	var out []string
	for _, a := range args {
		out = append(out, cmp.Or(string(a.Value), a.Description))
	}
	return strings.Join(out, " ")
}

// RunActions does what the actions say, and fails the test where that does not come to
// an end.
func (p *Page) RunActions(actions ...chromedp.Action) {
	p.t.Helper()
	for i, a := range actions {
		ctx, cancel := context.WithTimeout(p.ctx, stepTimeout)
		err := chromedp.Run(ctx, a)
		cancel()
		if err != nil {
			p.t.Fatalf("step %d: %v; problems of the page: %q", i+1, err, p.PageErrors())
		}
	}
}

// PageErrors are the errors so far.
func (p *Page) PageErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

// Requests are the addresses that the page has asked for, in order.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// RequestsToOtherOrigins are those of its requests that did not go to an origin, such as
// "http://127.0.0.1:8081". Content within the page (data:) goes nowhere.
func (p *Page) RequestsToOtherOrigins(origin string) []string {
	return slices.DeleteFunc(p.Requests(), func(url string) bool {
		return strings.HasPrefix(url, origin+"/") || strings.HasPrefix(url, "data:")
	})
}

// Screenshot writes the page as it looks to a PNG file, all of its height.
func (p *Page) Screenshot(file string) {
	p.t.Helper()
	const quality = 100 // of PNG, which has no other
	var image []byte
	p.RunActions(chromedp.FullScreenshot(&image, quality))
	if err := os.WriteFile(file, image, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

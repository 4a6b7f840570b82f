package chromium

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// stepTimeout is how long a page gets for each step, on a machine that has much
// else to do.
const stepTimeout = time.Minute

// The size of a page until a test gives it another.
const windowWidth, windowHeight = 1280, 1000

// Browser is a running Chromium, or a profile of it.
type Browser struct {
	ctx     context.Context
	profile cdp.BrowserContextID
	// owner is the test of a profile, and end closes the profile once.
	owner testing.TB
	end   func()
	// begun is whether the test of the profile has opened a page.
	begun bool
	// last is the page that was opened last, until its test ends.
	last *Page
}

// Page is one window. It must be used by one goroutine at a time.
type Page struct {
	t       testing.TB
	ctx     context.Context
	close   context.CancelFunc
	profile cdp.BrowserContextID

	mu       sync.Mutex
	problems []string
	requests []string
	// inFlight are the requests whose response has not ended.
	inFlight map[network.RequestID]bool
}

// StartBrowser runs a browser until the test ends. These names, and 127.0.0.1, lead to this
// machine; all others lead nowhere. A name may begin with "*.".
func StartBrowser(t testing.TB, names ...string) *Browser {
	t.Helper()
	Require(t)
	b, stop, err := LaunchBrowserInFolder(t.TempDir(), names...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// LaunchBrowserInFolder runs a browser with a profile in a folder, for several tests that each take a Profile
// of it. Stop waits until its process, which writes to the folder, has ended.
func LaunchBrowserInFolder(folder string, names ...string) (b *Browser, stop func() error, err error) {
	rules := "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
	for _, name := range slices.Backward(names) {
		rules = "MAP " + name + " 127.0.0.1, " + rules
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(findExecutable()),
		chromedp.UserDataDir(folder),
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Headless,
		chromedp.NoSandbox, // which it has no use of as root
		chromedp.DisableGPU,
		chromedp.WindowSize(windowWidth, windowHeight),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),               // small in containers
		chromedp.Flag("disable-features", "PreloadTopChromeWebUI"), // a process for each window
		// A window that another one covers draws and counts its time as one in sight.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("host-resolver-rules", rules),
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Run(ctx); err != nil {
		cancel()
		end()
		return nil, nil, fmt.Errorf("start Chromium: %w", err)
	}
	return &Browser{ctx: ctx}, func() error {
		defer end()
		defer cancel()
		if err := chromedp.Cancel(ctx); err != nil {
			return fmt.Errorf("stop Chromium: %w", err)
		}
		return nil
	}, nil
}

// NewProfile returns a separate browser for a test: pages of other tests do not find the data that its pages keep.
func (b *Browser) NewProfile(t testing.TB) *Browser {
	t.Helper()
	id, err := target.CreateBrowserContext().Do(b.contextWithBrowserExecutor())
	if err != nil {
		t.Fatalf("no profile: %v", err)
	}
	end := sync.OnceFunc(func() {
		if err := target.DisposeBrowserContext(id).Do(b.contextWithBrowserExecutor()); err != nil {
			t.Errorf("the profile does not end: %v", err)
		}
	})
	t.Cleanup(end)
	return &Browser{ctx: b.ctx, profile: id, owner: t, end: end}
}

// contextWithBrowserExecutor returns the context of what a browser does beside its pages.
func (b *Browser) contextWithBrowserExecutor() context.Context {
	return cdp.WithExecutor(b.ctx, chromedp.FromContext(b.ctx).Browser)
}

// IsInstalled reports whether a test could start a browser.
func IsInstalled() bool { return findExecutable() != "" }

// Require skips the test where no browser is installed, or fails it where one has to be.
func Require(t testing.TB) {
	t.Helper()
	if IsInstalled() {
		return
	}
	if os.Getenv("SEMLAYER_REQUIRE_BROWSER") == "1" {
		t.Fatal("Chromium is not installed; `make browser-install` installs it")
	}
	t.Skip("Chromium is not installed; `make browser-install` installs it")
}

func findExecutable() string {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// OpenPage opens a page in a new window, which the end of the test closes.
func (b *Browser) OpenPage(t testing.TB, url string) *Page {
	t.Helper()
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(b.profile).WithNewWindow(true).WithWidth(windowWidth).WithHeight(windowHeight).Do(b.contextWithBrowserExecutor())
	if err != nil {
		t.Fatalf("no window: %v", err)
	}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
	if b.owner == t && !b.begun {
		// With its last page the profile ends, before the servers that the pages have asked: a connection that Chromium
		// opened ahead and never used keeps a server from its end for ten seconds.
		b.begun = true
		t.Cleanup(b.end)
	}
	t.Cleanup(cancel)
	t.Cleanup(func() { b.last = nil })
	p := &Page{t: t, ctx: ctx, close: cancel, profile: b.profile, inFlight: make(map[network.RequestID]bool)}
	chromedp.ListenTarget(ctx, p.recordEvent)
	// The window lives as long as the context of the first Run.
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("no window: %v", err)
	}
	// Keys reach a window that another one covers.
	p.RunActions(network.Enable(), runtime.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true), chromedp.Navigate(url))
	b.last = p
	return p
}

// LastPage returns the page that was opened last, for a test that leads it on, or nil where its test has ended.
func (b *Browser) LastPage() *Page { return b.last }

// AssignToTest hands a page that a test has finished with to another test: it forgets its problems and requests.
func (p *Page) AssignToTest(t testing.TB) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.t, p.problems, p.requests = t, nil, nil
}

// Close closes the window before the test ends, for tests that open many.
func (p *Page) Close() { p.close() }

func (p *Page) recordEvent(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
		if e.Type == network.ResourceTypeDocument {
			clear(p.inFlight) // of the document before, whose last events a change of process can lose
		}
		p.inFlight[e.RequestID] = true
	case *runtime.EventExecutionContextsCleared:
		clear(p.inFlight)
	case *network.EventLoadingFinished:
		delete(p.inFlight, e.RequestID)
	case *network.EventLoadingFailed:
		delete(p.inFlight, e.RequestID)
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

// PageErrors returns the errors so far.
func (p *Page) PageErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

// Requests returns the addresses that the page has requested, in order.
func (p *Page) Requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// RequestsInFlight returns the number of requests whose response has not ended.
func (p *Page) RequestsInFlight() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.inFlight)
}

// RequestsToOtherOrigins returns the requests that did not go to an origin, such as
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

package chromium

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// Downloads are the files that the pages of a profile download into a folder, each under its own name.
type Downloads struct {
	t      testing.TB
	folder string

	mu sync.Mutex
	// names are the file names of the downloads by their id.
	names map[string]string
	// states are how far the download of each file name has come. Chromium makes an empty file of the name when a
	// download begins, so that a file that exists can lack its content.
	states map[string]browser.DownloadProgressState
}

// SaveDownloads puts what the pages of the profile download into a folder of the test.
func (p *Page) SaveDownloads() *Downloads {
	p.t.Helper()
	d := &Downloads{t: p.t, folder: p.t.TempDir(), names: make(map[string]string), states: make(map[string]browser.DownloadProgressState)}
	chromedp.ListenBrowser(p.ctx, d.recordEvent)
	err := browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithBrowserContextID(p.profile).
		WithDownloadPath(d.folder).WithEventsEnabled(true).
		Do(cdp.WithExecutor(p.ctx, chromedp.FromContext(p.ctx).Browser))
	if err != nil {
		p.t.Fatal(err)
	}
	return d
}

func (d *Downloads) recordEvent(event any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch e := event.(type) {
	case *browser.EventDownloadWillBegin:
		d.names[e.GUID] = e.SuggestedFilename
	case *browser.EventDownloadProgress:
		if name, ok := d.names[e.GUID]; ok {
			d.states[name] = e.State
		}
	}
}

// Folder returns the folder of the files.
func (d *Downloads) Folder() string { return d.folder }

// Read waits until the download of a file name has ended, and returns the content of the file. It fails the test
// where the download is canceled or does not end.
func (d *Downloads) Read(name string) []byte {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), stepTimeout)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for d.stateOf(name) != browser.DownloadProgressStateCompleted {
		if d.stateOf(name) == browser.DownloadProgressStateCanceled {
			d.t.Fatalf("the download of %s is canceled", name)
		}
		select {
		case <-ctx.Done():
			d.t.Fatalf("the download of %s does not end: %v", name, ctx.Err())
		case <-again.C:
		}
	}
	content, err := os.ReadFile(filepath.Join(d.folder, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return content
}

func (d *Downloads) stateOf(name string) browser.DownloadProgressState {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.states[name]
}

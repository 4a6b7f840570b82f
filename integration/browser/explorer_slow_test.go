package browser_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/restapi"
)

// holdingServer serves a model, and holds some requests back until it is released.
type holdingServer struct {
	origin  string
	release func()
	// given receives a value for each held request that its client has given up.
	given chan struct{}
}

// serveHolding serves a model. It holds each request back whose path and body these functions choose.
func serveHolding(t *testing.T, text string, holds func(path, body string) bool) *holdingServer {
	t.Helper()
	server, err := restapi.New(openModel(t, text), restapi.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	released := make(chan struct{})
	s := &holdingServer{release: sync.OnceFunc(func() { close(released) }), given: make(chan struct{}, 100)}
	handler := server.Handler("")
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if holds(r.URL.RequestURI(), string(body)) {
			select {
			case <-released:
			case <-r.Context().Done():
				s.given <- struct{}{}
				return
			}
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	t.Cleanup(s.release)
	s.origin = h.URL
	return s
}

// givenUp waits until a client has given up a held request.
func (s *holdingServer) givenUp() chromedp.Action {
	return chromedp.ActionFunc(until(func() bool {
		select {
		case <-s.given:
			return true
		default:
			return false
		}
	}))
}

// The page of a metric does not say that nothing uses it before the service has answered.
func TestModel_UsersOfAMetricAreUnknownBeforeTheResponse(t *testing.T) {
	b := browseInLongForm(t)
	model := business + "  - {name: double, expression: {dialects: [{dialect: ANSI_SQL, expression: 2 * revenue}]}}\n"
	s := serveHolding(t, model, func(path, _ string) bool { return path == "/v1/lineage" })
	p := b.OpenPage(t, s.origin+"/#/model?focus=metric:revenue")
	const users = `document.querySelector(".facts > div:last-child dd")?.innerText`
	p.RunActions(visible(".box.measure"), awaits(users, "…"))
	s.release()
	p.RunActions(awaits(users, "double"))
	clean(t, p, s.origin)
}

// The picker lists the time before the response that names what fits: nothing moves when it comes.
func TestPicker_ListsTheTimeBeforeTheResponse(t *testing.T) {
	b := browseInLongForm(t)
	s := serveHolding(t, business, func(path, _ string) bool { return path == "/v1/query/compatible" })
	p := b.OpenPage(t, s.origin+"/#/explore?metric=shelves")
	want := []string{"Time", "sale", "visit", "shelf"}
	p.RunActions(
		visible(".explore .figure"),
		awaits(groupsOfPicker("Break down by"), want),
		awaits(element(item("metric_time"))+`.ariaDisabled`, "false"),
	)
	s.release()
	p.RunActions(
		awaits(element(item("metric_time"))+`.ariaDisabled`, "true"), // shelves have no time
		awaits(groupsOfPicker("Break down by"), want),
	)
	clean(t, p, s.origin)
}

// The menu has the keys while its dimensions are on their way, and is in sight with all of them.
func TestMenu_KeepsTheKeysWhileItsDimensionsLoad(t *testing.T) {
	b := browseInLongForm(t)
	var answered sync.Once
	// The picker has the same request answered; that of the menu is the next one.
	model, _, _ := strings.Cut(largeModel(), "  - {name: broken")
	s := serveHolding(t, model, func(path, _ string) bool {
		hold := path == "/v1/query/compatible"
		if hold {
			answered.Do(func() { hold = false })
		}
		return hold
	})
	p := b.OpenPage(t, "about:blank")
	open := chromedp.Tasks{
		chromedp.Focus("tbody tr:nth-child(5) .cell"),
		chromedp.KeyEvent(kb.Enter),
		waitFor(`document.activeElement.innerText.startsWith("Keep only")`),
		chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.ArrowDown),
		waitFor(`document.activeElement.innerText.startsWith("Break down by")`),
		chromedp.KeyEvent(kb.Enter),
		awaits(`document.querySelectorAll("[role=menu] button").length`, 0),
	}
	p.RunActions(
		chromedp.EmulateViewport(1280, 600),
		chromedp.Navigate(s.origin+"/#/explore?metric=amount_005&by=sales_000.kind&tab=table"),
		waitFor(drawnTable),
		settled(p),
		open,
		chromedp.KeyEvent(kb.Escape),
		absent(`[role="menu"]`),
		open,
	)
	s.release()
	p.RunActions(
		waitFor(`document.querySelectorAll("[role=menu] button").length > 0`),
		awaits(`document.activeElement === document.querySelector("[role=menu] button")`, true),
		waitFor(`document.querySelector("[role=menu]").getBoundingClientRect().bottom <= innerHeight`),
	)
	clean(t, p, s.origin)
}

// A chart of many values asks twice: the button ends the second query too.
func TestCancel_TheButtonEndsTheQueryOfTheLargestValues(t *testing.T) {
	b := browseInLongForm(t)
	s := serveHolding(t, sales, func(path, body string) bool { return path == "/v1/query/execute" && strings.Contains(body, `"top"`) })
	p := b.OpenPage(t, s.origin+"/#/explore?metric=revenue&by=sale.item")
	p.RunActions(
		click(`//div[@role="status"]//button[.="Cancel"]`),
		s.givenUp(),
		visible(`//button[.="Run it again"]`),
	)
	s.release()
	p.RunActions(click(`//button[.="Run it again"]`), waitFor(drawnChart))
	clean(t, p, s.origin)
}

// A pivot asks for the totals of its lines and columns by a second query, which the button ends. The rows stay in sight.
func TestCancel_TheButtonEndsTheQueryOfTheTotals(t *testing.T) {
	b := browseInLongForm(t)
	s := serveHolding(t, business, func(path, body string) bool {
		return path == "/v1/query/execute" && strings.Contains(body, `"totals":[["`)
	})
	p := b.OpenPage(t, s.origin+"/#/explore?metric=revenue&by=metric_time:month&by=sale.region&kind=pivot&totals=1")
	const total = `//div[@class="pivot"]//th[.="Total"]`
	p.RunActions(
		click(`//div[@role="status"]//button[.="Cancel"]`),
		s.givenUp(),
		visible(`//button[.="Run it again"]`),
		visible(".pivot tbody th"),
		absent(total),
	)
	s.release()
	p.RunActions(click(`//button[.="Run it again"]`), visible(total))
	clean(t, p, s.origin)
}

// What the page Why asks for the end of the data is not asked for any more when a person leaves it.
func TestCancel_LeavingWhyEndsItsQuery(t *testing.T) {
	b := browseInLongForm(t)
	s := serveHolding(t, business, func(path, _ string) bool { return path == "/v1/query/execute" })
	p := b.OpenPage(t, s.origin+"/#/attribution?metric=revenue")
	p.RunActions(
		chromedp.ActionFunc(until(func() bool { return countRequests(p, "/v1/query/execute") == 1 })),
		click(`//nav/button[.="Model"]`),
		s.givenUp(),
	)
	clean(t, p, s.origin)
}

// A first page that the browser kept while a person was elsewhere asks again for the cards that it has given up.
func TestHome_APageThatTheBrowserKeptHasItsCards(t *testing.T) {
	b := browseInLongForm(t)
	s := serveHolding(t, business, func(path, _ string) bool { return path == "/v1/query/execute" })
	p := b.OpenPage(t, s.origin+"/")
	p.RunActions(
		visible(".metriccard"),
		chromedp.ActionFunc(until(func() bool { return countRequests(p, "/v1/query/execute") >= 3 })),
		chromedp.Evaluate(`dispatchEvent(new PageTransitionEvent("pagehide", {persisted: true}))`, nil),
		s.givenUp(),
	)
	s.release()
	p.RunActions(
		chromedp.Evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}))`, nil),
		waitFor(cardsDrawn),
		awaits(textOf(`.metriccard[data-metric="revenue"] .figure`), "€60.00"),
	)
	clean(t, p, s.origin)
}

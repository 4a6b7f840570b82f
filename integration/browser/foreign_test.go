package browser_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

const executeRoute = "route=/v1/query/execute"

// served serves the six orders without a token and returns host and port, and the log.
func served(t *testing.T, c restapi.Config) (address string, log *testwait.Log) {
	t.Helper()
	log = new(testwait.Log)
	c.Logger = slog.New(slog.NewTextHandler(log, nil))
	return strings.TrimPrefix(serve(t, c), "http://"), log
}

// site serves a page under a separate host name and returns the page's address.
func site(t *testing.T, name, page string) string {
	t.Helper()
	return siteOf(t, name, func() string { return page })
}

// siteOf is site for a page that is known later than its address.
func siteOf(t *testing.T, name string, page func() string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page()))
	}))
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + name + ":" + port + "/"
}

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

const executeScript = `fetch(%q + "/v1/query/execute", {method: "POST", mode: %q, body: '{"metrics":["revenue"]}'})
	.then(r => r.text()).catch(e => String(e))`

// A page whose own name leads to the loopback address has the origin of the server.
func TestForeignPage_UnderAReboundNameReadsNoRows(t *testing.T) {
	const name = "rebound.example"
	b := browse(t)
	address, _ := served(t, restapi.Config{})
	_, port, _ := net.SplitHostPort(address)
	p := b.OpenPage(t, "http://"+name+":"+port+"/health")
	var rows, list string
	p.RunActions(
		chromedp.Evaluate(fmt.Sprintf(executeScript, "", "cors"), &rows, awaited),
		chromedp.Evaluate(`fetch("/v1/metrics").then(r => r.text())`, &list, awaited),
	)
	for _, got := range []string{rows, list} {
		if !strings.HasPrefix(got, `{"error":{"code":"forbidden"`) || strings.Contains(got, "revenue") {
			t.Errorf("the page reads %s", got)
		}
	}
}

func TestForeignPage_CannotExecute(t *testing.T) {
	b := browse(t)
	address, log := served(t, restapi.Config{})
	for name, page := range map[string]string{
		"a form": `<form method="post" enctype="text/plain" action="http://` + address + `/v1/query/execute">
			<input name='{"metrics":["revenue"],"params":{"x' value='":1}}'></form><script>document.forms[0].submit()</script>`,
		"a form of a page without referrer": `<meta name="referrer" content="no-referrer"><form method="post" enctype="text/plain" action="http://` + address + `/v1/query/execute">
			<input name='{"metrics":["revenue"],"params":{"x' value='":1}}'></form><script>document.forms[0].submit()</script>`,
		"a script": `<script>` + fmt.Sprintf(executeScript, "http://"+address, "no-cors") + `</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			const refused = executeRoute + " status=403 code=forbidden"
			reached := func() int { return strings.Count(log.String(), executeRoute) - strings.Count(log.String(), refused) }
			before, refusals := reached(), strings.Count(log.String(), refused)
			b.OpenPage(t, site(t, "other.example", page)).RunActions(chromedp.ActionFunc(until(func() bool {
				return strings.Count(log.String(), refused) > refusals || reached() > before
			})))
			if reached() > before {
				t.Errorf("the request reached the route:\n%s", log)
			}
		})
	}
}

func TestForeignPage_OfAnAllowedOriginReads(t *testing.T) {
	b := browse(t)
	page := site(t, "app.example", "<p>the application</p>")
	address, _ := served(t, restapi.Config{Origins: []string{strings.TrimSuffix(page, "/")}})
	var rows string
	b.OpenPage(t, page).RunActions(chromedp.Evaluate(fmt.Sprintf(executeScript, "http://"+address, "cors"), &rows, awaited))
	if !strings.Contains(rows, `"rows":[{"revenue":`) {
		t.Errorf("the page reads %s", rows)
	}
}

// A link opens the explorer, and its query waits for the person.
func TestForeignPage_LinkToTheExplorerWaitsForThePerson(t *testing.T) {
	b := browse(t)
	address, log := served(t, restapi.Config{})
	link := "http://" + address + `/#/explore?metric=revenue&tab=table`
	for name, page := range map[string]string{
		"with a referrer":    `<a href="` + link + `">look</a>`,
		"without a referrer": `<a rel="noreferrer" href="` + link + `">look</a>`,
	} {
		t.Run(name, func(t *testing.T) {
			before := strings.Count(log.String(), executeRoute)
			p := b.OpenPage(t, site(t, "other.example", page))
			p.RunActions(click("a"), visible(".held button"), settled(p))
			picture(p, "held")
			if got := strings.Count(log.String(), executeRoute); got != before {
				t.Errorf("the query was sent:\n%s", log)
			}
			p.RunActions(click(".held button"), chromedp.ActionFunc(until(func() bool { return strings.Count(log.String(), executeRoute) > before })))
		})
	}
	p := b.OpenPage(t, link)
	p.RunActions(visible("table"))
}

// until waits for a condition as long as the page may take for a step.
func until(condition func() bool) func(context.Context) error {
	return func(ctx context.Context) error {
		return repeat(ctx, func() error {
			if !condition() {
				return errors.New("the condition does not hold")
			}
			return nil
		})
	}
}

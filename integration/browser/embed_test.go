package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/restapi"
)

// framed is a page with the explorer in a frame, which counts what the frame announces.
const framed = `<script>
	var ready = 0, loaded = false;
	addEventListener("message", (e) => { if (e.data?.type === "semlayer:ready") { ready++; window.explorer = e.source; window.at = e.origin } });
</script><iframe width="1200" height="700" onload="loaded = true" src="%s/?bare=1#/explore?metric=revenue&tab=table"></iframe>`

// The page around the explorer hands it a token. A page of another origin cannot show it.
func TestEmbedding_PageAroundHandsOverTheToken(t *testing.T) {
	b := browse(t)
	var address string
	around := siteOf(t, "portal.example", func() string { return fmt.Sprintf(framed, "http://"+address) })
	served, log := served(t, restapi.Config{Tokens: []string{"secret"}, EmbedOrigins: []string{strings.TrimSuffix(around, "/")}})
	address = served
	const executed = executeRoute + " status=200"
	p := b.OpenPage(t, around)
	p.RunActions(waitFor("ready > 0"))
	if strings.Contains(log.String(), executed) {
		t.Error("the explorer has rows without a token")
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(log)
		}
	})
	p.RunActions(chromedp.Evaluate(`explorer.postMessage({type: "semlayer:token", token: "secret"}, at)`, nil), settled(p))
	picture(p, "embedded")
	p.RunActions(
		chromedp.ActionFunc(until(func() bool { return strings.Contains(log.String(), executed) })))

	other := b.OpenPage(t, strings.Replace(around, "portal.example", "other.example", 1))
	var announced int
	other.RunActions(waitFor("loaded"), settled(other), chromedp.Evaluate("ready", &announced))
	if announced > 0 {
		t.Error("a page of another origin shows the explorer")
	}
}

func TestEmbedding_BarePageHasNoHeader(t *testing.T) {
	b := browse(t)
	address, _ := served(t, restapi.Config{})
	p := b.OpenPage(t, "http://"+address+"/?bare=1#/explore?metric=revenue&tab=table")
	p.RunActions(visible("table"), absent("header.top"))
	picture(p, "bare")
}

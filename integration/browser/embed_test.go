package browser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
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

// A page without a header has a field for a token, or names the page around it, which has to hand a token over.
func TestEmbedding_BarePageTakesAToken(t *testing.T) {
	b := browse(t)
	var address string
	around := siteOf(t, "portal.example", func() string { return fmt.Sprintf(framed, "http://"+address) })
	address, _ = served(t, restapi.Config{Tokens: []string{"secret"}, EmbedOrigins: []string{strings.TrimSuffix(around, "/")}})
	p := b.OpenPage(t, "http://"+address+"/?bare=1#/explore?metric=revenue&tab=table")
	p.RunActions(enter("wrong"), reads("main", "does not accept this token"), enter("secret"), shows("revenue\n450"))

	p = b.OpenPage(t, around)
	inFrame := func(text string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			return repeat(ctx, func() error {
				document, err := dom.GetDocument().WithDepth(-1).WithPierce(true).Do(ctx)
				if err != nil {
					return err
				}
				got := textsIn(document)
				if !strings.Contains(got, text) {
					return fmt.Errorf("the frame does not contain %q: %q", text, got)
				}
				return nil
			})
		})
	}
	p.RunActions(waitFor("ready > 0"), inFrame("waits for an access token from the page around it"))
	p.RunActions(chromedp.Evaluate(`explorer.postMessage({type: "semlayer:token", token: "wrong"}, at)`, nil), inFrame("does not accept the access token of the page around"))
}

// textsIn joins the texts of a node, of what it holds, and of the document of a frame.
func textsIn(n *cdp.Node) string {
	var b strings.Builder
	b.WriteString(n.NodeValue)
	children := n.Children
	if n.ContentDocument != nil {
		children = append(children[:len(children):len(children)], n.ContentDocument)
	}
	for _, child := range children {
		b.WriteString(textsIn(child))
	}
	return b.String()
}

package browser_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
)

// A test waits for each value that it checks: between an action and its effect, a page has states that
// do not last. An action here ends when the page is as it should be, and fails with the
// last state of the page when its patience has come to an end.

// lookAgain is the time from one look at a page to the next.
const lookAgain = 25 * time.Millisecond

// awaits waits until an expression of the page has a value.
func awaits[T any](expression string, want T) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return repeat(ctx, func() error {
			got, err := evaluate[T](ctx, expression)
			if err != nil {
				return err
			}
			if d := cmp.Diff(want, got); d != "" {
				return fmt.Errorf("%s (-want +got):\n%s", expression, d)
			}
			return nil
		})
	})
}

// waitFor waits until a condition of the page holds.
func waitFor(condition string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return repeat(ctx, func() error {
			holds, err := evaluate[bool](ctx, "Boolean("+condition+")")
			if err == nil && !holds {
				err = fmt.Errorf("this does not come to hold: %s", condition)
			}
			return err
		})
	})
}

// visible waits until an element can be seen.
func visible(selector string) chromedp.Action {
	return waitFor(element(selector) + "?.checkVisibility()")
}

// absent waits until an element is not there.
func absent(selector string) chromedp.Action { return waitFor("!" + element(selector)) }

// reads waits until the text of an element contains all of these.
func reads(selector string, parts ...string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return repeat(ctx, func() error {
			text, err := evaluate[string](ctx, textOf(selector))
			for _, part := range parts {
				if err == nil && !strings.Contains(text, part) {
					err = fmt.Errorf("%s does not contain %q: %q", selector, part, text)
				}
			}
			return err
		})
	})
}

// atHash waits until the part of the address after '#' contains these.
func atHash(parts ...string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return repeat(ctx, func() error {
			at, err := evaluate[string](ctx, `decodeURIComponent(location.hash)`)
			for _, part := range parts {
				if err == nil && !strings.Contains(at, part) {
					err = fmt.Errorf("the address does not contain %q: %s", part, at)
				}
			}
			return err
		})
	})
}

// settled waits until no request of a page has been in flight for longer than the page waits before it sends one. A test
// that expects an absence, or a number of requests, waits for this first: before the last response it would hold in any case.
func settled(p *chromium.Page) chromedp.Action {
	const quiet = 400 * time.Millisecond
	return chromedp.ActionFunc(func(ctx context.Context) error {
		last := time.Now()
		return repeat(ctx, func() error {
			if n := p.RequestsInFlight(); n > 0 {
				last = time.Now()
				return fmt.Errorf("%d requests are in flight", n)
			}
			if time.Since(last) < quiet {
				return errors.New("the page is not quiet")
			}
			return nil
		})
	})
}

// openChart opens a query in the light theme, in the page that the test has of this server: to load a page takes far longer than
// to lead it to another query. A page of an earlier call shows the new query then.
func openChart(t *testing.T, b *chromium.Browser, origin, query string) *chromium.Page {
	t.Helper()
	hash := "#/explore?" + query
	if p := b.LastPage(); p != nil {
		p.AssignToTest(t)
		var at string
		p.RunActions(chromedp.Evaluate("location.origin", &at))
		if at == origin {
			// Another part of the page leaves nothing of the query before.
			p.RunActions(turn("#/model?focus=findings"), turn(hash))
			return p
		}
	}
	return b.OpenPage(t, origin+"/"+hash)
}

// goBack returns the action of going back in the history of the page. It waits for no load, because the page stays the same.
func goBack() chromedp.Action { return chromedp.Evaluate(`history.back()`, nil) }

// element returns an expression for the first element that a selector of CSS, or an XPath, finds.
func element(selector string) string {
	if strings.HasPrefix(selector, "/") {
		return fmt.Sprintf(`document.evaluate(%q, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue`, selector)
	}
	return fmt.Sprintf(`document.querySelector(%q)`, selector)
}

// textOf returns an expression for the text of an element as it is shown.
func textOf(selector string) string { return element(selector) + `?.innerText.trim() ?? "(absent)"` }

// textsOf returns an expression for the texts of all elements that a selector of CSS finds.
func textsOf(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.innerText)`, selector)
}

// repeat calls a look at the page until it has no complaint, and returns the last one when the
// time is up.
func repeat(ctx context.Context, look func() error) error {
	var last error
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		err := look()
		if err == nil {
			return nil
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), last)
		case <-again.C:
		}
	}
}

// evaluate reads an expression; a page that is just being left has none.
func evaluate[T any](ctx context.Context, expression string) (T, error) {
	var value T
	var raw *runtime.RemoteObject
	err := chromedp.Evaluate(expression, &raw, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true).WithReturnByValue(true)
	}).Do(ctx)
	if err != nil {
		return value, err
	}
	if len(raw.Value) == 0 {
		return value, fmt.Errorf("%s is undefined", expression)
	}
	return value, json.Unmarshal(raw.Value, &value)
}

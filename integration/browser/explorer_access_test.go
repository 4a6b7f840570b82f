package browser_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi"
	"github.com/semlayer/semlayer/restapi/identity"
)

const (
	// readerPolicies are the roles of the readers.
	readerPolicies = `version: 1
roles:
  north:
    datasets:
      sale: {rows: "region = 'north'", fields: all, mask: {region: "'***'"}}
    metrics: all
  bare:
    datasets:
      shelf: {rows: all, fields: all}
`
	tokenOfAnn = `{"name": "ann", "token": "token-of-ann", "roles": ["north"]}`
	tokenOfBen = `{"name": "ben", "token": "token-of-ben", "roles": ["bare"]}`
	tokenOfCem = `{"name": "cem", "token": "token-of-cem", "roles": ["north"]}`
)

// serveReaders serves the model business to readers with tokens. Its second value gives these tokens in place of the former.
func serveReaders(t *testing.T, tokens ...string) (origin string, replace func(tokens ...string)) {
	t.Helper()
	file, findings := access.Parse("policies.yaml", []byte(readerPolicies))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	directory := identity.New(identity.Config{Logger: slog.New(slog.DiscardHandler)})
	replace = func(tokens ...string) {
		parsed, _, err := access.ParseTokens(strings.Join(tokens, "\n"))
		if err == nil {
			err = directory.Replace(parsed, file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	replace(tokens...)
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "business.yaml", ModelText: []byte(business), Policies: file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return serving.Serve(t, e, restapi.Config{Identities: directory}), replace
}

// enter types a token.
func enter(token string) chromedp.Action {
	return chromedp.Tasks{visible(`input[name="token"]`), chromedp.SendKeys(`input[name="token"]`, token+kb.Enter)}
}

// A token that is revoked while its page is open is asked for again where the page is; a role that is taken away is named. No
// page takes either for a service that only compiles, and what the former token could see is gone.
func TestAccess_ARevokedTokenIsAskedForAgain(t *testing.T) {
	b := browse(t)
	origin, replace := serveReaders(t, tokenOfAnn, tokenOfBen)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region&tab=table")
	p.RunActions(enter("token-of-ann"), shows("region revenue\n*** 130"), absent(`input[name="token"]`))
	replace(tokenOfBen, `{"name": "ann", "token": "new-token-of-ann", "roles": ["north"]}`)
	p.RunActions(
		turn("#/explore?metric=sales&by=sale.region&tab=table"),
		reads(`[role="alert"]`, "unauthorized"),
		absent(".answer .note"),
		enter("new-token-of-ann"),
		shows("region sales\n*** 3"),
		absent(`[role="alert"]`),
	)
	replace(tokenOfBen, `{"name": "ann", "token": "new-token-of-ann", "roles": ["left"]}`)
	p.RunActions(turn("#/explore?metric=revenue&tab=table"), reads(`[role="alert"]`, "left", "forbidden"), absent(".answer .note"))
	pictures(p, "access-no-role")
	p.RunActions(click(`//nav/button[.="Home"]`), reads(`.home [role="alert"]`, "left", "forbidden"), absent(".home .note"))
	clean(t, p, origin)
}

// A reader without SQL has no tab of it, also where a query fails, no sources of datasets, and the values of a mask. A model
// whose metrics are all hidden leads to its datasets.
func TestAccess_AReaderSeesNoPartThatIsNotGranted(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveReaders(t, tokenOfAnn, tokenOfBen)
	granted := awaits(textsOf("[role=tab]"), []string{"Chart", "Table", "Request"})

	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region")
	p.RunActions(enter("token-of-ann"), granted, click(tableTab), shows("region revenue\n*** 130"))
	pictures(p, "access-masked")
	p.RunActions(
		turn("#/explore?metric=visits"), // a metric of a dataset that is not granted
		reads(`[role="alert"]`, "unknown_metric"),
		granted,
		turn("#/model?focus=dataset:sale"),
		visible(".modelpage tbody tr"),
		awaits(`document.querySelector(".modelpage").innerText.includes("Source")`, false),
	)
	clean(t, p, origin)

	p = b.OpenPage(t, origin+"/")
	p.RunActions(enter("token-of-ben"), reads(".home .empty", "This model has no metric."), absent(".home select"))
	pictures(p, "access-no-metric")
	p.RunActions(click(".home .empty button"), awaits(`[...document.querySelectorAll(".box .title")].map(b => b.textContent)`, []string{"shelf"}))
	clean(t, p, origin)
}

// A person keeps views in a browser that others use, and opens them again. The others see neither the names nor what the views ask.
func TestKeep_AnotherPersonSeesNoViewOfTheFirst(t *testing.T) {
	b := browse(t)
	origin, _ := serveReaders(t, tokenOfAnn, tokenOfCem)
	kept := `[...document.querySelectorAll(".homefilters a")].map(a => a.textContent)`
	open := func(token string) *chromium.Page {
		p := b.OpenPage(t, origin+"/")
		p.RunActions(enter(token), visible(".metriccards"))
		return p
	}

	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.region")
	p.RunActions(
		enter("token-of-ann"),
		waitFor(drawnChart),
		click(`//button[.="Save view"]`),
		click(`//form//button[.="Save"]`),
		visible(`//button[.="Saved in this browser"]`),
	)
	clean(t, p, origin)

	p = open("token-of-cem") // who may see what ann sees
	p.RunActions(awaits(kept, []string{}))
	clean(t, p, origin)

	p = open("token-of-ann")
	p.RunActions(
		awaits(kept, []string{"Money in by Region"}),
		click(`//button[starts-with(., "Token")]`),
		enter("token-of-cem"), // on the same page
		awaits(kept, []string{}),
		visible(".metriccards"),
		awaits(kept, []string{}),
	)
	clean(t, p, origin)
}

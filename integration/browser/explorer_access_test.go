package browser_test

import (
	"log/slog"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi"
	"github.com/semlayer/semlayer/restapi/identity"
)

// A reader without SQL has no tab of it, also where a query fails, no sources of datasets, and the values of a mask. A model
// whose metrics are all hidden leads to its datasets.
func TestAccess_AReaderSeesNoPartThatIsNotGranted(t *testing.T) {
	b := browseInLongForm(t)
	file, findings := access.Parse("policies.yaml", []byte(`version: 1
roles:
  north:
    datasets:
      sale: {rows: "region = 'north'", fields: all, mask: {region: "'***'"}}
    metrics: all
  bare:
    datasets:
      shelf: {rows: all, fields: all}
`))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	tokens, _, err := access.ParseTokens(`{"name": "ann", "token": "token-of-ann", "roles": ["north"]}
{"name": "ben", "token": "token-of-ben", "roles": ["bare"]}`)
	if err != nil {
		t.Fatal(err)
	}
	directory := identity.New(identity.Config{Logger: slog.New(slog.DiscardHandler)})
	if err := directory.Replace(tokens, file); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "business.yaml", ModelText: []byte(business), Policies: file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	origin := serving.Serve(t, e, restapi.Config{Identities: directory})
	enter := func(token string) chromedp.Action {
		return chromedp.Tasks{visible(`input[name="token"]`), chromedp.SendKeys(`input[name="token"]`, token+kb.Enter)}
	}
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

package browser_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/semlayer/semlayer/integration/internal/chromium"
	"github.com/semlayer/semlayer/restapi"
)

// axeSource returns the text of axe-core, a development dependency of the page.
func axeSource(t *testing.T) string {
	t.Helper()
	folder := filepath.Join("..", "..", "restapi", "internal", "explorer", "ui")
	file := filepath.Join(folder, "node_modules", "axe-core", "axe.min.js")
	if _, err := os.Stat(file); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--no-fund", "--no-audit", "--ignore-scripts")
		install.Dir = folder
		if out, err := install.CombinedOutput(); err != nil {
			if os.Getenv("SEMLAYER_REQUIRE_BROWSER") == "1" {
				t.Fatalf("npm ci in %s: %v\n%s", folder, err, out)
			}
			t.Skipf("axe-core is not installed: npm ci in %s: %v", folder, err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// underPointer draws every element as it is under the pointer: the rules of the style sheet for that hold for a class, too, and
// each element has it. Its value is the number of elements that one of these rules is about: they, and what they hold, are all
// that looks different, and window.underPointer has them.
const underPointer = `(() => {
	const rules = window.hoverRules ??= []
	for (const sheet of rules.length > 0 ? [] : document.styleSheets) for (let i = sheet.cssRules.length; i-- > 0;) {
		const rule = sheet.cssRules[i]
		if (!rule.selectorText?.includes(":hover")) continue
		rules.push(rule.selectorText.replaceAll(":hover", ".under-pointer"))
		sheet.insertRule(rule.cssText.replaceAll(":hover", ".under-pointer"), i + 1)
	}
	for (const e of document.querySelectorAll("body *")) e.classList.add("under-pointer")
	window.underPointer = [...document.querySelectorAll(rules.join(", "))].filter(e => e.checkVisibility())
	return window.underPointer.length
})()`

const withoutPointer = `for (const e of document.querySelectorAll(".under-pointer")) e.classList.remove("under-pointer")`

// allRules and contrastAlone are the options of axe.
const (
	allRules      = `{resultTypes: ["violations"]}`
	contrastAlone = `{resultTypes: ["violations"], runOnly: ["color-contrast"]}`
)

// wholePage and changedParts are the parts of a page that axe judges.
const (
	wholePage    = `document`
	changedParts = `{include: window.underPointer}`
)

// violations lists what axe, which the page holds, finds in a part of it: each as its rule and the first place.
func violations(p *chromium.Page, part, options string) []string {
	var found string
	p.RunActions(
		chromedp.Evaluate(`axe.run(`+part+`, `+options+`).then(r => JSON.stringify(r.violations.map(v => v.id + ": " + v.nodes.length + " × " + v.nodes[0].html.slice(0, 160) + " " + (v.nodes[0].any[0]?.message ?? v.nodes[0].all[0]?.message ?? v.nodes[0].none[0]?.message ?? ""))))`, &found,
			func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }),
	)
	var out []string
	if err := json.Unmarshal([]byte(found), &out); err != nil {
		out = []string{err.Error()}
	}
	return out
}

// hostile has names, descriptions and values that are markup, formulas and very long, and every kind of absent value.
var hostile = strings.NewReplacer("MARKUP", `<img src=x onerror=window.broken=1>`, "LONG", strings.Repeat("very long ", 40)).Replace(`version: 0.2.0.dev0
name: hostile
description: "<script>window.broken=1</script> MARKUP"
datasets:
  - name: "odd name"
    source: SELECT * FROM (VALUES (DATE '2024-01-10', 'MARKUP', 5), (DATE '2024-02-10', '', -7), (DATE '2024-03-10', NULL, 3), (DATE '2024-03-11', 'LONG', NULL), (DATE '2024-03-12', '=1+1', 1e15), (DATE '2024-03-13', E'a\tb', 0.000001)) AS t(day, kind, amount)
    description: "<b onclick=alert(1)>MARKUP"
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]
    fields:
      - {name: day, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: kind, datatype: String, dimension: {}, description: "MARKUP", expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: amount, datatype: Float, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - name: amount_sum
    description: "MARKUP LONG"
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM("odd name".amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "label": "MARKUP", "unit": "<i>u</i>", "headline": true}'}]
`)

// state is a page as a person finds it, and the steps that lead to it.
type state struct {
	name, address string
	ready         string // the condition under which it is drawn
	steps         []chromedp.Action
}

const (
	drawnChart = `document.querySelector(".plot canvas") && !document.querySelector(".stale")`
	// The drawing, or the table, stays as wide as its place is.
	stands     = `(() => { const c = document.querySelector(".plot canvas"); return c && !document.querySelector(".stale") && Math.abs(c.getBoundingClientRect().width - c.parentElement.getBoundingClientRect().width) < 2 })()`
	drawnTable = `document.querySelector("tbody tr") && !document.querySelector(".stale")`
)

// statesOf returns the states of a page over the model business, or one like it.
func statesOf(metric, dimension, dataset string) []state {
	explore := "#/explore?metric=" + metric
	return []state{
		{"home", "#/home", cardsDrawn, nil},
		{"home-board", "#/home?metric=" + metric, cardsDrawn + " && " + boardsDrawn, nil},
		{"home-filtered", "#/home?metric=" + metric + "&filter=" + dimension + "~%3D~a", cardsDrawn, nil},
		{"explore-empty", "#/explore", `document.querySelector(".welcome")`, nil},
		{"explore-number", explore, `document.querySelector(".explore .figure")`, nil},
		{"explore-line", explore + "&by=metric_time:month", drawnChart, nil},
		{"explore-compare", explore + "&by=metric_time:month&start=2024-02-01&end=2024-06-01&compare=year&tab=table", drawnTable, nil},
		{"explore-parts", explore + "&by=metric_time:part:month_of_year&by=metric_time:part:day_of_week&filter=metric_time__month_of_year~%3E~1", drawnChart, nil},
		{"explore-bars", explore + "&by=" + dimension, drawnChart, nil},
		{"explore-stacked", explore + "&by=metric_time:month&by=" + dimension + "&kind=stacked", drawnChart, nil},
		{"explore-pivot", explore + "&by=metric_time:month&by=" + dimension + "&kind=pivot&totals=1&shares=1", `document.querySelector("tfoot") && ` + drawnTable, nil},
		{"explore-table", explore + "&by=" + dimension + "&tab=table&totals=1&shares=1", drawnTable, nil},
		{"explore-no-rows", explore + "&by=" + dimension + "&start=1990-01-01&end=1990-02-01", `document.querySelector(".empty")`, nil},
		{"explore-refused", explore + "&by=nowhere.nothing", `document.querySelector("[role=alert]")`, nil},
		{"explore-sql", explore + "&tab=sql", `document.querySelector("pre.code")`, nil},
		{"explore-plan", explore + "&tab=plan", `document.querySelector("pre.code")`, nil},
		{"explore-request", explore + "&tab=request", `document.querySelector("pre.code")`, nil},
		{"explore-filter", explore + "&filter=" + dimension + "~%3D~", `document.querySelector(".pop")`, []chromedp.Action{opens("Filter"), visible(".filter input"), waitFor(`document.querySelectorAll(".values li").length > 0`)}},
		{"explore-condition", explore, `document.querySelector(".explore .figure")`, []chromedp.Action{
			opens("More"), click(`//summary[.="SQL condition"]`), chromedp.SendKeys(".condition textarea", "x = 1 AND ("), visible(".fault mark"),
		}},
		{"explore-menu", explore + "&by=" + dimension + "&tab=table", drawnTable, []chromedp.Action{click("tbody .cell"), visible("[role=menu]")}},
		{"search", "#/explore", `document.querySelector(".welcome")`, []chromedp.Action{chromedp.SendKeys(".searchbox input", metric), waitFor(`document.querySelectorAll("#hits li").length > 0`)}},
		{"records", "#/records?metric=" + metric + "&from=" + dataset, drawnTable, nil},
		{"records-columns", "#/records?metric=" + metric + "&from=" + dataset, drawnTable, []chromedp.Action{opens("Columns"), visible(".popover input")}},
		{"sql-fault", "#/sql?statement=SELECT+nowhere", `document.querySelector(".fault, [role=alert]")`, nil},
		{"why-empty", "#/attribution", `document.querySelector(".attribution")`, nil},
		{"why-windows", "#/attribution?metric=" + metric, `document.querySelector(".segments canvas")`, []chromedp.Action{opens("Compare"), visible(".popover input")}},
		{"explore-time", explore + "&by=metric_time:month", drawnChart, []chromedp.Action{opens("Time"), visible(".popover input")}},
		{"explore-more", explore + "&by=metric_time:month", drawnChart, []chromedp.Action{opens("More"), visible(".popover select")}},
		{"explore-calculation", explore, `document.querySelector(".explore .figure")`, []chromedp.Action{opens("Metrics"), click(`//button[.="+ calculation"]`), visible(".calculation input")}},
		{"why", "#/attribution?metric=" + metric, `document.querySelector(".segments canvas")`, nil},
		{"model", "#/model", `document.querySelector(".diagram .box")`, nil},
		{"model-dataset", "#/model?focus=dataset:" + dataset, `document.querySelector(".modelpage tbody tr")`, nil},
		{"model-metric", "#/model?focus=metric:" + metric, `document.querySelector(".box.measure")`, nil},
		{"model-findings", "#/model?focus=findings", `document.querySelector(".findings")`, nil},
	}
}

// zoomedStates are the states of the model business that the short form judges at 200 % too: one of each kind of page and
// of result.
var zoomedStates = []string{"home", "explore-line", "explore-table", "explore-pivot", "explore-request", "why", "model", "model-metric"}

// zoomedIn is a window of 1400 by 900 pixels at 200 %: half as wide and as high, with two pixels for each.
var zoomedIn = emulation.SetDeviceMetricsOverride(700, 450, 2, false)

// Every state is free of what axe finds, in the light and in the dark, wide and narrow; a narrow
// page scrolls in one direction only, and a text of the model or of its data stays text. The short
// form judges each state in one of two models and in one look: wide and light, or narrow and dark; and some at 200 %. The
// states of a server are walked in one page; several pages do so side by side.
func TestStates_AreAccessibleInTheLightTheDarkAndNarrow(t *testing.T) {
	axe, b := axeSource(t), browse(t)
	walk := func(model string, serve func(t *testing.T) string, states ...state) {
		t.Run(model, func(t *testing.T) {
			t.Parallel()
			// A page without typed text need not be loaded again.
			slices.SortStableFunc(states, func(a, b state) int { return min(len(a.steps), 1) - min(len(b.steps), 1) })
			w := &walker{page: b.OpenPage(t, "about:blank"), axe: axe, origin: serve(t), model: model}
			for _, s := range states {
				t.Run(s.name, func(t *testing.T) { w.inspect(t, s) })
			}
		})
	}
	of := func(text string) func(t *testing.T) string {
		return func(t *testing.T) string {
			t.Helper()
			origin, _ := serveModel(t, text)
			return origin
		}
	}
	question := state{"question", "#/home", cardsDrawn, []chromedp.Action{chromedp.SendKeys(".searchbox input", "revenue by region last 2 months"), reads("#hit-0", "Region")}}
	businessStates := append(statesOf("revenue", "sale.region", "sale"), question)
	hostileStates := statesOf("amount_sum", "%22odd%20name%22.kind", "odd%20name")
	if !isLongForm() {
		businessStates = keepStates(businessStates, func(i int, s state) bool { return i%2 == 0 || slices.Contains(zoomedStates, s.name) })
		hostileStates = keepStates(hostileStates, func(i int, _ state) bool { return i%2 > 0 })
	}
	walk("business", of(business), businessStates...)
	walk("hostile", of(hostile), hostileStates...)
	walk("saved", serveSavedSales,
		state{"list", "#/saved", `document.querySelector(".cardlist")`, nil},
		state{"open", "#/saved?saved=top_regions", drawnChart, nil},
	)
	walk("sales", of(sales),
		state{"running", "#/explore?metric=endless", `document.querySelector("[role=status] button")`, nil},
		state{"thousand-rows", "#/explore?metric=revenue&metric=profit&by=sale.item&tab=table", drawnTable, nil},
		state{"plots", "#/explore?metric=profit&metric=margin&by=sale.region", drawnChart, nil},
		state{"sql", "#/sql?statement=SELECT+region,+MEASURE(revenue)+AS+revenue+FROM+sales+GROUP+BY+1", drawnChart, nil},
	)
	walk("failing", of(faultyBusiness),
		state{"query", "#/explore?metric=faulty", `document.querySelector("[role=alert]")`, nil},
		state{"card", "#/home", cardsDrawn, nil},
	)
	walk("large", serveLarge,
		state{"picker", "#/explore?metric=amount_001", `document.querySelector(".explore .figure") && document.querySelector("[aria-disabled=true]")`, nil},
		state{"model", "#/model", `document.querySelectorAll(".diagram .box").length === 200`, nil},
	)
	walk("token", func(t *testing.T) string {
		t.Helper()
		return serve(t, restapi.Config{Tokens: []string{token}})
	}, state{"token", "#/home", `document.querySelector("input[name=token]")`, nil})
	walk("bare", func(t *testing.T) string {
		t.Helper()
		return serve(t, restapi.Config{Tokens: []string{token}})
	}, state{"token", "?bare=1#/home", `document.querySelector("main input[name=token]")`, nil})
	walk("models", func(t *testing.T) string {
		t.Helper()
		return serveTwo(t, "", "", restapi.Config{})
	}, state{"models", "#/home", `document.querySelector(".cardlist")`, nil})
}

func keepStates(states []state, keep func(int, state) bool) []state {
	var kept []state
	for i, s := range states {
		if keep(i, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// walker leads one page from state to state.
type walker struct {
	page               *chromium.Page
	axe, origin, model string
	// walked is whether the page is one of the server, as no step has changed it.
	walked bool
}

// goTo opens a state, with nothing left of the one before: a page that stays shows another part between
// them, and a page in which a person has typed is loaded again.
func (w *walker) goTo(s state) {
	if w.walked {
		w.page.RunActions(turn("#/model?focus=findings"), turn(s.address))
	} else {
		w.page.RunActions(chromedp.Navigate("about:blank"), chromedp.Navigate(w.origin+"/"+s.address), chromedp.Evaluate(w.axe+";undefined", nil))
	}
	w.walked = len(s.steps) == 0
}

// turn leads a page to another part of itself, and ends when it has drawn that.
func turn(hash string) chromedp.Action {
	return chromedp.Evaluate(fmt.Sprintf(`new Promise(done => {
		if (location.hash === %[1]q) return done(true)
		addEventListener("hashchange", () => requestAnimationFrame(() => setTimeout(done, 0, true)), {once: true})
		location.hash = %[1]q
	})`, hash), nil, awaited)
}

func (w *walker) inspect(t *testing.T, s state) {
	t.Helper()
	p := w.page
	p.AssignToTest(t)
	p.RunActions(look("light", 1400)...)
	w.goTo(s)
	p.RunActions(waitFor(s.ready))
	p.RunActions(s.steps...)
	every := os.Getenv("SEMLAYER_TEST_SCREENSHOTS") != ""
	both := every || isLongForm()
	wide := len(w.model+s.name)%2 == 0
	zoomed := isLongForm() || w.model == "business" && slices.Contains(zoomedStates, s.name)
	for _, l := range []struct {
		name, scheme string
		width        int64
		judged       bool
	}{{"light", "light", 1400, both || wide}, {"dark", "dark", 1400, false}, {"narrow-dark", "dark", 390, both || !wide}, {"narrow", "light", 390, false}, {"zoomed", "light", 700, zoomed}} {
		if !l.judged && (!every || l.name == "zoomed") {
			continue
		}
		p.RunActions(look(l.scheme, l.width)...)
		if l.name == "zoomed" {
			p.RunActions(zoomedIn)
		}
		p.RunActions(waitFor(s.ready))
		picture(p, fmt.Sprintf("state-%s-%s-%s", w.model, s.name, l.name))
		if !l.judged {
			continue
		}
		for _, v := range violations(p, wholePage, allRules) {
			t.Errorf("%s: %s", l.name, v)
		}
		var changed int
		p.RunActions(chromedp.Evaluate(underPointer, &changed))
		if changed > 0 {
			for _, v := range violations(p, changedParts, contrastAlone) {
				t.Errorf("%s, under the pointer: %s", l.name, v)
			}
		}
		p.RunActions(chromedp.Evaluate(withoutPointer, nil))
		var width int64
		var broken bool
		p.RunActions(chromedp.Evaluate(`document.documentElement.scrollWidth`, &width), chromedp.Evaluate(`window.broken === 1`, &broken))
		if width > l.width {
			t.Errorf("%s: a page %d wide is %d wide", l.name, l.width, width)
		}
		if broken {
			t.Errorf("%s: a text of the model or the data was run", l.name)
		}
	}
	clean(t, p, w.origin)
}

// look returns a theme and a width of the page, without motion.
func look(scheme string, width int64) []chromedp.Action {
	return []chromedp.Action{
		emulation.SetDeviceMetricsOverride(width, 900, 1, false),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
	}
}

package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// zoned has instants around the midnights of its zone, weeks that begin on Sunday, and goals of months. In Berlin the
// first two events are of 31 March and the third is of 1 April; in UTC all three are of March.
const zoned = `version: 0.2.0.dev0
name: zoned
custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["time_zone", "week_start"], "time_zone": "Europe/Berlin", "week_start": "sunday"}'}]
datasets:
  - name: event
    source: SELECT * FROM (VALUES (TIMESTAMPTZ '2024-03-30 23:30:00+00', 'a', 1), (TIMESTAMPTZ '2024-03-31 21:30:00+00', 'b', 2), (TIMESTAMPTZ '2024-03-31 22:30:00+00', 'a', 4), (TIMESTAMPTZ '2024-04-10 10:15:00+00', 'b', 8), (TIMESTAMPTZ '2024-04-20 10:15:00+00', 'a', 16), (TIMESTAMPTZ '2024-04-21 10:00:00+00', 'b', 32)) AS t(seen, kind, n)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "seen"}'}]
    fields:
      - {name: seen, datatype: DateTimeTz, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: seen}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: plan
    source: SELECT * FROM (VALUES (DATE '2024-01-01', 'x', 10), (DATE '2024-02-01', 'x', 25), (DATE '2024-02-01', 'y', 5)) AS t(month, team, goal)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "month"}'}]
    fields:
      - {name: month, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: month}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_granularity": "month"}'}]}
      - {name: team, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: team}]}}
      - {name: goal, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: goal}]}}
      - {name: wrong, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: YEAR(CAST(team AS DATE))}]}}
  - name: shelf
    source: SELECT 'The Kingdom of the Very Long Name, ' || i AS name, 100 - i AS size FROM range(0, 9) AS t(i)
    fields:
      - {name: name, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - {name: size, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: size}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(event.n)}]}}
  - name: rate
    expression: {dialects: [{dialect: ANSI_SQL, expression: AVG(event.n) / 100}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "format": "percent:1"}'}]
  - name: above
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(event.n)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "filter", "base": "total", "where": "n >= :t"}, "params": [{"name": "t", "type": "int"}]}'}]
  - {name: goal, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(plan.goal)}]}}
  - {name: wrong, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(plan.wrong)}]}}
  - {name: size, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(shelf.size)}]}}
`

// What a cell of a period keeps are the rows of the cell: on the clock of the zone of the model, where conditions are
// read on that of UTC, and within the range of the query.
func TestDrill_KeepsTheRowsOfAPeriod(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, zoned)
	p := b.OpenPage(t, origin+"/#/explore?metric=total&by=event.seen:month&tab=table")
	p.RunActions(
		shows("seen__month total\nMar 2024 3\nApr 2024 60"),
		click(`//tbody//button[.="Apr 2024"]`),
		pressed("Keep only"),
		atHash("filter=event.seen~>=~2024-03-31T22:00:00Z&filter=event.seen~<~2024-04-30T22:00:00Z"),
		shows("seen__month total\nApr 2024 60"),
	)
	// The range ends within April, so that the row of April has 4 and 8.
	p.RunActions(
		chromedp.Navigate(origin+"/#/explore?metric=total&by=metric_time:month&start=2024-03-01&end=2024-04-20&tab=table"),
		shows("metric_time__month total\nMar 2024 3\nApr 2024 12"),
		click(`//tbody//button[.="Apr 2024"]`),
		pressed("Keep only"),
		atHash("start=2024-04-01&end=2024-04-20"),
		shows("metric_time__month total\nApr 2024 12"),
		click(`//tbody//button[.="Apr 2024"]`),
		pressed("Show records"),
		awaits(`document.querySelectorAll("tbody tr").length`, 2),
	)
	// A relative range is cut as the service resolves it: of the 3 days before 1 April.
	p.RunActions(
		chromedp.Navigate(origin+"/#/explore?metric=total&by=metric_time:quarter&last=3-day&as_of=2024-04-01&tab=table"),
		shows("metric_time__quarter total\nQ1 2024 3"),
		click(`//tbody//button[.="Q1 2024"]`),
		pressed("Keep only"),
		atHash("start=2024-03-29&end=2024-04-01"),
		shows("metric_time__quarter total\nQ1 2024 3"),
	)
	clean(t, p, origin)
}

// An hour of instants is named in UTC, and kept and drawn over on the clock of the zone.
func TestDrill_KeepsAnHourOfAZone(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, zoned)
	p := b.OpenPage(t, origin+"/#/explore?metric=total&by=metric_time:hour&start=2024-04-10&end=2024-04-21&tab=table")
	p.RunActions(
		shows("metric_time__hour total\nApr 10, 2024, 10:00 AM UTC 8\nApr 20, 2024, 10:00 AM UTC 16"),
		click(`//tbody//button[starts-with(., "Apr 10, 2024")]`),
		pressed("Keep only"),
		atHash("start=2024-04-10T12:00:00&end=2024-04-10T13:00:00"),
		shows("metric_time__hour total\nApr 10, 2024, 10:00 AM UTC 8"),
		chromedp.Navigate(origin+"/#/explore?metric=total&by=metric_time:hour&start=2024-04-10&end=2024-04-21"),
		visible("canvas[aria-label^='Line']"),
	)
	drag(p, 0.001, 0.5)
	p.RunActions(
		atHash("start=2024-04-10T12:00:00"),
		waitFor(`document.querySelectorAll(".plotbox tbody tr").length === 1 && !document.querySelector("[role=alert]")`),
	)
	clean(t, p, origin)
}

// The weeks of the two windows begin as those of the model do: the last complete week before 22 April ends with Saturday,
// the 20th. The change of a percent is in points.
func TestWhy_WeeksBeginAsInTheModel(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, zoned)
	p := b.OpenPage(t, origin+"/#/attribution?metric=rate&grain=week")
	p.RunActions(
		atHash("baseline=2024-04-07..2024-04-14&current=2024-04-14..2024-04-21"),
		awaits(textsOf(".figure"), []string{"8.0%", "16.0%", "▲ 8.0 pp"}),
		reads(".words", "Rate rose by 8.0 pp."),
	)
	pictures(p, "why-percent")
	p.RunActions(
		chromedp.Navigate(origin+"/#/home?grain=week"),
		waitFor(cardsDrawn),
		awaits(readCards+`[1]`, "Rate | 16.0% | Apr 14, 2024 | ▲ +8.0 pp against Apr 7, 2024"),
	)
	clean(t, p, origin)
}

// Months that are stored as such have windows too.
func TestWhy_OfStoredMonths(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, zoned)
	p := b.OpenPage(t, origin+"/#/attribution?metric=goal&grain=day")
	p.RunActions(
		atHash("baseline=2024-01-01..2024-02-01&current=2024-02-01..2024-03-01"),
		awaits(textsOf(".figure"), []string{"10", "30", "▲ 20"}),
		awaits(segmentRows, []string{"x 10 25 15", "y entered 0 5 5"}),
		click(`.segments tbody tr:first-child button:last-child`),
		click(tableTab),
		shows("metric_time__month goal\nJan 2024 10\nFeb 2024 25"),
		chromedp.Navigate(origin+"/#/explore?metric=goal&by=metric_time:month&tab=table"),
		opens("Compare"),
		click(`input[value="previous"]`),
		atHash("last=12-month&as_of=2024-03-01"),
	)
	clean(t, p, origin)
}

// A metric without windows has the reason: its query fails, it has no time, or it needs a parameter.
func TestWhy_GivesTheReasonOfMissingWindows(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, zoned)
	p := b.OpenPage(t, origin+"/#/attribution?metric=wrong")
	p.RunActions(reads(`[role="alert"]`, "sql_rejected"))
	pictures(p, "why-failing-metric")
	p.RunActions(
		chromedp.Navigate(origin+"/#/attribution?metric=size"),
		awaits(textOf(".attribution > p.quiet"), "This metric has no time axis, so that it has no windows to compare."),
		chromedp.Navigate(origin+"/#/attribution?metric=above"),
		reads(`[role="alert"]`, "param_out_of_domain"),
		opens("Parameters"),
		chromedp.SendKeys(`input[aria-label="Parameter t"]`, "2\n"),
		// The last complete month is March: of its events 1 and 2 one is at least 2.
		awaits(textsOf(".figure")+`.slice(0, 2)`, []string{"0", "2"}),
	)
	clean(t, p, origin)
}

// A chart of the largest values keeps the order of the query, and has the others last.
func TestChart_OfTheLargestKeepsTheOrder(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveSales(t)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&by=sale.item&order=-revenue")
	p.RunActions(
		awaits(figuresOf+`.slice(0, 3)`, []string{"item 1200 1,200", "item 1199 1,199", "item 1198 1,198"}),
		reads(".beside", "other "),
		chromedp.Navigate(origin+"/#/explore?metric=revenue&by=sale.item&order=item"),
		awaits(figuresOf+`.slice(0, 2)`, []string{"item 1181 1,181", "item 1182 1,182"}),
	)
	clean(t, p, origin)
}

// A SELECT has the time zone of the model and begins weeks on Monday: it is offered only where that makes no difference. The weeks of
// this model begin on Sunday.
func TestRequest_NoSelectOfAnotherClock(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, zoned)
	const clients = `[...document.querySelectorAll("[role=tabpanel] [role=tab]")].map(e => e.innerText).join(" ")`
	p := b.OpenPage(t, origin+"/#/explore?metric=goal&by=metric_time:month&tab=request")
	p.RunActions(
		awaits(clients, "curl Go Python MCP JSON SELECT"),
		chromedp.Navigate(origin+"/#/explore?metric=total&by=metric_time:month&tab=request"),
		reads("pre.code", `"metrics":["total"]`),
		awaits(clients, "curl Go Python MCP JSON SELECT"),
		chromedp.Navigate(origin+`/#/explore?metric=total&by=metric_time:month&tab=request&more={"time_zone":"Asia/Tokyo"}`),
		reads("pre.code", "Asia/Tokyo"),
		awaits(clients, "curl Go Python MCP JSON"),
		chromedp.Navigate(origin+"/#/explore?metric=total&by=metric_time:week&tab=request"),
		reads("pre.code", `"grain":"week"`),
		awaits(clients, "curl Go Python MCP JSON"),
	)
	clean(t, p, origin)
}

// The labels of the first bars begin within the picture.
func TestMarks_LabelsBeginWithinThePicture(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, zoned)
	p := b.OpenPage(t, origin+"/#/explore?metric=size&by=shelf.name")
	// The pixels of the left edge, below the axis, that are not empty.
	const edge = `(() => { const c = document.querySelector(".plot canvas"), {width: w, height: h} = c, data = c.getContext("2d").getImageData(0, 0, w, h).data; let n = 0; for (let y = Math.floor(h * 0.78); y < h; y++) if (data[y * w * 4 + 3] > 0) n++; return n })()`
	for _, width := range []int64{1400, 390} {
		p.RunActions(
			chromedp.EmulateViewport(width, 1000),
			waitFor(`document.querySelector(".plot canvas")`),
			waitFor(stands),
			awaits(edge, 0),
		)
		pictures(p, "chart-long-labels")
	}
	clean(t, p, origin)
}

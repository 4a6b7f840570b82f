package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// entrances has visits at hours of days. Its weeks begin on Sunday, so that Monday is their second day.
const entrances = `version: 0.2.0.dev0
name: entrances
custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "requires": ["week_start"], "week_start": "sunday"}'}]
datasets:
  - name: visit
    source: SELECT * FROM (VALUES (TIMESTAMP '2024-01-01 08:15:00', 'east', 10), (TIMESTAMP '2024-01-01 11:00:00', 'east', 5), (TIMESTAMP '2024-01-06 08:45:00', 'west', 2), (TIMESTAMP '2024-01-07 22:00:00', 'west', 40), (TIMESTAMP '2024-01-08 08:00:00', 'east', 3)) AS t(entered, door, guests)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "entered"}'}]
    fields:
      - {name: entered, datatype: DateTime, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: entered}]}}
      - {name: door, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: door}]}}
      - {name: guests, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: guests}]}}
metrics:
  - {name: guests, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(visit.guests)}]}}
`

// The hours of the day are chosen beside the months of a time, drawn in their order with a gap where none has rows, and lead to
// their rows.
func TestExplorer_PartsOfATime(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, entrances)
	p := b.OpenPage(t, origin+"/#/explore?metric=guests&by=metric_time:month")
	p.RunActions(
		visible("canvas[aria-label^='Line']"),
		opens("Break down by"),
		awaits(`[...document.querySelectorAll('[aria-label="Grain of Over time"] optgroup')].map(g => g.label + ": " + [...g.children].map(o => o.text).join(", "))`, []string{
			"Periods: second, minute, hour, day, week, month, quarter, year, as it is",
			"Parts of the time: hour of day, day of week, day of month, day of year, week of year, month of year, quarter of year",
		}),
		choose(`[aria-label="Grain of Over time"]`, ":hour_of_day"),
		visible("canvas[aria-label^='Bar'][aria-label*='Time (hour of day)']"),
		atHash("by=metric_time:part:hour_of_day"),
		waitFor(`document.querySelectorAll(".plotbox tbody tr").length === 15`),
		awaits(figuresOf+`.slice(0, 5)`, []string{"hour of day 8 15", "hour of day 9 ∅ none", "hour of day 10 ∅ none", "hour of day 11 5", "hour of day 12 ∅ none"}),
	)
	pictures(p, "part-chart")
	// The address holds the part.
	second := b.OpenPage(t, origin+"/"+hash(p)+"&tab=table")
	second.RunActions(
		shows("metric_time__hour_of_day guests\n8 15\n11 5\n22 40"),
		click(`//tbody//button[.="8"]`),
		reads(`[role="menu"]`, "hour of day 8"),
		pressed("Keep only hour of day 8"),
		shows("metric_time__hour_of_day guests\n8 15"),
		opens("Filter"),
		awaits(`document.querySelector(".filter select").value`, "metric_time__hour_of_day"),
		// The rows of the hour, of which each has its own time.
		click(`//tbody//button[.="8"]`),
		pressed("Show records"),
		awaits(`[...document.querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.innerText.trim()).join(" "))`, []string{"Jan 1, 2024, 8:15:00 AM east 10", "Jan 6, 2024, 8:45:00 AM west 2", "Jan 8, 2024, 8:00:00 AM east 3"}),
		goBack(),
		shows("metric_time__hour_of_day guests\n8 15"),
		// Without the group there is no column for the condition.
		opens("Break down by"),
		click(`//button[@aria-label="Remove Time (hour of day)"]`),
		shows("guests\n60"),
	)
	clean(t, p, origin)
	clean(t, second, origin)
}

// The days of the week are found by their name and grouped beside the hours; those of weeks from Sunday are the days of their rows.
func TestExplorer_PartsInThePicker(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, entrances)
	p := b.OpenPage(t, origin+"/#/explore?metric=guests&tab=table")
	p.RunActions(
		click(item("visit.door")),
		absent(item("visit.entered:day_of_week")),
		chromedp.SendKeys(".picker input", "day of week"),
		click(item("visit.entered:day_of_week")),
		shows("door entered__day_of_week guests\neast 2 18\nwest 1 40\nwest 7 2"),
	)
	pictures(p, "part-picker")
	p.RunActions(
		click(`//tbody//button[.="2"]`),
		pressed("Show records"),
		awaits(`[...document.querySelectorAll("tbody tr")].map(r => r.children[0].innerText.trim())`, []string{"Jan 1, 2024, 8:15:00 AM", "Jan 1, 2024, 11:00:00 AM", "Jan 8, 2024, 8:00:00 AM"}),
	)
	clean(t, p, origin)
}

// The page shows the warnings that a season parts a window although nothing proves that it belongs to a month, and that a condition
// takes rows from a window.
func TestExplorer_WarningsOfWindows(t *testing.T) {
	b := browse(t)
	origin := serveFixture(t, "workshop")
	p := b.OpenPage(t, origin+"/#/explore?metric=worth_so_far&by=metric_time:month&by=days.season")
	p.RunActions(reads(".note", "time_attribute_partitions", "season"))
	pictures(p, "window-warning")
	p.RunActions(
		chromedp.Navigate(origin+"/#/explore?metric=worth_so_far&by=metric_time:month&where=pots.day <> DATE '2024-01-05'&tab=table"),
		reads(".note", "condition_limits_windows", "worth_so_far"),
	)
	clean(t, p, origin)
}

// A metric of windows that has its meaning by day only fits an empty query and a metric by day, begins by day, and does not fit
// months. The page of why does not have the column of a part.
func TestExplorer_GrainsOfMetrics(t *testing.T) {
	b := browse(t)
	origin, _ := serveModel(t, business+`  - name: week_of_sales
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sale.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "grains": ["day"], "window": {"type": "rolling", "function": "sum", "periods": 7}}'}]
`)
	p := b.OpenPage(t, origin+"/#/explore?metric=revenue&tab=table&start=2024-04-01&end=2024-05-01")
	fits := func(name, want string) chromedp.Action {
		return awaits(element(item(name))+`?.getAttribute("aria-disabled")`, map[string]string{"fits": "false", "grey": "true"}[want])
	}
	p.RunActions(
		fits("week_of_sales", "fits"),
		click(item("week_of_sales")),
		atHash("metric=revenue&metric=week_of_sales&by=metric_time:day"),
		shows("metric_time__day revenue week_of_sales\nApr 7, 2024 25 25\nApr 9, 2024 35 60"),
		opens("Break down by"),
		awaits(`[...document.querySelectorAll('[aria-label="Grain of Over time"] optgroup:first-child option')].map(o => o.text)`, []string{"day", "as it is"}),
		chromedp.Navigate(origin+"/#/explore?metric=revenue&by=metric_time:month"),
		fits("week_of_sales", "grey"),
		chromedp.Navigate(origin+"/#/attribution?metric=revenue&by=metric_time:part:day_of_week&filter=metric_time__day_of_week~=~7&filter=sale.region~=~north&dimension=sale.region&baseline=2024-03-01..2024-04-01&current=2024-04-01..2024-05-01"),
		reads(".attribution .chip code", "sale.region = 'north'"),
		absent("[role=alert]"),
	)
	clean(t, p, origin)
}

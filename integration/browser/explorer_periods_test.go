package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// stamps has events of hours with gaps, a second field of time, and a calendar whose months do not begin with those
// of the year: one of 28 days from 8 January, one of 35 days from 5 February.
const stamps = `version: 0.2.0.dev0
name: stamps
datasets:
  - name: event
    source: SELECT * FROM (VALUES (TIMESTAMP '2024-01-10 05:10:00', DATE '2024-03-01', 'a', 1), (TIMESTAMP '2024-01-10 05:40:00', DATE '2024-02-01', 'b', 2), (TIMESTAMP '2024-01-10 07:00:00', DATE '2024-04-01', 'a', 4), (TIMESTAMP '2024-02-12 08:20:00', DATE '2024-05-01', 'a', 8)) AS t(moment, due, kind, n)
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "moment"}'}]
    fields:
      - {name: moment, datatype: DateTime, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: moment}]}}
      - {name: due, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: due}]}}
      - {name: kind, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: days
    source: SELECT (DATE '2024-01-08' + i::INTEGER) AS day, CASE WHEN i < 28 THEN 202401 ELSE 202402 END AS season FROM range(0, 63) AS t(i)
    primary_key: [day]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "calendar": {"date": "day", "periods": {"season": "season"}}}'}]
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: season, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: season}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(event.n)}]}}
`

// figuresOf are the lines of the table behind a plot.
const figuresOf = `[...document.querySelectorAll(".plotbox tbody tr")].map(r => [...r.children].map(c => c.textContent).join(" "))`

// An hour without rows is a gap of the line, as a month without rows is, and an hour is kept from its start to its end.
func TestPeriods_HoursHaveGapsAndEnds(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, stamps)
	p := b.OpenPage(t, origin+"/#/explore?metric=total&by=metric_time:hour&end=2024-01-11")
	p.RunActions(
		awaits(figuresOf, []string{"Jan 10, 2024, 5:00 AM 3", "Jan 10, 2024, 6:00 AM ∅ none", "Jan 10, 2024, 7:00 AM 4"}),
		click(tableTab),
		shows("metric_time__hour total\nJan 10, 2024, 5:00 AM 3\nJan 10, 2024, 7:00 AM 4"),
		click(`//tbody//button[.="Jan 10, 2024, 5:00 AM"]`),
		pressed("Keep only"),
		shows("metric_time__hour total\nJan 10, 2024, 5:00 AM 3"),
		atHash("start=2024-01-10T05:00:00&end=2024-01-10T06:00:00"),
		chromedp.Navigate(origin+"/#/explore?metric=total&by=event.moment:hour&tab=table&sort=-total"),
		shows("moment__hour total ↓\nFeb 12, 2024, 8:00 AM 8\nJan 10, 2024, 7:00 AM 4\nJan 10, 2024, 5:00 AM 3"),
		click(`//tbody//button[.="Jan 10, 2024, 5:00 AM"]`),
		pressed("Keep only"),
		shows("moment__hour total ↓\nJan 10, 2024, 5:00 AM 3"),
	)
	clean(t, p, origin)
}

// Drawing over an axis chooses a range of the field that the axis has: of the days that are due, not of the events.
func TestBrush_ChoosesTheTimeOfItsAxis(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, stamps)
	p := b.OpenPage(t, origin+"/#/explore?metric=total&by=event.due:month")
	p.RunActions(awaits(figuresOf, []string{"Feb 2024 2", "Mar 2024 1", "Apr 2024 4", "May 2024 8"}))
	drag(p, 0.38, 0.66)
	p.RunActions(
		atHash("start=2024-03-01&end=2024-05-01&time=event.due"),
		awaits(figuresOf, []string{"Mar 2024 1", "Apr 2024 4"}),
	)
	clean(t, p, origin)
}

// A stretch that is drawn to the left, as far as the labels, begins with the first stop.
func TestBrush_EndsWhereTheButtonIsReleased(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, stamps)
	p := b.OpenPage(t, origin+"/#/explore?metric=total&by=event.due:month")
	p.RunActions(awaits(figuresOf, []string{"Feb 2024 2", "Mar 2024 1", "Apr 2024 4", "May 2024 8"}))
	drag(p, 0.7, 0.001) // then to the left of the plot
	p.RunActions(atHash("start=2024-02-01&end=2024-05-01&time=event.due"), absent(".stretch"))
	clean(t, p, origin)
}

// The periods of a calendar are in the address and in the chart: no row is left out, and no end
// of a period is made up.
func TestPeriods_OfACalendarAreDrawnWhole(t *testing.T) {
	b := browseInLongForm(t)
	origin, _ := serveModel(t, stamps)
	p := b.OpenPage(t, origin+"/#/explore?metric=total&by=metric_time:season")
	p.RunActions(
		awaits(figuresOf, []string{"Jan 8, 2024 7", "Feb 5, 2024 8"}),
		opens("Break down by"),
		awaits(`document.querySelector("select[aria-label='Grain of Over time']").value`, "season"),
		chromedp.Reload(),
		awaits(figuresOf, []string{"Jan 8, 2024 7", "Feb 5, 2024 8"}),
		click(tableTab),
		click(`//tbody//button[.="Jan 8, 2024"]`),
		visible(`[role="menu"]`),
		absent(`//div[@role="menu"]//button[starts-with(., "Keep only")]`),
	)
	clean(t, p, origin)
}

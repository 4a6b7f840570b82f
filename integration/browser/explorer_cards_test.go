package browser_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// serveFixture serves a model of the corpus with its data, and returns the origin.
func serveFixture(t *testing.T, name string) string {
	t.Helper()
	read := func(file string) []byte {
		text, err := os.ReadFile(filepath.Join("..", "testdata", "fixtures", name, file))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	// Metrics with grains are those that Home shows first.
	text := strings.ReplaceAll(string(read("model.yaml")), `"grains": [`, `"headline": true, "grains": [`)
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: name + ".yaml", ModelText: []byte(text), Setup: []string{string(read("data.sql"))}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return serving.Serve(t, e, restapi.Config{})
}

// card is what Home shows of a metric: its value as the service sends it, its period, its change and its error.
type card struct {
	Metric, Value, Period, Change, Error string
}

const cardsShown = `[...document.querySelectorAll(".metriccard")].map(c => {
	const text = s => c.querySelector(s)?.innerText.trim() ?? ""
	return {Metric: c.dataset.metric, Value: c.querySelector(".figure")?.title ?? "", Period: text(".figure + .quiet"), Change: text(".change"), Error: text("[role=alert]")}
})`

// Each card has the value that the service gives for the metric alone, and the change against the value of the period before: a window
// depends neither on the other metrics of the page nor on its range.
func TestHome_CardsHaveTheNumbersOfTheService(t *testing.T) {
	b := browse(t)
	for _, c := range []struct {
		model, grain string
		grains       map[string]string // of metrics that have their meaning at other grains
		refused      []string          // look a day away, which is not a part of the grain
		places       []string          // have no value in another range
		long         bool
	}{
		{model: "workshop", grain: "month", refused: []string{"worth_of_day_before"}, places: []string{"worth_rank"}},
		{model: "workshop", grain: "day", places: []string{"worth_rank"}, long: true},
		{model: "kilns", grain: "month", long: true},
		{model: "crates", grain: "month", places: []string{"sealed_place"}, long: true},
		{
			model: "kiln", grain: "month", refused: []string{"apart", "day_before"}, places: []string{"most_of_year"},
			grains: map[string]string{"pots_a_day": "week", "pots_a_firing": "week"},
		},
	} {
		t.Run(c.model+" by "+c.grain, func(t *testing.T) {
			if c.long && !isLongForm() {
				t.Skip("a part of the long form: SEMLAYER_TEST_LONG=1")
			}
			origin := serveFixture(t, c.model)
			p := b.OpenPage(t, origin+"/#/home?grain="+c.grain)
			var cards []card
			p.RunActions(waitFor(cardsDrawn), chromedp.Evaluate(cardsShown, &cards))
			shown := 0
			for _, x := range cards {
				if slices.Contains(c.refused, x.Metric) {
					if x.Error == "" {
						t.Errorf("the card of %s has no error: %+v", x.Metric, x)
					}
					continue
				}
				shown++
				grain := c.grain
				if own, ok := c.grains[x.Metric]; ok {
					grain = own
				}
				want := askCard(t, origin, x, grain, !slices.Contains(c.places, x.Metric))
				if d := cmp.Diff(want, x); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
			}
			if shown < 7 {
				t.Errorf("%d cards have values: %+v", shown, cards)
			}
			clean(t, p, origin)
		})
	}
}

// askCard asks for a metric alone over the periods of a card, and returns what the card has to show.
func askCard(t *testing.T, origin string, c card, grain string, compared bool) card {
	t.Helper()
	const periods = 24
	day, err := time.Parse("Jan 2, 2006", c.Period)
	if month, ofMonth := time.Parse("Jan 2006", c.Period); ofMonth == nil {
		day, err = month, nil
	}
	if err != nil {
		t.Errorf("the card of %s: %+v", c.Metric, c)
		return card{Metric: c.Metric}
	}
	move := func(n int) time.Time {
		switch grain {
		case "month":
			return day.AddDate(0, n, 0)
		case "week":
			return day.AddDate(0, 0, 7*n)
		}
		return day.AddDate(0, 0, n)
	}
	column := "metric_time__" + grain
	body := fmt.Sprintf(`{"metrics": [%q], "group_by": [{"field": "metric_time", "grain": %q}], "time_range": {"start": %q, "end": %q}, "fill": {}, "order_by": [{"key": %q}]}`,
		c.Metric, grain, move(1-periods).Format(time.DateOnly), move(1).Format(time.DateOnly), column)
	response, err := http.Post(origin+"/v1/query/execute", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var result struct{ Rows []map[string]any }
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		t.Fatal(err)
	}
	if len(result.Rows) != periods {
		t.Fatalf("%s has %d rows, want %d", body, len(result.Rows), periods)
	}
	value := func(row map[string]any) (float64, bool) { v, ok := row[c.Metric].(float64); return v, ok }
	last, isLast := value(result.Rows[periods-1])
	before, isBefore := value(result.Rows[periods-2])
	want := card{Metric: c.Metric, Value: "∅ none", Period: c.Period}
	if isLast {
		want.Value = strconv.FormatFloat(last, 'f', -1, 64)
	}
	if !compared || !isLast || !isBefore {
		return want
	}
	text := "→ unchanged"
	if delta := last - before; delta != 0 {
		sign := map[bool]string{true: "▲ +", false: "▼ "}[delta > 0]
		text = sign + strconv.FormatFloat(delta, 'f', -1, 64)
		if before > 0 {
			text = sign + strconv.FormatFloat(math.Round(delta/before*1000)/10, 'f', -1, 64) + "%"
		}
	}
	layout := "Jan 2, 2006"
	if grain == "month" {
		layout = "Jan 2006"
	}
	want.Change = text + " against " + move(-1).Format(layout)
	return want
}

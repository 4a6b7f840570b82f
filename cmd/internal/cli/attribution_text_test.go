package cli

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

func TestAttributeText_ReadableAmounts(t *testing.T) {
	plain := metricFormats(func(string) engine.ColumnFormat { return engine.ColumnFormat{} })
	for n, want := range map[float64]string{
		0: "0", 12: "12", -12.5: "-12.5", 1.0 / 3: "0.3333", 1e6: "1000000", 123456.789: "123456.789", 1e-7: "1e-07", 2e15: "2e+15",
		math.Inf(1): "NULL", 76.66666666666667: "76.6667",
	} {
		if d := cmp.Diff(want, plain.amounts("", attributionNumber(n)).amount(attributionNumber(n))); d != "" {
			t.Error(d)
		}
	}
	if got := plain.amounts("").change(attributionNumber(math.NaN())); got != "NULL" {
		t.Error(got)
	}
}

// Values and changes have the format and the unit of the metric, equal digits, and the word of other tables for the segment
// without a value; a text that reads (null) is a text.
func TestAttributeText_ShowsFormatAndUnit(t *testing.T) {
	formats := metricFormats(func(metric string) engine.ColumnFormat {
		if metric == "fees" {
			return engine.ColumnFormat{Format: "currency:EUR"}
		}
		return engine.ColumnFormat{Format: "percent:1"}
	})
	report := func(metric string) *engine.Attribution {
		r := new(engine.Attribution)
		if err := json.Unmarshal([]byte(`{"total_change": {"baseline_value": 10.5, "current_value": 12, "delta": 1.5},
			"dimension_ranking": [{"dimension": "firings.kiln"}], "per_dimension": {"firings.kiln": {"values": [
				{"value": "(null)", "baseline_value": 10.5, "current_value": 12, "delta": 1.5, "segment_kind": "normal"},
				{"value": "(null)", "baseline_value": 12, "current_value": 10.5, "delta": -1.5, "segment_kind": "normal"},
				{"value": "NULL", "baseline_value": 10.5, "current_value": 10.5, "delta": 0, "segment_kind": "normal"}]}}}`), r); err != nil {
			t.Fatal(err)
		}
		r.Metric, r.PerDimension["firings.kiln"].Values[0].Null = metric, true
		return r
	}
	for metric, want := range map[string]string{
		"fees": "fees: 10.50 EUR -> 12.00 EUR  +1.50 EUR\n" +
			"  NULL    10.50 EUR  -> 12.00 EUR  +1.50 EUR  ████████████████████████\n" +
			"  (null)  12.00 EUR  -> 10.50 EUR  -1.50 EUR  ░░░░░░░░░░░░░░░░░░░░░░░░\n" +
			"  \"NULL\"  10.50 EUR  -> 10.50 EUR   0.00 EUR\n",
		"rate": "rate: 1050.0 % -> 1200.0 %  +150.0 pp\n" +
			"  NULL    1050.0 %  -> 1200.0 %  +150.0 pp  ████████████████████████\n" +
			"  (null)  1200.0 %  -> 1050.0 %  -150.0 pp  ░░░░░░░░░░░░░░░░░░░░░░░░\n" +
			"  \"NULL\"  1050.0 %  -> 1050.0 %     0.0 pp\n",
	} {
		lines := strings.SplitAfter(attributionText(report(metric), formats), "\n")
		if d := cmp.Diff(want, lines[0]+strings.Join(lines[4:], "")); d != "" {
			t.Errorf("%s: %s", metric, d)
		}
	}
}

func TestAttributeText_BarsShowSizeAndDirection(t *testing.T) {
	for _, c := range []struct {
		delta, largest float64
		want           string
	}{
		{100, 100, "████████████████████████"}, {-50, 100, "░░░░░░░░░░░░"}, {0, 100, ""}, {0.001, 100, "█"}, {5, 0, ""}, {math.NaN(), 1, ""},
	} {
		if d := cmp.Diff(c.want, formatChangeBar(c.delta, c.largest)); d != "" {
			t.Error(d)
		}
	}
}

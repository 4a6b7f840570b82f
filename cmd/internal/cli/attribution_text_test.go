package cli

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAttributeText_ReadableAmounts(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0", 12: "12", -12.5: "-12.5", 1.0 / 3: "0.3333", 1e6: "1000000", 123456.789: "123456.789", 1e-7: "1e-07", 2e15: "2e+15",
		math.Inf(1): "none", 76.66666666666667: "76.6667",
	} {
		if d := cmp.Diff(want, formatAttributionNumber(attributionNumber(n))); d != "" {
			t.Error(d)
		}
	}
	if got := formatAttributionNumber(attributionNumber(math.NaN())); got != "none" {
		t.Error(got)
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

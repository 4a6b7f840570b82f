package sqlexpr_test

import (
	"slices"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestPath_RoundTrips(t *testing.T) {
	for want, names := range map[string][]string{
		`orders.amount`:        {"orders", "amount"},
		`order.from`:           {"order", "from"},
		`a.b.c`:                {"a", "b", "c"},
		`o."a.b"`:              {"o", "a.b"},
		`"my ds"."q""x".plain`: {"my ds", `q"x`, "plain"},
		`o."5"`:                {"o", "5"},
		`o.é`:                  {"o", "é"},
	} {
		got := sqlexpr.FormatPath(names...)
		if got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
		e, err := sqlexpr.Parse(got)
		if err != nil {
			t.Errorf("%s: %v", got, err)
			continue
		}
		var read []string
		for _, n := range e.(*sqlexpr.Column).Path {
			read = append(read, n.Text)
		}
		if !slices.Equal(read, names) {
			t.Errorf("%s reads as %q", got, read)
		}
	}
}

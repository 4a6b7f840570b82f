package suggest_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

func TestNearest_RanksByCommonMistakes(t *testing.T) {
	for _, c := range []struct {
		what  string
		name  string
		names []string
		max   int
		want  []string
	}{
		{"one wrong letter before an unrelated name", "revenua", []string{"orders", "revenue"}, 20, []string{"revenue", "orders"}},
		{"two swapped letters are one slip", "reveneu", []string{"revenge_x", "revenue"}, 1, []string{"revenue"}},
		{"case does not count", "REVENUE", []string{"revenues", "revenue"}, 20, []string{"revenue", "revenues"}},
		{"a name cut short", "rev", []string{"raw", "revenue", "total"}, 1, []string{"revenue"}},
		{"a longer prefix beats an unrelated name", "reven", []string{"events", "revenue", "total"}, 1, []string{"revenue"}},
		{"a missing qualifier", "amount", []string{"orders.count", "orders.amount", "account"}, 1, []string{"orders.amount"}},
		{"a missing qualifier and a slip", "amuont", []string{"orders.status", "orders.amount"}, 1, []string{"orders.amount"}},
		{"a needless qualifier", "orders.amount", []string{"order", "amount"}, 1, []string{"amount"}},
		{"ties in alphabetical order", "x", []string{"c", "a", "b"}, 20, []string{"a", "b", "c"}},
		{"duplicates once", "x", []string{"a", "a"}, 20, []string{"a"}},
		{"no names", "x", nil, 20, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			if d := cmp.Diff(c.want, suggest.Nearest(c.name, c.names, c.max)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNearest_RespectsLimit(t *testing.T) {
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("n%02d", i))
	}
	for max, want := range map[int]int{0: 20, -1: 20, 3: 3, 20: 20, 1000: 20} {
		if got := len(suggest.Nearest("n", names, max)); got != want {
			t.Errorf("max %d: %d names, want %d", max, got, want)
		}
	}
}

func TestNearest_SkipsEmptyNames(t *testing.T) {
	if d := cmp.Diff([]string{"c"}, suggest.Nearest("x", []string{"", "c", ""}, 3)); d != "" {
		t.Error(d)
	}
	if got := suggest.Nearest("x", []string{"", ""}, 3); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if got, ok := suggest.ClosestIfNear("x", []string{""}); ok {
		t.Errorf("offered %q", got)
	}
}

func TestClosest_RejectsUnrelatedNames(t *testing.T) {
	names := []string{"primary_key", "source", "fields"}
	if got, ok := suggest.ClosestIfNear("primary_kye", names); !ok || got != "primary_key" {
		t.Errorf("primary_kye: %q %v", got, ok)
	}
	if got, ok := suggest.ClosestIfNear("zzz", names); ok {
		t.Errorf("zzz: offered %q", got)
	}
}

func BenchmarkNearest_ThousandNames(b *testing.B) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("dataset_%d.field_%d", i%100, i))
	}
	for b.Loop() {
		suggest.Nearest("dataset_5.feild_205", names, 20)
	}
}

func TestRespelling_ReturnsTheOneNameOfASlip(t *testing.T) {
	for _, c := range []struct {
		what, name string
		names      []string
		want       string
	}{
		{"another case", "Pieces_Total", []string{"pieces_totals", "pieces_total"}, "pieces_total"},
		{"a letter less", "piece_total", []string{"pieces_total", "heat_total"}, "pieces_total"},
		{"two letters swapped", "monht", []string{"month", "quarter"}, "month"},
		{"a name twice", "monht", []string{"month", "month"}, "month"},
		{"two names as near", "total_3", []string{"total_1", "total_2"}, ""},
		{"two names in other cases", "TOTAL", []string{"total", "Total"}, ""},
		{"two edits", "mnht", []string{"month"}, ""},
		{"a short name", "ab", []string{"ac"}, ""},
		{"no names", "abc", nil, ""},
		{"no name", "", []string{"a", ""}, ""},
	} {
		if got, ok := suggest.Respelling(c.name, c.names); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v", c.what, got, ok)
		}
	}
}

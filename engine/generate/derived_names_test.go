package generate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/tables"
)

func TestSingular_DropsTheEndingOfAPlural(t *testing.T) {
	for plural, want := range map[string]string{
		"bikes": "bike", "cities": "city", "addresses": "address", "boxes": "box", "quizzes": "quizz", "branches": "branch", "dishes": "dish",
		"address": "address", "bus": "bu", "houses": "hous", "s": "s", "ies": "ie", "es": "e", "data": "data",
	} {
		if got := singularOf(plural); got != want {
			t.Errorf("%s becomes %s, want %s", plural, got, want)
		}
	}
}

func TestDatasetNames_NoTwoAreEqual(t *testing.T) {
	tests := []struct {
		name   string
		tables []tables.Table
		want   []string
	}{
		{"as they are", []tables.Table{{Name: "orders"}, {Name: "Order Lines"}}, []string{"orders", "order_lines"}},
		{"of two schemas", []tables.Table{{Schema: "a", Name: "x"}, {Schema: "b", Name: "x"}, {Schema: "b", Name: "y"}}, []string{"a_x", "b_x", "y"}},
		{"equal as identifiers", []tables.Table{{Schema: "m", Name: "a b"}, {Schema: "m", Name: "a-b"}, {Schema: "m", Name: "m_a_b_2"}}, []string{"m_a_b", "m_a_b_3", "m_a_b_2"}},
		{"without letters", []tables.Table{{Name: "数据"}, {Name: "2024"}}, []string{"t", "t_2024"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, datasetNames(tt.tables)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAggregateOf_ReadsTheLastWord(t *testing.T) {
	for name, want := range map[string]string{
		"fare": "total", "amount": "total", "quantity": "total", "bonus_points": "total", "paid": "total",
		"rating": "average", "unit_price": "average", "unit_cost": "average", "avg_speed": "average", "discount_pct": "average", "age": "average", "mean": "average",
		"bike_id": "", "id": "", "year": "", "zip": "", "minute_of_day": "", "lat": "", "line_no": "", "sort_index": "", "is_flag": "", "unit_no": "",
		"package": "total", "message_age": "average", "usage": "total",
	} {
		if got := aggregateForFieldName(name); got != want {
			t.Errorf("%s becomes %q, want %q", name, got, want)
		}
	}
}

func TestIsEncodedDate_TakesDaysOfTheCalendar(t *testing.T) {
	for text, want := range map[string]bool{
		"20240229": true, "19000101": true, "21001231": true,
		"20230229": false, "18991231": false, "21010101": false, "2024011": false, "202401010": false, "20241301": false, "": false, "-2024010": false,
	} {
		if isEncodedDate(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestReference_ReadsBackAsAColumn(t *testing.T) {
	for _, name := range []string{"a", "order", "select", "case", "not", "date", "current_date", "interval", "null", "true", "cast", "count", "t_1"} {
		for _, dataset := range []string{"x", "order", "case", "null", "not", "cast", "interval", "exists", "date"} {
			text := fieldReference(dataset, name)
			if text != dataset+"."+name && text != `"`+dataset+`"."`+name+`"` {
				t.Errorf("%s.%s is written %s", dataset, name, text)
			}
		}
	}
}

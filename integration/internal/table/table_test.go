package table_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/internal/table"
)

func TestDiff_ComparesByValue(t *testing.T) {
	tests := []struct {
		name    string
		want    string
		columns []string
		got     string
		ordered bool
		equal   bool
	}{
		{"same rows", "a | b\nx | 1\n∅ | 2", []string{"a", "b"}, `[{"a":"x","b":1},{"a":null,"b":2}]`, true, true},
		{"another order where none is asked", "a\n1\n2", []string{"a"}, `[{"a":2},{"a":1}]`, false, true},
		{"another order where one is asked", "a\n1\n2", []string{"a"}, `[{"a":2},{"a":1}]`, true, false},
		{"a row twice", "a\n1\n2", []string{"a"}, `[{"a":1},{"a":2},{"a":2}]`, false, false},
		{"a row missing", "a\n1\n1", []string{"a"}, `[{"a":1}]`, false, false},
		{"number in another spelling", "a\n75", []string{"a"}, `[{"a":75.0}]`, true, true},
		{"number within the tolerance", "a\n0.3333333333333333", []string{"a"}, `[{"a":0.33333333333333337}]`, true, true},
		{"number beyond the tolerance", "a\n0.3333", []string{"a"}, `[{"a":0.3333333}]`, true, false},
		{"whole numbers exactly", "a\n9007199254740993", []string{"a"}, `[{"a":9007199254740992}]`, true, false},
		{"text that looks like a number", "a\n1", []string{"a"}, `[{"a":"1"}]`, true, true},
		{"a null is no empty text", "a\n∅", []string{"a"}, `[{"a":""}]`, true, false},
		{"a null is no zero", "a\n0", []string{"a"}, `[{"a":null}]`, true, false},
		{"the empty text", "a | b\n | 1", []string{"a", "b"}, `[{"a":"","b":1}]`, true, true},
		{"a boolean", "a\ntrue", []string{"a"}, `[{"a":true}]`, true, true},
		{"a boolean is no number", "a\ntrue", []string{"a"}, `[{"a":1}]`, true, false},
		{"columns in another order", "a | b\n1 | 2", []string{"b", "a"}, `[{"b":2,"a":1}]`, true, false},
		{"no rows", "a", []string{"a"}, `[]`, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, err := table.FromText(tt.want + "\n")
			if err != nil {
				t.Fatal(err)
			}
			got, err := table.FromJSON(tt.columns, []byte(tt.got))
			if err != nil {
				t.Fatal(err)
			}
			diff := table.Diff(want, got, tt.ordered)
			if equal := diff == ""; equal != tt.equal {
				t.Fatalf("equal %v, want %v\n%s", equal, tt.equal, diff)
			}
		})
	}
}

func TestDiff_NumberEqualsBoolean(t *testing.T) {
	t.Run("the hand-written SQL may give a number where the query gives a boolean", func(t *testing.T) {
		want, err := table.FromJSON([]string{"a"}, []byte(`[{"a":1},{"a":0},{"a":null}]`))
		if err != nil {
			t.Fatal(err)
		}
		tests := []struct {
			got   string
			equal bool
		}{
			{`[{"a":true},{"a":false},{"a":null}]`, true},
			{`[{"a":false},{"a":true},{"a":null}]`, false},
		}
		for _, tt := range tests {
			got, err := table.FromJSON([]string{"a"}, []byte(tt.got))
			if err != nil {
				t.Fatal(err)
			}
			if diff := table.Diff(want, got, true); (diff == "") != tt.equal {
				t.Errorf("%s: equal is not %v\n%s", tt.got, tt.equal, diff)
			}
		}
	})
}

func TestFromJSON_InvalidResult(t *testing.T) {
	if _, err := table.FromText("a | b\n1\n"); err == nil {
		t.Error("a row with too few cells is read")
	}
	for _, rows := range []string{`{}`, `[{"b":1}]`, `[{"a":[1]}]`, `[{"a":1,"b":2}]`, `[{"a":1}`} {
		if _, err := table.FromJSON([]string{"a"}, []byte(rows)); err == nil {
			t.Errorf("%s is read", rows)
		}
	}
}

func TestDiff_ShowsBothRows(t *testing.T) {
	want, err := table.FromText("a | b\nx | 1\ny | ∅\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.FromJSON([]string{"a", "b"}, []byte(`[{"a":"x","b":1},{"a":"y","b":2}]`))
	if err != nil {
		t.Fatal(err)
	}
	const text = "    a | b\n-  1 y | ∅\n+  1 y | 2\n"
	if diff := cmp.Diff(text, table.Diff(want, got, true)); diff != "" {
		t.Fatal(diff)
	}
}

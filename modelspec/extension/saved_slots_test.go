package extension_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// A text that is exactly a slot is one in the keys that hold values. In an expression, a name
// and a list of names it is text.
func TestSavedQuery_SlotsStandInValues(t *testing.T) {
	const params = `"params":[{"name":"a","type":"string","default":"x"}]`
	slots := func(key, value string) []string {
		t.Helper()
		m, d := extension.ReadModel(owner, payloads(`{"v":"1.10","queries":[{"name":"q",`+params+`,"query":{"limit":":a","`+key+`":`+value+`}}]}`))
		if len(d.Errors) > 0 {
			t.Fatal(d.Errors[0])
		}
		var out []string
		for _, k := range m.Queries[0].Body {
			for _, part := range k.Parts {
				if slot, ok := part.(catalog.SavedBodyParamPlaceholder); ok && k.Name == key {
					out = append(out, slot.Param)
				}
			}
		}
		return out
	}
	for key, value := range map[string]string{
		"as_of": `":a"`, "time_zone": `":a"`, "offset": `":a"`, "fill": `{"value":":a"}`,
		"top":         `{"dimension":"d","n":":a"}`,
		"compare":     `{"offset":{"count":":a","unit":"year"}}`,
		"time_range":  `{"last":{"n":":a","unit":"month"}}`,
		"time_ranges": `{"t":{"last":{"n":1,"unit":":a"}}}`,
	} {
		if got := slots(key, value); !slices.Equal(got, []string{"a"}) {
			t.Errorf("%s: slots %v", key, got)
		}
	}
	if d := cmp.Diff([]string{"a", "a", "a"}, slots("top", `{"dimension":":a","n":5,"within":["x",":a"],"other":":a","by":":a b"}`)); d != "" {
		t.Error(d)
	}
	for key, value := range map[string]string{
		"metrics": `[{"name":"m","expression":":a"}]`, "group_by": `[{"name":"g","expression":":a"}]`, "with": `[{"dataset":"d","name":"f","expression":":a"}]`,
		"totals": `[[":a"]]`, "shares": `[{"metric":":a"}]`, "week_start": `":a"`, "from": `":a"`, "order_by": `[{"key":":a"}]`,
	} {
		if got := slots(key, value); len(got) > 0 {
			t.Errorf("%s: slots %v", key, got)
		}
	}
}

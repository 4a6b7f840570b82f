package extension_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
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
		"sequences":   `[{"name":"s","within":{"count":":a","granularity":"day"}}]`,
	} {
		if got := slots(key, value); !slices.Equal(got, []string{"a"}) {
			t.Errorf("%s: slots %v", key, got)
		}
	}
	if got := slots("params", `{"where":":a"}`); !slices.Equal(got, []string{"a"}) {
		t.Errorf("a parameter named as a key with a condition: slots %v", got)
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

// Inside the condition of a step, and in that of a ranking, a slot stands for a value.
func TestSavedQuery_SlotsStandInConditionsInsideOfKeys(t *testing.T) {
	for key, value := range map[string]string{
		"sequences": `[{"name":"s","steps":[{"name":"a","dataset":"d","where":"kind = :a AND day > '2024-01-01'"},{"name":"b","dataset":"d","where":"kind = 'b'"}]}]`,
		"top":       `{"dimension":"d","n":5,"rank":{"where_sql":"kind = :a"}}`,
	} {
		m, d := extension.ReadModel(owner, payloads(`{"v":"1.10","queries":[{"name":"q","params":[{"name":"a","type":"string","default":"x"}],"query":{"`+key+`":`+value+`}}]}`))
		if len(d.Errors) > 0 {
			t.Fatal(d.Errors[0])
		}
		var got []string
		for _, part := range m.Queries[0].Body[0].Parts {
			if c, ok := part.(catalog.SavedBodyCondition); ok {
				for _, slot := range sqlexpr.ParamSlots(c.Condition) {
					got = append(got, slot.Name)
				}
			}
		}
		if !slices.Equal(got, []string{"a"}) {
			t.Errorf("%s: slots %v", key, got)
		}
	}
}

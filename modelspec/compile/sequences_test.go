package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// funnelModel returns a model whose dataset funnel has a payload.
func funnelModel(payload string) string {
	return `
datasets:
  - name: funnel
    source: nothing
    @ {"v": "1.10", ` + payload + `}
    fields:
      ~ fast: buy_at < look_at
      ~ reached: reached > 1
  - name: events
    source: events
    primary_key: [id, part]
    fields:
      ~ id: id
        datatype: Integer
      ~ piece: part
      ~ person: person
        datatype: String
      ~ at: at
        datatype: DateTime
      ~ other_at: at
        datatype: DateTimeTz
      ~ starts: COUNT(funnel.fast)
        @ {"v": "1.10", "lod": {"grain": ["person"]}}
  - name: orders
    source: orders
    primary_key: [id]
    fields:
      ~ id: id
      ~ person_id: person_id
        datatype: Integer
      ~ buyer: buyer
        datatype: String
      ~ at: at
        datatype: DateTime
  - name: keyless
    source: keyless
    fields:
      ~ person: person
      ~ at: at
        datatype: DateTime
relationships: []
metrics:
  ~ n: COUNT(funnel.look_id)
`
}

func TestSequence_IsADataset(t *testing.T) {
	cat := catalogOf(t, load(t, expand(strings.Replace(funnelModel(`"sequence": {"entity": ["person"], "steps": [{"name": "look", "dataset": "events", "at": "at", "where": "id > 3"}, {"name": "buy", "dataset": "orders", "entity": ["buyer"]}], "within": {"count": 2, "granularity": "month"}, "order": "any", "start": "first"}`),
		"      ~ starts: COUNT(funnel.fast)\n        @ {\"v\": \"1.10\", \"lod\": {\"grain\": [\"person\"]}}\n", "", 1))), compile.Options{})
	if len(cat.Errors) > 0 {
		t.Fatal(cat.Errors)
	}
	d := cat.Dataset("funnel")
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, f.Name+" "+f.Type.String())
	}
	want := []string{"fast boolean", "reached boolean", "person varchar", "look_at timestamp", "look_id integer", "look_piece unknown", "buy_at timestamp", "buy_id unknown", "look_seconds double", "buy_seconds double"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"look_id", "look_piece"}, d.PrimaryKey); diff != "" || d.PrimaryTime != d.Field("look_at") {
		t.Errorf("%s, time %v", diff, d.PrimaryTime)
	}
	s := d.Sequence
	if s.Count != 2 || s.Grain != sqlexpr.GrainMonth || !s.AnyOrder || !s.FirstOnly || s.Steps[0].Where == nil || s.Steps[1].Entity[0] != cat.Dataset("orders").Field("buyer") {
		t.Errorf("%+v", s)
	}
	look, buy := cat.Relationship("funnel_look"), cat.Relationship("funnel_buy")
	if look.To != cat.Dataset("events") || look.NamedOnly || !buy.NamedOnly || len(buy.FromFields) != 1 || buy.FromFields[0] != d.Field("buy_id") || buy.Cardinality != modelspec.ManyToOne {
		t.Errorf("%+v %+v", look, buy)
	}
	if !cat.ReachesSafely(d, look.To) || cat.ReachesSafely(d, buy.To) {
		t.Error("a reference without a relationship goes by the first step")
	}
}

// A start has a row for each period, whose key is that of the start and the period. The rows of the second step are counted, and have no fields.
func TestSequence_OfPeriodsHasARowForEach(t *testing.T) {
	cat := catalogOf(t, load(t, expand(strings.NewReplacer("      ~ starts: COUNT(funnel.fast)\n        @ {\"v\": \"1.10\", \"lod\": {\"grain\": [\"person\"]}}\n", "", "buy_at < look_at", "events > 2", "reached: reached > 1", "period: period > 1").
		Replace(funnelModel(`"sequence": {"entity": ["person"], "steps": [{"name": "look", "dataset": "events", "at": "at"}, {"name": "buy", "dataset": "orders", "entity": ["buyer"]}], "every": "month", "periods": 12}`)))), compile.Options{})
	if len(cat.Errors) > 0 {
		t.Fatal(cat.Errors)
	}
	d := cat.Dataset("funnel")
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, f.Name+" "+f.Type.String())
	}
	want := []string{"fast boolean", "period boolean", "person varchar", "look_at timestamp", "look_id integer", "look_piece unknown", "period_start date", "active boolean", "events integer"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"look_id", "look_piece", "period"}, d.PrimaryKey); diff != "" || d.PrimaryTime != d.Field("look_at") {
		t.Errorf("%s, time %v", diff, d.PrimaryTime)
	}
	if s := d.Sequence; s.Every != sqlexpr.GrainMonth || s.Periods != 12 {
		t.Errorf("%+v", s)
	}
	if cat.Relationship("funnel_look") == nil || cat.Relationship("funnel_buy") != nil {
		t.Error("a row leads to that of the first step alone")
	}
}

func TestSequence_RefusesWhatIsNoSequence(t *testing.T) {
	steps := func(first, second string) string {
		return `"sequence": {"entity": ["person"], "steps": [{"name": "look", "dataset": "events", "at": "at"` + first + `}, {"name": "buy", "dataset": "orders", "entity": ["buyer"]` + second + `}]}`
	}
	for _, c := range []struct{ payload, message string }{
		{`"sequence": []`, "must be an object"},
		{`"sequence": {"entity": ["person"]}`, "needs steps"},
		{`"sequence": {"entity": ["person"], "steps": [{"name": "look", "dataset": "events"}]}`, "sequence.steps must be a list of at least 2 steps, has 1"},
		{`"sequence": {"entity": [], "steps": []}`, "must be a list of one or more fields"},
		{`"sequence": {"entity": ["person"], "each": "week", "steps": []}`, `unknown key "each"`},
		{`"sequence": {"entity": ["LOWER(person)"], "steps": []}`, "is not the name of a field"},
		{steps("", `, "order": 1`), `unknown key "order"`},
		{strings.Replace(steps("", ""), `"steps"`, `"within": {"count": 0, "granularity": "day"}, "steps"`, 1), "an integer of at least 1"},
		{strings.Replace(steps("", ""), `"steps"`, `"within": {"count": 100001, "granularity": "day"}, "steps"`, 1), "at most 100000"},
		{strings.Replace(steps("", ""), `"steps"`, `"order": "some", "steps"`, 1), "cannot be"},
		{strings.Replace(steps("", ""), "buy", "Look", 1), `two steps of the sequence funnel are named "Look"`},
		{strings.Replace(steps("", ""), `"orders"`, `"ordres"`, 1), `"ordres", which is not in the model`},
		{strings.Replace(steps("", ""), `"orders"`, `"funnel"`, 1), "is a sequence itself"},
		{strings.Replace(steps("", ""), `"orders", "entity": ["buyer"]`, `"keyless"`, 1), "needs a primary_key of keyless"},
		{strings.Replace(steps("", ""), `"at": "at"`, `"at": "until"`, 1), `the time "until" of the step look is not a field of events`},
		{strings.Replace(steps("", ""), `, "at": "at"`, "", 1), "the step look needs at: events has no primary time field"},
		{strings.Replace(steps("", ""), `"at": "at"`, `"at": "id"`, 1), "does not declare the datatype"},
		{strings.Replace(steps("", ""), `"at": "at"`, `"at": "other_at"`, 1), "either all times of its steps are DateTimeTz, or none is"},
		{strings.Replace(steps("", ""), `"steps"`, `"every": "week", "steps"`, 1), "needs periods: a number from 1 to 120"},
		{strings.Replace(steps("", ""), `"steps"`, `"periods": 8, "steps"`, 1), "needs every: one of day, week, month, quarter, year"},
		{strings.Replace(steps("", ""), `"steps"`, `"every": "hour", "periods": 8, "steps"`, 1), "cannot be"},
		{strings.Replace(steps("", ""), `"steps"`, `"every": "week", "periods": 0, "steps"`, 1), "an integer of at least 1"},
		{strings.Replace(steps("", ""), `"steps"`, `"every": "week", "periods": 121, "steps"`, 1), "is 121, and takes at most 120"},
		{strings.Replace(steps("", ""), `"steps"`, `"every": "week", "periods": 8, "order": "given", "steps"`, 1), "cannot be beside every"},
		{strings.Replace(steps("", ""), `"steps"`, `"every": "week", "periods": 8, "within": {"count": 1, "granularity": "day"}, "steps"`, 1), "cannot be beside every"},
		{strings.Replace(strings.Replace(steps("", ""), `"steps"`, `"every": "week", "periods": 8, "steps"`, 1), `["buyer"]}]`, `["buyer"]}, {"name": "pay", "dataset": "events", "at": "at"}]`, 1), "takes a sequence of two steps, and this one has 3"},
		{strings.NewReplacer(`["person"]`, `["active"]`, `"steps"`, `"every": "week", "periods": 8, "steps"`).Replace(steps("", "")), "its entity needs a field of another name"},
		{strings.NewReplacer(`["person"]`, `["look_at"]`).Replace(steps("", "")), "choose other names of its steps"},
		{steps(`, "where": "id"`, ""), "not a condition"},
		{steps(`, "where": "nothing > 1"`, ""), "nothing"},
		{steps(`, "where": "starts > 1"`, ""), "which reads a sequence"},
		{strings.Replace(steps("", ""), `["buyer"]`, `["buyer", "id"]`, 1), "has 2 fields of entity, and the sequence 1"},
		{strings.Replace(steps("", ""), `["buyer"]`, `["person_id"]`, 1), "compares orders.person_id (integer) with events.person (varchar)"},
		{strings.Replace(steps("", ""), `["buyer"]`, `["nobody"]`, 1), "nobody"},
		{strings.Replace(steps("", ""), `["person"]`, `["id"]`, 1), "compares"},
	} {
		cat := catalogOf(t, load(t, expand(funnelModel(c.payload))), compile.Options{})
		if i := slices.IndexFunc(cat.Errors, func(e *modelspec.CompileError) bool {
			return strings.Contains(e.Message, c.message) && e.Code == "invalid_vendor_extension" && strings.Contains(e.Location, "custom_extensions[0].data.sequence")
		}); i < 0 {
			t.Errorf("%s: %s\n%v", c.payload, c.message, cat.Errors)
		}
	}
}

func TestSequence_NamesDiffer(t *testing.T) {
	sequence := `"sequence": {"entity": ["person"], "steps": [{"name": "look", "dataset": "events", "at": "at"}, {"name": "buy", "dataset": "orders", "entity": ["buyer"]}]}`
	for _, c := range []struct{ model, code, message string }{
		{strings.Replace(funnelModel(sequence), "relationships: []", "relationships: [{name: FUNNEL_look, from: orders, to: events, from_columns: [id], to_columns: [id]}]", 1),
			modelspec.CodeDuplicateName, "the relationship funnel_look of the step is declared already"},
		{strings.Replace(funnelModel(sequence), "name: keyless", "name: funnel_buy", 1), modelspec.CodeDuplicateName, "has the name of a dataset"},
		{strings.Replace(funnelModel(sequence), "~ fast: buy_at < look_at", "~ fast: bought > 1", 1), compile.CodeUnknownColumn, "the column `bought`, which the sequence does not have"},
	} {
		cat := catalogOf(t, load(t, expand(c.model)), compile.Options{})
		if !slices.ContainsFunc(cat.Errors, func(e *modelspec.CompileError) bool {
			return e.Code == c.code && strings.Contains(e.Message, c.message)
		}) {
			t.Errorf("%s: %v", c.message, cat.Errors)
		}
	}
}

package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stocked returns a model of stocks with one metric of a non_additive block. Two paths lead to towns, and notes repeat
// stocks.
func stocked(expression, members string) string {
	return `
datasets:
  - name: stock
    source: stock
    primary_key: [id]
    fields:
      ~ id: id
        datatype: Integer
      ~ day: day
        datatype: Date
      ~ counted: counted
        datatype: DateTime
      ~ shop: shop
        datatype: String
      ~ depot: depot
        datatype: String
      ~ qty: qty
        datatype: Integer
      ~ full: qty > 9
        datatype: Boolean
      ~ busy: SUM(notes.id)
        datatype: Integer
        @ {"v": "1.9", "lod": {"grain": ["id"], "where": "notes.id > :n"}, "params": [{"name": "n", "type": "int", "default": 1}]}
      ~ broken: qty +
  - name: towns
    source: towns
    primary_key: [place]
    fields:
      ~ place: place
        datatype: String
      ~ town: town
        datatype: String
      ~ founded: founded
        datatype: Date
  - name: notes
    source: notes
    primary_key: [id]
    fields:
      ~ id: id
        datatype: Integer
      ~ stock: stock
        datatype: Integer
      ~ kind: kind
        datatype: String
relationships:
  - {name: shop_town, from: stock, to: towns, from_columns: [shop], to_columns: [place]}
  - {name: depot_town, from: stock, to: towns, from_columns: [depot], to_columns: [place]}
  - {name: note, from: notes, to: stock, from_columns: [stock], to_columns: [id]}
metrics:
  ~ m: ` + expression + "\n    @ {\"v\": \"1.10\", \"requires\": [\"non_additive\"], " + members + "}\n"
}

func TestNonAdditive_RejectsWhatChoosesNoSnapshot(t *testing.T) {
	const sum = "SUM(stock.qty)"
	block := func(members string) string { return `"non_additive": {` + members + `}` }
	last := func(members string) string { return block(`"by": "day", "take": "last", ` + members) }
	for _, c := range []struct {
		what, expression, members, at, message string
		candidate                              string // the first one, "" for none
	}{
		{"a text", sum, `"non_additive": "last"`, "", "must be an object", ""},
		{"no by", sum, block(`"take": "last"`), "", "needs by", ""},
		{"no take", sum, block(`"by": "day"`), "", "needs take", ""},
		{"another key", sum, last(`"each": "shop"`), ".each", "unknown key", ""},
		{"another take", sum, block(`"by": "day", "take": "middle"`), ".take", `cannot be "middle"`, ""},
		{"a take in upper case", sum, block(`"by": "day", "take": "LAST"`), ".take", `cannot be "LAST"`, ""},
		{"a number for a field", sum, block(`"by": 3, "take": "last"`), ".by", "must be a string", ""},
		{"an unknown field", sum, block(`"by": "dya", "take": "last"`), ".by", `has no field "dya"`, "day"},
		{"a field that is not a time", sum, block(`"by": "shop", "take": "last"`), ".by", "stock.shop is not a time field", "day"},
		{"a time of another dataset", sum, block(`"by": "towns.founded", "take": "last"`), ".by", "is not a field of stock", "day"},
		{"a time behind a relationship", sum, block(`"by": "shop_town.founded", "take": "last"`), ".by", "is not a field of stock", "day"},
		{"an expression", sum, block(`"by": "day + 1", "take": "last"`), ".by", "is not a field of stock", "day"},
		{"no entity", sum, last(`"per": []`), ".per", "one or more fields, is empty", ""},
		{"one entity that is not in a list", sum, last(`"per": "shop"`), ".per", "must be a list of fields", ""},
		{"entities of min", sum, block(`"by": "day", "take": "min", "per": ["shop"]`), ".per", "per is for first and last", ""},
		{"an unknown entity", sum, last(`"per": ["shop", "shpo"]`), ".per[1]", `"shpo" is not a field of stock`, "shop"},
		{"an entity twice", sum, last(`"per": ["shop", "stock.shop"]`), ".per[1]", "per names stock.shop twice", ""},
		{"an entity twice on one path", sum, last(`"per": ["shop_town.town", "shop_town.town"]`), ".per[1]", "per names towns.town twice", ""},
		{"the time of the snapshots", sum, last(`"per": ["stock.day"]`), ".per[0]", "per names stock.day, which is the time of the snapshots", ""},
		{"an entity that repeats rows", sum, last(`"per": ["notes.kind"]`), ".per[0]", "stock does not lead to notes many-to-one", "towns.town"},
		{"a relationship that repeats rows", sum, last(`"per": ["note.kind"]`), ".per[0]", "relationship note", "towns.town"},
		{"an entity with parameters", sum, last(`"per": ["busy"]`), ".per[0]", "stock.busy has parameters", ""},
		{"two aggregates", "SUM(stock.qty) / COUNT(stock.id)", last(`"per": ["shop"]`), "", "the metric m is not a single aggregate", ""},
		{"arithmetic", "SUM(stock.qty) + 1", last(`"per": ["shop"]`), "", "the metric m is not a single aggregate", ""},
		{"the mean of texts", "MAX(stock.shop)", block(`"by": "day", "take": "avg"`), "", "take avg needs a number", ""},
		{"the least truth value", "BOOL_AND(stock.full)", block(`"by": "day", "take": "min"`), "", "take min needs a number", ""},
		{"another time dimension", sum, `"time_dimension": "counted", ` + last(`"per": ["shop"]`), "time_dimension", "the time_dimension of m is stock.counted", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, stocked(c.expression, c.members))
			err := cat.Metric("m").Err
			if err == nil {
				t.Fatal("no error")
			}
			at := "metrics[0]" + payloadOf + "." + c.at
			if c.at != "time_dimension" {
				at = "metrics[0]" + payloadOf + ".non_additive" + c.at
			}
			if err.Code != "invalid_vendor_extension" || err.Location != at || !strings.Contains(err.Message, c.message) || !strings.Contains(err.Hint, "#non_additive") {
				t.Errorf("want %s: %s, got %+v", at, c.message, err)
			}
			if first := strings.Join(err.Candidates[:min(1, len(err.Candidates))], ""); c.candidate != "" && first == "" {
				t.Errorf("no candidates, want such as %s", c.candidate)
			}
			for _, name := range err.Candidates {
				members := last(`"per": ["` + name + `"]`)
				if c.at == ".by" {
					members = block(`"by": "` + name + `", "take": "last"`)
				}
				if err := compiled(t, stocked(c.expression, members)).Metric("m").Err; err != nil && err.Code != "ambiguous_join_path" {
					t.Errorf("the candidate %s: %v", name, err)
				}
			}
		})
	}
}

func TestNonAdditive_KeepsTheErrorOfAField(t *testing.T) {
	err := compiled(t, stocked("SUM(stock.qty)", `"non_additive": {"by": "day", "take": "last", "per": ["broken"]}`)).Metric("m").Err
	if err == nil || err.Code != "unparseable_expression" {
		t.Errorf("%+v", err)
	}
}

func TestNonAdditive_NamesThePathsOfAnEntity(t *testing.T) {
	err := compiled(t, stocked("SUM(stock.qty)", `"non_additive": {"by": "day", "take": "last", "per": ["towns.town"]}`)).Metric("m").Err
	if err == nil || err.Code != "ambiguous_join_path" {
		t.Fatalf("%+v", err)
	}
	if d := cmp.Diff([]string{"shop_town.town", "depot_town.town"}, err.Candidates); d != "" {
		t.Error(d)
	}
	for _, path := range err.Candidates {
		sound(t, withoutBroken(stocked("SUM(stock.qty)", `"non_additive": {"by": "day", "take": "last", "per": ["`+path+`"]}`)))
	}
}

func TestNonAdditive_ListsTheDatasetOfAnEntity(t *testing.T) {
	for per, want := range map[string]string{"shop": "stock ← ", "shop_town.town": "stock ← towns"} {
		cat := compiled(t, withoutBroken(stocked("SUM(stock.qty)", `"non_additive": {"by": "day", "take": "last", "per": ["`+per+`"]}`)))
		if got := showHome(cat, "m"); got != want {
			t.Errorf("per %s: %q, not %q", per, got, want)
		}
	}
}

func TestNonAdditive_RefusesToRecomputeAnExpressionWithIt(t *testing.T) {
	const window = `"window": {"recompute": {"periods": 2}}`
	for expression, refused := range map[string]bool{"m": true, "m / COUNT(stock.id)": true, "SUM(stock.qty) / COUNT(stock.id)": false} {
		t.Run(expression, func(t *testing.T) {
			cat := compiled(t, withoutBroken(stocked("SUM(stock.qty)", `"non_additive": {"by": "day", "take": "last"}`))+
				"  ~ over: "+expression+"\n    @ {\"v\": \"1.10\", "+window+"}\n")
			err := cat.Metric("over").Err
			switch {
			case !refused && err != nil:
				t.Error(err.Message)
			case refused && (err == nil || err.Code != "not_implemented" || !strings.Contains(err.Message, "recomputes a semi-additive metric") || !strings.HasPrefix(err.Hint, "declare the metric without this window")):
				t.Errorf("%+v", err)
			}
		})
	}
}

func withoutBroken(model string) string {
	return strings.Replace(model, "      ~ broken: qty +\n", "", 1)
}

// A hint of a rejected window leads to one that compiles.
func TestNonAdditive_HintsOfWindowsHelp(t *testing.T) {
	const snapshots = `"non_additive": {"by": "day", "take": "last"}, `
	for _, c := range []struct{ window, hint, followed string }{
		{`{"type": "cumulative", "function": "sum"}`, "use the function min or max", `{"type": "cumulative", "function": "max"}`},
		{`{"type": "rolling", "function": "avg", "periods": 3}`, "use the function min or max", `{"type": "rolling", "function": "min", "periods": 3}`},
		{`{"frame": {"function": "count", "preceding": 2}}`, "use the function min or max", `{"frame": {"function": "max", "preceding": 2}}`},
		{`{"recompute": {"periods": 3}}`, "use a rolling or cumulative window with the function min or max", `{"type": "rolling", "function": "max", "periods": 3}`},
	} {
		err := compiled(t, stocked("SUM(stock.qty)", snapshots+`"window": `+c.window)).Metric("m").Err
		if err == nil || err.Code != "not_implemented" || !strings.HasPrefix(err.Hint, c.hint) {
			t.Errorf("%s: %+v", c.window, err)
		}
		sound(t, withoutBroken(stocked("SUM(stock.qty)", snapshots+`"window": `+c.followed)))
	}
}

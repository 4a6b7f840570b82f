package lookml_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/lookml"
)

func settle(t testing.TB, texts ...string) (*importer.Result, error) {
	t.Helper()
	var sources []importer.SourceFile
	for i, text := range texts {
		sources = append(sources, importer.SourceFile{Name: fmt.Sprintf("f%d.lkml", i+1), Text: []byte(text)})
	}
	imported, err := lookml.Read(sources, importer.Options{ModelName: "m"})
	if err != nil {
		return nil, err
	}
	return importer.FinishImport(t.Context(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
}

// orders returns a view with more constructs.
func orders(more string) string {
	return "view: orders {\n  dimension: id { primary_key: yes type: number }\n  dimension: amount { type: number }\n" +
		"  dimension: status {}\n  dimension_group: at { type: time timeframes: [date, month] }\n" + more + "\n}\n"
}

const users = "view: users {\n  dimension: id { type: number primary_key: yes }\n  dimension: region {}\n}\n"

func losses(r *importer.Result) []string {
	var out []string
	for _, e := range r.Entries {
		if e.Outcome != importer.OutcomeExact {
			out = append(out, fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	return out
}

// Each construct that is not kept whole is one entry with its reason, and nothing else is
// lost.
func TestRead_ReportsLosses(t *testing.T) {
	join := func(body string) string {
		return orders("") + users + "explore: orders { join: users { " + body + " } }"
	}
	for _, c := range []struct{ text, want string }{
		{orders("measure: x { type: sum_distinct sql: ${amount} ;; }"), "dropped measure orders.x: it has no sql_distinct_key"},
		{orders("measure: x { type: average_distinct sql: ${amount} ;; sql_distinct_key: SUM(${id}) ;; }"), "dropped measure orders.x: its key is an aggregate"},
		{orders("measure: x { type: sum sql: ${amount} ;; sql_distinct_key: ${status} ;; }"), "dropped measure orders.x: a distinct key has no counterpart"},
		{orders("measure: x { type: percent_of_total sql: ${amount} ;; }"), "dropped measure orders.x: it divides orders.amount, which is not an imported measure"},
		{orders("measure: n { type: count }\n measure: x { type: percent_of_total sql: ${n} ;; direction: row }"), "dropped measure orders.x: the total of a row of a pivot has no counterpart"},
		{orders("measure: n { type: count }\n measure: x { type: percent_of_total sql: ${n} ;; }"), "approximated measure orders.x: it is a fraction of the total of all rows of the query; Looker divides by the total of the rows that it shows"},
		{orders("measure: x { type: percentile sql: ${amount} ;; }"), "dropped measure orders.x: its percentile is not an integer from 0 to 100"},
		{orders("measure: x { type: list sql: ${status} ;; }"), `dropped measure orders.x: the type "list" of the measure has no counterpart`},
		{orders("measure: x { type: sum sql: ${amount} * {{ rate._value }} ;; }"), "dropped measure orders.x: it has Liquid"},
		{orders("measure: x { type: sum sql: ${nowhere} ;; }"), "dropped measure orders.x: nowhere is not a dimension of the view"},
		{orders("measure: x { type: sum sql: ${users.id} ;; }"), "dropped measure orders.x: it refers to users.id of another view, and the view users is not in the model"},
		{orders("measure: x { type: sum sql: ${users.id} ;; }") + users, "dropped measure orders.x: it refers to users.id of another view, and no join leads from a row of orders to one of users"},
		{orders("measure: x { type: sum }"), "dropped measure orders.x: it has no SQL"},
		{orders("measure: x { type: count_distinct sql: ${id} ;; approximate: yes }"), "approximated measure orders.x: the count is exact"},
		{orders(`measure: x { type: count filters: [at_date: "7 days"] }`), "approximated measure orders.x: its filter counts from the current day of the session's zone, and in Looker from that of the query's zone"},
		{orders(`measure: x { type: count filters: [at_date: ""] }`), `dropped measure orders.x: the filter "" of at has no counterpart`},
		{orders(`measure: x { type: count filters: [nowhere: "a"] }`), "dropped measure orders.x: it filters by nowhere, which is not a field of the view, nor of one that a single join leads to"},
		{orders(`measure: x { type: count filters: [status: "{{ _user_attributes['s'] }}"] }`), "dropped measure orders.x: a filter has Liquid"},
		{orders(`measure: x { type: count filters: [status: "%"] }`), `dropped measure orders.x: the filter "%" of status has no counterpart`},
		{orders(`measure: x { type: count filters: [status: "a%, ,b"] }`), `dropped measure orders.x: the filter "a%, ,b" of status has no counterpart`},
		{orders(`measure: x { type: count filters: [status: "a^_%"] }`), `dropped measure orders.x: the filter "a^_%" of status has no counterpart`},
		{orders(`measure: x { type: count filters: [amount: "NOT 3, > 4"] }`), `dropped measure orders.x: the filter "NOT 3, > 4" of amount has no counterpart`},
		{orders("measure: x { type: count sql: ${amount} ;; }"), "approximated measure orders.x: its SQL is not read: a count counts the rows of its view"},
		{orders("measure: x { type: average sql: AVG(${amount}) ;; }"), "dropped measure orders.x: its SQL aggregates before the measure does"},
		{orders(`measure: x { type: count filters: [users.region: "a"] }`), "dropped measure orders.x: it filters by users.region, which is not a field of the view, nor of one that a single join leads to"},
		{orders("measure: x { type: number sql: ${TABLE}.amount ;; }"), "dropped measure orders.x: it names no measure"},
		{orders("measure: x { type: running_total sql: ${amount} ;; }"), `dropped measure orders.x: the type "running_total" of the measure has no counterpart`},
		{orders("measure: x { type: period_over_period based_on: gone based_on_time: at_year period: year }"), "dropped measure orders.x: it compares orders.gone, which is not an imported measure"},
		{orders("measure: n { type: count }\nmeasure: x { type: period_over_period based_on: n based_on_time: status period: year }"), "dropped measure orders.x: its time status is not a group of type time of the view, or its measure is of another view"},
		{orders("measure: n { type: count }\nmeasure: x { type: period_over_period based_on: n based_on_time: at_year period: fiscal_year }"), `dropped measure orders.x: the comparison "" with the "fiscal_year" before has no counterpart`},
		{orders("measure: n { type: count }\nmeasure: x { type: period_over_period based_on: n based_on_time: at_year period: year value_to_date: yes }"), "dropped measure orders.x: the comparison of a period to date has no counterpart"},
		{orders("measure: n { type: count }\nmeasure: x { type: number sql: SUM(${n}) ;; }"), "dropped measure orders.x: an aggregate of a measure has no counterpart"},
		{orders("measure: x { type: number sql: SUM(${users.id}) ;; }"), "dropped measure orders.x: it names users.id, which is not a measure"},
		{orders("measure: x { type: number sql: SUM(${at_week}) ;; }"), "dropped measure orders.x: it refers to at_week, and the timeframe week has no expression here"},
		{orders("measure: n { type: count }\nmeasure: x { type: number sql: ${n} / amount ;; }"), "dropped measure orders.x: it names amount outside of an aggregate, which is not a measure"},
		{orders("measure: n { type: list }\nmeasure: x { type: number sql: ${n} ;; }"), "dropped measure orders.x: it is made of orders.n, which is dropped"},
		{orders("measure: x { type: number sql: ${x} ;; }"), "dropped measure orders.x: it names itself"},
		{orders("measure: n { type: count }\nmeasure: n { type: count }"), "dropped measure orders.n: another measure of the view has the name"},
		{orders("measure: n { type: count }") + strings.Replace(users, "\n}\n", "\nmeasure: n { type: count }\n}\n", 1), "approximated measure users.n: another measure has the same name"},
		{orders("dimension: x { type: tier tiers: [1, 2] sql: ${amount} ;; }"), "approximated dimension orders.x: the labels are intervals without a number before them"},
		{orders("dimension: x { type: tier sql: ${amount} ;; }"), "dropped dimension orders.x: it has no tiers"},
		{orders("dimension: x { type: bin bins: [2, 1] sql: ${amount} ;; }"), "dropped dimension orders.x: its bins are not ascending numbers"},
		{orders("dimension: x { type: bin bins: [1, b] style: integer sql: ${amount} ;; }"), "dropped dimension orders.x: its bins are not ascending numbers"},
		{orders("dimension: x { type: bin bins: [1] style: round sql: ${amount} ;; }"), "dropped dimension orders.x: the style round is not known"},
		{orders("dimension: x { type: location }"), "dropped dimension orders.x: the type location has no counterpart"},
		{orders("dimension: x { sql: {% if a %} b {% endif %} ;; }"), "dropped dimension orders.x: it has Liquid"},
		{orders("dimension: x { sql: ${y} ;; }\ndimension: y { sql: ${x} ;; }"), "dropped dimension orders.x: it refers to y: it refers to x: the dimension x refers to itself"},
		{orders("dimension: x { drill_fields: [id] }"), "presentation drill_fields orders.x: it is presentation"},
		{orders("dimension: x { required_access_grants: [a] }"), "dropped required_access_grants orders.x: access is not a part of the model"},
		{orders("dimension_group: since { type: duration intervals: [day] }"), "dropped dimension_group orders.days_since: it has no sql_start or no sql_end"},
		{orders("dimension_group: since { type: duration intervals: [fortnight] sql_start: ${at_raw} ;; sql_end: ${at_raw} ;; }"), "dropped dimension_group orders.fortnights_since: the interval fortnight has no counterpart"},
		{orders("dimension_group: since { type: duration intervals: [day] sql_start: ${at_raw} ;; sql_end: {{ now }} ;; }"), "dropped dimension_group orders.days_since: it has Liquid"},
		{orders("dimension_group: since { type: duration intervals: [day] sql_start: ${at_raw} ;; sql_end: ${at_raw} ;; }"), "approximated dimension_group orders.days_since: it counts how often the day changes between the two times"},
		{orders("dimension_group: on { type: time timeframes: [raw, date] }"), "presentation timeframe orders.on_raw: the field without a grain has these values"},
		{orders("dimension_group: on { type: time datatype: date timeframes: [hour, date] }"), "dropped timeframe orders.on_hour: a query has the grains second, minute, hour, day, week, month, quarter and year"},
		{orders("dimension_group: on { type: time datatype: date timeframes: [hour_of_day, date] }"), "dropped timeframe orders.on_hour_of_day: the stored time is a number or has no hours, and has no such part"},
		{orders("dimension_group: on { type: time datatype: epoch timeframes: [month_name, date] }"), "dropped timeframe orders.on_month_name: the stored time is a number or has no hours, and has no such part"},
		{orders("dimension_group: on { type: time timeframes: [day_of_week, date] }"), "approximated timeframe orders.on_day_of_week: it is a part of the stored time, and in Looker of the time in the query's zone"},
		{"week_start_day: sunday\n" + orders("dimension_group: on { type: time datatype: date timeframes: [day_of_week_index, date] }"), "approximated timeframe orders.on_day_of_week_index: it counts from Monday, and in Looker from the first day of the week"},
		{orders("dimension_group: on { type: time datatype: date timeframes: [month_num] }\ndimension: on_month_num {}"), "dropped timeframe orders.on_month_num: another dimension of the view has the name"},
		{orders("") + "view: v { sql_table_name: @{PLACE}.v ;; dimension: a {} }", "dropped view v: its table has the constant PLACE, which no file declares"},
		{"case_sensitive: no\n" + orders(""), "approximated case_sensitive no: the filters of measures hold by it, and conditions of a query compare as the database does"},
		{"fiscal_month_offset: 1\n" + orders(""), "dropped fiscal_month_offset 1: fiscal periods are those of a calendar, which is a table of days, and an offset of months is not a table: declare a calendar in the model"},
		{orders("dimension_group: on { type: time timeframes: [date, fiscal_year] }"), "dropped timeframe orders.on_fiscal_year: fiscal periods are those of a calendar, which is a table of days, and an offset of months is not a table: declare a calendar in the model"},
		{orders("parameter: p { type: string }"), "dropped parameter orders.p: it has no counterpart"},
		{orders("filter: f { type: string }"), "dropped filter orders.f: it has no counterpart"},
		{orders("set: s { fields: [id] }"), "presentation set orders.s: it is presentation"},
		{orders("") + "view: d { derived_table: { explore_source: orders {} } }", "dropped view d: a derived table without SQL has no counterpart"},
		{orders("") + "view: d { derived_table: { sql: SELECT {{ x }} ;; } }", "dropped view d: its query has Liquid"},
		{orders("") + "view: d { derived_table: { sql: SELECT 1 AS id ;; sql_trigger_value: SELECT 1 ;; } dimension: id {} }", "dropped sql_trigger_value d.derived_table: it has no counterpart"},
		{orders("") + "view: d { extends: [nowhere] }", "dropped view d: it extends what cannot be resolved: nowhere is not in the input"},
		{orders("") + "view: d { extends: [d] }", "dropped view d: it extends what cannot be resolved: d extends itself"},
		{orders("") + "view: +d { dimension: x {} }", "dropped view +d: it refines d, which no file has"},
		{orders("") + orders(""), "dropped view orders: another view has the name"},
		{join("sql_on: ${orders.id} = ${users.id} ;; type: full_outer"), "dropped join orders.users: the join type full_outer has no counterpart"},
		{join("sql_on: ${orders.id} > ${users.id} ;;"), "dropped join orders.users: a part of its condition is neither an equality of fields nor a condition on one view"},
		{join("sql_on: ${orders.id} = ${users.id} OR 1 = 1 ;;"), "dropped join orders.users: a part of its condition is neither an equality of fields nor a condition on one view"},
		{join("sql_on: ${users.id} > 5 ;;"), "dropped join orders.users: its condition has no equality of fields of two views"},
		{join("sql_on: ${orders.id} = ${users.id} AND ${users.id} > 5 ;;"), "approximated join orders.users: rows of users for which its condition does not hold count in measures of users, and not in Looker"},
		{join("sql_on: ${orders.id} = ${users.id} AND ${nobody.id} > 5 ;;"), "dropped join orders.users: its condition names nobody, which it does not join"},
		{join("sql_on: ${orders.id} = ${users.id} AND ${users.nowhere} > 5 ;;"), "dropped join orders.users: users.nowhere is not a field of the model"},
		{join("sql_on: ${id} = ${users} ;;"), "dropped join orders.users: id is not a field of a view"},
		{join("sql_on: ${orders.id} = ${users.nowhere} ;;"), "dropped join orders.users: users.nowhere is not a field of the model"},
		{orders("") + users + "view: admins { dimension: id { primary_key: yes } }\nexplore: orders { join: users { from: admins foreign_key: id } }", "approximated join orders.users: a view or another join has the name"},
		{join("relationship: many_to_one"), "dropped join orders.users: it has neither sql_on nor foreign_key"},
		{join("foreign_key: nowhere"), "dropped join orders.users: nowhere is not a field of orders"},
		{join("foreign_key: id sql_where: ${users.id} > 1 ;;"), "dropped sql_where orders.users: in Looker each query with the join has the condition; here a query gives it in where_sql"},
		{orders("") + "explore: orders { sql_always_where: ${TABLE}.id > 1 ;; }", "dropped sql_always_where orders: in Looker each query of the explore has the condition; its condition names the column ${TABLE}.id, and not a field"},
		{orders("") + "explore: orders { access_filter: { field: id user_attribute: a } }", "dropped access_filter orders: access is not a part of the model"},
		{orders("") + "explore: orders { aggregate_table: a { query: {} } }", "dropped aggregate_table orders.a: a rollup of the model does this: semlayer rollup suggest writes one from queries"},
		{orders("") + "explore: nowhere {}", "dropped explore nowhere: the view nowhere is not in the model"},
		{orders("") + "datagroup: d { sql_trigger: SELECT 1 ;; }", "dropped datagroup d: a server keeps results for a time that its settings name"},
	} {
		result, err := settle(t, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		found := 0
		for _, loss := range losses(result) {
			if loss == c.want {
				found++
			}
		}
		if found != 1 {
			t.Errorf("want %q, got\n%s", c.want, strings.Join(losses(result), "\n"))
		}
	}
}

// A text that is not LookML is rejected with the line that is to blame.
func TestRead_RefusesOtherTexts(t *testing.T) {
	for text, want := range map[string]string{
		"view: a {\n  dimension: x {\n":                      "f1.lkml:2: the block that begins here is not closed: a } is missing",
		"view: a {\n}\n}\n":                                  "f1.lkml:3: this } closes no block",
		"view: a {\n  dimension: x { sql: ${TABLE}.x }\n}\n": "f1.lkml:2: the text of sql does not end: ;; is missing",
		"view: a {\n  label: \"x\n}\n":                       "f1.lkml:2: the text that begins here is not closed: a quote is missing",
		"view: a {\n  fields: [a, b\n":                       "f1.lkml:2: the list that begins here is not closed: a ] is missing",
		"view: a {\n  fields: [a b]\n}":                      `f1.lkml:2: a comma or ] is expected, not "b"`,
		"view: a {\n  label\n}":                              "f1.lkml:2: a colon is missing after label",
		"view: a {\n  label:\n}":                             "f1.lkml:2: the value of label is missing",
		"just text":                                          "f1.lkml:1: a colon is missing after just",
		"\x00":                                               "f1.lkml: the file is not UTF-8 text",
		"\xff":                                               "f1.lkml: the file is not UTF-8 text",
		"":                                                   "no part of the input can be imported",
		strings.Repeat("a: {", 5000):                         "f1.lkml:1: the file is nested deeper than 64 levels",
		"a: " + strings.Repeat("[", 5000):                    "f1.lkml:1: a value is expected",
		strings.Repeat("a: b ", 1<<20+1):                     "f1.lkml:1: the file holds more than 1048576 constructs",
	} {
		_, err := settle(t, text)
		if refused := (*importer.Error)(nil); !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}

// References that double with each dimension are rejected, not written out.
func TestRead_BoundsReferences(t *testing.T) {
	var b strings.Builder
	b.WriteString("view: v {\n  dimension: d0 { sql: ${TABLE}.x ;; }\n")
	for i := range 200 {
		fmt.Fprintf(&b, "  dimension: d%d { sql: ${d%d} || ${d%d} ;; }\n", i+1, i, i)
	}
	b.WriteString("}\n")
	result, err := settle(t, b.String())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(losses(result)); n < 180 {
		t.Errorf("%d losses, want those of 180 dimensions", n)
	}
}

func TestRead_RefinementsAndExtensionsHoldInFileOrder(t *testing.T) {
	result, err := settle(t,
		"view: base { dimension: a { label: \"one\" sql: ${TABLE}.a1 ;; } dimension: b {} }\nview: child { extends: [base] dimension: a { label: \"child\" } }",
		"view: +base { dimension: a { sql: ${TABLE}.a2 ;; } }\nview: +child { dimension: c {} }")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- name: base\n        source: base", "- name: child\n        source: child", "label: child", "label: one", "expression: a2}", "- name: c\n",
	} {
		if !strings.Contains(string(result.Model), want) {
			t.Errorf("no %q in\n%s", want, result.Model)
		}
	}
	if strings.Contains(string(result.Model), "a1") || strings.Count(string(result.Model), "expression: a2}") != 2 {
		t.Errorf("the refinement does not hold:\n%s", result.Model)
	}
}

// The filters of a refinement are all of the measure's filters.
func TestRead_FiltersOfARefinementReplaceThose(t *testing.T) {
	refined := "view: +orders { measure: x { filters: { field: status value: \"a\" } filters: { field: amount value: \">5\" } } " +
		"dimension: size { case: { when: { sql: ${amount} > 9 ;; label: \"big\" } when: { sql: ${amount} > 3 ;; label: \"mid\" } } } }"
	base := orders(`measure: x { type: sum sql: ${amount} ;; filters: [status: "b"] } dimension: size { case: { when: { sql: ${amount} > 1 ;; label: "one" } } }`)
	r, err := settle(t, base, refined)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"SUM(CASE WHEN orders.status = 'a' AND orders.amount > 5 THEN orders.amount END)",
		"CASE WHEN (amount) > 9 THEN 'big' WHEN (amount) > 3 THEN 'mid' END",
	} {
		if !strings.Contains(string(r.Model), want) {
			t.Errorf("no %s in\n%s", want, r.Model)
		}
	}
	if got := losses(r); len(got) > 0 {
		t.Error(got)
	}
}

func TestRead_FiltersByTheFieldOfAJoinedView(t *testing.T) {
	const filtered = `measure: x { type: sum sql: ${amount} ;; filters: [users.region: "north", buyer.id: ">5"] } measure: y { type: count filters: [users.known: "no"] }`
	const known = "view: users {\n  dimension: id { type: number primary_key: yes }\n  dimension: region {}\n  dimension: known { type: yesno sql: ${region} IS NULL ;; }\n}\n"
	r, err := settle(t, orders(filtered), known, "explore: orders { join: users { sql_on: ${orders.id} = ${users.id} ;; } join: buyer { from: users sql_on: ${orders.amount} = ${buyer.id} ;; } }")
	if err != nil {
		t.Fatal(err)
	}
	if want := "SUM(CASE WHEN orders_users.region = 'north' AND buyer.id > 5 THEN orders.amount END)"; !strings.Contains(string(r.Model), want) {
		t.Errorf("no %s in\n%s", want, r.Model)
	}
	// An order without a user has an unknown region in Looker, and no value of the field here.
	want := []string{
		"dropped measure orders.y: it filters by users.known, which is not a field of the view, nor of one that a single join leads to",
		"approximated dimension users.known: a row without a match in users has no value, and in Looker the value of its SQL over nulls",
	}
	if diff := cmp.Diff(want, losses(r)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// In an explore, measures have the rows that its base view leads to, and dimensions are computed after the join.
func TestRead_ReportsWhatAnExploreDoesToJoinedViews(t *testing.T) {
	const users = "view: users {\n  dimension: id { type: number primary_key: yes }\n  dimension: group { sql: CASE WHEN ${id} < 3 THEN 'old' ELSE 'new' END ;; }\n measure: user_count { type: count }\n}\n"
	const valueLoss = "approximated dimension users.group: a row without a match in users has no value, and in Looker the value of its SQL over nulls"
	const measureLoss = "approximated explore orders: measures of a joined view aggregate all its rows, and in Looker those that the rows of orders lead to"
	for _, c := range []struct {
		explores string
		want     []string
	}{
		{"explore: users {}", nil},
		{"explore: orders { join: users { sql_on: ${orders.id} = ${users.id} ;; } }", []string{valueLoss, measureLoss}},
		{"explore: orders { join: users { type: inner sql_on: ${orders.id} = ${users.id} ;; } }", []string{measureLoss}},
	} {
		r, err := settle(t, orders(""), users, c.explores)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, losses(r)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.explores, diff)
		}
	}
}

// A dimension of dates has the dates of a stored time.
func TestRead_CutsTheHoursOfDates(t *testing.T) {
	for datatype, want := range map[string]string{
		"":                    "expression: CAST(ts AS DATE)",
		"datatype: timestamp": "expression: CAST(ts AS DATE)",
		"datatype: date":      "name: day\n            expression: {dialects: [{dialect: ANSI_SQL, expression: ts}]}",
		"datatype: yyyymmdd":  `"time": {"format": "yyyyMMdd"}`,
		"datatype: epoch":     `"time": {"format": "epoch_seconds"}`,
	} {
		r, err := settle(t, orders("dimension: day { type: date "+datatype+" sql: ${TABLE}.ts ;; }"))
		if err != nil {
			t.Fatal(err)
		}
		if got := losses(r); len(got) > 0 || !strings.Contains(string(r.Model), want) {
			t.Errorf("%s: %v\n%s", datatype, got, r.Model)
		}
	}
}

// What a view or explore inherits is the construct of the one that declares it: one entry.
func TestRead_ReportsInheritedConstructsOnce(t *testing.T) {
	r, err := settle(t, orders("measure: n { type: count drill_fields: [id] }"), users,
		"view: child { extends: [orders] }\nexplore: orders { join: users { relationship: many_to_one sql_on: ${orders.id} = ${users.id} ;; } }\nexplore: again { extends: [orders] view_name: orders }")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]*importer.ReportEntry{}
	for _, e := range r.Entries {
		key := fmt.Sprintf("%s:%d %s %s", e.File, e.Line, e.Construct, e.Name[strings.LastIndexByte(e.Name, '.')+1:])
		if seen[key] != nil {
			t.Errorf("%s is reported twice", key)
		}
		seen[key] = e
	}
	for key, want := range map[string]string{
		"f1.lkml:2 dimension id": "exact [datasets.orders.fields.id datasets.child.fields.id]",
		"f1.lkml:6 measure n":    "approximated [metrics.orders_n metrics.child_n]",
		"f3.lkml:2 join users":   "exact [relationships.orders_users]",
	} {
		if e := seen[key]; e == nil || fmt.Sprintf("%s %v", e.Outcome, []string(e.Became)) != want {
			t.Errorf("%s: %+v", key, e)
		}
	}
}

// The fields of a view that is dropped are entries as well.
func TestRead_ReportsTheFieldsOfADroppedView(t *testing.T) {
	r, err := settle(t, users, "view: v { sql_table_name: {{ x }} ;; dimension: a {} dimension_group: at { type: time } measure: n { type: count } }")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"dropped view v: its table has Liquid", "dropped dimension v.a: its view is dropped",
		"dropped dimension_group v.at: its view is dropped", "dropped measure v.n: its view is dropped",
	}
	if diff := cmp.Diff(want, losses(r)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// FuzzRead: any text is rejected with an error of the importer, or imported as a model that
// compiles.
func FuzzRead(f *testing.F) {
	f.Add(orders("measure: n { type: count filters: [status: \"a, b\"] }\nmeasure: x { type: number sql: ${n} / 2 ;; }"))
	f.Add(orders("") + users + "explore: orders { join: users { sql_on: ${orders.id} = ${users.id} ;; relationship: one_to_one } join: u { from: users foreign_key: id } }")
	f.Add("view: a { extends: [b] }\nview: b { dimension: x { case: { when: { sql: ${TABLE}.y > 1 ;; label: \"l\" } else: \"m\" } } }\nview: +b { dimension_group: g { type: time } }")
	f.Add("constant: c { value: \"a\" }\n" + orders("measure: n { type: sum sql: ${amount} ;; filters: [status: \"-@{c}%, NULL\", amount: \"[1, 5) OR NOT 7\"] }\nmeasure: x { type: number sql: SUM(${amount} * \"y\") / COUNT(*) ;; }"))
	f.Add(orders("set: s { fields: [id, at_date, -amount] } measure: n { type: count }") + users + "explore: orders { sql_always_where: ${status} <> 'a' ;; fields: [s*, -orders.id, u.region] " +
		"always_filter: { filters: [orders.at_date: \"2024\"] unless: [id] } join: u { from: users foreign_key: id fields: [u.region] } }\nexplore: more { view_name: orders hidden: yes }")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := settle(t, text)
		refused := (*importer.Error)(nil)
		if err != nil && (!errors.As(err, &refused) || strings.Contains(err.Error(), "the imported model")) {
			t.Errorf("%v", err)
		}
	})
}

package lookml_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// A model without the condition of an explore answers with rows that Looker does not show.
func TestRead_RestrictedExploresAreApproximated(t *testing.T) {
	const view = "view: glazes {\n  dimension: id { primary_key: yes }\n  dimension: studio {}\n  measure: glaze_count { type: count }\n}\n"
	restricted := func(what, by string) string {
		return what + " is restricted in Looker by " + by + ", and here it is not"
	}
	explore := func(by string) []string {
		reason := restricted("the explore glazes", by)
		return []string{"approximated measure glazes.glaze_count: " + reason, "approximated explore glazes: " + reason}
	}
	const unless = "a condition on id takes the place of its filters in Looker, and here one on a field of the filter does"
	for _, c := range []struct {
		text string
		want []string
	}{
		{view + "explore: glazes {}", nil},
		{view + "explore: glazes { sql_always_where: ${studio} <> 'test' ;; }", nil},
		{view + "explore: glazes { sql_always_where: glazes.studio <> 'test' ;; }", explore("sql_always_where")},
		{view + "explore: glazes { sql_always_where: ${kilns.id} > 1 ;; }", explore("sql_always_where")},
		{view + "explore: glazes { sql_always_where: ${studio} = '{{ _user_attributes['s'] }}' ;; }", explore("sql_always_where")},
		{view + "explore: glazes { sql_always_having: ${glaze_count} > 1 ;; }", explore("sql_always_having")},
		{view + `explore: glazes { always_filter: { filters: [studio: "north"] } }`, nil},
		{view + `explore: glazes { always_filter: { filters: [glaze_count: ">1"] } }`, explore("always_filter")},
		{view + `explore: glazes { conditionally_filter: { filters: [studio: "north"] } }`, nil},
		{view + `explore: glazes { conditionally_filter: { filters: [studio: "north"] unless: [id] } }`, []string{
			"approximated explore glazes: " + unless, "approximated conditionally_filter glazes: " + unless,
		}},
		{view + "explore: glazes { access_filter: { field: glazes.studio user_attribute: studio } }", explore("access_filter")},
		{view + "explore: glazes { required_access_grants: [potters] }", explore("required_access_grants")},
		{
			strings.Replace(view, "{}", "{ required_access_grants: [potters] }", 1),
			[]string{"approximated dimension glazes.studio: " + restricted("the dimension studio", "required_access_grants")},
		},
		{
			strings.Replace(view, "{ type: count }", "{ type: count required_access_grants: [potters] }", 1),
			[]string{"approximated measure glazes.glaze_count: " + restricted("the measure glaze_count", "required_access_grants")},
		},
		{
			strings.Replace(view, "dimension: studio {}", "required_access_grants: [potters]", 1),
			[]string{
				"approximated view glazes: " + restricted("the view glazes", "required_access_grants"),
				"approximated measure glazes.glaze_count: " + restricted("the view glazes", "required_access_grants"),
			},
		},
		{
			view + "view: kilns {\n  dimension: id { primary_key: yes }\n}\nexplore: glazes { join: kilns { foreign_key: id sql_where: ${kilns.id} > 1 ;; } }",
			[]string{"approximated join glazes.kilns: " + restricted("the join kilns", "sql_where")},
		},
		{
			view + "view: kilns {\n  dimension: id { primary_key: yes }\n}\nexplore: kilns { join: glazes { relationship: one_to_one sql_on: ${kilns.id} = ${glazes.id} ;; } }",
			[]string{
				"approximated explore kilns: measures of a joined view aggregate all its rows, and in Looker those that the rows of kilns lead to",
				"approximated join kilns.glazes: rows of glazes without one of kilns count, and not in Looker; rows of kilns without one of glazes are in no group of the measures of glazes, and in Looker they are",
			},
		},
	} {
		result, err := settle(t, c.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, loss := range losses(result) {
			if strings.HasPrefix(loss, "approximated") {
				got = append(got, loss)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.text, diff)
		}
		for _, e := range result.Entries {
			if e.IsAccessRule != (strings.Contains(e.Construct, "access") && e.Outcome == importer.OutcomeDropped) {
				t.Errorf("%+v", e)
			}
		}
	}
}

// A key that is an expression may be null, and Looker counts the rows of the view.
func TestRead_CountsTheRowsOfAViewWithAKeyOfAnExpression(t *testing.T) {
	for key, want := range map[string]string{
		"${TABLE}.a || '/' || ${TABLE}.b": "expression: COUNT(*)}", "${TABLE}.id": "expression: COUNT(marks.id)}",
	} {
		result, err := settle(t, "view: marks {\n  dimension: id { primary_key: yes sql: "+key+" ;; }\n  dimension: a {}\n  dimension: b {}\n  measure: mark_count { type: count }\n}")
		if err != nil {
			t.Fatal(err)
		}
		if text := string(result.Model); !strings.Contains(text, want) || len(losses(result)) > 0 {
			t.Errorf("no %s in\n%s\n%v", want, text, losses(result))
		}
	}
}

package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Three members: one swims twice and walks, the next walks, the last never came.
const club = `
version: 0.2.0.dev0
name: m
datasets:
  - name: members
    source: SELECT * FROM (VALUES (1, 10), (2, 20), (3, 40)) AS m (id, fee)
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: fee, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: fee}]}}
  - name: visits
    source: SELECT * FROM (VALUES (1, 'swim'), (1, 'swim'), (1, 'walk'), (2, 'walk')) AS v (member_id, kind)
    fields:
      - {name: member_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: member_id}]}}
      - {name: kind, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
relationships:
  - {name: visits_members, from: visits, to: members, from_columns: [member_id], to_columns: [id]}
metrics:
  - {name: fees, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(members.fee)}]}}
  - {name: highest_fee, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(members.fee)}]}}
  - {name: visit_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(visits.kind)}]}}
  - name: rank_of_fees_per_visit
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(members.fee) / COUNT(visits.kind)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"rank": {"function": "rank"}}}'}]
  - {name: fees_per_visit, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(members.fee) / COUNT(visits.kind)}]}}
`

const oncePerGroupHint = `ask with "fan_out": "once_per_group" to count each row once in each group`

func TestResult_WarnsOfRowsThatCountOncePerGroup(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(club)})
	const byKind = `,"group_by":[{"field":"visits.kind"}],"order_by":[{"key":"kind"}],"fan_out":"once_per_group"`
	for _, c := range []struct{ query, columns, rows string }{
		{`{"metrics":["fees"],"fan_out":"once_per_group"}`, "", `[{"fees":70}]`},
		{`{"metrics":["highest_fee","visit_count"]` + byKind + `}`, "", `[{"kind":"swim","highest_fee":10,"visit_count":2},{"kind":"walk","highest_fee":20,"visit_count":2}]`},
		{
			`{"metrics":["highest_fee","fees","visit_count","fees_per_visit"]` + byKind + `}`, `"columns":["fees","fees_per_visit"]`,
			`[{"kind":"swim","highest_fee":10,"fees":10,"visit_count":2,"fees_per_visit":5},{"kind":"walk","highest_fee":20,"fees":30,"visit_count":2,"fees_per_visit":15}]`,
		},
		{
			`{"metrics":["rank_of_fees_per_visit"]` + byKind + `}`, `"columns":["rank_of_fees_per_visit"]`,
			`[{"kind":"swim","rank_of_fees_per_visit":2},{"kind":"walk","rank_of_fees_per_visit":1}]`,
		},
		{
			`{"metrics":["fees"],"shares":[{"metric":"fees"}]` + byKind + `}`, `"columns":["fees","fees__share"]`,
			`[{"kind":"swim","fees":10,"fees__share":0.3333333333333333},{"kind":"walk","fees":30,"fees__share":1}]`,
		},
	} {
		t.Run(c.query, func(t *testing.T) {
			compiled, err := askSQL(t.Context(), e, metricQuery(t, c.query))
			if err != nil {
				t.Fatal(err)
			}
			result := string(answered(t, e, c.query))
			for what, text := range map[string]string{"compile": wire(t, compiled), "execute": result} {
				if warned := strings.Contains(text, `"code":"fan_out_once"`); warned != (c.columns != "") || !strings.Contains(text, c.columns) {
					t.Errorf("%s: %s", what, text)
				}
			}
			if !strings.Contains(result, c.rows) {
				t.Errorf("%s, want the rows %s", result, c.rows)
			}
		})
	}
}

func TestResult_WarnsOfRowsThatAreInNoGroup(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(club)})
	result := string(answered(t, e, `{"metrics":["fees"],"group_by":[{"field":"visits.kind"}],"order_by":[{"key":"kind"}],"totals":[[]],"fan_out":"once_per_group"}`))
	for _, want := range []string{
		`[{"kind":"swim","fees":10,"level":0},{"kind":"walk","fees":30,"level":0},{"kind":null,"fees":30,"level":1}]`,
		`; rows of members without a row of visits are left out: they are in no group and in no total"`,
	} {
		if !strings.Contains(result, want) {
			t.Errorf("%s, want %s", result, want)
		}
	}
}

func TestResult_OfRowsThatJoinThemselvesLeavesOutNone(t *testing.T) {
	model := strings.Replace(club, `relationships:`, `  - name: lockers
    source: SELECT * FROM (VALUES (1, 'A'), (1, 'B')) AS l (member_id, hall)
    fields:
      - {name: member_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: member_id}]}}
      - {name: hall, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: hall}]}}
relationships:
  - {name: members_lockers, from: members, to: lockers, from_columns: [id], to_columns: [member_id]}`, 1)
	e := open(t, engine.Config{ModelText: []byte(model)})
	result := string(answered(t, e, `{"metrics":["fees"],"group_by":[{"field":"lockers.hall"}],"order_by":[{"key":"hall"}],"fan_out":"once_per_group"}`))
	for _, want := range []string{
		`[{"hall":"A","fees":10},{"hall":"B","fees":10},{"hall":null,"fees":60}]`,
		`do not add up over the groups","columns"`,
	} {
		if !strings.Contains(result, want) {
			t.Errorf("%s, want %s", result, want)
		}
	}
}

func TestQuery_FanOutMayNameItsDefault(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(club)})
	if got := string(answered(t, e, `{"metrics":["fees"],"fan_out":"refuse"}`)); !strings.Contains(got, `[{"fees":70}]`) {
		t.Error(got)
	}
	_, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["fees"],"group_by":[{"field":"visits.kind"}],"fan_out":"refuse"}`))
	var refused *planerr.Error
	if !errors.As(err, &refused) || refused.Code != "fan_out_risk" || refused.Hint != oncePerGroupHint {
		t.Errorf("%+v, want fan_out_risk", refused)
	}
}

func TestQuery_FanOutRiskNamesTheKeyThatAnswers(t *testing.T) {
	keyless := strings.Replace(club, "    primary_key: [id]\n", "", 1)
	for _, c := range []struct{ model, key, hint string }{
		{club, "", oncePerGroupHint},
		{keyless, "", `declare the primary_key of the dataset members and ask with "fan_out": "once_per_group" to count each row once in each group`},
		{keyless, `,"fan_out":"once_per_group"`, `declare the primary_key of the dataset members to count each row once in each group`},
	} {
		e := open(t, engine.Config{ModelText: []byte(c.model)})
		_, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["fees"],"group_by":[{"field":"visits.kind"}]`+c.key+`}`))
		var refused *planerr.Error
		if !errors.As(err, &refused) || refused.Code != "fan_out_risk" || refused.Hint != c.hint {
			t.Errorf("%s: %+v, want the hint %q", c.key, refused, c.hint)
		}
	}
}

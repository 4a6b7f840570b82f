package compile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// clinic has two roles of days, a one-to-one relationship, and one that nothing proves.
const clinic = `
datasets:
  - name: visits
    source: visits
    primary_key: [id]
    fields:
      ~ id: id
      ~ member: member
      ~ seen: seen
      ~ booked: booked
      ~ town: town
      ~ fee: fee
      FIELD
  - name: members
    source: members
    primary_key: [member]
    fields:
      ~ member: member
      ~ town: town
      MEMBER
  - name: days
    source: days
    primary_key: [day]
    fields:
      ~ day: day
      ~ weekday: weekday
  - name: cards
    source: cards
    primary_key: [card]
    unique_keys: [[member]]
    fields:
      ~ card: card
      ~ member: member
      ~ credit: credit
  - name: shops
    source: shops
    fields:
      ~ town: town
      ~ rent: rent
relationships:
  - {name: member_of, from: visits, to: members, from_columns: [member], to_columns: [member]}
  - {name: seen_on, from: visits, to: days, from_columns: [seen], to_columns: [day]}
  - {name: booked_on, from: visits, to: days, from_columns: [booked], to_columns: [day]}
  - {name: card_of, from: cards, to: members, from_columns: [member], to_columns: [member]}
  - {name: shop_of, from: visits, to: shops, from_columns: [town], to_columns: [town]}
`

// clinicWith returns the clinic with lines among the fields of visits and members, and with metrics.
func clinicWith(field, member, metrics string) string {
	indented := func(lines string) string { return strings.ReplaceAll(lines, "\n", "\n      ") }
	text := strings.Replace(strings.Replace(clinic, "FIELD", indented(field), 1), "MEMBER", indented(member), 1)
	if metrics != "" {
		text += "metrics:\n  " + strings.ReplaceAll(metrics, "\n", "\n  ") + "\n"
	}
	return text
}

// showHome returns the home of the single measure of a metric, and the path of each field that it joins.
func showHome(c *catalog.Catalog, metric string) string {
	m := c.Metric(metric).Forms.Default.Operands[0].(*catalog.Measure)
	var joined []string
	for _, d := range c.DatasetsJoinedByMetric(c.Metric(metric), "") {
		joined = append(joined, d.Name)
	}
	return m.Home.Name + " ← " + strings.Join(joined, " ")
}

func TestMetrics_HomeOfFieldsOfSeveralDatasets(t *testing.T) {
	for _, c := range []struct{ metric, want string }{
		{"~ m: SUM(CASE WHEN members.town = 'oslo' THEN visits.fee END)", "visits ← members"},
		{"~ m: COUNT(DISTINCT seen_on.weekday)", "visits ← days"},
		{"~ m: COUNT(CASE WHEN seen_on.weekday = booked_on.weekday THEN 1 END)", "visits ← days"},
		{"~ m: COUNT(DISTINCT members.town)", "members ← "},
		{"~ m: COUNT(DISTINCT members.town)\n  @ {\"v\": \"1.10\", \"dataset\": \"visits\"}", "visits ← members"},
		{"~ m: SUM(cards.credit * LENGTH(members.town))", "cards ← members"}, // the declared direction
		{"~ m: SUM(LENGTH(members.town) * card_of.credit)", "members ← cards"},
		{"~ m: MAX(card_of.town)", "cards ← members"},
		{"~ m: SUM(CASE WHEN member_of.card_of.credit > 1 THEN fee END)", "visits ← members cards"},
	} {
		cat := compiled(t, clinicWith("", "", c.metric))
		if len(cat.Errors) > 0 {
			t.Errorf("%s: %v", c.metric, listed(cat.Errors))
			continue
		}
		if got := showHome(cat, "m"); got != c.want {
			t.Errorf("%s: %s, want %s", c.metric, got, c.want)
		}
	}
}

func TestMetrics_DeclaredDatasetKeepsTheHomesOfOthers(t *testing.T) {
	cat := compiled(t, clinicWith("", "", "~ m: COUNT(members.member) / COUNT(*)\n  @ {\"v\": \"1.0\", \"dataset\": \"visits\"}\n~ n: COUNT(visits.id) / COUNT(members.member)\n  @ {\"v\": \"1.10\", \"dataset\": \"visits\"}"))
	for _, name := range []string{"m", "n"} {
		if got := len(cat.Metric(name).Datasets); got != 2 {
			t.Errorf("%s has %d homes, %v", name, got, cat.Errors)
		}
	}
}

func TestMetrics_DeclaredDatasetThatDoesNotLeadThere(t *testing.T) {
	cat := compiled(t, clinicWith("", "", "~ m: SUM(visits.fee * LENGTH(members.town))\n  @ {\"v\": \"1.10\", \"dataset\": \"members\"}"))
	if len(cat.Errors) != 1 {
		t.Fatalf("%+v", cat.Errors)
	}
	e := cat.Errors[0]
	if e.Code != "cross_dataset_aggregate" || !strings.Contains(e.Message, "do not lead to one row each of visits, which") || !strings.Contains(e.Hint, `"dataset": "visits"`) {
		t.Errorf("%+v", e)
	}
}

func TestMetrics_HomesThatReachEachOther(t *testing.T) {
	model := clinicWith("", "", "~ m: COUNT(CASE WHEN members.town = cards.credit THEN 1 END)")
	model = strings.Replace(model, "metrics:", "  - {name: member_card, from: members, to: cards, from_columns: [member], to_columns: [card]}\nmetrics:", 1)
	cat := compiled(t, model)
	if len(cat.Errors) != 1 {
		t.Fatalf("errors %v", listed(cat.Errors))
	}
	e := cat.Errors[0]
	if e.Code != "cross_dataset_aggregate" || !strings.HasSuffix(e.Message, "it could count the rows of members or of cards") || !strings.Contains(e.Hint, `"dataset": "members"`) {
		t.Errorf("%s: %s; %s", e.Code, e.Message, e.Hint)
	}
	if cat = compiled(t, model+"    @ {\"v\": \"1.10\", \"dataset\": \"members\"}\n"); len(cat.Errors) == 0 {
		t.Error("two paths lead from members to cards, and none is chosen")
	}
}

func TestReferences_Refused(t *testing.T) {
	const metric, field = " metrics[0].expression", " datasets[0].fields[6].expression"
	for _, c := range []struct {
		model      string
		want       string
		candidates []string
	}{
		{clinicWith("", "", "~ m: SUM(CASE WHEN days.weekday = 'sat' THEN visits.fee END)"), "ambiguous_join_path" + metric, []string{"seen_on", "booked_on"}},
		{clinicWith("~ x: days.weekday", "", ""), "ambiguous_join_path" + field, []string{"seen_on", "booked_on"}},
		{clinicWith("", "", "~ m: SUM(visits.fee * shops.rent)"), "cross_dataset_aggregate" + metric, nil},
		{clinicWith("", "", "~ m: SUM(visits.fee * shop_of.rent)"), "cross_dataset_aggregate" + metric, nil},
		{clinicWith("", "", "~ m: MAX(members.town || days.weekday)"), "cross_dataset_aggregate" + metric, nil},
		{clinicWith("", "", "~ m: SUM(CASE WHEN visits.fee > 1 THEN cards.credit END)\n  @ {\"v\": \"1.10\", \"dataset\": \"members\"}"), "cross_dataset_aggregate" + metric, nil},
		{clinicWith("", "", "~ m: SUM(visits.fee)\n  @ {\"v\": \"1.10\", \"dataset\": \"members\"}"), "invalid_vendor_extension metrics[0].custom_extensions[0].data.dataset", nil},
		{clinicWith("~ x: shops.rent", "", ""), "cross_dataset_aggregate" + field, nil},
		{clinicWith("~ x: seen_on.nothing", "", ""), "unknown_field" + field, []string{"day", "weekday"}},
		{clinicWith("~ x: member_of.seen_on.weekday", "", ""), "unknown_field" + field, []string{"card_of"}},
		{clinicWith("~ x: nowhere.day", "", ""), "unknown_dataset" + field, []string{"visits"}},
		{clinicWith("~ x: members.y", "~ y: cards.z", ""), "unknown_field datasets[1].fields[2].expression", []string{"card", "credit", "member"}},
	} {
		cat := compiled(t, c.model)
		if len(cat.Errors) == 0 || listed(cat.Errors)[0] != c.want {
			t.Errorf("%v, want %s", listed(cat.Errors), c.want)
			continue
		}
		if d := cmp.Diff(c.candidates, cat.Errors[0].Candidates); c.candidates != nil && d != "" {
			t.Errorf("%s: %s", c.want, d)
		}
	}
}

func TestFields_CircleOverDatasetsShowsPath(t *testing.T) {
	// Members lead back to cards, because the relationship is one-to-one.
	model := strings.Replace(clinicWith("", "~ x: cards.y", ""), "      ~ credit: credit\n", "      ~ credit: credit\n      ~ y: z + 1\n      ~ z: members.x\n", 1)
	cat := compiled(t, model)
	if len(cat.Errors) == 0 || cat.Errors[0].Code != "unparseable_expression" {
		t.Fatalf("%v", cat.Errors)
	}
	const want = "the fields of several datasets expand into each other in a circle: members.x → cards.y → cards.z → members.x"
	if got := cat.Errors[0].Message; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, name := range []string{"x", "y", "z"} {
		for _, f := range cat.FieldsNamed(name) {
			if f.Err == nil {
				t.Errorf("%s has no error", f.QualifiedName())
			}
		}
	}
}

func TestFields_LevelOfDetailInACircleOverDatasets(t *testing.T) {
	cat := compiled(t, clinicWith("~ x: members.total", "~ total: SUM(visits.x)\n  @ {\"v\": \"1.10\", \"lod\": {\"grain\": [\"member\"]}}", ""))
	if len(cat.Errors) == 0 || !strings.Contains(cat.Errors[0].Message, "need each other in a circle") {
		t.Errorf("%v", cat.Errors)
	}
}

func TestRelationships_DoNotJoinOnFieldsOfOtherDatasets(t *testing.T) {
	model := strings.Replace(clinicWith("~ day: COALESCE(seen_on.day, booked)\n~ later: day", "", ""), "from_columns: [seen]", "from_columns: [later]", 1)
	cat := compiled(t, model)
	if len(cat.Errors) == 0 || listed(cat.Errors)[0] != "unknown_field relationships[1].from_columns[0]" {
		t.Errorf("%v", listed(cat.Errors))
	}
}

func TestFields_DatasetWinsOverARelationshipOfItsName(t *testing.T) {
	model := strings.Replace(clinicWith("", "", "~ m: SUM(CASE WHEN members.town = 'oslo' THEN fee END)"), "name: seen_on", "name: members", 1)
	cat := compiled(t, model)
	if got := showHome(cat, "m"); got != "visits ← members" {
		t.Errorf("%s", got)
	}
}

func TestFields_ReadFieldsOfOtherDatasets(t *testing.T) {
	cat := compiled(t, clinicWith("~ at_home: visits.town = members.town\n~ kind: CASE WHEN at_home THEN seen_on.weekday END", "", ""))
	f := cat.Dataset("visits").Field("kind")
	if len(cat.Errors) > 0 || f.Expr.Default == nil || !f.ReadsJoinedTables("duckdb") {
		t.Fatalf("%v", cat.Errors)
	}
	if got := f.Type.String(); got != "unknown" {
		t.Errorf("type %s", got)
	}
	if got := cat.Dataset("visits").Field("at_home").Type.String(); got != "boolean" {
		t.Errorf("type %s", got)
	}
}

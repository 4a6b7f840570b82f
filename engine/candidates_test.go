package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

const withHidden = `
version: 0.2.0.dev0
name: m
datasets:
  - name: o
    source: o
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: boss, expression: {dialects: [{dialect: ANSI_SQL, expression: boss}]}}
      - {name: channel, expression: {dialects: [{dialect: ANSI_SQL, expression: channel}]}}
      - {name: hid, expression: {dialects: [{dialect: ANSI_SQL, expression: channel}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","is_dimension":false}'}]}
      - {name: hide, expression: {dialects: [{dialect: ANSI_SQL, expression: nosuch.column}]}}
      - {name: d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
relationships:
  - {name: led_by, from: o, to: o, from_columns: [boss], to_columns: [id]}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(o.id)}]}}
`

// A metric query suggests only groupable fields for an unknown name. A row-level query can
// select hidden fields, so it suggests them too.
func TestCandidates_OnlyGroupableDimensions(t *testing.T) {
	t.Run("candidates for an unknown dimension are fields that a query can group by", func(t *testing.T) {
		e := open(t, engine.Config{ModelText: []byte(withHidden)})
		for _, name := range []string{"o.hidd", "hidd", "hid", "o.hid", "led_by.hidd", "nosuch.hidd", `o."hidd`} {
			for plane, err := range map[string]error{
				"metrics":   groupedBy(t, e, name),
				"attribute": attributedTo(t, e, name),
			} {
				var refused *planerr.Error
				if !errors.As(err, &refused) || refused.Code != "unknown_dimension" {
					t.Fatalf("%s by %s: %v", plane, name, err)
				}
				if len(refused.Candidates) == 0 {
					t.Errorf("%s by %s: no candidates", plane, name)
				}
				for _, c := range refused.Candidates {
					if groupedBy(t, e, c) != nil {
						t.Errorf("%s by %s: %s is offered and refused", plane, name, c)
					}
				}
			}
		}
		q, err := query.DecodeDetail([]byte(`{"from":"o","fields":["o.hidd"]}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = askSQL(t.Context(), e, q)
		var refused *planerr.Error
		if !errors.As(err, &refused) || !slices.Contains(refused.Candidates, "o.hid") {
			t.Errorf("%v: %+v", err, refused)
		}
	})
}

func groupedBy(t *testing.T, e *engine.Engine, field string) error {
	t.Helper()
	_, err := askSQL(t.Context(), e, &query.MetricQuery{Metrics: []string{metricsOf(t, e)[0].Name}, GroupBy: []query.GroupBy{{Field: field}}})
	return err
}

func attributedTo(t *testing.T, e *engine.Engine, dimension string) error {
	t.Helper()
	q, err := query.DecodeAttribute([]byte(`{"metric":"` + metricsOf(t, e)[0].Name + `","dimensions":["` + strings.ReplaceAll(dimension, `"`, `\"`) + `"],` + januaryFebruary + `}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Attribute(t.Context(), q)
	return err
}

const oddNames = `
version: 0.2.0.dev0
name: m
datasets:
  - name: w
    source: w
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: a.b, expression: {dialects: [{dialect: ANSI_SQL, expression: '"a.b"'}]}}
      - {name: 'q"x', expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: two words, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: 'sel:day', expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: '5', expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: select, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: é, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
      - {name: x.d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","time_dimension":"x.d"}'}]
  - name: my.ds
    source: v
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: from, expression: {dialects: [{dialect: ANSI_SQL, expression: '"from"'}]}}
relationships:
  - {name: r.1, from: w, to: my.ds, from_columns: [id], to_columns: [id]}
  - {name: order, from: w, to: my.ds, from_columns: [a.b], to_columns: [id]}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(w.id)}]}}
`

// A name that is not a plain identifier is quoted wherever a query can use it; a plain
// identifier is unchanged.
func TestDimensions_NamesRoundTrip(t *testing.T) {
	t.Run("each listed name works in a query, quoted where it must be", func(t *testing.T) {
		e := open(t, engine.Config{ModelText: []byte(oddNames)})
		listed := func(metric string) []string {
			found, err := e.Dimensions(t.Context(), metric)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, d := range found {
				names = append(names, d.Name)
			}
			return names
		}
		own := []string{"w.id", `w."a.b"`, `w."q""x"`, `w."two words"`, `w."sel:day"`, `w."5"`, "w.select", "w.é", "w.d", `w."x.d"`}
		if d := cmp.Diff(append(slices.Clone(own), `"my.ds".id`, `"my.ds".from`), listed("")); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(append(append([]string{"metric_time"}, own...), `"r.1".id`, "order.id", `"r.1".from`, "order.from"), listed("n")); d != "" {
			t.Error(d)
		}
		for _, name := range listed("n")[1:] {
			if err := groupedBy(t, e, name); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			var refused *planerr.Error
			if err := attributedTo(t, e, name); errors.As(err, &refused) { // the database holds no tables
				t.Errorf("attribute by %s: %v", name, err)
			}
		}
		for _, name := range []string{"w.a.b", "w.ab", "nosuch", "my.ds.from", `w.q"x`, `"my.ds".form`, "r.1.from", `"r.1".form`, "order.form"} {
			for plane, err := range map[string]error{"metrics": groupedBy(t, e, name), "attribute": attributedTo(t, e, name)} {
				var refused *planerr.Error
				if !errors.As(err, &refused) {
					t.Errorf("%s by %s: %v", plane, name, err)
					continue
				}
				for _, c := range refused.Candidates {
					if refused.Code == "unknown_dimension" && groupedBy(t, e, c) != nil && codeOf(groupedBy(t, e, c)) != "ambiguous_join_path" {
						t.Errorf("%s by %s: %s is offered and refused: %v", plane, name, c, groupedBy(t, e, c))
					}
				}
			}
		}
		if m := metricsOf(t, e)[0]; m.TimeDimension != `w."x.d"` {
			t.Errorf("time dimension %s", m.TimeDimension)
		}
	})
}

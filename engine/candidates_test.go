package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
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

// What cannot be grouped by is no candidate for a name that is not known. Records show
// hidden fields, so there they are.
func TestCandidatesForADimensionAreDimensions(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(withHidden)})
	for _, name := range []string{"o.hidd", "hidd", "hid", "o.hid", "led_by.hidd", "nosuch.hidd", `o."hidd`} {
		for plane, err := range map[string]error{
			"metrics":   groupedBy(t, e, name),
			"attribute": attributedTo(t, e, name),
		} {
			var refused *engine.PlanError
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
	q, err := engine.DecodeDetail([]byte(`{"from":"o","fields":["o.hidd"]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.CompileSelect(t.Context(), q)
	var refused *engine.PlanError
	if !errors.As(err, &refused) || !slices.Contains(refused.Candidates, "o.hid") {
		t.Errorf("%v: %+v", err, refused)
	}
}

func groupedBy(t *testing.T, e *engine.Engine, field string) error {
	t.Helper()
	_, err := e.CompileMetrics(t.Context(), &engine.MetricQuery{Metrics: []string{e.Metrics()[0].Name}, GroupBy: []engine.GroupBy{{Field: field}}})
	return err
}

func attributedTo(t *testing.T, e *engine.Engine, dimension string) error {
	t.Helper()
	q, err := engine.DecodeAttribute([]byte(`{"metric":"` + e.Metrics()[0].Name + `","dimensions":["` + strings.ReplaceAll(dimension, `"`, `\"`) + `"],` + januaryFebruary + `}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Attribute(t.Context(), q)
	return err
}

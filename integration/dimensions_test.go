package integration_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// windowed is a model of metrics that are made of windows.
const windowed = "testdata/windowed.yaml"

// TestDimensions_ListedOnesCompile asks of every metric of every model for each
// field: what /v1/dimensions lists compiles, together with the metric's axis where
// /v1/metrics reports that it needs one, and a field that is not listed does not. The field that
// is the axis itself compiles in place of metric_time, by each of its grains.
func TestDimensions_ListedOnesCompile(t *testing.T) {
	asked, axes := 0, 0
	ask := func(t *testing.T, e *engine.Engine) {
		fields, err := e.Dimensions(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		metrics, err := e.Metrics(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range metrics {
			listed, err := e.Dimensions(t.Context(), m.Name)
			if err != nil {
				continue // it did not compile
			}
			l := dimensionCheck{t: t, engine: e, metric: m, fields: fields, listed: listed}
			l.check()
			asked += l.asked
			if m.RequiresTimeAxis {
				axes++
			}
		}
	}
	for _, fixture := range fixtures(t) {
		t.Run(fixture, func(t *testing.T) { ask(t, subjectOf(t, &corpus.Case{Fixture: fixture}).engine) })
	}
	for _, c := range cases(t) {
		if c.Fixture == "" {
			c.RunSubtest(t, func(t *testing.T) { ask(t, subjectOf(t, c).engine) })
		}
	}
	t.Run("windowed", func(t *testing.T) {
		text, err := os.ReadFile(windowed)
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: text})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		ask(t, e)
	})
	if asked < 500 || axes < 20 {
		t.Errorf("only %d questions, %d of them with an axis", asked, axes)
	}
	t.Attr("dimensions", strconv.Itoa(asked))
}

// takesStoredValue reports whether a dimension may be grouped without a grain: a Date is by day then, at which a metric with
// grains may have no meaning. A metric whose members share no grain has none of any.
func (l *dimensionCheck) takesStoredValue(d describe.Dimension) bool {
	return d.Datatype != "Date" || slices.Contains(d.Grains, "day") || len(d.Grains) > 0 && len(l.metric.Grains) == 0
}

// dimensionCheck compares the listed dimensions of one metric with those that compile.
type dimensionCheck struct {
	t      *testing.T
	engine *engine.Engine
	metric describe.Metric
	fields []describe.Dimension // of the model
	listed []describe.Dimension // of the metric
	asked  int
}

func (l *dimensionCheck) check() {
	var axis []query.GroupBy
	hasAxis := len(l.listed) > 0 && l.listed[0].Name == "metric_time"
	if hasAxis {
		axis = []query.GroupBy{{Field: "metric_time", Grain: l.listed[0].Grains[0]}}
	}
	// A window that has no running value needs the axis, and is rejected with it too.
	if needs := (hasAxis || l.metric.RequiresTimeAxis) && !l.compiles(nil); needs != l.metric.RequiresTimeAxis {
		l.t.Errorf("%s: refused without its axis: %v; requires_time_axis %v", l.metric.Name, needs, l.metric.RequiresTimeAxis)
	}
	if !l.metric.RequiresTimeAxis {
		axis = nil
	} else if !hasAxis {
		return
	}
	for _, d := range l.listed {
		if len(axis) > 0 && l.isAxis(d) {
			continue
		}
		if d.Name != "metric_time" && l.takesStoredValue(d) && !l.compiles(append(slices.Clone(axis), query.GroupBy{Field: d.Name})) {
			l.t.Errorf("%s: %s is listed and refused", l.metric.Name, d.Name)
		}
		for _, grain := range d.Grains {
			if with := (query.GroupBy{Field: d.Name, Grain: grain}); !l.compiles(append(withoutField(axis, d.Name), with)) {
				l.t.Errorf("%s: %s by %s is listed and refused", l.metric.Name, d.Name, grain)
			}
		}
		for _, part := range d.Parts {
			if with := (query.GroupBy{Field: d.Name, Part: part}); !l.compiles(append(slices.Clone(axis), with)) {
				l.t.Errorf("%s: the part %s of %s is listed and refused", l.metric.Name, part, d.Name)
			}
		}
	}
	for _, f := range l.fields {
		if len(axis) > 0 && !l.isListed(f.Name) && l.isAxis(f) {
			l.t.Errorf("%s: %s is the time axis and is not listed", l.metric.Name, f.Name)
		}
		if !l.isListed(f.Name) && l.compiles(append(slices.Clone(axis), query.GroupBy{Field: f.Name})) {
			l.t.Errorf("%s: %s is not listed and compiles", l.metric.Name, f.Name)
		}
	}
	for _, name := range l.metric.ConformedDimensions {
		if !l.isListed(name) && l.compiles(append(slices.Clone(axis), query.GroupBy{Field: name})) {
			l.t.Errorf("%s: %s is conformed and not listed", l.metric.Name, name)
		}
	}
}

// isAxis reports whether a field takes the place of metric_time by all grains that are
// listed for it.
func (l *dimensionCheck) isAxis(d describe.Dimension) bool {
	for _, grain := range d.Grains {
		if !l.compiles([]query.GroupBy{{Field: d.Name, Grain: grain}}) {
			return false
		}
	}
	return d.Name != "metric_time" && len(d.Grains) > 0
}

func withoutField(groups []query.GroupBy, field string) []query.GroupBy {
	return slices.DeleteFunc(slices.Clone(groups), func(g query.GroupBy) bool { return g.Field == field })
}

func (l *dimensionCheck) isListed(name string) bool {
	return slices.ContainsFunc(l.listed, func(d describe.Dimension) bool { return d.Name == name })
}

// compiles reports whether the metric can be grouped like this. Parameters that want
// a value, and fields that a window needs grouped, are given as the error suggests.
func (l *dimensionCheck) compiles(groups []query.GroupBy) bool {
	l.asked++
	body, err := json.Marshal(object{"metrics": []string{l.metric.Name}, "group_by": append([]query.GroupBy{}, groups...)})
	if err != nil {
		l.t.Fatal(err)
	}
	for range 2 {
		q, err := query.DecodeMetric(body)
		if err != nil {
			l.t.Fatal(err)
		}
		_, err = prepare.SQL(l.t.Context(), l.engine, q)
		if err == nil {
			return true
		}
		refused, err := wireError(err)
		if err != nil {
			l.t.Fatal(err)
		}
		if refused.Code != "param_out_of_domain" && refused.Code != "window_exclude_not_grouped" || !strings.HasPrefix(refused.SuggestedRetry, "{") {
			return false
		}
		if body = merge(l.t, body, refused.SuggestedRetry); !l.hasGroups(body, groups) {
			return false
		}
	}
	return false
}

// hasGroups reports whether a query, as a suggestion changes it, has all of some groups and not another time axis.
func (l *dimensionCheck) hasGroups(body []byte, groups []query.GroupBy) bool {
	q, err := query.DecodeMetric(body)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, g := range q.GroupBy {
		if g.Grain != "" && !slices.Contains(groups, g) {
			return false
		}
	}
	return !slices.ContainsFunc(groups, func(g query.GroupBy) bool { return !slices.Contains(q.GroupBy, g) })
}

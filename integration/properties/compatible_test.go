package properties_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// TestLaws_CompatibleItemsAreThoseThatCompile compares the lists with a plan of every metric and of every
// dimension with each of its grains.
func TestLaws_CompatibleItemsAreThoseThatCompile(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	models := max(12, queries*3/20)
	compared, open := 0, 0
	for range models {
		r := newMaker(seed)
		m := r.model()
		s := openSubject(t, seed, m)
		for range 4 {
			q := r.compatibleQuestion()
			asked, err := query.DecodeMetric([]byte(q.json()))
			if err != nil {
				t.Fatalf("%s: %v", q.json(), err)
			}
			asked.Limit, asked.Offset = nil, 0
			c := trialCompiler{t, s, asked}
			if !c.compare() {
				continue
			}
			compared++
			if len(asked.Metrics) == 0 {
				open++
			}
			if t.Failed() {
				s.close()
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%s", seed, q.json())
			}
		}
		s.close()
		seed++
	}
	if compared < models || open < models/4 {
		t.Errorf("%d queries were compared, %d of them without metrics", compared, open)
	}
}

// compatibleQuestion returns a question that may lack metrics.
func (r *maker) compatibleQuestion() *question {
	q := r.fullQuestion()
	if r.chance(35) {
		q = r.question()
	}
	if r.chance(30) {
		q.Metrics, q.inline = nil, nil
		q.OrderBy, q.Params, q.Totals, q.Shares, q.Top, q.Fill, q.Compare = nil, nil, nil, nil, nil, nil, nil
		if r.chance(60) {
			q.WhereSQL, q.ContextFilter, q.TimeRange, q.TimeRanges, q.With = "", "", nil, nil, nil
		}
		if r.chance(40) {
			q.GroupBy = nil
		}
	}
	return q
}

// trialCompiler compiles a query with one item more.
type trialCompiler struct {
	t     *testing.T
	s     *subject
	query *query.MetricQuery
}

func (c trialCompiler) target() planner.Target {
	d, _ := sqlemit.LookupDialect("duckdb")
	return planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}
}

func (c trialCompiler) compiles(q query.MetricQuery) bool {
	_, err := c.s.planner.PlanMetrics(c.t.Context(), &q, c.target())
	return err == nil
}

// compare reports whether there were lists to compare.
func (c trialCompiler) compare() bool {
	c.t.Helper()
	got, err := c.s.planner.FindCompatibleItems(c.t.Context(), c.query, c.target())
	open := len(c.query.Metrics) == 0 && !c.query.Distinct
	cat := c.s.model.Catalog
	if err != nil {
		var refused *planerr.Error
		if !open && c.compiles(*c.query) {
			c.t.Errorf("the query compiles: %v", err)
		}
		if open && !errors.As(err, &refused) {
			c.t.Errorf("%T %v", err, err)
		}
		return false
	}
	if !open && !c.compiles(*c.query) {
		c.t.Error("the query does not compile")
	}
	bases := c.compareMetrics(got.Metrics, open)
	c.compareDimensions(cat, got.Dimensions, bases)
	return true
}

// compareMetrics returns the queries that dimensions are added to.
func (c trialCompiler) compareMetrics(listed []*catalog.Metric, open bool) []query.MetricQuery {
	c.t.Helper()
	var bases []query.MetricQuery
	for _, m := range c.s.model.Catalog.Metrics {
		if slices.Contains(c.query.Metrics, m.Name) || c.query.Distinct {
			continue
		}
		q := *c.query
		q.Metrics = append(slices.Clip(q.Metrics), m.Name)
		want := c.compiles(q)
		if got := slices.Contains(listed, m); got != want {
			c.t.Errorf("metric %s: listed %t, compiles %t", m.Name, got, want)
		}
		if open && want {
			bases = append(bases, q)
		}
	}
	if !open {
		return []query.MetricQuery{*c.query}
	}
	return bases
}

func (c trialCompiler) compareDimensions(cat *catalog.Catalog, listed []planner.CompatibleDimension, bases []query.MetricQuery) {
	c.t.Helper()
	accepts := func(name, grain string) bool {
		return slices.ContainsFunc(bases, func(q query.MetricQuery) bool {
			q.GroupBy = append(slices.Clip(q.GroupBy), query.GroupBy{Field: name, Grain: grain})
			return c.compiles(q)
		})
	}
	check := func(name string, units []string) {
		at := slices.IndexFunc(listed, func(d planner.CompatibleDimension) bool { return d.Name == name })
		var grains []string
		for _, unit := range units {
			if accepts(name, unit) {
				grains = append(grains, unit)
			}
		}
		switch {
		case at < 0 && len(grains) > 0:
			c.t.Errorf("%s with %q compiles and is not listed", name, grains)
		case at >= 0 && len(grains) == 0:
			c.t.Errorf("%s is listed and does not compile", name)
		case at >= 0 && len(listed[at].Grains) > 0 && len(bases) == 1 && !slices.Equal(listed[at].Grains, grains):
			c.t.Errorf("%s has the grains %q, and %q compile", name, listed[at].Grains, grains)
		}
	}
	if !c.names("metric_time") {
		check("metric_time", cat.BucketUnitNames())
	}
	for _, f := range cat.Fields {
		if f.IsDimension != nil && !*f.IsDimension || c.names(f.QualifiedName()) || c.names(f.Name) {
			continue
		}
		check(f.QualifiedName(), unitsOf(cat, f))
	}
	for _, d := range listed {
		if d.Field != nil && d.Name != d.Field.QualifiedName() {
			check(d.Name, unitsOf(cat, d.Field))
		}
		if len(bases) == 0 {
			c.t.Errorf("%s is listed, and no metric is", d.Name)
		}
	}
}

// names reports whether the query groups by a field.
func (c trialCompiler) names(field string) bool {
	return slices.ContainsFunc(c.query.GroupBy, func(g query.GroupBy) bool { return strings.EqualFold(g.Field, field) })
}

func unitsOf(cat *catalog.Catalog, f *catalog.Field) []string {
	if units := cat.BucketUnitNamesOfField(f); len(units) > 0 {
		return units
	}
	return []string{""}
}

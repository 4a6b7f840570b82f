package imports_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// manifest is a model of MetricFlow, as far as its questions need it.
type manifest struct {
	sources []importer.SourceFile
	models  []*sourceModel
	byName  map[string]*sourceModel
	// measures are the models of the measures, metrics the documents of the metrics.
	measures map[string]measureHome
	metrics  map[string]*importer.Node
	// periods are the custom granularities, spine the dataset that has them, and spines the tables by their grains.
	periods []string
	spine   string
	spines  map[string]string
}

// sourceModel is one semantic model.
type sourceModel struct {
	name, primary, axis string
	entities            map[string]string // types by name
	dimensions          map[string]string // grains of times by name, "" for other dimensions
}

type measureHome struct {
	model           *sourceModel
	axis, aggregate string // the time dimension, and count or another
}

func readManifest(t *testing.T, sources []importer.SourceFile) *manifest {
	t.Helper()
	m := &manifest{sources: sources, byName: map[string]*sourceModel{}, measures: map[string]measureHome{}, metrics: map[string]*importer.Node{}, spines: map[string]string{}}
	for _, source := range sources {
		for _, document := range readDocuments(t, source) {
			if n := document.Get("semantic_model"); n != nil {
				m.addModel(n)
			}
			if n := document.Get("metric"); n != nil {
				m.metrics[n.Get("name").String()] = n
			}
			for _, spine := range items(document.Get("project_configuration").Get("time_spines")) {
				m.addSpine(spine)
			}
		}
	}
	return m
}

func items(n *importer.Node) []*importer.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func (m *manifest) addSpine(n *importer.Node) {
	table := n.Get("node_relation").Get("alias").String()
	m.spines[n.Get("primary_column").Get("time_granularity").String()] = table
	for _, custom := range items(n.Get("custom_granularities")) {
		m.periods, m.spine = append(m.periods, custom.Get("name").String()), table
	}
}

func (m *manifest) addModel(n *importer.Node) {
	s := &sourceModel{
		name: n.Get("name").String(), primary: n.Get("primary_entity").String(), axis: n.Get("defaults").Get("agg_time_dimension").String(),
		entities: map[string]string{}, dimensions: map[string]string{},
	}
	for _, e := range items(n.Get("entities")) {
		s.entities[e.Get("name").String()] = e.Get("type").String()
		if e.Get("type").String() == "primary" {
			s.primary = e.Get("name").String()
		}
	}
	for _, d := range items(n.Get("dimensions")) {
		s.dimensions[d.Get("name").String()] = d.Get("type_params").Get("time_granularity").String()
	}
	for _, x := range items(n.Get("measures")) {
		home := measureHome{s, x.Get("agg_time_dimension").String(), x.Get("agg").String()}
		if home.axis == "" {
			home.axis = s.axis
		}
		m.measures[x.Get("name").String()] = home
		if x.Get("create_metric").IsTrue() {
			m.metrics[x.Get("name").String()] = &importer.Node{Kind: importer.KindMap, Members: []importer.MapEntry{
				{Key: "type_params", Value: &importer.Node{Kind: importer.KindMap, Members: []importer.MapEntry{{Key: "measure", Value: x.Get("name")}}}},
			}}
		}
	}
	m.models, m.byName[s.name] = append(m.models, s), s
}

// findMeasures returns the homes of the measures of a metric, those of the metrics that it is made of among them.
func (m *manifest) findMeasures(metric string) []measureHome {
	params := m.metrics[metric].Get("type_params")
	var out []measureHome
	for _, in := range inputs(params) {
		name := in.String() + in.Get("name").String()
		if params.Get("metrics") != nil || params.Get("numerator") != nil {
			out = append(out, m.findMeasures(name)...)
		} else if home, ok := m.measures[name]; ok {
			out = append(out, home)
		}
	}
	return out
}

// inputs returns the inputs of a metric.
func inputs(params *importer.Node) []*importer.Node {
	var out []*importer.Node
	for _, key := range []string{"measure", "numerator", "denominator"} {
		if in := params.Get(key); in != nil {
			out = append(out, in)
		}
	}
	conversion := params.Get("conversion_type_params")
	for _, key := range []string{"base_measure", "conversion_measure"} {
		if in := conversion.Get(key); in != nil {
			out = append(out, in)
		}
	}
	return append(out, items(params.Get("metrics"))...)
}

// contains reports whether a metric, or one that it is made of, passes a test.
func (m *manifest) contains(metric string, test func(n *importer.Node) bool) bool {
	n := m.metrics[metric]
	if n == nil {
		return false
	}
	if test(n) {
		return true
	}
	return slices.ContainsFunc(inputs(n.Get("type_params")), func(in *importer.Node) bool {
		if test(in) {
			return true
		}
		name := in.String() + in.Get("name").String()
		return !m.isMeasure(n, name) && m.contains(name, test)
	})
}

// isMeasure reports whether an input of a metric is a measure.
func (m *manifest) isMeasure(metric *importer.Node, input string) bool {
	measure := metric.Get("type_params").Get("measure")
	return measure.String()+measure.Get("name").String() == input
}

// The features of questions, the most particular first.
func (m *manifest) feature(q *question) string {
	has := func(test func(n *importer.Node) bool) bool {
		return slices.ContainsFunc(q.metrics, func(name string) bool { return m.contains(name, test) })
	}
	keyed := func(keys ...string) func(n *importer.Node) bool {
		return func(n *importer.Node) bool {
			return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil || n.Get("type_params").Get(key) != nil })
		}
	}
	typed := func(kind string) func(n *importer.Node) bool {
		return func(n *importer.Node) bool { return n.Get("type").String() == kind }
	}
	parts := q.where
	for _, g := range q.groups {
		parts += " " + g.name + "__" + g.grain
		if g.part != "" {
			parts += " date_part"
		}
	}
	mentions := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(parts, word) })
	}
	switch {
	case has(typed("conversion")):
		return "conversion metrics"
	case has(keyed("offset_to_grain")):
		return "offsets to the start of a period"
	case strings.Contains(q.where, "render_metric_template") || has(func(n *importer.Node) bool { return strings.Contains(n.Get("filter").String(), "Metric(") }):
		return "conditions on metrics"
	case mentions(m.periods...):
		return "custom granularities"
	case mentions("date_part"):
		return "parts of dates"
	case mentions("__hour", "__minute", "__second", "__millisecond") || strings.Contains(q.name, "subdaily"):
		return "times finer than a day"
	case len(q.metrics) == 0:
		return "groups without metrics"
	case has(keyed("offset_window")):
		return "offset windows"
	case has(keyed("join_to_timespine", "fill_nulls_with")):
		return "times without data"
	case has(typed("cumulative")):
		return "cumulative metrics"
	case q.model == "SCD_MODEL":
		return "rows valid for a time"
	case q.file == "partitions" || strings.Contains(q.name, "partition"):
		return "partitioned tables"
	case q.file == "semi_additive_measure" || strings.Contains(q.name, "semi_additive"):
		return "measures that do not add up over time"
	case q.file == "multi_hop_join":
		return "joins of several steps"
	case strings.Contains(q.name, "percentile") || strings.Contains(q.name, "median"):
		return "medians and percentiles"
	case has(typed("derived")) || has(typed("ratio")):
		return "ratios and derived metrics"
	case q.where != "" || q.from != "":
		return "conditions and ranges"
	}
	return "metrics by groups"
}

package restapi

import (
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/engine"
)

// RevisionReporter is a Service that reports the revision of its model; *engine.Engine implements
// it.
type RevisionReporter interface{ Revision() string }

// modelPrometheusCollector collects what a server reports about its models: the findings about them
// now, their revisions and their reloads. The label model is there where the server serves
// several.
type modelPrometheusCollector struct {
	server                                *Server
	errors, warnings, info, loaded, loads *prometheus.Desc
}

func newModelPrometheusCollector(s *Server) modelPrometheusCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		if s.labels.several {
			labels = append([]string{prometheusModelLabel}, labels...)
		}
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return modelPrometheusCollector{
		server:   s,
		errors:   desc("semlayer_model_errors", "Objects of the model that do not compile."),
		warnings: desc("semlayer_model_warnings", "Warnings about the model."),
		info:     desc("semlayer_model_info", "1, with the revision of the model: a digest of its text and mode.", "revision"),
		loaded:   desc("semlayer_model_loaded_timestamp_seconds", "Time at which the model was loaded, in seconds since 1970."),
		loads:    desc("semlayer_model_reloads_total", "Changes of the model since the start: loaded (ok) or rejected (refused).", "result"),
	}
}

// prometheusModelLabel is the label of metrics that names a model.
const prometheusModelLabel = "model"

// Describe lists what Collect sends.
func (m modelPrometheusCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{m.errors, m.warnings, m.info, m.loaded, m.loads} {
		to <- d
	}
}

// modelPrometheusValues are the numbers of the models that share a label.
type modelPrometheusValues struct {
	label             string
	errors, warnings  int
	revisions         []string
	loaded            float64 // of the model that was loaded last; 0 where it is not known
	accepted, refused int64
}

// Collect sends the present numbers.
func (m modelPrometheusCollector) Collect(to chan<- prometheus.Metric) {
	set := m.server.models.Load()
	for _, n := range m.server.collectModelPrometheusValues(set) {
		send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
			if set.Several {
				labels = append([]string{n.label}, labels...)
			}
			to <- prometheus.MustNewConstMetric(d, kind, value, labels...)
		}
		send(m.errors, prometheus.GaugeValue, float64(n.errors))
		send(m.warnings, prometheus.GaugeValue, float64(n.warnings))
		for _, r := range n.revisions {
			send(m.info, prometheus.GaugeValue, 1, r)
		}
		if n.loaded > 0 {
			send(m.loaded, prometheus.GaugeValue, n.loaded)
		}
		send(m.loads, prometheus.CounterValue, float64(n.accepted), "ok")
		send(m.loads, prometheus.CounterValue, float64(n.refused), "refused")
	}
}

// collectModelPrometheusValues counts the models by label, in the order of the labels.
func (s *Server) collectModelPrometheusValues(set *modelSet) []*modelPrometheusValues {
	byLabel := map[string]*modelPrometheusValues{}
	at := func(label string) *modelPrometheusValues {
		if byLabel[label] == nil {
			byLabel[label] = &modelPrometheusValues{label: label}
		}
		return byLabel[label]
	}
	for _, m := range set.list {
		author := engine.AuthorOf(m.Service)
		n, found := at(m.label), author.Findings()
		n.errors += len(found.CompileErrors)
		n.warnings += len(found.Warnings)
		if r, ok := m.Service.(RevisionReporter); ok && !slices.Contains(n.revisions, r.Revision()) {
			n.revisions = append(n.revisions, r.Revision())
		}
		if at := author.Model().LoadedAt; !at.IsZero() {
			n.loaded = max(n.loaded, float64(at.UnixMilli())/1000)
		}
	}
	for _, r := range set.Reloads {
		n := at(s.labels.labelOfModel(r.Model))
		n.accepted += r.Accepted
		n.refused += r.Refused
	}
	var out []*modelPrometheusValues
	for _, n := range byLabel {
		out = append(out, n)
	}
	slices.SortFunc(out, func(a, b *modelPrometheusValues) int { return strings.Compare(a.label, b.label) })
	return out
}

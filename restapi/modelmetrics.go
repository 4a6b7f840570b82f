package restapi

import "github.com/prometheus/client_golang/prometheus"

// Revisioned is a Service that reports the revision of its model; *engine.Engine implements
// it.
type Revisioned interface{ Revision() string }

// findingsCollector collects the findings about the model that a service has now.
type findingsCollector struct{ service Service }

var (
	modelErrorsDesc   = prometheus.NewDesc("semlayer_model_errors", "Objects of the model that do not compile.", nil, nil)
	modelWarningsDesc = prometheus.NewDesc("semlayer_model_warnings", "Warnings about the model.", nil, nil)
	modelInfoDesc     = prometheus.NewDesc("semlayer_model_info", "1, with the revision of the model: a digest of its text and mode.", []string{"revision"}, nil)
)

// Describe lists what Collect sends.
func (findingsCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{modelErrorsDesc, modelWarningsDesc, modelInfoDesc} {
		to <- d
	}
}

// Collect counts the findings.
func (m findingsCollector) Collect(to chan<- prometheus.Metric) {
	found := m.service.Findings()
	to <- prometheus.MustNewConstMetric(modelErrorsDesc, prometheus.GaugeValue, float64(len(found.CompileErrors)))
	to <- prometheus.MustNewConstMetric(modelWarningsDesc, prometheus.GaugeValue, float64(len(found.Warnings)))
	if r, ok := m.service.(Revisioned); ok {
		to <- prometheus.MustNewConstMetric(modelInfoDesc, prometheus.GaugeValue, 1, r.Revision())
	}
}

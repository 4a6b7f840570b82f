package pgwire

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics are the measurements of a server, as a collector of Prometheus.
type Metrics struct {
	sessions   atomic.Int64
	gauge      prometheus.GaugeFunc
	statements *prometheus.CounterVec
	firstRow   prometheus.Histogram
}

func newMetrics() *Metrics {
	m := &Metrics{
		statements: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "semlayer_pg_statements_total", Help: "Statements of the PostgreSQL port by kind (semantic, catalogue, session) and outcome (ok, client_gone or the SQLSTATE).",
		}, []string{"kind", "outcome"}),
		firstRow: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "semlayer_pg_first_row_seconds", Help: "Time from a statement over the model to its first row.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}),
	}
	m.gauge = prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "semlayer_pg_sessions", Help: "Open sessions of the PostgreSQL port."},
		func() float64 { return float64(m.sessions.Load()) })
	return m
}

// Describe describes the measurements to a registry.
func (m *Metrics) Describe(to chan<- *prometheus.Desc) {
	m.gauge.Describe(to)
	m.statements.Describe(to)
	m.firstRow.Describe(to)
}

// Collect sends the measurements to a registry.
func (m *Metrics) Collect(to chan<- prometheus.Metric) {
	m.gauge.Collect(to)
	m.statements.Collect(to)
	m.firstRow.Collect(to)
}

func (m *Metrics) countStatement(kind statementKind, outcome string) {
	m.statements.WithLabelValues(string(kind), outcome).Inc()
}

func (m *Metrics) observeFirstRow(took time.Duration) { m.firstRow.Observe(took.Seconds()) }

package restapi

import (
	"bytes"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"github.com/semlayer/semlayer/engine"
)

// serverMetrics holds the measurements of GET /metrics. Every label has a value from a fixed
// list: routes, statuses, codes, dialects, profiles, models.
type serverMetrics struct {
	several  bool // models: the measurements of requests have the label model
	registry *prometheus.Registry
	codes    map[string]bool

	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	inFlight prometheus.Gauge
	plan     *prometheus.HistogramVec
	execute  *prometheus.HistogramVec
	rows     *prometheus.CounterVec
	panics   prometheus.Counter
}

// From 25 µs, where planning begins, and from 1 ms to more than an hour, where
// streams end.
var (
	planDurationBuckets    = prometheus.ExponentialBuckets(25e-6, 2, 14)
	requestDurationBuckets = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 3600}
)

func newServerMetrics(s *Server) *serverMetrics {
	labels := func(names ...string) []string {
		if s.labels.several {
			return append([]string{prometheusModelLabel}, names...)
		}
		return names
	}
	m := &serverMetrics{
		several:  s.labels.several,
		registry: prometheus.NewRegistry(),
		codes:    map[string]bool{},
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "semlayer_http_requests_total",
			Help: "Responses, by route, HTTP status, code of the error (ok if there is none) and connection of the query.",
		}, labels("method", "route", "status", "code", "connection")),
		took: newDurationHistogram(prometheus.HistogramOpts{
			Name:    "semlayer_http_request_duration_seconds",
			Help:    "Time from the last byte of a request to its response; for a stream, to its end.",
			Buckets: requestDurationBuckets,
		}, labels("method", "route", "connection")),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "semlayer_http_requests_in_flight", Help: "Requests that are being processed.",
		}),
		plan: newDurationHistogram(prometheus.HistogramOpts{
			Name:    "semlayer_plan_duration_seconds",
			Help:    "Time from a query to the text of its SQL or plan.",
			Buckets: planDurationBuckets,
		}, labels()),
		execute: newDurationHistogram(prometheus.HistogramOpts{
			Name:    "semlayer_execute_duration_seconds",
			Help:    "Time of a statement, from its start until its rows are read.",
			Buckets: requestDurationBuckets,
		}, labels("dialect", "connection")),
		rows: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "semlayer_rows_total", Help: "Rows read from warehouses.",
		}, labels()),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "semlayer_panics_total", Help: "Panics that became an error of code internal.",
		}),
	}
	for _, c := range engine.Codes() {
		m.codes[c.Code] = true
	}
	for _, c := range Codes() {
		m.codes[c.Code] = true
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "semlayer_build_info",
		Help:        "1, with the version of the server and of Go.",
		ConstLabels: prometheus.Labels{"version": s.models.Load().list[0].Service.Capabilities().EngineVersion, "go_version": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.took, m.inFlight, m.plan, m.execute, m.rows, m.panics, build,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "semlayer_draining", Help: "1 from the signal to stop until the end.",
		}, func() float64 {
			if s.draining.Load() {
				return 1
			}
			return 0
		}),
		clientConnectionCollector{s.conns},
		newModelPrometheusCollector(s),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	if _, ok := s.models.Load().list[0].Service.(SaturationReporter); ok {
		m.registry.MustRegister(saturationCollector{s})
	}
	if _, ok := s.models.Load().list[0].Service.(MemoryReporter); ok {
		m.registry.MustRegister(memoryCollector{s})
	}
	if keepsResults(s.models.Load().list[0].Service) {
		m.registry.MustRegister(resultCacheCollector{s})
	}
	m.registry.MustRegister(rollupCollector{s})
	m.registry.MustRegister(s.config.Collectors...)
	if !m.several { // there from the start, as they have no label
		m.plan.WithLabelValues()
		m.rows.WithLabelValues()
	}
	return m
}

// The resolution and the size of native histograms: buckets grow by a tenth, and are merged when there are more.
const (
	nativeBucketFactor     = 1.1
	maxNativeBuckets       = 100
	minNativeResetInterval = time.Hour
)

// newDurationHistogram returns a histogram with classic and native buckets.
func newDurationHistogram(o prometheus.HistogramOpts, labels []string) *prometheus.HistogramVec {
	o.NativeHistogramBucketFactor, o.NativeHistogramMaxBucketNumber, o.NativeHistogramMinResetDuration = nativeBucketFactor, maxNativeBuckets, minNativeResetInterval
	return prometheus.NewHistogramVec(o, labels)
}

// observe measures a duration, with the trace of the request as exemplar where one is sent.
func (x *requestRecord) observe(to prometheus.Observer, took time.Duration) {
	if x.span != nil {
		if c := x.span.SpanContext(); c.IsSampled() {
			if withExemplar, ok := to.(prometheus.ExemplarObserver); ok {
				withExemplar.ObserveWithExemplar(took.Seconds(), prometheus.Labels{"trace_id": c.TraceID().String()})
				return
			}
		}
	}
	to.Observe(took.Seconds())
}

// countRequest counts a finished request.
func (m *serverMetrics) countRequest(x *requestRecord, status int, took time.Duration) {
	code := x.code
	switch {
	case code == "":
		code = "ok"
	case !m.codes[code]:
		code = otherRouteLabel
	}
	m.requests.WithLabelValues(m.labelsWithModel(x, x.method, x.route, strconv.Itoa(status), code, x.connectionProfile())...).Inc()
	x.observe(m.took.WithLabelValues(m.labelsWithModel(x, x.method, x.route, x.connectionProfile())...), took)
}

// labelsWithModel puts the label of a request's model before other labels, where the server serves
// several models.
func (m *serverMetrics) labelsWithModel(x *requestRecord, others ...string) []string {
	if !m.several {
		return others
	}
	model := ""
	if x.choice.model != nil {
		model = x.choice.model.label
	}
	return append([]string{model}, others...)
}

// servePrometheusMetrics answers in the text format of Prometheus.
func servePrometheusMetrics(s *Server, c *fiber.Ctx, _ route) error {
	text, contentType, err := s.metrics.encode(c.Get(fiber.HeaderAccept))
	if err != nil {
		return err
	}
	c.Response().Header.SetContentType(contentType)
	c.Response().SetBodyRaw(text)
	return nil
}

// encode returns the measurements in the format of an Accept header: OpenMetrics has exemplars, and protobuf has native histograms too. Without
// one it is the text format of Prometheus.
func (m *serverMetrics) encode(accept string) (text []byte, contentType string, err error) {
	families, err := m.registry.Gather()
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	format := expfmt.NegotiateAccept(http.Header{fiber.HeaderAccept: {accept}}, expfmt.DefaultOpenMetricsAcceptedFormats()...)
	if accept == "" || format.FormatType() == expfmt.TypeTextPlain {
		format = expfmt.NewFormat(expfmt.TypeTextPlain)
	}
	enc := expfmt.NewEncoder(&b, format)
	for _, f := range families {
		if err := enc.Encode(f); err != nil {
			return nil, "", err
		}
	}
	if end, ok := enc.(expfmt.Closer); ok {
		if err := end.Close(); err != nil {
			return nil, "", err
		}
	}
	return b.Bytes(), string(format), nil
}

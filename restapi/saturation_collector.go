package restapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/engine"
)

// SaturationReporter is a Service that reports its load; *engine.Engine implements it. Its
// numbers become metrics.
type SaturationReporter interface {
	ExecutionStats() engine.ExecutionStats
	Pools() []engine.PoolInfo
}

// queueReporter is a Service that reports the requests which wait for a slot.
type queueReporter interface {
	Queues() ([]engine.QueueInfo, engine.QueueWaits)
}

// saturationCollector collects the numbers of a SaturationReporter when they are requested:
// those of the first model, because the models of a process share their slots and pools.
type saturationCollector struct{ server *Server }

var (
	executionsInFlightDesc   = prometheus.NewDesc("semlayer_executions_in_flight", "Executions that hold a slot.", nil, nil)
	connectionExecutionsDesc = prometheus.NewDesc("semlayer_connection_executions_in_flight", "Executions on a connection.", []string{"connection"}, nil)
	credentialExpiryDesc     = prometheus.NewDesc("semlayer_credential_expiry_timestamp_seconds", "When the password or token of a connection expires, in seconds since 1970.", []string{"connection"}, nil)
	executionCapacityDesc    = prometheus.NewDesc("semlayer_executions_capacity", "Slots for executions.", nil, nil)
	rejectedExecutionsDesc   = prometheus.NewDesc("semlayer_executions_rejected_total", "Executions that were rejected because no slot was free (code busy).", nil, nil)
	queueWaitingDesc         = prometheus.NewDesc("semlayer_queue_waiting", "Executions that wait for a slot of a connection.", []string{"connection"}, nil)
	queueWaitDesc            = prometheus.NewDesc("semlayer_queue_wait_seconds", "Time that executions have waited for a slot.", nil, nil)
	poolConnectionsDesc      = prometheus.NewDesc("semlayer_pool_connections", "Connections to a warehouse by their state.", []string{"connection", "dialect", "state"}, nil)
	poolConnectionsMaxDesc   = prometheus.NewDesc("semlayer_pool_connections_max", "Maximum number of connections to a warehouse.", []string{"connection", "dialect"}, nil)
)

// clientConnectionCollector collects the numbers of the connections of clients.
type clientConnectionCollector struct{ table *connTable }

var (
	openConnectionsDesc   = prometheus.NewDesc("semlayer_http_connections", "Open connections of clients.", nil, nil)
	connectionsMaxDesc    = prometheus.NewDesc("semlayer_http_connections_max", "Maximum number of open connections of clients.", nil, nil)
	connectionsClosedDesc = prometheus.NewDesc("semlayer_http_connections_closed_total", "Connections closed or rejected because there were too many.", []string{"state"}, nil)
	failedHandshakesDesc  = prometheus.NewDesc("semlayer_tls_handshakes_failed_total", "Connections that ended before TLS began.", nil, nil)
)

// Describe lists what Collect sends.
func (clientConnectionCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{openConnectionsDesc, connectionsMaxDesc, connectionsClosedDesc, failedHandshakesDesc} {
		to <- d
	}
}

// Collect sends the present numbers.
func (m clientConnectionCollector) Collect(to chan<- prometheus.Metric) {
	to <- prometheus.MustNewConstMetric(openConnectionsDesc, prometheus.GaugeValue, float64(m.table.countOpen()))
	to <- prometheus.MustNewConstMetric(connectionsMaxDesc, prometheus.GaugeValue, float64(m.table.max))
	to <- prometheus.MustNewConstMetric(failedHandshakesDesc, prometheus.CounterValue, float64(m.table.failedHandshakes.Load()))
	for state, n := range map[string]int64{"waiting": m.table.closedWaiting.Load(), "receiving": m.table.closedReceiving.Load(), "new": m.table.refused.Load()} {
		to <- prometheus.MustNewConstMetric(connectionsClosedDesc, prometheus.CounterValue, float64(n), state)
	}
}

// Describe lists what Collect sends.
func (saturationCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{executionsInFlightDesc, connectionExecutionsDesc, credentialExpiryDesc, executionCapacityDesc, rejectedExecutionsDesc, queueWaitingDesc, queueWaitDesc, poolConnectionsDesc, poolConnectionsMaxDesc} {
		to <- d
	}
}

// Collect sends the current numbers.
func (l saturationCollector) Collect(to chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, value, labels...)
	}
	list := l.server.models.Load().list
	if len(list) == 0 {
		return
	}
	source, ok := list[0].Service.(SaturationReporter)
	if !ok {
		return
	}
	now := source.ExecutionStats()
	send(executionsInFlightDesc, prometheus.GaugeValue, float64(now.Running))
	for _, c := range now.Connections {
		send(connectionExecutionsDesc, prometheus.GaugeValue, float64(c.Running), c.Connection)
		if !c.CredentialExpiry.IsZero() {
			send(credentialExpiryDesc, prometheus.GaugeValue, float64(c.CredentialExpiry.Unix()), c.Connection)
		}
	}
	send(executionCapacityDesc, prometheus.GaugeValue, float64(now.Capacity))
	send(rejectedExecutionsDesc, prometheus.CounterValue, float64(now.Refused))
	if queues, ok := source.(queueReporter); ok {
		lines, waits := queues.Queues()
		for _, line := range lines {
			send(queueWaitingDesc, prometheus.GaugeValue, float64(line.Waiting), line.Connection)
		}
		to <- prometheus.MustNewConstSummary(queueWaitDesc, uint64(waits.Count), waits.Seconds, nil)
	}
	for _, p := range source.Pools() {
		send(poolConnectionsDesc, prometheus.GaugeValue, float64(p.InUse), p.Connection, p.Dialect, "in_use")
		send(poolConnectionsDesc, prometheus.GaugeValue, float64(p.Idle), p.Connection, p.Dialect, "idle")
		send(poolConnectionsMaxDesc, prometheus.GaugeValue, float64(p.Max), p.Connection, p.Dialect)
	}
}

package restapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/engine/memory"
)

// MemoryReporter is a Service that reports what requests hold in memory; *engine.Engine implements it.
type MemoryReporter interface {
	MemoryUse() []memory.PartUse
}

// memoryCollector collects the numbers of a MemoryReporter when they are requested: those of the first model, because
// the models of a process share their memory.
type memoryCollector struct{ server *Server }

var (
	memoryHeldDesc    = prometheus.NewDesc("semlayer_memory_held_bytes", "Memory that requests and sessions hold, by part.", []string{"part"}, nil)
	memoryLimitDesc   = prometheus.NewDesc("semlayer_memory_limit_bytes", "Memory that a part may hold.", []string{"part"}, nil)
	memoryRefusedDesc = prometheus.NewDesc("semlayer_memory_refused_total", "Requests for memory that a part refused (code memory_limit).", []string{"part"}, nil)
)

// Describe lists what Collect sends.
func (memoryCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{memoryHeldDesc, memoryLimitDesc, memoryRefusedDesc} {
		to <- d
	}
}

// Collect sends the current numbers.
func (m memoryCollector) Collect(to chan<- prometheus.Metric) {
	list := m.server.models.Load().list
	if len(list) == 0 {
		return
	}
	source, ok := list[0].Service.(MemoryReporter)
	if !ok {
		return
	}
	for _, p := range source.MemoryUse() {
		to <- prometheus.MustNewConstMetric(memoryHeldDesc, prometheus.GaugeValue, float64(p.Held), string(p.Name))
		to <- prometheus.MustNewConstMetric(memoryLimitDesc, prometheus.GaugeValue, float64(p.Capacity), string(p.Name))
		to <- prometheus.MustNewConstMetric(memoryRefusedDesc, prometheus.CounterValue, float64(p.Refused), string(p.Name))
	}
}

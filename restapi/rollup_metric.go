package restapi

import "github.com/prometheus/client_golang/prometheus"

// RollupReporter is a Service that counts what its executions read; *engine.Engine implements it.
type RollupReporter interface {
	// RollupBranches returns how many branches have read a rollup, and how many base tables of a model with rollups.
	RollupBranches() (rollup, base int64)
}

// rollupCollector collects the branches of executions by what they have read.
type rollupCollector struct{ server *Server }

var rollupBranchesDesc = prometheus.NewDesc("semlayer_rollup_branches_total", "Branches of executions on a model with rollups, by what they read: rollup or base.", []string{"result"}, nil)

// Describe lists what Collect sends.
func (rollupCollector) Describe(to chan<- *prometheus.Desc) { to <- rollupBranchesDesc }

// Collect sends the present numbers, once there are any.
func (m rollupCollector) Collect(to chan<- prometheus.Metric) {
	r, ok := m.server.models.Load().list[0].Service.(RollupReporter)
	if !ok {
		return
	}
	rollup, base := r.RollupBranches()
	if rollup+base == 0 {
		return
	}
	to <- prometheus.MustNewConstMetric(rollupBranchesDesc, prometheus.CounterValue, float64(rollup), "rollup")
	to <- prometheus.MustNewConstMetric(rollupBranchesDesc, prometheus.CounterValue, float64(base), "base")
}

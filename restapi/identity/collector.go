package identity

import "github.com/prometheus/client_golang/prometheus"

var (
	staleDescription       = prometheus.NewDesc("semlayer_policies_stale", "1 while an invalid or missing policies file or token file leaves its last valid revision in force.", nil, nil)
	rateLimitedDescription = prometheus.NewDesc("semlayer_rate_limited_total", "Requests that were rejected because their caller had sent too many.", nil, nil)
	keyAgeDescription      = prometheus.NewDesc("semlayer_jwks_age_seconds", "Time since the key set of an issuer was read.", []string{"issuer"}, nil)
)

// Describe sends the descriptions of the measurements.
func (d *Directory) Describe(to chan<- *prometheus.Desc) {
	to <- staleDescription
	to <- rateLimitedDescription
	to <- keyAgeDescription
}

// Collect sends the measurements.
func (d *Directory) Collect(to chan<- prometheus.Metric) {
	r := d.revision.Load()
	if r.file == nil {
		return
	}
	stale := 0.0
	if d.stale.Load() {
		stale = 1
	}
	to <- prometheus.MustNewConstMetric(staleDescription, prometheus.GaugeValue, stale)
	to <- prometheus.MustNewConstMetric(rateLimitedDescription, prometheus.CounterValue, float64(d.rateLimited.Load()))
	for _, v := range r.verifiers {
		if age, ok := v.keys.ageSeconds(); ok {
			to <- prometheus.MustNewConstMetric(keyAgeDescription, prometheus.GaugeValue, age, v.issuer.Issuer.Value)
		}
	}
}

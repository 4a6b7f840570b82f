package certfile

import "github.com/prometheus/client_golang/prometheus"

// ExpiryCollector reports when the certificates of listeners expire, by the names of the listeners.
type ExpiryCollector map[string]*Files

var expiryDescription = prometheus.NewDesc("semlayer_tls_certificate_expiry_timestamp_seconds",
	"When the certificate of a listener expires, in seconds since 1970: the first one of its chain.", []string{"listener"}, nil)

// Describe implements prometheus.Collector.
func (ExpiryCollector) Describe(out chan<- *prometheus.Desc) { out <- expiryDescription }

// Collect implements prometheus.Collector.
func (c ExpiryCollector) Collect(out chan<- prometheus.Metric) {
	for listener, files := range c {
		out <- prometheus.MustNewConstMetric(expiryDescription, prometheus.GaugeValue, float64(files.Expiry().Unix()), listener)
	}
}

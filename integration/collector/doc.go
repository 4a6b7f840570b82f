// Package collector sends the traces of a server to the OpenTelemetry Collector, which is built from its Go modules.
//
//	client ── traceparent ──► semlayer serve ── OTLP over HTTP ──► collector: receiver otlp ──► exporter of the test
//
// The module is separate, because the collector brings two hundred modules that no other module needs.
package collector

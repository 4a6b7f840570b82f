package benchmarks

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkServe_CompileBesideReload compiles at a steady rate on a server that watches a model of
// 1000 datasets and, in turn, while a text of that size replaces the file as soon as the server
// has loaded the text before it. No two requests have the same limit, so that every one is planned. The best turn of
// each side counts, because other work on the machine only ever takes away.
func BenchmarkServe_CompileBesideReload(b *testing.B) {
	const rate, datasets = 200, 1000
	text := LargeModelText(datasets)
	s := startWatching(b, text)
	askers := newLimitRequesters(b, 8, s.address)
	var quiet, beside, loading []time.Duration
	for b.Loop() {
		quiet = append(quiet, measureAtRate(b, askers, rate))
		var ended atomic.Bool
		loaded := make(chan error, 1)
		go func() {
			for !ended.Load() {
				begun := time.Now()
				if err := s.replaceModel(fmt.Appendf(nil, "%s# revision %d\n", text, len(loading)+1)); err != nil {
					loaded <- err
					return
				}
				loading = append(loading, time.Since(begun))
			}
			loaded <- nil
		}()
		beside = append(beside, measureAtRate(b, askers, rate))
		ended.Store(true)
		if err := <-loaded; err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(slices.Min(beside))/float64(slices.Min(quiet)), "ratio")
	b.ReportMetric(slices.Min(quiet).Seconds()*1e3, "p99-ms")
	b.ReportMetric(slices.Min(beside).Seconds()*1e3, "beside-p99-ms")
	b.ReportMetric(median(loading).Seconds()*1e3, "until-served-ms")
	b.ReportMetric(float64(len(loading)), "loads")
}

// newLimitRequesters are n connections that each compile Q1 with another limit at every request.
func newLimitRequesters(b *testing.B, n int, address string) []func() error {
	b.Helper()
	var limit atomic.Int64
	limit.Store(1_000_000)
	body := strings.TrimSuffix(strings.TrimSpace(OneMetricQuery), "}") + `,"limit":%d}`
	out := make([]func() error, n)
	for i := range out {
		ask := connect(b, address)
		out[i] = func() error {
			_, err := ask(post("/v1/query/compile", fmt.Sprintf(body, limit.Add(1))))
			return err
		}
	}
	return out
}

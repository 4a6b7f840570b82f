package benchmarks

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// BenchmarkHTTP_CompileBesideReload compiles at a steady rate against a model of 1000 datasets
// and, in turn, while texts of that size are loaded one after another and replace the
// model. Nothing is remembered, so that every request is planned. Of each side the best turn
// counts, because other work on the machine only ever takes away.
func BenchmarkHTTP_CompileBesideReload(b *testing.B) {
	const rate, datasets = 200, 1000
	w, err := engine.OpenWarehouses(b.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, StatementCache: -1})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	text := Model(datasets)
	load := func(revision int) (restapi.Models, error) {
		e, err := w.OpenModel(b.Context(), "model.yaml", fmt.Appendf(nil, "%s# revision %d\n", text, revision))
		if err != nil {
			return restapi.Models{}, err
		}
		return restapi.Models{List: []*restapi.Model{{Service: e, Closed: func() { _ = e.Close() }}}}, nil
	}
	models, err := load(0)
	if err != nil {
		b.Fatal(err)
	}
	server, origin := serving.StartServer(b, models, restapi.Config{})
	askers := newRequesters(b, 8, strings.TrimPrefix(origin, "http://"), "/v1/query/compile", Q1)
	var quiet, beside, loading []time.Duration
	for b.Loop() {
		quiet = append(quiet, measureAtRate(b, askers, rate))
		var ended atomic.Bool
		loaded := make(chan error, 1)
		go func() {
			for !ended.Load() {
				begun := time.Now()
				models, err := load(len(loading) + 1)
				if err == nil {
					err = server.ReplaceModels(models)
				}
				if err != nil {
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
	b.ReportMetric(median(loading).Seconds()*1e3, "load-ms")
	b.ReportMetric(float64(len(loading)), "loads")
}

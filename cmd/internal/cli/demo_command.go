package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

func (a *app) demoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve the bundled model and data, and print queries to try",
		Args:  cobra.NoArgs,
	}
	settings.AddFlags(cmd.Flags(), "bind", indexValuesFlag)
	stored := cmd.Flags().Bool("stored", false, "keep the dates of the example, 2023 and 2024, in place of two years until today")
	if f := cmd.Flags().Lookup(indexValuesFlag); f != nil {
		f.DefValue = demoIndexedValuesPerField
		_ = f.Value.Set(demoIndexedValuesPerField) // a text takes any text
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a.format = formatTable
		a.queueLog()
		s, err := newSettingsReader(cmd)
		if err != nil {
			return err
		}
		bind, err := s.readListenAddresses("bind")
		if err != nil {
			return err
		}
		data := demo.DataSQLUntil(time.Now())
		if *stored {
			data = demo.DataSQL()
		}
		return a.serveDemoModel(cmd.Context(), s, data, bind, s.sourceOf("bind") != sourceDefault)
	}
	return cmd
}

// demoIndexedValuesPerField is how many values of a field the demo reads for find.
const demoIndexedValuesPerField = "200"

func (a *app) serveDemoModel(ctx context.Context, s settingsReader, data string, bind []string, chosen bool) error {
	// A log line for every request would push the suggested commands off the screen.
	log := slog.New(slog.NewTextHandler(a.std.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ec, err := a.readEngineConfig(s, log)
	if err != nil {
		return err
	}
	ec.ModelPath, ec.ModelText, ec.Setup = demo.ModelName+".yaml", demo.ModelText(), []string{data}
	w, err := engine.OpenWarehouses(ctx, ec)
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	e, err := w.OpenModel(ctx, ec.ModelPath, ec.ModelText)
	if err != nil {
		return err
	}
	loaded, err := queryDemoRowCounts(ctx, e)
	if err != nil {
		return err
	}
	announce := func(address string, _ *restapi.Server) error {
		_, err := fmt.Fprint(a.std.Out, demoText(address, e.Model(), loaded))
		return err
	}
	indexer, err := s.readValueIndexer(log, false)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer indexer.running.Wait()
	defer stop()
	indexer.startIndexing(ctx, e)
	c := serverSettings{bind: bind, engine: ec, http: restapi.Config{Logger: log, Collectors: []prometheus.Collector{a.droppedLogLinesCounter()}}, log: log, indexer: indexer, access: openToEveryCaller(log)}
	models := restapi.Models{List: []*restapi.Model{{Service: e, MCP: newMCPHandler(e, c, new(mcp.CancelFuncsOfCalls))}}}
	err = listenAndServe(ctx, models, w, c, announce)
	if !chosen && errors.Is(err, syscall.EADDRINUSE) {
		host, _, _ := net.SplitHostPort(defaultBind)
		c.bind = []string{net.JoinHostPort(host, "0")}
		return listenAndServe(ctx, models, w, c, announce)
	}
	return err
}

// queryDemoRowCounts loads the data and asks the engine how much there is.
func queryDemoRowCounts(ctx context.Context, e *engine.Engine) (string, error) {
	asked := []struct{ metric, noun string }{
		{"order_count", "orders"}, {"customer_count", "customers"}, {"product_count", "products"}, {"return_count", "returns"},
	}
	var q query.MetricQuery
	for _, c := range asked {
		q.Metrics = append(q.Metrics, c.metric)
	}
	prepared, err := e.Prepare(ctx, &q)
	if err != nil {
		return "", err
	}
	result, err := prepared.Execute(ctx)
	if err != nil {
		return "", err
	}
	g, err := textTableOfResult(result)
	if err != nil {
		return "", err
	}
	var parts []string
	for i, c := range asked {
		parts = append(parts, g.rows[0][i].text+" "+c.noun)
	}
	return strings.Join(parts, ", "), nil
}

func demoText(base string, m engine.ModelInfo, loaded string) string {
	return fmt.Sprintf(`Serving %[1]s at %[2]s
%[3]s

Loaded %[4]s: %[5]d datasets, %[6]d metrics. Things to try:

  curl -s %[2]s/v1/metrics
  curl -s %[2]s/v1/query/execute -d '{"metrics":["revenue","order_count"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"revenue","desc":true}]}'
  curl -s %[2]s/v1/query/compile -d '{"metrics":["net_revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"dialect":"postgres","pretty":true}'

Stop it with Ctrl-C.
`, m.Name, base, m.Description, loaded, m.Datasets, m.Metrics)
}

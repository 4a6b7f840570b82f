package clients_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/restapi"
)

func config() restapi.Config { return restapi.Config{Tokens: []string{token}} }

func TestLists_DescribeModel(t *testing.T) {
	c := shop(t)
	if err := c.Health(ctx); err != nil {
		t.Error(err)
	}
	if ready, err := c.Ready(ctx); !ready || err != nil {
		t.Error(ready, err)
	}
	model, err := c.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(model.Revision) != 12 || time.Since(model.LoadedAt) > time.Hour {
		t.Errorf("revision %q, loaded at %v", model.Revision, model.LoadedAt)
	}
	model.Warnings, model.Metrics, model.ExtensionVersion, model.Revision, model.LoadedAt = 0, 0, "", "", time.Time{}
	want := &client.Model{Name: "orders", Description: "The monthly orders of the worked figures.", Path: "orders.yaml", Mode: "vendor",
		SpecVersion: "0.2.0.dev0", Datasets: 3, Fields: 12, Relationships: 2}
	if d := cmp.Diff(want, model); d != "" {
		t.Error(d)
	}
	capabilities, err := c.Capabilities(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if capabilities.SpecVersion != "0.2.0.dev0" || len(capabilities.Extension.Keys) == 0 || len(capabilities.Dialects) == 0 {
		t.Errorf("%+v", capabilities)
	}
	datasets, err := c.Datasets(ctx)
	if err != nil || len(datasets) != 3 {
		t.Fatal(datasets, err)
	}
	if d := cmp.Diff([]any{"orders", "orders", []string{"order_id"}, 6}, []any{datasets[0].Name, datasets[0].Source, datasets[0].PrimaryKey, datasets[0].Fields}); d != "" {
		t.Error(d)
	}
	found, err := c.Metrics(ctx)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	if m := found[0]; m.Name != "revenue" || m.Kind != "aggregate" || len(m.Datasets) != 1 || m.Datasets[0] != "orders" || m.Attribution != "exact" {
		t.Errorf("%+v", m)
	}
	connections, err := c.Connections(ctx)
	if err != nil || connections == nil || len(connections) != 0 {
		t.Error(connections, err)
	}
}

func TestDimensions_OfMetric(t *testing.T) {
	c := shop(t)
	names := func(metric string) []string {
		found, err := c.Dimensions(ctx, metric)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range found {
			out = append(out, d.Name)
		}
		return out
	}
	if all := names(""); len(all) != 12 {
		t.Error(all)
	}
	// A customer's order cannot group the count of customers.
	if d := cmp.Diff([]string{"customers.customer_id", "customers.region", "customers.signup_date"}, without(names("customer_count"), "metric_time")); d != "" {
		t.Error(d)
	}
}

func TestLineage_FromTableToMetric(t *testing.T) {
	c := shop(t)
	l, err := c.Lineage(ctx, "revenue")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range l.Edges {
		got = append(got, x.From+" "+x.Relation+" "+x.To)
	}
	if d := cmp.Diff([]string{
		"table:orders source dataset:orders", "dataset:orders contains field:orders.amount",
		"field:orders.amount reads measure:orders_amount_sum", "measure:orders_amount_sum aggregates metric:revenue",
	}, got); d != "" {
		t.Error(d)
	}
	var refused *client.Error
	if _, err := c.Lineage(ctx, "revenu"); !errors.As(err, &refused) || refused.Code != "unknown_metric" || len(refused.Candidates) == 0 {
		t.Error(err)
	}
}

func without(names []string, name string) []string {
	var out []string
	for _, n := range names {
		if n != name {
			out = append(out, n)
		}
	}
	return out
}

func TestValidate_ReportsFindings(t *testing.T) {
	c := shop(t)
	good := fixture(t, "orders", "model.yaml")
	for _, x := range []struct {
		name, model, code string
		valid             bool
	}{
		{"the model itself", good, "", true},
		{"another version", strings.Replace(good, "version: 0.2.0.dev0", "version: 9.9.9", 1), "unsupported_version", false},
		{"no model", "[", "parse", false},
	} {
		v, err := c.Validate(ctx, x.model)
		if err != nil || v.Valid != x.valid {
			t.Errorf("%s: %+v %v", x.name, v, err)
			continue
		}
		if x.code != "" && (len(v.Issues) != 1 || v.Issues[0].Code != x.code || v.Issues[0].Severity != "error") {
			t.Errorf("%s: %+v", x.name, v.Issues)
		}
	}
	broken := strings.Replace(good, "SUM(orders.amount)}]}}", "orders.amount}]}}", 1)
	v, err := c.Validate(ctx, broken)
	if err != nil || v.Valid || len(v.CompileErrors) == 0 || v.CompileErrors[0].Location == "" {
		t.Errorf("%+v %v", v, err)
	}
}

func TestCompile_NeedsNoWarehouse(t *testing.T) {
	t.Run("compile and explain work without a warehouse", func(t *testing.T) {
		c := shop(t)
		q := by(metrics("revenue"), client.GroupBy{Field: "customers.region"})
		q.Dialect, q.Pretty = "postgres", true
		compiled, err := c.Compile(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if compiled.Dialect != "postgres" || !strings.Contains(compiled.SQL, "\n") {
			t.Errorf("%+v", compiled)
		}
		if d := cmp.Diff([]client.MetricOutput{{Column: "revenue", Metric: "revenue"}}, compiled.Outputs); d != "" {
			t.Error(d)
		}
		explained, err := c.Explain(ctx, q)
		if err != nil || !strings.Contains(explained.Plan, "customers") {
			t.Errorf("%+v %v", explained, err)
		}
	})
}

package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// queryForm are the flags of one kind of query.
type queryForm interface {
	register(cmd *cobra.Command)
	body(cmd *cobra.Command) ([]byte, error)
}

func TestQueryFlags_TrimListItems(t *testing.T) {
	for _, c := range []struct {
		name string
		form queryForm
		args []string
		want string
	}{
		{
			"a metric query", new(queryFlags),
			[]string{"--metrics", "revenue, order_count ", "--metrics", " x", "--group-by", "orders.status , orders.order_date:month", "--order", " -revenue, status"},
			`{"metrics":["revenue","order_count","x"],"group_by":[{"field":"orders.status"},{"field":"orders.order_date","grain":"month"}],` +
				`"order_by":[{"key":"revenue","desc":true},{"key":"status"}]}`,
		},
		{
			"a detail query", new(selectFlags), []string{"--from", "orders", "--fields", "order_id,\tstatus", "--order", "-status, order_id"},
			`{"from":"orders","fields":["order_id","status"],"order_by":[{"key":"status","desc":true},{"key":"order_id"}]}`,
		},
		{
			"an attribution", new(attributeFlags), []string{"--metric", "revenue", "--dimensions", "status, customers.region"},
			`{"metric":"revenue","dimensions":["status","customers.region"]}`,
		},
		{"blanks within a name", new(queryFlags), []string{"--metrics", "net  revenue, gross revenue"}, `{"metrics":["net  revenue","gross revenue"]}`},
		{"no list", new(queryFlags), nil, `{"metrics":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := new(cobra.Command)
			c.form.register(cmd)
			if err := cmd.ParseFlags(c.args); err != nil {
				t.Fatal(err)
			}
			body, err := c.form.body(cmd)
			if d := cmp.Diff(c.want, string(body)); d != "" || err != nil {
				t.Errorf("%v\n%s", err, d)
			}
		})
	}
}

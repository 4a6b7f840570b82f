package mcp_test

import (
	"encoding/json"
	"testing"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// The schemas take every form of every key: the engine gets each body of these, to answer or to
// reject it.
func TestTools_TakeEveryFormOfKeys(t *testing.T) {
	e := retail(t)
	session := direct(t, e, mcp.Config{})
	for _, body := range []string{
		`{"metrics":["revenue",{"name":"mean","expression":"AVG(orders.amount)"},{"name":"n","expression":"COUNT(*)","dataset":"orders","time_dimension":"orders.order_date"}]}`,
		`{"metrics":["revenue"],"group_by":[{"name":"big","expression":"orders.amount > 100"},{"field":"customers.region","name":"r"}]}`,
		`{"metrics":["revenue"],"with":[{"dataset":"customers","name":"spent","expression":"SUM(orders.amount)","lod":{"grain":["customer_id"],"where":"orders.amount > 0","via":["order_customer"]}}]}`,
		`{"group_by":[{"field":"customers.region"}],"distinct":true}`,
		`{"group_by":[{"field":"customers.region"}],"distinct":true,"from":"customers","metrics":null}`,
		`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"totals":[[]],"shares":[{"metric":"revenue"},{"metric":"revenue","of":["region"]}]}`,
		`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"top":{"dimension":"region","n":2,"by":"revenue","desc":false,"within":[],"other":"rest"}}`,
		`{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"top":{"dimension":"region","n":2,"other":false}}`,
		`{"metrics":["revenue"],"time_range":{"start":"2024-02-01","end":"2024-03-01"},"compare":{"offset":{"count":1,"unit":"month"},"metrics":["revenue"]}}`,
		`{"metrics":["revenue"],"time_range":{"start":"2024-02-01","end":"2024-03-01"},"compare":{"range":{"start":"2023-02-01","end":"2023-03-01"}}}`,
		`{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"time_range":{"start":"2024-01-01","end":"2024-03-01"},"fill":{"value":0.5}}`,
		`{"metrics":["revenue"],"time_range":{"last":{"n":3,"unit":"month","complete":false}},"as_of":"2024-05-15","time_zone":"Europe/Berlin","week_start":"sunday"}`,
		`{"metrics":[{"name":"n","expression":"COUNT(customers.customer_id)"}],"group_by":[{"field":"orders.status"}],"fan_out":"once_per_group"}`,
		`{"metrics":["revenue"],"time_ranges":{"a":{"last":{"n":3,"unit":"month"}}}}`,
	} {
		got, _, _ := callTool(t, session, "compile_sql", body)
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: %s", body, got)
			continue
		}
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		want := ""
		if c, err := askSQL(t.Context(), e, q); err == nil {
			text, err := engine.MarshalWireJSON(c)
			if err != nil {
				t.Fatal(err)
			}
			want = string(text)
		}
		if want != "" && got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	for broken, code := range map[string]string{
		`{}`: "empty_query", `{"distinct":false}`: "empty_query", `{"metrics":[7]}`: "bad_request", `{"metrics":[{"name":"a"}]}`: "bad_request",
		`{"metrics":["a"],"totals":["region"]}`: "bad_request", `{"metrics":["a"],"top":{"n":1}}`: "bad_request",
		`{"metrics":["a"],"top":{"dimension":"d","n":1,"other":7}}`: "bad_request", `{"metrics":["a"],"compare":{"offset":{"unit":"day"}}}`: "bad_request",
		`{"metrics":["a"],"fill":0}`: "bad_request",
	} {
		if got, _, result := callTool(t, session, "run_query", broken); !result.IsError || codeOf(t, got) != code {
			t.Errorf("%s is not refused as an argument: %s", broken, got)
		}
	}
}

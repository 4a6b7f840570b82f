package clients_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

// decoded reads a stream with the library of Arrow, as a user would, and prints
// its rows.
func decoded(s io.Reader) (columns, rows []string, err error) {
	r, err := ipc.NewReader(s)
	if err != nil {
		return nil, nil, err
	}
	defer r.Release()
	for _, f := range r.Schema().Fields() {
		columns = append(columns, f.Name)
	}
	for r.Next() {
		batch := r.RecordBatch()
		for i := range int(batch.NumRows()) {
			var cells []string
			for _, column := range batch.Columns() {
				cells = append(cells, column.ValueStr(i))
			}
			rows = append(rows, strings.Join(cells, " "))
		}
	}
	return columns, rows, r.Err()
}

func byStatus() client.MetricQuery {
	q := by(metrics("revenue"), client.GroupBy{Field: "orders.status"})
	q.OrderBy = []client.OrderBy{{Key: "revenue", Desc: true}}
	return q
}

func TestArrow_SameFiguresAsJSON(t *testing.T) {
	c := shop(t)
	s, err := c.ExecuteArrow(ctx, byStatus())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	columns, rows, err := decoded(s)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"status", "revenue"}, columns); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"completed 350", "cancelled 100"}, rows); d != "" {
		t.Error(d)
	}
	compiled, err := c.Compile(ctx, byStatus())
	if err != nil || s.SQL != compiled.SQL || s.Dialect != "duckdb" {
		t.Errorf("%s %s %v", s.Dialect, s.SQL, err)
	}
	records, err := c.SelectExecuteArrow(ctx, client.DetailQuery{From: "orders", Fields: []string{"order_id", "region"}, WhereSQL: "order_id > 4", OrderBy: []client.OrderBy{{Key: "order_id"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer records.Close()
	if _, rows, err := decoded(records); err != nil || cmp.Diff([]string{"5 east", "6 east"}, rows) != "" {
		t.Error(rows, err)
	}
	_, err = c.ExecuteArrow(ctx, metrics("revenu"))
	refusal(t, err, "unknown_metric", 400)
}

// A proxy that loses the last bytes and ends its response properly is noticed by
// the client, and by the library that reads through it.
func TestArrow_MissingEndIsNoticed(t *testing.T) {
	t.Run("a stream that lost its end in a proxy fails in the client and in the Arrow library", func(t *testing.T) {
		url := serving.Serve(t, open(t, "orders"), restapi.Config{})
		whole, err := dial(t, url).ExecuteArrow(ctx, byStatus())
		if err != nil {
			t.Fatal(err)
		}
		defer whole.Close()
		text, err := io.ReadAll(whole)
		if err != nil {
			t.Fatal(err)
		}
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", r.Header.Get("Accept"))
			_, _ = w.Write(text[:len(text)-8])
		}))
		defer proxy.Close()
		s, err := dial(t, proxy.URL).ExecuteArrow(ctx, byStatus())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, _, err := decoded(s); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	})
}

package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	client "github.com/semlayer/semlayer/clients/go"
)

// exampleServer stands for a server with a model of orders.
func exampleServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Header.Get("Accept") == arrowType:
			w.Header().Set("Content-Type", arrowType)
			stream, _ := os.ReadFile("internal/ipc/testdata/two_batches.arrows")
			_, _ = w.Write(stream)
		case strings.Contains(string(body), `["revenue","order_count"]`):
			_, _ = io.WriteString(w, `{"dialect":"duckdb","sql":"…","columns":["status","revenue","order_count"],"rows":[{"status":"completed","revenue":350,"order_count":4}],"row_count":1}`)
		case strings.Contains(string(body), "order_count"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"code":"result_filter_metric_not_selected","message":"where_sql names order_count, which the query does not select","metrics":["order_count"],"candidates":["revenue"],"suggested_retry":"{\"metrics\":[\"revenue\",\"order_count\"]}"}}`)
		default:
			_, _ = io.WriteString(w, `{"dialect":"duckdb","sql":"…","columns":["order_date__month","revenue"],"rows":[{"order_date__month":"2024-01-01","revenue":150},{"order_date__month":"2024-02-01","revenue":230}],"row_count":2}`)
		}
	}))
}

func ExampleClient_Execute() {
	server := exampleServer()
	defer server.Close()

	c, err := client.New(server.URL, client.WithToken(os.Getenv("SEMLAYER_TOKEN")))
	if err != nil {
		log.Fatal(err)
	}
	limit := 2
	result, err := c.Execute(context.Background(), client.MetricQuery{
		Metrics: []string{"revenue"},
		GroupBy: []client.GroupBy{{Field: "orders.order_date", Grain: "month"}},
		Limit:   &limit,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range result.Rows {
		month, err := row.Time("order_date__month")
		if err != nil {
			log.Fatal(err)
		}
		revenue, err := row.Int64("revenue")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(month.Format("January"), revenue)
	}
	// Output:
	// January 150
	// February 230
}

// An error contains the change that would work, and a program can apply it.
func ExampleError_ApplySuggestedRetry() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		log.Fatal(err)
	}

	query := client.MetricQuery{
		Metrics:  []string{"revenue"},
		GroupBy:  []client.GroupBy{{Field: "orders.status"}},
		WhereSQL: "order_count > 2",
	}
	result, err := c.Execute(context.Background(), query)
	var refused *client.Error
	for steps := 0; errors.As(err, &refused) && steps < 3; steps++ {
		fmt.Println(refused.Code, refused.SuggestedRetry)
		better, ok := refused.ApplySuggestedRetry(query)
		if !ok {
			break
		}
		query = better
		result, err = c.Execute(context.Background(), query)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Columns, result.Rows[0].Values())
	// Output:
	// result_filter_metric_not_selected {"metrics":["revenue","order_count"]}
	// [status revenue order_count] [completed 350 4]
}

// The bytes go to any reader of Arrow; io.Copy fails if the stream is not complete.
func ExampleClient_ExecuteArrow() {
	server := exampleServer()
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		log.Fatal(err)
	}

	stream, err := c.ExecuteArrow(context.Background(), client.MetricQuery{Metrics: []string{"revenue"}})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	n, err := io.Copy(io.Discard, stream)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(stream.Dialect, n, "bytes")
	// Output:
	// duckdb 904 bytes
}

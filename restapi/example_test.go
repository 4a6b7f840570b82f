package restapi_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/restapi"
)

const shopModel = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: SELECT * FROM (VALUES ('east', 100), ('west', 80), ('east', 50)) AS t(region, amount)
    fields:
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

// The interface is a part of a program's own server, under a path of its mux.
func ExampleServer_Handler() {
	e, err := engine.Open(context.Background(), engine.Config{
		ModelText: []byte(shopModel),
		Drivers:   []warehouse.Driver{duckdb.Driver()},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	semantic, err := restapi.New(e, restapi.Config{Tokens: []string{"secret"}})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello") })
	mux.Handle("/semantic/", semantic.Handler("/semantic"))

	server := httptest.NewServer(mux)
	defer server.Close()
	r, err := http.NewRequest(http.MethodPost, server.URL+"/semantic/v1/query/execute",
		strings.NewReader(`{"metrics":["revenue"],"group_by":[{"field":"orders.region"}],"order_by":[{"key":"region"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer secret")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(body), `"rows":`)
	fmt.Println(response.StatusCode, rows)
	// Output:
	// 200 [{"region":"east","revenue":150},{"region":"west","revenue":80}],"row_count":2}
}

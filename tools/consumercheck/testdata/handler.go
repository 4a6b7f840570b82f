// A program with a server of its own, which has the interface under a path.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

const model = "{version: 0.2.0.dev0, name: shop, datasets: [{name: orders, source: orders}]}"

func main() {
	e, err := engine.Open(context.Background(), engine.Config{ModelText: []byte(model)})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	semantic, err := restapi.New(e, restapi.Config{})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/semantic/", semantic.Handler("/semantic"))
	server := httptest.NewServer(mux)
	defer server.Close()
	response, err := http.Get(server.URL + "/semantic/v1/metrics")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode, string(body))
}

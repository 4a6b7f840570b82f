// A program that calls a server, here one that rejects it.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	client "github.com/semlayer/semlayer/clients/go"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"code":"unauthorized","message":"a token is needed"}}`)
	}))
	defer server.Close()
	c, err := client.New(server.URL)
	if err != nil {
		panic(err)
	}
	_, err = c.Execute(context.Background(), client.MetricQuery{Metrics: []string{"revenue"}})
	var refused *client.Error
	fmt.Println(errors.As(err, &refused) && refused.Code == "unauthorized")
}

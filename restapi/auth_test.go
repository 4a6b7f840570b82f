package restapi_test

import (
	"testing"

	"github.com/semlayer/semlayer/restapi"
)

func TestAuth_SameResponseForEveryRejection(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"new-token", "old-token"}})
	const want = `{"error":{"code":"unauthorized","message":"a valid bearer token is needed"}}`
	for _, c := range []struct{ name, method, path, body, authorization string }{
		{"no header", "GET", "/v1/model", "", ""},
		{"wrong token", "GET", "/v1/model", "", "Bearer wrong"},
		{"a prefix of the token", "GET", "/v1/model", "", "Bearer new-toke"},
		{"the token and more", "GET", "/v1/model", "", "Bearer new-token2"},
		{"empty token", "GET", "/v1/model", "", "Bearer "},
		{"another scheme", "GET", "/v1/model", "", "Basic new-token"},
		{"no scheme", "GET", "/v1/model", "", "new-token"},
		{"before routing", "GET", "/v1/nothing", "", ""},
		{"before the method", "GET", "/v1/query/compile", "", ""},
		{"before the body", "POST", "/v1/query/compile", "{", ""},
		{"before forbidden", "POST", "/v1/query/execute", aQuery, "Bearer wrong"},
		{"an open path with a slash", "GET", "/health/", "", ""},
		{"two slashes", "GET", "//v1/model", "", ""},
		{"escaped letters", "GET", "/%761/model", "", ""},
		{"outside of the interface", "GET", "/nowhere", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := request(c.method, c.path, c.body)
			if c.authorization != "" {
				r.Header.Set("Authorization", c.authorization)
			}
			got := do(t, s, r)
			if got.status != 401 || got.body != want || got.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAuth_EachTokenWorks(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"new-token", "old-token"}})
	for _, header := range []string{"Bearer new-token", "Bearer old-token", "bearer new-token", "BEARER  old-token"} {
		if got := do(t, s, request("GET", "/v1/model", "", "Authorization", header)); got.status != 200 {
			t.Errorf("%s: %+v", header, got)
		}
	}
}

func TestAuth_OpenRoutesNeedNoToken(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"token"}})
	for _, path := range []string{"/health", "/ready", "/metrics"} {
		if got := do(t, s, request("GET", path, "")); got.status != 200 {
			t.Errorf("%s: %+v", path, got)
		}
	}
	open := serve(t, answering(), restapi.Config{})
	if got := do(t, open, request("GET", "/v1/model", "", "Authorization", "Bearer anything")); got.status != 200 {
		t.Errorf("without tokens: %+v", got)
	}
}

func TestAuth_EmptyTokenFailsStart(t *testing.T) {
	for _, tokens := range [][]string{{""}, {"a", ""}} {
		if _, err := restapi.New(answering(), restapi.Config{Tokens: tokens}); err == nil {
			t.Errorf("%q was accepted", tokens)
		}
	}
	if _, err := restapi.New(answering(), restapi.Config{RequestTimeout: -1}); err == nil {
		t.Error("a negative timeout was accepted")
	}
}

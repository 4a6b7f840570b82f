package restapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/restapi"
)

// sendFrom sends a request to a server on the loopback address under a Host.
func sendFrom(t *testing.T, base, host, method, path string, header ...string) reply {
	t.Helper()
	r := to(t, method, base+path, map[string]string{"POST": aQuery}[method])
	r.Host = host
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return send(t, r)
}

const executePath = "/v1/query/execute"

func TestForeign_HostOfAServerWithoutAToken(t *testing.T) {
	open := live(t, serve(t, answering(), restapi.Config{Origins: []string{app}}))
	closed := live(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}}))
	for _, c := range []struct {
		base, host, path string
		status           int
	}{
		{open, "localhost:8081", executePath, 200},
		{open, "LocalHost", executePath, 200},
		{open, "127.0.0.1:1", executePath, 200},
		{open, "127.9.9.9", executePath, 200},
		{open, "[::1]:8081", executePath, 200},
		{open, "app.example.com", executePath, 200}, // of an origin that may call
		{open, "evil.example:8081", executePath, 403},
		{open, "localhost.evil.example", executePath, 403},
		{open, "127.0.0.1.evil.example", executePath, 403},
		{open, "10.0.0.1", executePath, 403},
		{open, "evil.example", "/v1/metrics", 403},
		{open, "evil.example", "/", 403},
		{open, "evil.example", "/openapi.json", 403},
		{open, "evil.example", "/metrics", 403},
		{open, "10.1.2.3:8081", "/health", 200},
		{open, "10.1.2.3:8081", "/ready", 200},
		{closed, "bi.example", "/docs", 200},
		{closed, "bi.example", executePath, 401},
	} {
		method := map[string]string{executePath: "POST"}[c.path] // else GET
		if got := sendFrom(t, c.base, c.host, method, c.path); got.status != c.status {
			t.Errorf("%s of %s: %d %s, want %d", c.path, c.host, got.status, got.body, c.status)
		} else if got.status == 403 && envelope(t, got.body).Code != "forbidden" {
			t.Error(got.body)
		}
	}
}

func TestForeign_RequestOfAPageOfAnotherSite(t *testing.T) {
	const host = "localhost:8081"
	open := live(t, serve(t, answering(), restapi.Config{MCP: echo, Origins: []string{app}}))
	closed := live(t, serve(t, answering(), restapi.Config{MCP: echo, Tokens: []string{"t"}, Origins: []string{app}}))
	token := []string{"Authorization", "Bearer t"}
	navigation := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}
	for _, c := range []struct {
		name, base, method, path string
		header                   []string
		status                   int
	}{
		{"curl -d", open, "POST", executePath, []string{"Content-Type", "application/x-www-form-urlencoded"}, 200},
		{"a page of the server", open, "POST", executePath, []string{"Origin", "http://localhost:8081", "Sec-Fetch-Site", "same-origin"}, 200},
		{"a page of the server, of an old browser", open, "POST", executePath, []string{"Origin", "http://localhost:8081"}, 200},
		{"a page of the server behind a proxy", open, "POST", executePath, []string{"Origin", "https://bi.example.com", "Sec-Fetch-Site", "same-origin"}, 200},
		{"a page of an allowed origin", open, "POST", executePath, []string{"Origin", app, "Sec-Fetch-Site", "cross-site"}, 200},
		{"a form of another site", open, "POST", executePath, []string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"a form that hides its origin", open, "POST", executePath, []string{"Origin", "null", "Sec-Fetch-Site", "cross-site"}, 403},
		{"a form of an old browser", open, "POST", executePath, []string{"Origin", "https://evil.example"}, 403},
		{"another port of the machine", open, "POST", executePath, []string{"Origin", "http://localhost:3000", "Sec-Fetch-Site", "same-site"}, 403},
		{"a script of another site", open, "GET", "/v1/metrics", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"}, 403},
		{"a link to the explorer", open, "GET", "/", navigation, 200},
		{"a link to the documents", open, "GET", "/docs", navigation, 200},
		{"a link to an answer", open, "GET", "/v1/metrics", navigation, 403},
		{"a frame", open, "GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"an address that is typed", open, "GET", "/v1/metrics", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200},
		{"a probe", open, "GET", "/health", []string{"Origin", "https://evil.example"}, 200},
		{"with a token", closed, "POST", executePath, append(token, "Origin", "https://evil.example"), 200},
		{"a message of another site", open, "POST", "/mcp", []string{"Origin", "https://evil.example"}, 403},
		{"a message of another site with a token", closed, "POST", "/mcp", append(token, "Origin", "https://evil.example"), 403},
		{"a message of another site to a path with a slash", closed, "POST", "/mcp/", append(token, "Origin", "https://evil.example"), 403},
		{"a message of an allowed origin", closed, "POST", "/mcp", append(token, "Origin", app), 202},
		{"a message of a program", closed, "POST", "/mcp", token, 202},
	} {
		got := sendFrom(t, c.base, host, c.method, c.path, c.header...)
		if got.status != c.status {
			t.Errorf("%s: %d %.200s, want %d", c.name, got.status, got.body, c.status)
		} else if got.status == 403 && envelope(t, got.body).Code != "forbidden" {
			t.Errorf("%s: %s", c.name, got.body)
		}
	}
}

// The page learns how it was opened, because a document cannot read the headers of
// the request that loaded it.
func TestForeign_ExplorerKnowsThatAnotherSiteOpenedIt(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	tags := map[string]bool{}
	for site, held := range map[string]bool{"": false, "none": false, "same-origin": false, "same-site": true, "cross-site": true} {
		got := do(t, s, request("GET", "/", "", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"))
		if got.status != http.StatusOK || strings.Contains(got.body, `data-opened="elsewhere"`) != held || !strings.Contains(got.header.Get("Vary"), "Sec-Fetch-Site") {
			t.Errorf("%q: %+v", site, got)
		}
		tags[got.header.Get("ETag")] = true
	}
	if len(tags) != 2 {
		t.Errorf("the two forms of the page have %d validators", len(tags))
	}
}

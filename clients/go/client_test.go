package client_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
)

func TestNew_RejectsInvalidURLsAndOptions(t *testing.T) {
	for _, c := range []struct {
		name, url string
		option    client.Option
		says      string
	}{
		{"no scheme", "localhost:8081", nil, "absolute"},
		{"no host", "http://", nil, "absolute"},
		{"another scheme", "ftp://host", nil, "absolute"},
		{"credentials", "http://me:secret@host", nil, "credentials"},
		{"a query", "http://host?x=1", nil, "no query"},
		{"a fragment", "http://host#x", nil, "no fragment"},
		{"no URL", "http://me:secret@ho st", nil, "does not parse"},
		{"a token of two lines", "http://host", client.WithToken("a\nb"), "token"},
		{"a token with the end of its line", "http://host", client.WithToken("a\n"), "token"},
		{"no HTTP client", "http://host", client.WithHTTPClient(nil), "nil"},
		{"a user agent of two lines", "http://host", client.WithUserAgent("a\r\nb"), "user agent"},
		{"negative retries", "http://host", client.WithMaxRetries(-1), "negative"},
		{"no room for answers", "http://host", client.WithMaxResponseBytes(0), "positive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			opts := []client.Option{}
			if c.option != nil {
				opts = append(opts, c.option)
			}
			_, err := client.New(c.url, opts...)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v does not say %q", err, c.says)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("the password is in %v", err)
			}
		})
	}
}

func TestRequest_CarriesHeaders(t *testing.T) {
	t.Run("requests carry the token, the user agent and the content type", func(t *testing.T) {
		c, asked := serve(t, 200, "application/json; charset=utf-8", `{"dialect":"duckdb","sql":"SELECT 1"}`,
			client.WithToken("s3cret"), client.WithUserAgent("report/2"))
		if _, err := c.Compile(ctx, revenue); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"Authorization": "Bearer s3cret", "User-Agent": "report/2", "Accept": "application/json", "Content-Type": "application/json",
		} {
			if got := asked.header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		c, asked = serve(t, 200, "application/json", `[]`, client.WithToken(""))
		if _, err := c.Datasets(ctx); err != nil {
			t.Fatal(err)
		}
		if _, sent := asked.header["Authorization"]; sent {
			t.Error("an empty token was sent")
		}
		if got := asked.header.Get("User-Agent"); !strings.HasPrefix(got, "semlayer-client-go") {
			t.Errorf("User-Agent: %q", got)
		}
	})
}

func TestNew_KeepsBaseURLPath(t *testing.T) {
	t.Run("a path in the base URL is the prefix of every endpoint", func(t *testing.T) {
		for base, want := range map[string]string{"": "/v1/model", "/": "/v1/model", "/bi": "/bi/v1/model", "/bi/": "/bi/v1/model"} {
			var uri string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				uri = r.RequestURI
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"name":"m"}`)
			}))
			_, err := dial(t, server.URL+base).Model(ctx)
			server.Close()
			if err != nil || uri != want {
				t.Errorf("%q: %s %v", base, uri, err)
			}
		}
	})
}

func TestNew_ABaseURLOfAModelLeavesThePathsOfTheServerAlone(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, map[string]string{"/proxy/v1/models": `[]`, "/proxy/ready": `{"status":"ready"}`}[r.URL.Path]+map[string]string{"/proxy/m/sales-1/v1/datasets": `[]`}[r.URL.Path])
	}))
	defer server.Close()
	c, err := client.New(server.URL + "/proxy/m/sales-1/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Models(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := c.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := c.Datasets(t.Context()); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff([]string{"/proxy/v1/models", "/proxy/ready", "/proxy/m/sales-1/v1/datasets"}, asked); d != "" {
		t.Error(d)
	}
}

func TestIdentity_DecodesTheCaller(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/v1/identity" && r.Header.Get("Authorization") == "Bearer secret" {
			_, _ = io.WriteString(w, `{"name":"ana","roles":["r"],"attributes":{"regions":["north"]},"sql":false,"limits":{"rows":2}}`)
		}
	}))
	defer server.Close()
	c, err := client.New(server.URL, client.WithToken("secret"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "ana" || len(got.Roles) != 1 || got.SQL || got.Limits.Rows != 2 || fmt.Sprint(got.Attributes["regions"]) != "[north]" {
		t.Errorf("%+v", got)
	}
}

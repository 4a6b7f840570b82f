package restapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/restapi"
)

func TestDocsPage_NeedsNoToken(t *testing.T) {
	s := serve(t, answering(), restapi.Config{Tokens: []string{"t"}})
	for path, contentType := range map[string]string{
		"/docs":                                  "text/html; charset=utf-8",
		"/docs/page.css":                         "text/css; charset=utf-8",
		"/docs/page.js":                          "text/javascript; charset=utf-8",
		"/docs/swagger-ui.css":                   "text/css; charset=utf-8",
		"/docs/swagger-ui-bundle.js":             "text/javascript; charset=utf-8",
		"/docs/LICENSE":                          "text/plain; charset=utf-8",
		"/docs/NOTICE":                           "text/plain; charset=utf-8",
		"/docs/swagger-ui-bundle.js.LICENSE.txt": "text/plain; charset=utf-8",
		"/":                                      "text/html; charset=utf-8",
		"/explorer/app.js":                       "text/javascript; charset=utf-8",
		"/explorer/style.css":                    "text/css; charset=utf-8",
		"/explorer/icon.svg":                     "image/svg+xml",
		"/explorer/LICENSES.txt":                 "text/plain; charset=utf-8",
	} {
		got := do(t, s, request("GET", path, ""))
		if got.status != 200 || got.header.Get("Content-Type") != contentType || got.header.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'self'; ") {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
		if tagged := do(t, s, request("GET", path, "", "If-None-Match", got.header.Get("ETag"))); tagged.status != 304 || tagged.body != "" {
			t.Errorf("%s again: %d", path, tagged.status)
		}
		if head := do(t, s, request("HEAD", path, "")); head.status != 200 || head.body != "" {
			t.Errorf("HEAD %s: %d", path, head.status)
		}
	}
	for _, path := range []string{"/docs/nothing", "/docs/page.html", "/docs/../v1/model", "/docs/page.js/", "/docs//", "/explorer", "/explorer/", "/explorer/index.html", "//"} {
		if got := do(t, s, request("GET", path, "")); got.status != 401 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// A browser that has requested /docs/ would look for the files of the page in
// another place.
func TestDocsPage_TrailingSlashRedirects(t *testing.T) {
	got := do(t, serve(t, answering(), restapi.Config{Tokens: []string{"t"}}), request("GET", "/docs/", ""))
	if got.status != 308 || got.header.Get("Location") != "../docs" {
		t.Errorf("%d %v", got.status, got.header)
	}
}

func TestFiles_CompressedOnRequest(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	const path = "/docs/swagger-ui.css"
	plain := do(t, s, request("GET", path, "", "Accept-Encoding", "br, gzip;q=0"))
	packed := do(t, s, request("GET", path, "", "Accept-Encoding", "br, GZIP;q=0.5"))
	if plain.header.Get("Content-Encoding") != "" || packed.header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%v, %v", plain.header, packed.header)
	}
	r, err := gzip.NewReader(strings.NewReader(packed.body))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(unpacked, []byte(plain.body)) || len(packed.body)*3 > len(plain.body) {
		t.Errorf("%d of %d bytes, %v", len(packed.body), len(plain.body), err)
	}
	for _, got := range []reply{plain, packed} {
		if got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Vary: %q", got.header.Get("Vary"))
		}
	}
	if plain.header.Get("ETag") == packed.header.Get("ETag") {
		t.Error("both have one validator")
	}
	if got := do(t, s, request("GET", path, "", "Accept-Encoding", "gzip", "If-None-Match", plain.header.Get("ETag"))); got.status != 200 {
		t.Errorf("the validator of one counts for the other: %d", got.status)
	}
}

func TestExplorer_CanBeDisabled(t *testing.T) {
	s := serve(t, answering(), restapi.Config{NoExplorer: true})
	for path, status := range map[string]int{"/": 404, "/explorer/app.js": 404, "/docs": 200, "/v1/model": 200} {
		if got := do(t, s, request("GET", path, "")); got.status != status {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

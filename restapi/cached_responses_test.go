package restapi_test

import (
	"compress/gzip"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

func decompress(t *testing.T, got reply) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(got.body))
	if err != nil {
		t.Fatalf("%v: %+v", err, got)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rowsOf returns a service whose result has rows of so many bytes.
func rowsOf(n int) fake {
	return fake{execute: func(context.Context, *query.MetricQuery) (*engine.Result, error) {
		return &engine.Result{Columns: []string{"a"}, Rows: []byte(`[{"a":"` + strings.Repeat("x", n) + `"}]`), RowCount: 1}, nil
	}}
}

func TestCompression_OfALongResponse(t *testing.T) {
	s := serve(t, rowsOf(5000), restapi.Config{})
	plain := do(t, s, request("POST", executePath, aQuery))
	if plain.header.Get("Content-Encoding") != "" || plain.header.Get("Vary") != "Accept-Encoding" || !strings.Contains(plain.body, strings.Repeat("x", 5000)) {
		t.Fatalf("without being asked: %v", plain.header)
	}
	for accept, want := range map[string]string{
		"gzip": "gzip", "br, GZIP;q=0.2": "gzip", "deflate, gzip, zstd": "gzip",
		"gzip;q=0": "", "br": "", "identity": "", "": "",
	} {
		got := do(t, s, request("POST", executePath, aQuery, "Accept-Encoding", accept))
		if got.header.Get("Content-Encoding") != want || got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %v", accept, got.header)
			continue
		}
		body := got.body
		if want != "" {
			if len(body)*10 > len(plain.body) {
				t.Errorf("%q: %d of %d bytes", accept, len(body), len(plain.body))
			}
			body = decompress(t, got)
		}
		if body != plain.body {
			t.Errorf("%q: another body", accept)
		}
	}
}

func TestCompression_LeavesAShortResponseAndAStream(t *testing.T) {
	short := do(t, serve(t, answering(), restapi.Config{}), request("POST", executePath, aQuery, "Accept-Encoding", "gzip"))
	if short.header.Get("Content-Encoding") != "" || short.header.Get("Vary") != "" || !strings.Contains(short.body, `"row_count":1`) {
		t.Errorf("%+v", short)
	}
	stream := do(t, shop(t, "orders", restapi.Config{}), request("POST", executePath, aQuery, "Accept-Encoding", "gzip", "Accept", engine.ArrowStreamType))
	if stream.header.Get("Content-Encoding") != "" || stream.header.Get("Content-Type") != engine.ArrowStreamType {
		t.Errorf("%v", stream.header)
	}
}

func TestETag_OfAListIsThatOfItsBytes(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	tags := map[string]string{}
	for _, path := range []string{
		"/v1/model", "/v1/catalog", "/v1/capabilities", "/v1/datasets", "/v1/metrics", "/v1/dimensions", "/v1/dimensions?metric=revenue",
		"/v1/relationships", "/v1/findings", "/v1/connections", "/v1/lineage", "/v1/lineage?format=dot", "/openapi.json", "/openapi-3.0.json",
	} {
		for _, coding := range []string{"", "gzip"} {
			first := do(t, s, request("GET", path, "", "Accept-Encoding", coding))
			tag := first.header.Get("ETag")
			if first.status != 200 || len(tag) < 30 || !strings.HasPrefix(tag, `"`) {
				t.Fatalf("%s: %d, ETag %s", path, first.status, tag)
			}
			if of, taken := tags[tag]; taken && of != first.body {
				t.Errorf("%s: the validator %s belongs to other bytes as well", path, tag)
			}
			tags[tag] = first.body
			for held, want := range map[string]int{tag: 304, "W/" + tag: 304, `"a", ` + tag: 304, "*": 304, `"another"`: 200, tag[:len(tag)-2] + `"`: 200} {
				got := do(t, s, request("GET", path, "", "Accept-Encoding", coding, "If-None-Match", held))
				if got.status != want || got.header.Get("ETag") != tag || want == 304 && got.body != "" || want == 200 && got.body != first.body {
					t.Errorf("%s with %s: %d, ETag %s, %d bytes", path, held, got.status, got.header.Get("ETag"), len(got.body))
				}
			}
		}
	}
}

func TestETag_IsAbsentFromErrors(t *testing.T) {
	got := do(t, shop(t, "orders", restapi.Config{}), request("GET", "/v1/dimensions?metric=revenu", "", "If-None-Match", "*"))
	if got.status != 400 || got.header.Get("ETag") != "" {
		t.Errorf("%+v", got)
	}
}

func TestParameters_UnknownOnesAreRefusedOnEveryRoute(t *testing.T) {
	s := serve(t, answering(), restapi.Config{})
	for _, route := range restapi.Routes() {
		method, path, _ := strings.Cut(route, " ")
		got := do(t, s, request(method, path+"?metrcs=a", aQuery))
		if !strings.HasPrefix(path, "/v1/") {
			if got.status >= 400 {
				t.Errorf("%s: %+v", route, got)
			}
			continue
		}
		if e := envelope(t, got.body); got.status != 400 || e.Code != "bad_request" || !strings.Contains(e.Message, "metrcs") {
			t.Errorf("%s: %+v", route, got)
		}
	}
	if got := do(t, s, request("GET", "/?state=1", "")); got.status != 200 {
		t.Errorf("the page: %d", got.status)
	}
	if got := do(t, s, request("GET", "/v1/dimensions?metrcs=a", "")); !strings.Contains(got.body, `"candidates":["metric","view"]`) {
		t.Error(got.body)
	}
}

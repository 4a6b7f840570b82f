package clickhouse_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/clickhouse"
	"github.com/semlayer/semlayer/executor/executortest"
)

func TestRequest_ReadOnlyInUTC(t *testing.T) {
	t.Run("a statement is sent with read-only settings and the time zone UTC", func(t *testing.T) {
		f := newFake(t, answerWith(stream(t, numbers(t, 1, 2))))
		got, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT n FROM t -- all")
		if err != nil || got != `[{"n":1},{"n":2}]` {
			t.Fatalf("%s %v", got, err)
		}
		requests := f.requests()
		if len(requests) != 1 {
			t.Fatalf("%d requests, want one", len(requests))
		}
		r := requests[0]
		if r.method != http.MethodPost || r.text != "SELECT n FROM t -- all" {
			t.Errorf("%s %q", r.method, r.text)
		}
		for setting, want := range map[string]string{
			"readonly": "2", "session_timezone": "UTC", "default_format": "ArrowStream", "database": "sales",
			"cancel_http_readonly_queries_on_client_close": "1", "output_format_arrow_string_as_string": "1",
		} {
			if got := r.settings.Get(setting); got != want {
				t.Errorf("%s is %q, want %q", setting, got, want)
			}
		}
		if r.header.Get("X-ClickHouse-User") != "reader" || r.header.Get("X-ClickHouse-Key") != password {
			t.Error("the credentials are not in the headers")
		}
		if strings.Contains(r.settings.Encode(), password) {
			t.Error("the password is in the address, which servers log")
		}
	})
}

func TestRequest_UniqueQueryID(t *testing.T) {
	f := newFake(t, answerWith(stream(t, numbers(t, 1))))
	e := f.open(t)
	for range 2 {
		if _, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1"); err != nil {
			t.Fatal(err)
		}
	}
	requests := f.requests()
	first, second := requests[0].settings.Get("query_id"), requests[1].settings.Get("query_id")
	if first == "" || first == second {
		t.Errorf("the names are %q and %q", first, second)
	}
}

func TestTypes_DescribeRefinesArrow(t *testing.T) {
	u32 := arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Uint32}
	tests := []struct {
		name, described string
		batch           arrow.RecordBatch
		want            string
	}{
		{"a number", "UInt32", batchOfColumn[uint32](t, u32, 7), `[{"v":7}]`},
		{"a DateTime", "Nullable(DateTime)", batchOfColumn[uint32](t, u32, 1704448800), `[{"v":"2024-01-05T10:00:00"}]`},
		{"a DateTime of a zone", "DateTime('Asia/Tokyo')", batchOfColumn[uint32](t, u32, 1704448800), `[{"v":"2024-01-05T10:00:00Z"}]`},
		{"an address", "IPv4", batchOfColumn[uint32](t, u32, 16909060), `[{"v":"1.2.3.4"}]`},
		{"a date of servers before 25", "Date", batchOfColumn[uint16](t, arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Uint16}, 19727), `[{"v":"2024-01-05"}]`},
		{"an enumeration", `LowCardinality(Enum8('a' = 1, 'it\'s' = -2))`, batchOfColumn[int8](t, arrow.Field{Name: "v", Type: arrow.PrimitiveTypes.Int8}, -2, 1), `[{"v":"it's"},{"v":"a"}]`},
		{"a sum kept aside", "SimpleAggregateFunction(sum, UInt32)", batchOfColumn[uint32](t, u32, 9), `[{"v":9}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := stream(t, tt.batch)
			f := newFake(t, func(w http.ResponseWriter, _ *http.Request, text string) {
				if text == "DESCRIBE TABLE (\nSELECT v\n)" {
					_, _ = w.Write([]byte(`{"name":"v","type":` + strconv.Quote(tt.described) + `,"default_type":""}` + "\n"))
					return
				}
				_, _ = w.Write(body)
			})
			got, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT v")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestTypes_UnsupportedExplained(t *testing.T) {
	fixed := arrow.Field{Name: "v", Type: &arrow.FixedSizeBinaryType{ByteWidth: 16}}
	for described, want := range map[string]string{
		"UUID":      "cast it to String",
		"Something": "does not know its type",
		"":          "different numbers of columns",
	} {
		body := stream(t, batchOfColumn(t, fixed, make([]byte, 16)))
		f := newFake(t, func(w http.ResponseWriter, _ *http.Request, text string) {
			switch {
			case !strings.HasPrefix(text, "DESCRIBE"):
				_, _ = w.Write(body)
			case described != "":
				_, _ = w.Write([]byte(`{"name":"v","type":"` + described + `"}`))
			}
		})
		_, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT v")
		if e := executortest.ExpectError(t, err, executor.CodeDriver); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %s", described, e.Message)
		}
	}
}

func TestRequest_RedirectGetsNoCredentials(t *testing.T) {
	elsewhere := newFake(t, answerWith(stream(t, numbers(t, 1))))
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	})
	_, err := executortest.QueryRowsJSON(t.Context(), f.open(t), "SELECT 1")
	executortest.ExpectError(t, err, executor.CodeConfig)
	if n := len(elsewhere.requests()); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

func TestTLS_CertificateMustBeTrusted(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	_, err = executortest.QueryRowsJSON(t.Context(), open(t, clickhouse.Options{Host: u.Hostname(), Port: port, Secure: true}), "SELECT 1")
	if e := executortest.ExpectError(t, err, executor.CodeConnection); !strings.Contains(e.Message, "certificate") {
		t.Error(e.Message)
	}
}

func TestOptions_RejectMissingServer(t *testing.T) {
	for _, o := range []clickhouse.Options{
		{}, {Host: "http://h"}, {Host: "h/path"}, {Host: "u@h"},
		{Host: "h", User: "a\r\nb"}, {Host: "h", Password: executor.NewSecret("c4n4ry\n")},
	} {
		_, err := clickhouse.Open(o)
		if e := executortest.ExpectError(t, err, executor.CodeConfig); strings.Contains(e.Message, password) {
			t.Errorf("the secret shows: %v", e)
		}
	}
	for _, host := range []string{"h", "127.0.0.1", "::1", "[::1]"} {
		if _, err := clickhouse.Open(clickhouse.Options{Host: host}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestPool_CountsStatements(t *testing.T) {
	f := newFake(t, answerWith(stream(t, numbers(t, 1))))
	e := f.open(t)
	rows, err := e.Query(t.Context(), "SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	use := []executor.PoolUse{e.PoolUse()}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	use = append(use, e.PoolUse())
	if !slices.Equal(use, []executor.PoolUse{{InUse: 1, Max: 2}, {Max: 2}}) {
		t.Errorf("%+v", use)
	}
}

func TestStatement_CarriesTheTagOfItsRequest(t *testing.T) {
	f := newFake(t, answerWith(stream(t, numbers(t, 1))))
	e := f.open(t)
	ctx := executor.WithQueryTag(t.Context(), "0a1b")
	for _, want := range []string{"semlayer 0a1b/1", "semlayer 0a1b/2"} {
		if _, err := executortest.QueryRowsJSON(ctx, e, "SELECT 1"); err != nil {
			t.Fatal(err)
		}
		requests := f.requests()
		if last := requests[len(requests)-1]; last.settings.Get("log_comment") != want || last.text != "SELECT 1" {
			t.Errorf("%q carries %q, want %q", last.text, last.settings.Get("log_comment"), want)
		}
	}
}

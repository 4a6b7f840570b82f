package restapi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

const arrowType = "application/vnd.apache.arrow.stream"

// endMarker ends every whole IPC stream.
const endMarker = "\xff\xff\xff\xff\x00\x00\x00\x00"

// table is an Arrow stream as text.
type table struct {
	Columns []string // name and type
	Rows    [][]string
	Meta    map[string]string
}

func decode(t *testing.T, stream io.Reader) table {
	t.Helper()
	in, err := ipc.NewReader(stream)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	got := table{Meta: in.Schema().Metadata().ToMap()}
	for _, f := range in.Schema().Fields() {
		got.Columns = append(got.Columns, f.Name+" "+f.Type.String())
	}
	for in.Next() {
		got.Rows = append(got.Rows, cells(in.RecordBatch())...)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return got
}

func cells(b arrow.RecordBatch) [][]string {
	rows := make([][]string, b.NumRows())
	for i := range rows {
		for _, c := range b.Columns() {
			rows[i] = append(rows[i], cellText(c, i))
		}
	}
	return rows
}

// cellText keeps the zeros of a decimal, which ValueStr drops.
func cellText(c arrow.Array, i int) string {
	if c.IsNull(i) {
		return "null"
	}
	if d, ok := c.(*array.Decimal128); ok {
		return d.Value(i).ToString(d.DataType().(*arrow.Decimal128Type).Scale)
	}
	return c.ValueStr(i)
}

// jsonCells returns the texts of a JSON answer, in the order of its columns, and its
// SQL.
func jsonCells(t *testing.T, body string) ([][]string, string) {
	t.Helper()
	var a struct {
		Columns []string                     `json:"columns"`
		Rows    []map[string]json.RawMessage `json:"rows"`
		SQL     string                       `json:"sql"`
	}
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatal(err)
	}
	rows := make([][]string, len(a.Rows))
	for i, row := range a.Rows {
		for _, c := range a.Columns {
			text := string(row[c])
			if text[0] == '"' {
				if err := json.Unmarshal(row[c], &text); err != nil {
					t.Fatal(err)
				}
			}
			rows[i] = append(rows[i], text)
		}
	}
	return rows, a.SQL
}

func TestArrow_SameRowsAsJSON(t *testing.T) {
	s := shop(t, "types", restapi.Config{})
	for _, c := range []struct {
		path, query string
		columns     []string
		first       []string // row, worked out from types.sql
		limit       string   // that applied
	}{
		{"/v1/select/execute", `{"from":"v","fields":["k","whole","share","money","flag","name","day","moment","nothing"],"order_by":[{"key":"k"}]}`,
			newServiceMethodHandler("k int32", "whole int64", "share float64", "money decimal(12, 2)", "flag bool", "name utf8", "day date32", "moment timestamp[us]", "nothing int32"),
			newServiceMethodHandler("1", "9007199254740993", "0.5", "12.30", "true", `Łódź "x"`, "2024-02-29", "2024-02-29T12:30:00.5", "null"), "100"},
		{"/v1/query/execute", `{"metrics":["total","rows"],"group_by":[{"field":"v.flag"},{"field":"v.day","grain":"month"}],"order_by":[{"key":"flag"},{"key":"day__month"}]}`,
			newServiceMethodHandler("flag bool", "day__month date32", "total decimal(38, 2)", "rows int64"),
			newServiceMethodHandler("false", "2024-03-01", "-0.05", "1"), ""},
		{"/v1/sql/execute", `{"sql":"SELECT k, whole, share, money, flag, name, day, moment, nothing FROM v ORDER BY k"}`,
			newServiceMethodHandler("k int32", "whole int64", "share float64", "money decimal(12, 2)", "flag bool", "name utf8", "day date32", "moment timestamp[us]", "nothing int32"),
			newServiceMethodHandler("1", "9007199254740993", "0.5", "12.30", "true", `Łódź "x"`, "2024-02-29", "2024-02-29T12:30:00.5", "null"), ""},
		{"/v1/sql/execute", `{"sql":"SELECT flag, CAST(DATE_TRUNC('month', day) AS DATE) AS month, MEASURE(total), MEASURE(rows) FROM v GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 1"}`,
			newServiceMethodHandler("flag bool", "month date32", "total decimal(38, 2)", "rows int64"),
			newServiceMethodHandler("false", "2024-03-01", "-0.05", "1"), "1"},
		{"/v1/query/execute", `{"metrics":["rows"],"group_by":[{"field":"v.name"}],"limit":0}`, newServiceMethodHandler("name utf8", "rows int64"), nil, "0"},
	} {
		t.Run(c.query, func(t *testing.T) {
			plain := do(t, s, request("POST", c.path, c.query))
			got := do(t, s, request("POST", c.path, c.query, "Accept", arrowType))
			if got.status != 200 || got.header.Get("Content-Type") != arrowType {
				t.Fatalf("%d %v %s", got.status, got.header, got.body)
			}
			if !strings.HasSuffix(got.body, endMarker) {
				t.Error("a whole stream without its end marker")
			}
			stream := decode(t, strings.NewReader(got.body))
			rows, sql := jsonCells(t, plain.body)
			if d := cmp.Diff(c.columns, stream.Columns); d != "" {
				t.Error(d)
			}
			if len(c.first) > 0 {
				if d := cmp.Diff(c.first, stream.Rows[0]); d != "" {
					t.Error(d)
				}
			}
			if d := cmp.Diff(len(rows), len(stream.Rows)); d != "" {
				t.Fatal(d)
			}
			for i := range rows {
				if d := cmp.Diff(rows[i], stream.Rows[i]); d != "" {
					t.Errorf("row %d: %s", i, d)
				}
			}
			meta := map[string]string{"dialect": "duckdb", "sql": sql}
			if c.limit != "" {
				meta["limit"] = c.limit
			}
			if d := cmp.Diff(meta, stream.Meta); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestArrow_JSONIsDefault(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	const query = `{"metrics":["revenue"],"group_by":[{"field":"status"}],"order_by":[{"key":"status"}]}`
	bare := do(t, s, request("POST", "/v1/query/execute", query))
	if !strings.HasSuffix(bare.body, `"columns":["status","revenue"],"rows":[{"status":"cancelled","revenue":100},{"status":"completed","revenue":350}],"row_count":2}`) {
		t.Fatal(bare.body)
	}
	for _, accept := range []string{
		"", "*/*", "application/*", "application/json", "text/html", "text/html, */*;q=0.1", "application/vnd.apache.arrow.file",
		arrowType + ";q=0", arrowType + ";q=0.000", arrowType + ";q=x", arrowType + ";q=2", arrowType + ";q=-1", arrowType + ";q=NaN",
		"application/json, " + arrowType, "application/json, " + arrowType + ";q=0.9", arrowType + ";q=0.4, application/json;q=0.5",
		arrowType + ";q=0.5, */*", arrowType + "x", ",;,=;q", strings.Repeat(",", 1000),
	} {
		got := do(t, s, request("POST", "/v1/query/execute", query, "Accept", accept))
		for _, name := range []string{"X-Request-Id", "X-Query-Id", "Date"} { // of each response its own
			delete(got.header, name)
			delete(bare.header, name)
		}
		if d := cmp.Diff(bare, got, cmp.AllowUnexported(reply{})); d != "" {
			t.Errorf("Accept: %s: %s", accept, d)
		}
	}
}

func TestArrow_ChosenByAcceptHeader(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	for _, accept := range []string{
		arrowType, strings.ToUpper(arrowType), arrowType + ", */*", "*/*, " + arrowType, arrowType + ", application/json",
		arrowType + ";q=0.9, application/json;q=0.8", arrowType + ` ; codecs="lz4" ; Q=1.0 , application/json;q=0.5`,
		"text/html," + arrowType + ";q=0.1", "application/json;q=0, " + arrowType + ";q=0.001",
	} {
		got := do(t, s, request("POST", "/v1/query/execute", aQuery, "Accept", accept))
		if got.header.Get("Content-Type") != arrowType {
			t.Errorf("Accept: %s: %v", accept, got.header)
		}
	}
	r := request("POST", "/v1/query/execute", aQuery, "Accept", "text/html")
	r.Header.Add("Accept", arrowType)
	if got := do(t, s, r); got.header.Get("Content-Type") != arrowType {
		t.Errorf("in a second line of the header: %v", got.header)
	}
}

func TestArrow_EarlyErrorKeepsEnvelope(t *testing.T) {
	s := shop(t, "orders", restapi.Config{Tokens: []string{"t"}})
	for _, c := range []struct {
		path, body, code string
		status           int
	}{
		{"/v1/query/execute", `{"metrics":["revenu"]}`, "unknown_metric", 400},
		{"/v1/query/execute", `{`, "bad_request", 400},
		{"/v1/query/execute", `{"metrics":["revenue"],"connection":"nowhere"}`, "config", 400},
		{"/v1/select/execute", `{"from":"nowhere","fields":["a"]}`, "unknown_dataset", 400},
	} {
		got := do(t, s, request("POST", c.path, c.body, "Accept", arrowType, "Authorization", "Bearer t"))
		if e := envelope(t, got.body); got.status != c.status || e.Code != c.code || got.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d %s", c.path, c.body, got.status, got.body)
		}
	}
	if got := do(t, s, request("POST", "/v1/query/execute", aQuery, "Accept", arrowType)); got.status != 401 {
		t.Errorf("without a token: %d", got.status)
	}
	compiling := shop(t, "orders", restapi.Config{DisableExecute: true})
	if got := do(t, compiling, request("POST", "/v1/select/execute", aQuery, "Accept", arrowType)); got.status != 403 {
		t.Errorf("where executing is off: %d", got.status)
	}
}

// posted sends a query over a socket and requests Arrow.
func posted(t *testing.T, base, query string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", base+"/v1/query/execute", strings.NewReader(query))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", arrowType)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = got.Body.Close() })
	return got
}

// A failure and a panic look alike to the client: the body is cut.
func TestArrow_MidwayFailureCutsBody(t *testing.T) {
	eachForm(t, testArrowMidwayFailureCutsBody)
}

func testArrowMidwayFailureCutsBody(t *testing.T, live form) {
	for name, after := range map[string]func() error{
		"failure": func() error { return &engine.ExecuteError{Code: "sql_rejected", Message: "row 5 is no number"} },
		"panic":   func() error { panic("boom") },
	} {
		t.Run(name, func(t *testing.T) {
			source := &batches{left: 3, after: after}
			service := streaming(source)
			var log testwait.Log
			base := live(t, logged(t, service, &log))
			got := posted(t, base, aQuery)
			if got.StatusCode != 200 || got.Header.Get("X-Request-Id") == "" {
				t.Fatalf("%d %v", got.StatusCode, got.Header)
			}
			body, err := io.ReadAll(got.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the body ends with %v, not cut off", err)
			}
			if bytes.HasSuffix(body, []byte(endMarker)) {
				t.Error("a failed stream has the end marker")
			}
			if stream := decode(t, bytes.NewReader(body)); len(stream.Rows) != 3 {
				t.Errorf("%d rows arrived", len(stream.Rows))
			}
			testwait.Until(t, "the line of the request", func() bool { return strings.Contains(log.String(), `end="cut off"`) })
			if !source.closed.Load() {
				t.Error("the rows are still open")
			}
			for _, part := range []string{"request_id=" + got.Header.Get("X-Request-Id"), "route=/v1/query/execute", "code="} {
				if !strings.Contains(log.String(), part) {
					t.Errorf("the log lacks %q: %s", part, log.String())
				}
			}
			if status := get(t, base+"/health"); status != 200 {
				t.Errorf("afterwards: %d", status)
			}
		})
	}
}

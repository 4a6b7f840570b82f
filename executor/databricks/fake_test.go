package databricks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/databricks"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
)

const (
	chunkRows = 25_000
	batchRows = 5_000
)

var afterComment = regexp.MustCompile(`^/\*.*?\*/ `)

// fake is a workspace with one warehouse, and the storage its results lie in.
type fake struct {
	*warehousefake.FakeService
	zone, ansi string

	mu    sync.Mutex
	begun map[string]any // the statement that came last
}

func newFake(t testing.TB) *fake {
	f := &fake{zone: "Etc/UTC", ansi: "true"}
	f.FakeService = &warehousefake.FakeService{Path: "/statements", Open: f.open}
	f.Start(t, f)
	return f
}

func service(t testing.TB) *warehousefake.FakeService { return newFake(t).FakeService }

func (f *fake) open(t testing.TB, connections int) executor.Executor {
	e, err := databricks.Open(databricks.Options{
		Endpoint: f.URL, HTTPPath: "/sql/1.0/warehouses/1a2b", Token: executor.NewSecret(warehousefake.FakeSecret), Catalog: "main", Schema: "sales", PoolSize: connections,
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id, ok := strings.CutPrefix(r.URL.Path, "/storage/"); ok {
		f.storage(w, r, id)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/api/2.0/sql/statements")
	switch parts := strings.Split(path, "/"); {
	case !ok:
		http.NotFound(w, r)
	case r.Header.Get("Authorization") != "Bearer "+warehousefake.FakeSecret:
		refuse(w, 403, "403", "Invalid access token.")
	case len(parts) == 1:
		f.begin(w, r)
	case len(parts) == 2:
		f.status(w, parts[1])
	case len(parts) == 3 && parts[2] == "cancel":
		f.CancelStatement(parts[1])
	case len(parts) == 5:
		index, _ := strconv.Atoi(parts[4])
		sql, _ := f.FindStatement(parts[1])
		answer := warehousefake.AnswerForStatement(sql)
		if answer.FailAt > 0 && (index+1)*chunkRows > answer.FailAt {
			refuse(w, 400, "BAD_REQUEST", "[ARITHMETIC_OVERFLOW] long overflow")
			return
		}
		reply(w, map[string]any{"external_links": []any{f.link(parts[1], index, answer)}})
	default:
		http.NotFound(w, r)
	}
}

func (f *fake) begin(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body["warehouse_id"] != "1a2b" {
		refuse(w, 404, "NOT_FOUND", "SQL warehouse does not exist")
		return
	}
	f.mu.Lock()
	id := fmt.Sprintf("01ee-%d", f.StatementCount())
	// The warehouse reads past a comment in front.
	f.AddRunningStatement(id, afterComment.ReplaceAllString(body["statement"].(string), ""))
	f.begun = body
	f.mu.Unlock()
	reply(w, map[string]any{"statement_id": id, "status": map[string]any{"state": "PENDING"}})
}

func (f *fake) status(w http.ResponseWriter, id string) {
	sql, stop := f.FindStatement(id)
	answer := warehousefake.AnswerForStatement(sql)
	a := map[string]any{"statement_id": id, "status": map[string]any{"state": "SUCCEEDED"}}
	switch {
	case sql == "SELECT current_timezone()":
		a["manifest"], a["result"] = resultManifest(1), map[string]any{"data_array": [][]string{{f.zone}}}
	case sql == "SET ANSI_MODE":
		a["manifest"], a["result"] = resultManifest(1), map[string]any{"data_array": [][]string{{"ansi_mode", f.ansi}}}
	case answer.SyntaxError != "":
		a["status"] = map[string]any{"state": "FAILED", "sql_state": "42601", "error": map[string]any{
			"error_code": "BAD_REQUEST", "message": "[PARSE_SYNTAX_ERROR] " + answer.SyntaxError,
		}}
	case answer.Slow && stop != nil:
		a["status"] = map[string]any{"state": "RUNNING"}
		reply(w, a)
		return
	case answer.Slow:
		a["status"] = map[string]any{"state": "CANCELED"}
	case answer.Empty:
		a["manifest"], a["result"] = resultManifest(0, `{"name":"first","type_name":"INT"}`, `{"name":"second","type_name":"STRING"}`), map[string]any{}
	default:
		a["manifest"] = resultManifest(rowsOf(answer), `{"name":"i","type_name":"LONG"}`)
		a["result"] = map[string]any{"external_links": []any{f.link(id, 0, answer)}}
	}
	f.EndStatement(id)
	reply(w, a)
}

func rowsOf(a warehousefake.StatementAnswer) int {
	switch {
	case a.Value != "" && a.AndNull:
		return 2
	case a.Value != "":
		return 1
	default:
		return a.Rows
	}
}

func resultManifest(rows int, columns ...string) map[string]any {
	return map[string]any{
		"format": "ARROW_STREAM", "total_row_count": rows, "truncated": false,
		"schema": json.RawMessage(`{"columns":[` + strings.Join(columns, ",") + `]}`),
	}
}

func (f *fake) link(id string, index int, a warehousefake.StatementAnswer) map[string]any {
	from := index * chunkRows
	to := min(from+chunkRows, rowsOf(a))
	l := map[string]any{
		"chunk_index": index, "row_offset": from, "row_count": to - from, "http_headers": map[string]string{"X-Key": "k"},
		"external_link": fmt.Sprintf("%s/storage/%s?from=%d&to=%d&signature=s", f.URL, id, from, to),
	}
	if to < rowsOf(a) {
		l["next_chunk_index"] = index + 1
	}
	return l
}

// storage rejects the token: a link contains its own permission.
func (f *fake) storage(w http.ResponseWriter, r *http.Request, id string) {
	if r.Header.Get("Authorization") != "" || r.Header.Get("X-Key") != "k" {
		http.Error(w, "only one permission at a time", http.StatusBadRequest)
		return
	}
	sql, _ := f.FindStatement(id)
	answer := warehousefake.AnswerForStatement(sql)
	from, _ := strconv.Atoi(r.URL.Query().Get("from"))
	to, _ := strconv.Atoi(r.URL.Query().Get("to"))
	_, _ = w.Write(stream(answer, from, to))
}

// stream returns a chunk as an Arrow stream.
func stream(a warehousefake.StatementAnswer, from, to int) []byte {
	var out bytes.Buffer
	if a.Value != "" {
		v := valueOf(a.Value)
		batch := v.batch(a.AndNull)
		defer batch.Release()
		write(&out, batch)
		return out.Bytes()
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "i", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)
	var batches []arrow.RecordBatch
	for ; from < to; from += batchRows {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for i := from; i < min(from+batchRows, to); i++ {
			b.Field(0).(*array.Int64Builder).Append(int64(i))
		}
		batches = append(batches, b.NewRecordBatch())
		b.Release()
	}
	write(&out, batches...)
	return out.Bytes()
}

func write(out *bytes.Buffer, batches ...arrow.RecordBatch) {
	w := ipc.NewWriter(out, ipc.WithSchema(batches[0].Schema()))
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
}

func reply(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }

func refuse(w http.ResponseWriter, code int, word, message string) {
	w.WriteHeader(code)
	reply(w, map[string]any{"error_code": word, "message": message})
}

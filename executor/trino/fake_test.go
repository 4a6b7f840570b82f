package trino_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/trino"
)

const pageRows = 10_000

// fake is a coordinator as the manual describes it.
type fake struct {
	*warehousefake.FakeService

	mu      sync.Mutex
	headers http.Header // of the last POST
}

func newFake(t testing.TB, secure bool) *fake {
	f := &fake{}
	f.FakeService = &warehousefake.FakeService{Path: "/v1/statement", Secure: secure, Open: f.open}
	f.Start(t, f)
	return f
}

func plain(t testing.TB) *warehousefake.FakeService { return newFake(t, false).FakeService }

func secure(t testing.TB) *warehousefake.FakeService { return newFake(t, true).FakeService }

func (f *fake) options(t testing.TB) trino.Options {
	u, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, _ := strconv.Atoi(u.Port())
	o := trino.Options{Host: u.Hostname(), Port: port, User: "ann", Catalog: "hive", Schema: "sales", Secure: u.Scheme == "https", SkipVerify: true}
	if o.Secure {
		o.Password = executor.NewSecret(warehousefake.FakeSecret)
	}
	return o
}

func (f *fake) open(t testing.TB, connections int) executor.Executor {
	o := f.options(t)
	o.PoolSize = connections
	e, err := trino.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Trino-User") != "ann" {
		http.Error(w, "who are you", http.StatusUnauthorized)
		return
	}
	if r.Method == http.MethodPost && r.URL.Path == "/v1/statement" {
		f.begin(w, r)
		return
	}
	// /v1/statement/executing/{id}/{token}
	parts := strings.Split(r.URL.Path, "/")
	if len(parts) != 6 {
		http.NotFound(w, r)
		return
	}
	id := parts[4]
	token, _ := strconv.Atoi(parts[5])
	sql, stop := f.FindStatement(id)
	switch {
	case stop == nil:
		http.Error(w, "gone", http.StatusGone)
	case r.Method == http.MethodDelete:
		f.CancelStatement(id)
		w.WriteHeader(http.StatusNoContent)
	default:
		f.page(w, r, id, sql, token, stop)
	}
}

func (f *fake) begin(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	id := fmt.Sprintf("20240105_100000_%05d_abcde", f.StatementCount())
	f.AddRunningStatement(id, string(body))
	f.headers = r.Header
	f.mu.Unlock()
	reply(w, map[string]any{"id": id, "nextUri": f.next(id, 0), "stats": map[string]any{"state": "QUEUED"}})
}

// next names a host that is not there: a client stays with its coordinator.
func (f *fake) next(id string, token int) string {
	return fmt.Sprintf("http://inside.example:1/v1/statement/executing/%s/%d?slug=x", id, token)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(name, kind, message string) map[string]any {
	return map[string]any{"message": message, "errorCode": 1, "errorName": name, "errorType": kind}
}

func (f *fake) page(w http.ResponseWriter, r *http.Request, id, sql string, token int, stop <-chan struct{}) {
	answer := warehousefake.AnswerForStatement(sql)
	p := map[string]any{"id": id, "stats": map[string]any{"state": "RUNNING"}}
	switch {
	case answer.SyntaxError != "":
		p["error"] = refuse("SYNTAX_ERROR", "USER_ERROR", "line 1:1: "+answer.SyntaxError)
	case answer.Slow:
		select {
		case <-stop:
		case <-r.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
		p["nextUri"] = f.next(id, token+1)
	case answer.Empty:
		p["columns"] = []any{typed("first", "integer"), typed("second", "varchar(1)")}
	case answer.Value != "":
		v := valueOf(answer.Value)
		p["columns"] = []any{map[string]any{"name": "v", "type": "?", "typeSignature": json.RawMessage(v.signature)}}
		rows := []string{"[" + v.wire + "]"}
		if answer.AndNull {
			rows = append(rows, "[null]")
		}
		p["data"] = json.RawMessage("[" + strings.Join(rows, ",") + "]")
	default:
		p["columns"] = []any{typed("i", "bigint")}
		from := token * pageRows
		to := min(from+pageRows, answer.Rows)
		if answer.FailAt > 0 && to > answer.FailAt {
			p["error"] = refuse("NUMERIC_VALUE_OUT_OF_RANGE", "USER_ERROR", "bigint addition overflow")
			break
		}
		data := []byte{'['}
		for i := from; i < to; i++ {
			if i > from {
				data = append(data, ',')
			}
			data = append(strconv.AppendInt(append(data, '['), int64(i), 10), ']')
		}
		p["data"] = json.RawMessage(append(data, ']'))
		if to < answer.Rows {
			p["nextUri"] = f.next(id, token+1)
		}
	}
	if p["nextUri"] == nil {
		f.EndStatement(id)
	}
	reply(w, p)
}

func typed(name, kind string) map[string]any {
	raw, arguments, _ := strings.Cut(strings.TrimSuffix(kind, ")"), "(")
	s := map[string]any{"rawType": raw, "arguments": []any{}}
	if arguments != "" {
		n, _ := strconv.Atoi(arguments)
		s["arguments"] = []any{map[string]any{"kind": "LONG", "value": n}}
	}
	return map[string]any{"name": name, "type": kind, "typeSignature": s}
}

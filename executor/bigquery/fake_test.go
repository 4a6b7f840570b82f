package bigquery_test

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/bigquery"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
)

const pageRows = 10_000

// fake is the service, and the one that gives tokens.
type fake struct {
	*warehousefake.FakeService
	options bigquery.Options

	mu       sync.Mutex
	inserted map[string]any // the job that came last
}

func newFake(t testing.TB) *fake {
	f := &fake{}
	f.FakeService = &warehousefake.FakeService{Path: "/jobs", Open: f.open}
	f.Start(t, f)
	f.options = bigquery.Options{Project: "p", Dataset: "sales", CredentialsFile: writeKey(t, f.URL), Endpoint: f.URL}
	return f
}

var key = sync.OnceValue(func() string {
	der, err := x509.MarshalPKCS8PrivateKey(warehousefake.FakePrivateKey())
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
})

// writeKey writes the file of a service account whose tokens the server gives.
func writeKey(t testing.TB, base string) string {
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "client_email": "ann@p.iam.example", "private_key_id": "1", "private_key": key(), "token_uri": base + "/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	return warehousefake.WriteTestFile(t, text)
}

func service(t testing.TB) *warehousefake.FakeService { return newFake(t).FakeService }

func (f *fake) open(t testing.TB, connections int) executor.Executor {
	o := f.options
	o.PoolSize = connections
	e, err := bigquery.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/token" {
		reply(w, map[string]any{"access_token": warehousefake.FakeSecret, "token_type": "Bearer", "expires_in": 3600})
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+warehousefake.FakeSecret {
		refuse(w, 401, "authError", "Invalid Credentials")
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/bigquery/v2/projects/p/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	if path == "jobs" && r.Method == http.MethodPost {
		f.insert(w, r)
		return
	}
	if r.URL.Query().Get("location") != "EU" {
		refuse(w, 404, "notFound", "Not found: Job")
		return
	}
	parts := strings.Split(path, "/")
	sql, stop := f.FindStatement(parts[1])
	switch {
	case sql == "":
		refuse(w, 404, "notFound", "Not found: Job")
	case parts[0] == "queries":
		f.results(w, r, parts[1], sql, stop)
	case len(parts) == 3 && parts[2] == "cancel" && r.Method == http.MethodPost:
		f.CancelStatement(parts[1])
		reply(w, map[string]any{})
	default:
		http.NotFound(w, r)
	}
}

func (f *fake) insert(w http.ResponseWriter, r *http.Request) {
	var job map[string]any
	if err := json.NewDecoder(r.Body).Decode(&job); err != nil {
		refuse(w, 400, "parseError", err.Error())
		return
	}
	reference := job["jobReference"].(map[string]any)
	id := reference["jobId"].(string)
	reference["location"] = "EU"
	f.mu.Lock()
	f.inserted = job
	f.mu.Unlock()
	if !f.AddRunningStatement(id, job["configuration"].(map[string]any)["query"].(map[string]any)["query"].(string)) {
		refuse(w, 409, "duplicate", "Already Exists: Job p:EU."+id)
		return
	}
	reply(w, job)
}

func (f *fake) results(w http.ResponseWriter, r *http.Request, id, sql string, stop <-chan struct{}) {
	answer := warehousefake.AnswerForStatement(sql)
	var columns []string
	rows := []byte{'['}
	token := ""
	switch {
	case answer.SyntaxError != "":
		f.EndStatement(id)
		refuse(w, 400, "invalidQuery", "Syntax error: "+answer.SyntaxError+" at [1:1]")
		return
	case answer.Slow:
		select {
		case <-stop:
			refuse(w, 400, "stopped", "Job execution was cancelled")
			return
		case <-r.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
		reply(w, map[string]any{"jobComplete": false})
		return
	case answer.Empty:
		columns = []string{`{"name":"first","type":"INTEGER"}`, `{"name":"second","type":"STRING"}`}
	case answer.Value != "":
		v := valueOf(answer.Value)
		columns = []string{v.field}
		rows = append(rows, `{"f":[{"v":`+v.wire+`}]}`...)
		if answer.AndNull {
			null := "null"
			if strings.Contains(v.field, "REPEATED") {
				null = "[]" // an array is never null in a result
			}
			rows = append(rows, `,{"f":[{"v":`+null+`}]}`...)
		}
	default:
		columns = []string{`{"name":"i","type":"INTEGER","mode":"NULLABLE"}`}
		from, _ := strconv.Atoi(r.URL.Query().Get("pageToken"))
		to := min(from+pageRows, answer.Rows)
		if answer.FailAt > 0 && to > answer.FailAt {
			f.EndStatement(id)
			refuse(w, 400, "invalidQuery", "int64 overflow")
			return
		}
		for i := from; i < to; i++ {
			if i > from {
				rows = append(rows, ',')
			}
			rows = append(strconv.AppendInt(append(rows, `{"f":[{"v":"`...), int64(i), 10), `"}]}`...)
		}
		if to < answer.Rows {
			token = strconv.Itoa(to)
		}
	}
	f.EndStatement(id) // the rows are complete; the job does not work while they are fetched
	fmt.Fprintf(w, `{"kind":"bigquery#getQueryResultsResponse","jobComplete":true,"pageToken":%q,"schema":{"fields":[%s]},"rows":%s]}`, token, strings.Join(columns, ","), rows)
}

func reply(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }

func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	reply(w, map[string]any{"error": map[string]any{
		"code": code, "message": message, "errors": []any{map[string]any{"message": message, "domain": "global", "reason": reason}},
	}})
}

package snowflake_test

import (
	"compress/gzip"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/warehousefake"
	"github.com/semlayer/semlayer/executor/snowflake"
)

const partRows = 25_000

// fake is an account's SQL API.
type fake struct {
	*warehousefake.FakeService
	ignoreCase bool // QUOTED_IDENTIFIERS_IGNORE_CASE

	mu      sync.Mutex
	handles map[string]string // by request ID
	begun   map[string]any    // the statement that came last
}

func newFake(t testing.TB) *fake {
	f := &fake{handles: map[string]string{}}
	f.FakeService = &warehousefake.FakeService{Path: "/statements", Open: f.open}
	f.Start(t, f)
	return f
}

func service(t testing.TB) *warehousefake.FakeService { return newFake(t).FakeService }

func (f *fake) options() snowflake.Options {
	return snowflake.Options{
		Account: "Org-Acc_1", User: "ann", Token: executor.NewSecret(warehousefake.FakeSecret),
		Warehouse: "wh", Database: "db", Schema: `"My ""s"`, Role: "analyst", Endpoint: f.URL,
	}
}

func (f *fake) open(t testing.TB, connections int) executor.Executor {
	o := f.options()
	o.PoolSize = connections
	e, err := snowflake.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func writeKey(t testing.TB, block *pem.Block) string {
	return warehousefake.WriteTestFile(t, pem.EncodeToMemory(block))
}

// authentic checks a token of either kind.
func authentic(r *http.Request) bool {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	switch r.Header.Get("X-Snowflake-Authorization-Token-Type") {
	case "PROGRAMMATIC_ACCESS_TOKEN":
		return token == warehousefake.FakeSecret
	case "KEYPAIR_JWT":
		parts := strings.Split(token, ".")
		if len(parts) != 3 {
			return false
		}
		signature, err := base64.RawURLEncoding.DecodeString(parts[2])
		digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
		if err != nil || rsa.VerifyPKCS1v15(&warehousefake.FakePrivateKey().PublicKey, crypto.SHA256, digest[:], signature) != nil {
			return false
		}
		var claims struct {
			Issuer  string `json:"iss"`
			Subject string `json:"sub"`
			Issued  int64  `json:"iat"`
			Expires int64  `json:"exp"`
		}
		text, _ := base64.RawURLEncoding.DecodeString(parts[1])
		public, _ := x509.MarshalPKIXPublicKey(&warehousefake.FakePrivateKey().PublicKey)
		sum := sha256.Sum256(public)
		return json.Unmarshal(text, &claims) == nil && claims.Subject == "ORG-ACC_1.ANN" &&
			claims.Issuer == "ORG-ACC_1.ANN.SHA256:"+base64.StdEncoding.EncodeToString(sum[:]) && claims.Expires-claims.Issued <= 3600
	}
	return false
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v2/statements")
	switch parts := strings.Split(path, "/"); {
	case !ok:
		http.NotFound(w, r)
	case !authentic(r):
		refuse(w, 401, "390144", "", "JWT token is invalid. "+warehousefake.FakeSecret)
	case len(parts) == 1:
		f.submit(w, r)
	case len(parts) == 3 && parts[2] == "cancel":
		f.CancelStatement(parts[1])
		reply(w, 200, map[string]any{"code": "000604", "statementHandle": parts[1]})
	case len(parts) == 2:
		n, _ := strconv.Atoi(r.URL.Query().Get("partition"))
		sql, stop := f.FindStatement(parts[1])
		f.results(w, parts[1], sql, stop != nil, n)
	default:
		http.NotFound(w, r)
	}
}

func (f *fake) submit(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		refuse(w, 400, "391901", "", err.Error())
		return
	}
	f.mu.Lock()
	id := r.URL.Query().Get("requestId")
	handle := f.handles[id]
	if handle == "" || r.URL.Query().Get("retry") != "true" {
		handle = fmt.Sprintf("01b2-%d", f.StatementCount())
		f.handles[id], f.begun = handle, body
		f.AddRunningStatement(handle, body["statement"].(string))
	}
	f.mu.Unlock()
	reply(w, 202, map[string]any{"code": "333334", "statementHandle": handle, "message": "Asynchronous execution in progress."})
}

func (f *fake) results(w http.ResponseWriter, handle, sql string, running bool, n int) {
	answer := warehousefake.AnswerForStatement(sql)
	if answer.Slow && running {
		reply(w, 202, map[string]any{"code": "333334", "statementHandle": handle})
		return
	}
	f.EndStatement(handle)
	var columns, data []string
	total := 0
	switch {
	case sql == `SELECT 1 AS "kept"`:
		name := "kept"
		if f.ignoreCase {
			name = "KEPT"
		}
		columns, data, total = []string{`{"name":"` + name + `","type":"fixed","precision":1,"scale":0}`}, []string{`["1"]`}, 1
	case answer.Slow:
		refuse(w, 422, "000604", "57014", "SQL execution canceled")
		return
	case answer.SyntaxError != "":
		refuse(w, 422, "001003", "42000", "SQL compilation error:\nsyntax error line 1 at position 0 "+answer.SyntaxError)
		return
	case answer.Empty:
		columns = []string{`{"name":"first","type":"fixed","precision":1,"scale":0}`, `{"name":"second","type":"text"}`}
	case answer.Value != "":
		v := valueOf(answer.Value)
		columns, data, total = []string{v.column}, []string{"[" + v.wire + "]"}, 1
		if answer.AndNull {
			data, total = append(data, "[null]"), 2
		}
	default:
		columns, total = []string{`{"name":"i","type":"fixed","precision":18,"scale":0}`}, answer.Rows
		from := n * partRows
		to := min(from+partRows, answer.Rows)
		if answer.FailAt > 0 && to > answer.FailAt {
			refuse(w, 422, "100039", "22003", "Numeric overflow")
			return
		}
		for i := from; i < to; i++ {
			data = append(data, `["`+strconv.Itoa(i)+`"]`)
		}
	}
	var parts []string
	for left := total; left > 0; left -= partRows {
		parts = append(parts, fmt.Sprintf(`{"rowCount":%d}`, min(left, partRows)))
	}
	a := map[string]any{"code": "090001", "statementHandle": handle, "data": json.RawMessage("[" + strings.Join(data, ",") + "]")}
	if n == 0 {
		a["resultSetMetaData"] = json.RawMessage(fmt.Sprintf(`{"numRows":%d,"format":"jsonv2","rowType":[%s],"partitionInfo":[%s]}`, total, strings.Join(columns, ","), strings.Join(parts, ",")))
		reply(w, 200, a)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	_ = json.NewEncoder(z).Encode(a)
	_ = z.Close()
}

func reply(w http.ResponseWriter, code int, v any) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, status int, code, state, message string) {
	reply(w, status, map[string]any{"code": code, "sqlState": state, "message": message})
}

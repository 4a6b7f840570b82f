package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

// aWarehouse is a ClickHouse that rejects every statement and keeps the comments that came
// with them.
type aWarehouse struct {
	mu       sync.Mutex
	comments []string
}

func (w *aWarehouse) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if !strings.Contains(r.URL.RawQuery+string(body), "revenue") { // the statement of the query alone
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.comments = append(w.comments, r.URL.Query().Get("log_comment"))
	http.Error(to, "Code: 62. DB::Exception: no", http.StatusBadRequest)
}

func (w *aWarehouse) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.comments
	w.comments = nil
	return out
}

func TestStatementTags_HaveAnIDOfEachCall(t *testing.T) {
	w := new(aWarehouse)
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	profiles := filepath.Join(t.TempDir(), "profiles.yaml")
	if err := os.WriteFile(profiles, []byte("datasources:\n  ch: {type: clickhouse, host: 127.0.0.1, port: "+at.Port()+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	common := []string{"--model", "testdata/shop.yaml", "--connections", profiles}
	ask := map[string]any{"metrics": []string{"revenue"}, "connection": "ch"}
	tagged := regexp.MustCompile(`^semlayer ([0-9a-f]{32})/1$`)
	for _, flag := range []string{"--tag-statements=true", "--tag-statements=false"} {
		args := append([]string{flag}, common...)
		tools := connect(t, asChild(t, append([]string{"mcp"}, args...)...))
		base := start(t, append([]string{"serve", "--bind", "127.0.0.1:0"}, args...)...).base
		http := connect(t, overHTTP(base, ""))
		calls := map[string]func(){
			"query": func() {
				runFor(t, testwait.Deadline, append([]string{"query", "--metrics", "revenue", "--connection", "ch"}, args...)...)
			},
			"serve":         func() { post(t, base+"/v1/query/execute", `{"metrics":["revenue"],"connection":"ch"}`) },
			"mcp":           func() { _, _, _ = callTool(t.Context(), tools, "run_query", ask) },
			"mcp over HTTP": func() { _, _, _ = callTool(t.Context(), http, "run_query", ask) },
		}
		ids := map[string]bool{}
		for name, call := range calls {
			for range 2 {
				call()
				comments := w.take()
				if len(comments) != 1 {
					t.Fatalf("%s: %d statements", name, len(comments))
				}
				m := tagged.FindStringSubmatch(comments[0])
				if flag == "--tag-statements=false" {
					if comments[0] != "" {
						t.Errorf("%s %s: %q", name, flag, comments[0])
					}
					continue
				}
				if m == nil || ids[m[1]] {
					t.Fatalf("%s: %q is not the tag of a new query", name, comments[0])
				}
				ids[m[1]] = true
			}
		}
	}
}

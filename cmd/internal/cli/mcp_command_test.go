package cli_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/executor/testwait"
)

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func overHTTP(base, token string) sdk.Transport {
	return &sdk.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}}
}

// childBinary returns the path of this test binary under the name semlayer. Under that name, the binary runs the
// command line instead of the tests.
func childBinary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(t.TempDir(), "semlayer")
	if err := os.Symlink(self, named); err != nil {
		t.Fatal(err)
	}
	return named
}

// asChild starts the command as a host does.
func asChild(t *testing.T, args ...string) sdk.Transport {
	t.Helper()
	named := childBinary(t)
	return &sdk.CommandTransport{Command: exec.CommandContext(context.Background(), named, args...), TerminateDuration: 20 * time.Second}
}

func connect(t *testing.T, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

func callTool(ctx context.Context, session *sdk.ClientSession, tool string, arguments map[string]any) (text string, isError bool, err error) {
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return "", false, err
	}
	content, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		return "", false, errors.New("the content is no text")
	}
	return content.Text, result.IsError, nil
}

// Both transports return the same bytes as the HTTP interface.
func TestMCP_SameBytesAsHTTP(t *testing.T) {
	t.Run("both transports of the tools return the bytes of the HTTP interface", func(t *testing.T) {
		s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--auth-token", "hunter2")
		sessions := map[string]*sdk.ClientSession{
			"http":  connect(t, overHTTP(s.base, "hunter2")),
			"stdio": connect(t, asChild(t, "mcp", "--model", "testdata/shop.yaml")),
		}
		for _, c := range []struct {
			tool, path, body string
			arguments        map[string]any
		}{
			{"compile_sql", "/v1/query/compile", `{"metrics":["revenue"],"where_sql":"orders.amount < 60"}`, map[string]any{"metrics": []string{"revenue"}, "where_sql": "orders.amount < 60"}},
			{"run_query", "/v1/query/execute", `{"metrics":["order_count","revenue"]}`, map[string]any{"metrics": []string{"order_count", "revenue"}}},
			{"run_query", "/v1/query/execute", `{"metrics":["revenu"]}`, map[string]any{"metrics": []string{"revenu"}}},
			{"select", "/v1/select/execute", `{"from":"orders","fields":["order_id"]}`, map[string]any{"from": "orders", "fields": []string{"order_id"}}},
		} {
			status, want := post(t, s.base+c.path, c.body, "Authorization", "Bearer hunter2")
			if status != 200 {
				want = strings.TrimSuffix(strings.TrimPrefix(want, `{"error":`), "}")
			}
			for name, session := range sessions {
				got, isError, err := callTool(t.Context(), session, c.tool, c.arguments)
				if err != nil || got != want || isError != (status != 200) {
					t.Errorf("%s: %s: %v %v %s", name, c.tool, err, isError, cmp.Diff(want, got))
				}
			}
		}
	})
}

func TestMCP_HTTPNeedsToken(t *testing.T) {
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--auth-token", "hunter2", "--disable-execute")
	if status, body := post(t, s.base+"/mcp", `{}`); status != 401 || !strings.Contains(body, `"unauthorized"`) {
		t.Errorf("%d %s", status, body)
	}
	if _, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), overHTTP(s.base, "wrong"), nil); err == nil {
		t.Error("a wrong token opens the tools")
	}
	session := connect(t, overHTTP(s.base, "hunter2"))
	if got, isError, err := callTool(t.Context(), session, "run_query", map[string]any{"metrics": []string{"revenue"}}); err != nil || !isError || !strings.HasPrefix(got, `{"code":"forbidden"`) {
		t.Error(got, isError, err)
	}
}

func TestMCP_DemoHasTools(t *testing.T) {
	s := start(t, "demo", "--bind", "127.0.0.1:0")
	session := connect(t, overHTTP(s.base, ""))
	if got, isError, err := callTool(t.Context(), session, "run_query", map[string]any{"metrics": []string{"order_count"}}); err != nil || isError || !strings.Contains(got, `"rows":[{"order_count":5000}]`) {
		t.Error(got, isError, err)
	}
}

// endless has a metric that never finishes.
const endless = `version: 0.2.0.dev0
name: endless
datasets:
  - name: pairs
    source: SELECT a.range * b.range % 7 AS x FROM range(10000000) AS a, range(10000000) AS b
    fields: [{name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]
  - name: one
    source: SELECT 1 AS y
    fields: [{name: y, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: y}]}}]
metrics:
  - {name: forever, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pairs.x)}]}}
  - {name: soon, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(one.y)}]}}
`

// With one slot, a query can only run when the one before has really ended.
func TestMCP_CancelledCallFreesSlot(t *testing.T) {
	model := filepath.Join(t.TempDir(), "endless.yaml")
	if err := os.WriteFile(model, []byte(endless), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, transport := range map[string]func(*testing.T) sdk.Transport{
		"stdio": func(t *testing.T) sdk.Transport {
			return asChild(t, "mcp", "--model", model, "--max-concurrent-executions", "1")
		},
		"http": func(t *testing.T) sdk.Transport {
			return overHTTP(start(t, "serve", "--model", model, "--bind", "127.0.0.1:0", "--max-concurrent-executions", "1").base, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, transport(t))
			soon := func() string {
				text, _, err := callTool(t.Context(), session, "run_query", map[string]any{"metrics": []string{"soon"}})
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				text, err := "busy", error(nil)
				for err == nil && strings.Contains(text, "busy") { // while the question below has the slot
					text, _, err = callTool(ctx, session, "run_query", map[string]any{"metrics": []string{"forever"}})
				}
				ended <- err
			}()
			testwait.Until(t, "the slot is taken", func() bool { return strings.Contains(soon(), `"code":"busy"`) })
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			testwait.Until(t, "the slot is free", func() bool { return strings.Contains(soon(), `"rows":[{"soon":1}]`) })
		})
	}
}

func TestMCP_HostSettings(t *testing.T) {
	want, err := os.ReadFile("testdata/hosts.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SVC_POOL_SIZE", "3")
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("m.yaml", []byte(strings.Replace(endless, "name: endless", `name: "Ärger & more"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs := new(testwait.Log), new(testwait.Log)
	if code := cli.Run(t.Context(), []string{"mcp", "--print-config", "--model", "m.yaml", "--sem-basic", "--url", "https://h/mcp"}, cli.Streams{In: strings.NewReader(""), Out: out, Err: errs}, "dev"); code != 0 {
		t.Fatal(code, errs)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer(`"`+self+`"`, `"BINARY"`, here, "HERE").Replace(out.String())
	if d := cmp.Diff(string(want), got); d != "" {
		t.Error(d)
	}
}

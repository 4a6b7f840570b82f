package cli_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
)

// connectionTypes returns the types in docs/connections.md.
func connectionTypes() []string {
	return []string{
		"duckdb", "sqlite",
		"postgres", "greenplum", "hologres", "gaussdb", "dws", "redshift", "cockroachdb",
		"mysql", "mariadb", "tidb", "starrocks", "doris",
		"clickhouse", "trino", "snowflake", "bigquery", "databricks",
	}
}

// unreachable writes a profiles file with one connection of each type, named after the
// type. Nothing listens where they point, so that a query ends in the driver.
func unreachable(t *testing.T) (path string, types []string) {
	t.Helper()
	dir := t.TempDir()
	keys := map[string]string{
		"duckdb":     `uri: "duckdb:////no/such/dir/a.duckdb"`,
		"sqlite":     `uri: "sqlite:////no/such/dir/a.sqlite"`,
		"trino":      `host: 127.0.0.1, port: 1, username: u`,
		"snowflake":  `account: semlayer-test.invalid, username: u, password: p`,
		"bigquery":   `catalog: p, credentials_path: "` + bigQueryKey(t, dir) + `"`,
		"databricks": `host: "127.0.0.1:1", http_path: /sql/1.0/warehouses/a, token: t`,
	}
	var b strings.Builder
	b.WriteString("datasources:\n")
	types = connectionTypes()
	for _, name := range types {
		of, special := keys[name]
		if !special {
			of = "host: 127.0.0.1, port: 1, username: u"
		}
		fmt.Fprintf(&b, "  %s: {type: %s, %s}\n", name, name, of)
	}
	path = filepath.Join(dir, "profiles.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, types
}

// bigQueryKey writes the key file of a service account whose tokens come from a port
// where nothing listens.
func bigQueryKey(t *testing.T, dir string) string {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "p", "client_email": "a@p.iam.gserviceaccount.com", "private_key_id": "1",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "token_uri": "http://127.0.0.1:1/token",
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "key.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runFor runs a command that may take that long.
func runFor(t *testing.T, most time.Duration, args ...string) (code int, out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	var o, e bytes.Buffer
	code = cli.Run(ctx, args, cli.Streams{In: strings.NewReader(""), Out: &o, Err: &e}, "v0.0.0-test")
	return code, o.String(), e.String()
}

func TestEngineSettings_EveryCommandOpensEachConnectionType(t *testing.T) {
	path, types := unreachable(t)
	server := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--connections", path, "--execute-timeout-secs", "5")
	tools := connect(t, asChild(t, "mcp", "--model", "testdata/shop.yaml", "--connections", path, "--execute-timeout-secs", "5"))
	codeOf := func(text string) (code string) {
		var e struct{ Code, Message string }
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Errorf("%v: %s", err, text)
		}
		return e.Code + ": " + e.Message
	}
	for _, name := range types {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := map[string]string{}
			_, _, errs := runFor(t, 5*time.Second, "query", "--model", "testdata/shop.yaml", "--connections", path, "--connection", name, "--metrics", "revenue", "--format", "json")
			got["query"] = codeOf(errs)
			_, body := post(t, server.base+"/v1/query/execute", `{"metrics":["revenue"],"connection":"`+name+`"}`)
			got["serve"] = codeOf(strings.TrimSuffix(strings.TrimPrefix(body, `{"error":`), "}"))
			text, _, err := callTool(t.Context(), tools, "run_query", map[string]any{"metrics": []string{"revenue"}, "connection": name})
			if err != nil {
				t.Fatal(err)
			}
			got["mcp"] = codeOf(text)
			for command, failure := range got {
				opened := strings.HasPrefix(failure, "connection: ") || strings.HasPrefix(failure, "timeout: ")
				if name == "duckdb" || name == "sqlite" {
					opened = strings.HasPrefix(failure, "config: ") && strings.Contains(failure, "a."+name) // the missing file
				}
				if !opened {
					t.Errorf("%s does not reach the driver: %s", command, failure)
				}
			}
		})
	}
}

func TestEngineSettings_SameCapabilitiesOverMCPAndHTTP(t *testing.T) {
	server := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0")
	status, want := ask(t, server.base+"/v1/capabilities", "")
	var list struct {
		Types []string `json:"connection_types"`
	}
	if err := json.Unmarshal([]byte(want), &list); status != 200 || err != nil {
		t.Fatal(status, err, want)
	}
	if d := cmp.Diff(connectionTypes(), list.Types); d != "" {
		t.Error("connection types of the server:", d)
	}
	demo := start(t, "demo", "--bind", "127.0.0.1:0")
	if _, got := ask(t, demo.base+"/v1/capabilities", ""); got != want {
		t.Error("demo:", cmp.Diff(want, got))
	}
	stdio := connect(t, asChild(t, "mcp", "--model", "testdata/shop.yaml"))
	http := connect(t, overHTTP(server.base, ""))
	for name, call := range map[string]func() (string, bool, error){
		"stdio": func() (string, bool, error) {
			return callTool(t.Context(), stdio, "get_capabilities", map[string]any{})
		},
		"http": func() (string, bool, error) { return callTool(t.Context(), http, "get_capabilities", map[string]any{}) },
	} {
		got, isError, err := call()
		if err != nil || isError || ofTheEngine(t, got) != ofTheEngine(t, want) {
			t.Errorf("%s: %v %v %s", name, err, isError, cmp.Diff(want, got))
		}
	}
}

// ofTheEngine returns capabilities without the limits that the HTTP server adds.
func ofTheEngine(t *testing.T, capabilities string) string {
	t.Helper()
	engine, server, _ := strings.Cut(capabilities, `,{"name":"body_bytes"`)
	if server == "" {
		engine = strings.TrimSuffix(engine, "]}")
	}
	if !strings.Contains(engine, `"limits":[{"name":"model_bytes"`) {
		t.Errorf("the limits are not the last of the capabilities, those of the engine first: %s", capabilities)
	}
	return engine
}

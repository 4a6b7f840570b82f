package paritytest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/semlayer/semlayer/cmd/internal/cli"
	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

const testdata = "../../../integration/testdata"

// answer is the result of a surface: the JSON of success, or of the error struct.
type answer struct {
	Body    string
	Refused bool
}

// model is a model with every surface over it.
type model struct {
	path    string
	engine  *engine.Engine
	base    string
	session *sdk.ClientSession
	flags   []string // of the command line, beside the model
}

func open(t *testing.T, path string) *model {
	t.Helper()
	return openConfig(t, engine.Config{ModelPath: path})
}

// openConfig opens an engine with the drivers of the program.
func openConfig(t *testing.T, config engine.Config) *model {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	config.Drivers, config.Logger = warehouses.Drivers(), quiet
	e, err := engine.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	server, err := restapi.New(e, restapi.Config{Logger: quiet, MCP: mcp.New(e, mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls))})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(ctx, ln) })
	t.Cleanup(func() { stop(); running.Wait() })
	m := &model{path: config.ModelPath, engine: e, base: "http://" + ln.Addr().String()}
	m.session, err = sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: m.base + "/mcp", DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.session.Close() })
	return m
}

// plane is one kind of query on each surface.
type plane struct {
	path, tool string
	args       []string
	compile    func(*engine.Engine, []byte) (*engine.Compiled, error)
}

func planes() map[string]plane {
	return map[string]plane{
		"query.json": {"/v1/query/compile", "compile_sql", []string{"compile"}, func(e *engine.Engine, body []byte) (*engine.Compiled, error) {
			q, err := query.DecodeMetric(body)
			if err != nil {
				return nil, err
			}
			return askSQL(context.Background(), e, q)
		}},
		"select.json": {"/v1/select/compile", "compile_select", []string{"select", "--sql"}, func(e *engine.Engine, body []byte) (*engine.Compiled, error) {
			q, err := query.DecodeDetail(body)
			if err != nil {
				return nil, err
			}
			return askSQL(context.Background(), e, q)
		}},
	}
}

func (m *model) inProcess(t *testing.T, p plane, body []byte) answer {
	t.Helper()
	compiled, err := p.compile(m.engine, body)
	var refusal engine.CodedError
	switch {
	case errors.As(err, &refusal):
		return answer{wire(t, refusal), true}
	case err != nil:
		t.Fatalf("an error without a code: %v", err)
	}
	return answer{wire(t, compiled), false}
}

func wire(t *testing.T, v any) string {
	t.Helper()
	text, err := engine.MarshalWireJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (m *model) overHTTP(t *testing.T, p plane, body []byte) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.base+p.path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode == http.StatusOK {
		return answer{strings.TrimSpace(string(text)), false}
	}
	var envelope struct{ Error json.RawMessage }
	if err := json.Unmarshal(text, &envelope); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return answer{string(envelope.Error), true}
}

func (m *model) asTool(t *testing.T, p plane, body []byte) answer {
	t.Helper()
	result, err := m.session.CallTool(t.Context(), &sdk.CallToolParams{Name: p.tool, Arguments: json.RawMessage(body)})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		t.Fatal("the content is no text")
	}
	return answer{text.Text, result.IsError}
}

func (m *model) asCommand(t *testing.T, p plane, body []byte) answer {
	t.Helper()
	var out, errs bytes.Buffer
	args := slices.Concat(p.args, m.flags, []string{"--model", m.path, "--json", "-", "--format", "json"})
	switch code := cli.Run(t.Context(), args, cli.Streams{In: bytes.NewReader(body), Out: &out, Err: &errs}, "v"); code {
	case 0:
		return answer{strings.TrimSpace(out.String()), false}
	case 1:
		return answer{strings.TrimSpace(errs.String()), true}
	default:
		t.Fatalf("exit code %d: %s", code, errs.String())
		return answer{}
	}
}

// withFirstCandidates returns what a tool returns: an error about a name lists eight candidates.
func withFirstCandidates(t *testing.T, a answer) answer {
	t.Helper()
	var e planerr.Error
	if err := json.Unmarshal([]byte(a.Body), &e); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	if !a.Refused || len(e.Candidates) <= 8 || e.Code != "unknown_metric" && e.Code != "unknown_dimension" {
		return a
	}
	e.Candidates = e.Candidates[:8]
	return answer{wire(t, &e), true}
}

// corpusCase is a query of the corpus.
type corpusCase struct {
	name     string
	archive  *txtar.Archive
	sections map[string][]byte
	plane    plane
	body     []byte
}

// fixture returns the name of the model of the case; "" for one in the case.
func (c corpusCase) fixture() string {
	for line := range strings.Lines(string(c.archive.Comment)) {
		if value, found := strings.CutPrefix(line, "fixture:"); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func corpusCases(t *testing.T) []corpusCase {
	t.Helper()
	var out []corpusCase
	err := filepath.WalkDir(filepath.Join(testdata, "cases"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		sections := map[string][]byte{}
		for _, f := range archive.Files {
			sections[f.Name] = f.Data
		}
		for section, p := range planes() {
			if body := sections[section]; body != nil {
				out = append(out, corpusCase{filepath.ToSlash(strings.TrimPrefix(path, testdata)), archive, sections, p, body})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// parity counts comparisons of surfaces with the engine.
type parity struct{ asked, refused, compared, different int }

// compare asks every surface. The command line reads the model for each query: it is asked one in four, and SEMLAYER_TEST_LONG=1 asks all.
func (n *parity) compare(t *testing.T, m *model, p plane, body []byte) {
	t.Helper()
	want := m.inProcess(t, p, body)
	n.asked++
	if want.Refused {
		n.refused++
	}
	for name, ask := range map[string]func(*testing.T, plane, []byte) answer{"HTTP": m.overHTTP, "command line": m.asCommand, "tool": m.asTool} {
		if name == "command line" && os.Getenv("SEMLAYER_TEST_LONG") == "" && n.asked%4 != 0 {
			continue
		}
		got := ask(t, p, body)
		n.compared++
		want := want
		if name == "tool" {
			want = withFirstCandidates(t, want)
		}
		if d := cmp.Diff(want, got); d != "" {
			n.different++
			t.Errorf("in process (-) and %s (+) differ:\n%s", name, d)
		}
	}
}

func (n *parity) report(t *testing.T, fewest, fewestRefused int) {
	t.Helper()
	t.Attr("questions", strconv.Itoa(n.asked))
	t.Attr("refused", strconv.Itoa(n.refused))
	t.Attr("compared", strconv.Itoa(n.compared))
	t.Attr("different", strconv.Itoa(n.different))
	if n.asked < fewest || n.refused < fewestRefused {
		t.Errorf("%d questions, %d of them refused: the corpus is not read", n.asked, n.refused)
	}
}

func TestSurfaces_ReturnSameBytes(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // the user's connection profiles are in HOME
	all, models, counts := t, map[string]*model{}, &parity{}
	for _, c := range corpusCases(t) {
		t.Run(c.name, func(t *testing.T) { counts.compare(t, modelOf(t, all, models, c), c.plane, c.body) })
	}
	counts.report(t, 700, 150)
}

// readerPolicies are the policies of a reader, by the fixture whose model they restrict.
var readerPolicies = map[string]string{
	"orders": `
      "*": {rows: all, fields: all}
      orders: {rows: "customers.region IN (:user.regions)", fields: all, mask: {status: "UPPER(status)"}}
      products: {rows: "category <> 'toys'", fields: all, hide: [unit_cost]}`,
	"retail": `
      "*": {rows: all, fields: all}
      order: {rows: "customers.region IN (:user.regions)", fields: all, hide: [discount]}
      customers: {rows: "region IN (:user.regions)", fields: all, mask: {customer_name: "'***'"}}`,
}

// The bytes for a reader are the same on every surface too: the command line gets the identity by --as.
func TestSurfaces_ReturnSameBytesToReader(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	const identity = `{"name": "ana", "roles": ["r"], "attributes": {"regions": ["east", "north"]}}`
	models, counts := map[string]*model{}, &parity{}
	for fixture, grants := range readerPolicies {
		path := filepath.Join(t.TempDir(), "policies.yaml")
		policies := "version: 1\nattributes: {regions: {type: string, list: true}}\nroles:\n  r:\n    metrics: all\n    sql: true\n    datasets:" + grants + "\n"
		if err := os.WriteFile(path, []byte(policies), 0o600); err != nil {
			t.Fatal(err)
		}
		claims, err := access.ParseIdentity([]byte(identity))
		if err != nil {
			t.Fatal(err)
		}
		models[fixture] = openConfig(t, engine.Config{ModelPath: filepath.Join(testdata, "fixtures", fixture, "model.yaml"), PoliciesPath: path, PoliciesText: []byte(policies), As: &claims})
		models[fixture].flags = []string{"--policies", path, "--as", identity}
	}
	for _, c := range corpusCases(t) {
		if m := models[c.fixture()]; m != nil && c.sections["model.yaml"] == nil {
			t.Run(c.name, func(t *testing.T) { counts.compare(t, m, c.plane, c.body) })
		}
	}
	counts.report(t, 500, 50)
}

// modelOf opens the model of a case, a shared one once for all its cases.
func modelOf(t, all *testing.T, models map[string]*model, c corpusCase) *model {
	t.Helper()
	if text := c.sections["model.yaml"]; text != nil {
		path := filepath.Join(t.TempDir(), "model.yaml")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return open(t, path)
	}
	name := c.fixture()
	if models[name] == nil {
		// It outlives the case that opens it.
		models[name] = open(all, filepath.Join(testdata, "fixtures", name, "model.yaml"))
	}
	return models[name]
}

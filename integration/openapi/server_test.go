package openapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/restapi"
)

const token = "a-token-of-the-tests"

// resource is the address that the document has for the schema compiler.
const resource = "http://127.0.0.1/openapi.json"

const fixtures = "../testdata/fixtures"

func open(t *testing.T, fixture string) *engine.Engine {
	t.Helper()
	read := func(file string) string {
		text, err := os.ReadFile(filepath.Join(fixtures, fixture, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		ModelPath: fixture + ".yaml", ModelText: []byte(read("model.yaml")), Setup: []string{read("data.sql")},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// server is a running server with its document.
type server struct {
	base string
	text []byte
	doc  *openapi3.T
	// Schemas are compiled from the document as a whole, by their place in it.
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
	// seen are the statuses that routes have answered with.
	seen map[string]map[int]bool
	// members are those that successful answers of routes had.
	members map[string]map[string]bool
}

// serve runs a server until the test ends, with the document that it gives.
func serve(t *testing.T, s restapi.Service, c restapi.Config) *server {
	t.Helper()
	base := serving.Serve(t, s, c)
	got, err := http.Get(base + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return described(t, base, text)
}

// described returns a server with a document.
func described(t *testing.T, base string, text []byte) *server {
	t.Helper()
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(closed(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	out := &server{
		base: base, text: text, doc: load(t, text),
		compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}, seen: map[string]map[int]bool{},
		members: map[string]map[string]bool{},
	}
	out.compiler.DefaultDraft(jsonschema.Draft2020)
	if err := out.compiler.AddResource(resource, whole); err != nil {
		t.Fatal(err)
	}
	return out
}

// at returns another server with the same document, which notes members beside those of the first.
func (s *server) at(base string) *server {
	other := *s
	other.base, other.seen = base, map[string]map[int]bool{}
	return &other
}

func load(t *testing.T, text []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// closed forbids the objects of a document every property that they do not list.
func closed(t *testing.T, text []byte) []byte {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	if len(schemas) < 20 {
		t.Fatalf("%d schemas", len(schemas))
	}
	for _, s := range schemas {
		schema, _ := s.(map[string]any)
		if _, says := schema["additionalProperties"]; schema["type"] == "object" && !says {
			schema["additionalProperties"] = false
		}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ask sends a request, with a token unless the header has another, and checks
// the response against the document. It returns the status and the body.
func (s *server) ask(t *testing.T, method, path, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	bare, _, _ := strings.Cut(path, "?")
	s.check(t, exchange{method, bare, body, got.StatusCode, got.Header, text})
	return got.StatusCode, string(text)
}

// exchange is a request with its response.
type exchange struct {
	method, path, body string
	status             int
	header             http.Header
	answer             []byte
}

func (s *server) noteMembers(name string, x exchange) {
	var answer map[string]json.RawMessage
	if x.status != http.StatusOK || json.Unmarshal(x.answer, &answer) != nil {
		return
	}
	if s.members[name] == nil {
		s.members[name] = map[string]bool{}
	}
	for member := range answer {
		s.members[name][member] = true
	}
}

// check holds an exchange against the document.
func (s *server) check(t *testing.T, x exchange) {
	t.Helper()
	name := x.method + " " + x.path
	if s.seen[name] == nil {
		s.seen[name] = map[int]bool{}
	}
	s.seen[name][x.status] = true
	s.noteMembers(name, x)
	operation := s.doc.Paths.Value(x.path).GetOperation(x.method)
	at := "/paths/" + escaped(x.path) + "/" + strings.ToLower(x.method)
	if operation.RequestBody != nil && x.status < 300 {
		if err := s.valid(t, at+"/requestBody/content/"+escaped(mimeJSON)+"/schema", []byte(x.body)); err != nil {
			t.Errorf("%s: the server takes %s, the document does not: %v", name, clip(x.body), err)
		}
	}
	described := operation.Responses.Status(x.status)
	if described == nil {
		t.Errorf("%s: the document has no status %d: %s", name, x.status, clip(string(x.answer)))
		return
	}
	for header := range described.Value.Headers {
		if x.header.Get(header) == "" {
			t.Errorf("%s: status %d has no %s", name, x.status, header)
		}
	}
	media, _, _ := strings.Cut(x.header.Get("Content-Type"), ";")
	switch {
	case len(x.answer) == 0:
	case described.Value.Content.Get(media) == nil:
		t.Errorf("%s: the document has no %s with status %d", name, media, x.status)
	case media == mimeJSON:
		schema := at + "/responses/" + strconv.Itoa(x.status) + "/content/" + escaped(mimeJSON) + "/schema"
		if err := s.valid(t, schema, x.answer); err != nil {
			t.Errorf("%s %s: status %d, %s: %v", name, clip(x.body), x.status, clip(string(x.answer)), err)
		}
	}
}

const mimeJSON = "application/json"

// escaped returns a name as a part of a JSON pointer.
func escaped(name string) string { return strings.ReplaceAll(name, "/", "~1") }

// valid judges a JSON text by the schema at a place of the document.
func (s *server) valid(t *testing.T, pointer string, text []byte) error {
	t.Helper()
	schema, ok := s.schemas[pointer]
	if !ok {
		var err error
		if schema, err = s.compiler.Compile(resource + "#" + pointer); err != nil {
			t.Fatal(err)
		}
		s.schemas[pointer] = schema
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func clip(text string) string {
	const most = 300
	return text[:min(len(text), most)]
}

// names reads the names of a list.
func names(t *testing.T, list string) []string {
	t.Helper()
	var rows []struct{ Name string }
	if err := json.Unmarshal([]byte(list), &rows); err != nil {
		t.Fatalf("%s: %v", clip(list), err)
	}
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sorted(all map[int]bool) []int {
	var out []int
	for status := range all {
		out = append(out, status)
	}
	slices.Sort(out)
	return out
}

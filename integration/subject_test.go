package integration_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

const (
	casesDir    = "testdata/cases"
	fixturesDir = "testdata/fixtures"
	// profilesPath has the profiles that cases are compiled for; nothing connects by them.
	profilesPath = "testdata/connections.yaml"
)

// loadCases reads the corpus once for all tests.
var loadCases = sync.OnceValues(func() ([]*corpus.Case, error) { return corpus.LoadCases(casesDir) })

func cases(tb testing.TB) []*corpus.Case {
	tb.Helper()
	all, err := loadCases()
	if err != nil {
		tb.Fatal(err)
	}
	if len(all) == 0 {
		tb.Fatal("the corpus is empty")
	}
	return all
}

// dataKey names the data of a case: cases of one fixture share it.
func dataKey(c *corpus.Case) string {
	if c.Fixture != "" {
		return "fixture/" + c.Fixture
	}
	return "case/" + c.Name
}

// dataFor returns the script that makes the tables of a case on an engine.
func dataFor(c *corpus.Case, engine string) (string, error) {
	if c.Fixture == "" {
		return c.SectionForEngine("data", engine), nil
	}
	dir := filepath.Join(fixturesDir, c.Fixture)
	text, err := os.ReadFile(filepath.Join(dir, "data."+engine+".sql"))
	if errors.Is(err, os.ErrNotExist) {
		text, err = os.ReadFile(filepath.Join(dir, "data.sql"))
	}
	return string(text), err
}

// subject is a model under test: the engine that serves it over its data in
// DuckDB, and its planner.
type subject struct {
	engine  *engine.Engine
	catalog *catalog.Catalog
	planner *planner.Planner
}

var subjects = struct {
	sync.Mutex
	byKey map[string]*subject
}{byKey: map[string]*subject{}}

// subjectOf opens the model of a case, once for all cases that share it.
func subjectOf(tb testing.TB, c *corpus.Case) *subject {
	tb.Helper()
	key := dataKey(c)
	model := []byte(c.Section("model.yaml"))
	if len(model) > 0 {
		key = "case/" + c.Name
	}
	subjects.Lock()
	defer subjects.Unlock()
	if s := subjects.byKey[key]; s != nil {
		return s
	}
	if len(model) == 0 {
		var err error
		if model, err = os.ReadFile(filepath.Join(fixturesDir, c.Fixture, "model.yaml")); err != nil {
			tb.Fatal(err)
		}
	}
	data, err := dataFor(c, "duckdb")
	if err != nil {
		tb.Fatal(err)
	}
	s, err := open(model, data)
	if err != nil {
		tb.Fatalf("the model of %s: %v", key, err)
	}
	subjects.byKey[key] = s
	return s
}

func open(model []byte, data string) (*subject, error) {
	// The engine outlives the test that happens to open it.
	e, err := engine.Open(context.Background(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: model, Setup: []string{data}, ConnectionsPath: profilesPath})
	if err != nil {
		return nil, err
	}
	doc, err := modelspec.Parse(model)
	if err != nil {
		return nil, err
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		return nil, err
	}
	return &subject{engine: e, catalog: cat, planner: planner.New(cat)}, nil
}

func closeSubjects() {
	subjects.Lock()
	defer subjects.Unlock()
	for _, s := range subjects.byKey {
		_ = s.engine.Close()
	}
}

// wireError returns an error as a client sees it.
func wireError(err error) (corpus.WireError, error) {
	var coded engine.CodedError
	if !errors.As(err, &coded) {
		return corpus.WireError{}, fmt.Errorf("an error without a code: %w", err)
	}
	text, marshalErr := engine.MarshalWireJSON(coded)
	if marshalErr != nil {
		return corpus.WireError{}, marshalErr
	}
	var w corpus.WireError
	return w, json.Unmarshal(text, &w)
}

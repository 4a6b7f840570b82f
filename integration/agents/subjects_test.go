package agents_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// question is a question of a person, with what answers it.
type question struct {
	text  string
	needs []string // names that find returns
	body  string
	sql   string // written by hand
}

// subject is a model with its questions.
type subject struct {
	name      string
	model     []byte
	data      string
	questions []question
}

// dataFolders are the folders of data.sql. The models are in testdata, those of the examples with more synonyms.
var dataFolders = map[string]string{"retail": "../../examples/retail", "tpcds": "../../examples/tpcds", "clinic": "testdata/clinic"}

var names = []string{"retail", "tpcds", "clinic"}

func subjects(t testing.TB) []subject {
	t.Helper()
	var out []subject
	for _, name := range names {
		s := subject{name: name, questions: readQuestions(t, filepath.Join("testdata", name, "questions.txt"))}
		var err error
		if s.model, err = os.ReadFile(filepath.Join("testdata", name, "model.yaml")); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dataFolders[name], "data.sql"))
		if err != nil {
			t.Fatal(err)
		}
		s.data = string(data)
		out = append(out, s)
	}
	return out
}

// readQuestions reads blocks of a question, its names, its body and its SQL, a line each.
func readQuestions(t testing.TB, path string) []question {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []question
	for i, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(block, "\n")
		if len(lines) != 4 {
			t.Fatalf("%s: block %d has %d lines", path, i+1, len(lines))
		}
		q := question{text: lines[0], body: lines[2], sql: lines[3]}
		for _, name := range strings.Split(lines[1], ",") {
			q.needs = append(q.needs, strings.TrimSpace(name))
		}
		out = append(out, q)
	}
	if len(out) != 40 {
		t.Fatalf("%s has %d questions", path, len(out))
	}
	return out
}

// open opens the model over its own data and a number of generated copies of every row; 0 for the data alone.
func (s subject) open(t testing.TB, copies int) (*engine.Engine, *duckdb.Executor) {
	t.Helper()
	setup := []string{s.data}
	if copies > 0 {
		setup = append(setup, s.growth(t, copies)...)
	}
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: s.model, Setup: []string{s.data}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(s.name, err)
	}
	t.Cleanup(func() { _ = e.Close() })
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: setup, Connections: 1})
	if err != nil {
		t.Fatal(s.name, err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return e, db
}

// decode reads the body of a question.
func decode(t testing.TB, body string) *query.MetricQuery {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err != nil {
		t.Fatal(body, err)
	}
	return q
}

func rowsOf(ctx context.Context, t testing.TB, db *duckdb.Executor, sql string) *table.Table {
	t.Helper()
	out, err := servers.QueryTable(ctx, db, sql, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	return out
}

var goldRows sync.Map

// gold returns the rows of the SQL of a question over the data of the model alone.
func (q question) gold(t testing.TB, db *duckdb.Executor) *table.Table {
	t.Helper()
	if rows, ok := goldRows.Load(q.sql); ok {
		return rows.(*table.Table)
	}
	rows := rowsOf(t.Context(), t, db, q.sql)
	goldRows.Store(q.sql, rows)
	return rows
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.4f", float64(part)/float64(max(whole, 1)))
}

package streaming_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// most is how much larger a server may become by streaming any result.
const most = 64 << 20

// longTestEnv requests the long form.
const longTestEnv = "SEMLAYER_TEST_LONG"

func rowsToStream() int {
	if os.Getenv(longTestEnv) != "" {
		return 20_000_000
	}
	return 3_000_000
}

func TestStreaming_ServerDoesNotGrow(t *testing.T) {
	n := rowsToStream()
	t.Run("DuckDB", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "stream.duckdb")
		db, err := duckdb.Open(t.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{
			fmt.Sprintf("CREATE TABLE t AS SELECT i, i * 1.5::DOUBLE AS d, 'status ' || i %% 5 AS s FROM range(%d) r(i)", n)}})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err == nil {
			t.Logf("the file has %d MiB", info.Size()>>20)
		}
		const all, few = `{"metrics":["any"]}`, `{"metrics":["any"],"limit":100000}`
		t.Run("with little memory", func(t *testing.T) {
			checkGrowth(t, launch(t, serveEnv+"="+path, memoryEnv+"=48MB"), n, all, few)
		})
		// DuckDB keeps what it has read of a file, up to its memory limit: with a
		// large one, only the second reading shows what streaming takes.
		t.Run("with the file in memory", func(t *testing.T) {
			p := launch(t, serveEnv+"="+path)
			if got, _ := stream(t, p, all); got != int64(n) {
				t.Fatalf("%d rows", got)
			}
			checkGrowth(t, p, n, all, few)
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		n := n / 10 // it has to group them first
		s := servers.Postgres(t)
		dir := t.TempDir()
		model, profiles := filepath.Join(dir, "model.yaml"), filepath.Join(dir, "connections.yaml")
		for path, text := range map[string]string{
			model:    fmt.Sprintf(grouped, n-1),
			profiles: fmt.Sprintf("datasources:\n  w: {type: postgres, host: %s, port: %d, username: %s, password: '%s', database: %s}\n", s.Host, s.Port, s.User, s.Password, s.Database),
		} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		checkGrowth(t, launch(t, serveEnv+"="+model, connectionsEnv+"="+profiles), n, `{"connection":"w","metrics":["rows"],"group_by":[{"field":"t.i"}]}`,
			`{"connection":"w","metrics":["few_rows"],"group_by":[{"field":"few.i"}]}`)
	})
}

const grouped = `
version: 0.2.0.dev0
name: m
datasets:
  - name: t
    source: SELECT i FROM generate_series(0, %d) AS s(i)
    fields:
      - {name: i, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
  - name: few
    source: SELECT i FROM generate_series(0, 99999) AS s(i)
    fields:
      - {name: i, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
metrics:
  - {name: rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(t.i)}]}}
  - {name: few_rows, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(few.i)}]}}
`

func checkGrowth(t *testing.T, p process, n int, query, few string) {
	// The first responses load the code and data that all responses need.
	for range 3 {
		if got, _ := stream(t, p, few); got != 100_000 {
			t.Fatalf("%d rows", got)
		}
	}
	before := p.memory(t, "VmRSS")
	begun := time.Now()
	got, batches := stream(t, p, query)
	took := time.Since(begun)
	if got != int64(n) {
		t.Fatalf("%d rows, want %d", got, n)
	}
	// The highest that it has ever been, which the stream may have been or not.
	grown := p.memory(t, "VmHWM") - before
	t.Attr("rows", strconv.Itoa(n))
	t.Attr("Mrows/s", fmt.Sprintf("%.2f", float64(n)/took.Seconds()/1e6))
	t.Attr("grown-MiB", strconv.FormatInt(grown>>20, 10))
	t.Logf("%d batches; before %d MiB", batches, before>>20)
	if grown > most {
		t.Errorf("the server grew by %d MiB, want at most %d", grown>>20, most>>20)
	}
	if perBatch := n / batches; perBatch < 16384 {
		t.Errorf("%d rows a batch: they are not joined", perBatch)
	}
}

// stream requests a stream and counts its rows and batches.
func stream(t *testing.T, p process, query string) (rows int64, batches int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+"/v1/query/execute", strings.NewReader(query))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", arrowstream.ContentType)
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		t.Fatalf("status %d", got.StatusCode)
	}
	_, err = arrowstream.Read(got.Body, func(b arrow.RecordBatch) error {
		if b.NumCols() == 0 {
			return errors.New("a batch without columns")
		}
		rows += b.NumRows()
		batches++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, batches
}

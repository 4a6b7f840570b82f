package types_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	elsewhere "github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// modelFor has a dataset of one row and one column for each value.
func modelFor(at int) []byte {
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: m\ndatasets:\n")
	for i, v := range values() {
		if v.sql[at] == absent {
			continue
		}
		source, _ := json.Marshal("SELECT " + v.sql[at] + " AS v")
		fmt.Fprintf(&b, "  - name: d%d\n    source: %s\n    fields:\n      - name: v\n        expression: {dialects: [{dialect: ANSI_SQL, expression: v}]}\n", i, source)
		if v.datatype != "" {
			fmt.Fprintf(&b, "        datatype: %s\n", v.datatype)
		}
	}
	return []byte(b.String())
}

func open(t *testing.T, at int) (e *engine.Engine, connection string) {
	t.Helper()
	c := engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: modelFor(at), Logger: slog.New(slog.DiscardHandler)}
	if profile := profileOf(t, at); profile != "" {
		c.ConnectionsPath = filepath.Join(t.TempDir(), "connections.yaml")
		if err := os.WriteFile(c.ConnectionsPath, []byte("datasources:\n  w: {"+profile+"}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		connection = `,"connection":"w"`
	}
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e, connection
}

// profileOf is how to reach an engine, "" for the embedded one.
func profileOf(t *testing.T, at int) string {
	t.Helper()
	var (
		kind   string
		server *localdb.Server
	)
	switch engines[at] {
	case "DuckDB":
		return ""
	case "SQLite":
		return "type: sqlite, uri: ':memory:'"
	case "ClickHouse":
		u := elsewhere.ClickHouseURL(t)
		password, _ := u.User.Password()
		return fmt.Sprintf("type: clickhouse, host: %s, port: %s, username: %s, password: '%s'", u.Hostname(), u.Port(), u.User.Username(), password)
	case "PostgreSQL":
		kind, server = "postgres", servers.Postgres(t)
	default:
		kind, server = "mariadb", servers.MariaDB(t)
	}
	return fmt.Sprintf("type: %s, host: %s, port: %d, username: %s, password: '%s', database: %s", kind, server.Host, server.Port, server.User, server.Password, server.Database)
}

func TestTypes_SameOnEveryEngine(t *testing.T) {
	for at, name := range engines {
		t.Run(name, func(t *testing.T) {
			e, connection := open(t, at)
			equal, different := 0, 0
			for i, v := range values() {
				if v.sql[at] == absent {
					continue
				}
				if t.Run(v.kind, func(t *testing.T) {
					q, err := query.DecodeDetail(fmt.Appendf(nil, `{"from":"d%d","fields":["v"]%s}`, i, connection))
					if err != nil {
						t.Fatal(err)
					}
					got, err := prepare.Rows(t.Context(), e, q)
					if err != nil {
						t.Fatal(err)
					}
					want := `[{"v":` + v.json + `}]`
					if d := cmp.Diff(want, string(got.Rows)); d != "" {
						t.Error(d)
					}
					dt, text := asArrow(t, e, q)
					if dt != v.arrow[at] {
						t.Errorf("Arrow type %s, want %s", dt, v.arrow[at])
					}
					if d := cmp.Diff(want, text); d != "" {
						t.Errorf("what the stream holds: %s", d)
					}
				}) {
					equal++
				} else {
					different++
				}
			}
			t.Attr("different", strconv.Itoa(different))
			floor.CheckCount(t, "equal", equal, 10)
		})
	}
}

// asArrow returns the type of the one column of a stream and, once more in JSON, what
// is in it.
func asArrow(t *testing.T, e *engine.Engine, q *query.DetailQuery) (dt, rows string) {
	t.Helper()
	s, err := prepare.Stream(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var stream bytes.Buffer
	if _, err := s.Write(t.Context(), &stream); err != nil {
		t.Fatal(err)
	}
	text := []byte{'['}
	schema, err := arrowstream.Read(&stream, func(b arrow.RecordBatch) error {
		w, err := jsonrows.NewRowWriter(b.Schema(), nil)
		if err == nil {
			text = w.AppendBatch(text, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	field := schema.Field(0)
	dt = field.Type.String()
	if kind := executor.TextKindOfField(field); kind != executor.TextKindPlain {
		dt += ", " + string(kind)
	}
	return dt, string(append(text, ']'))
}

const page = "../../docs/types.md"

func TestTypesPage_HasTheTable(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, v := range values() {
		cells := []string{v.kind}
		if v.arrow == same(v.arrow[0]) {
			cells = append(cells, "`"+v.arrow[0]+"`", "same", "same", "same", "same")
		} else {
			for _, a := range v.arrow {
				if a != absent {
					a = "`" + a + "`"
				}
				cells = append(cells, a)
			}
		}
		want = append(want, "| "+strings.Join(append(cells, "`"+v.json+"`"), " | ")+" |")
	}
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "| value | DuckDB"):
			inside = true
		case inside && strings.HasPrefix(line, "|---"):
		case inside && strings.HasPrefix(line, "|"):
			got = append(got, line)
		default:
			inside = false
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\n%s", d, strings.Join(want, "\n"))
	}
}

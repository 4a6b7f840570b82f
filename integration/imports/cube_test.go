package imports_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// cubeInput is what tools/cube/compile.js reads.
type cubeInput struct {
	Files   []cubeFile        `json:"files"`
	Queries []json.RawMessage `json:"queries"`
}

type cubeFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// NAME.cube of a case is the query NAME.json in the language of Cube. The SQL that the
// compiler of Cube makes of it has the rows of the imported model, whose columns are those of
// Cube in their order. tools/cube/run.sh installs the compiler and names it in the variable.
func TestImport_AgreesWithTheCompilerOfCube(t *testing.T) {
	compiler := os.Getenv("SEMLAYER_CUBE_COMPILER")
	if compiler == "" {
		t.Skip("SEMLAYER_CUBE_COMPILER is not set: make cube-check sets it")
	}
	paths, err := filepath.Glob("testdata/cube/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	compared := 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compared += compareCube(t, compiler, openCase(t, "cube", archive))
	}
	if compared < 8 {
		t.Errorf("%d queries are compared, too few to show anything", compared)
	}
}

func compareCube(t *testing.T, compiler string, c *importCase) int {
	t.Helper()
	var in cubeInput
	for _, s := range c.sources {
		in.Files = append(in.Files, cubeFile{s.Name, string(s.Text)})
	}
	var names []string
	for _, name := range c.queries {
		if query, ok := c.sections[name+".cube"]; ok {
			names, in.Queries = append(names, name), append(in.Queries, json.RawMessage(query))
		}
	}
	if len(names) == 0 {
		return 0 // the case has no query in the language of Cube
	}
	for i, sql := range compileCubes(t, compiler, in) {
		q, err := query.DecodeMetric([]byte(c.sections[names[i]+".json"]))
		if err != nil {
			t.Fatal(err)
		}
		q.Dialect = "duckdb"
		compiled, err := prepare.SQL(t.Context(), c.engine, q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := servers.QueryTable(t.Context(), c.db, compiled.SQL, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := servers.QueryTable(t.Context(), c.db, sql, nil)
		if err != nil {
			t.Errorf("%s: %v in the SQL of Cube\n%s", names[i], err, sql)
			continue
		}
		removeMidnights(want)
		removeMidnights(got)
		if len(want.Columns) == len(got.Columns) {
			want.Columns = got.Columns
		}
		if diff := table.Diff(want, got, false); diff != "" {
			t.Errorf("%s: want is of Cube: %s\n%s\n%s", names[i], diff, sql, compiled.SQL)
		}
	}
	return len(names)
}

func compileCubes(t *testing.T, compiler string, in cubeInput) []string {
	t.Helper()
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", compiler)
	cmd.Stdin = bytes.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	var sql []string
	if err := json.Unmarshal(out, &sql); err != nil || len(sql) != len(in.Queries) {
		t.Fatalf("%v: %s", err, out)
	}
	return sql
}

package postgresgrammar

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	pgquery "github.com/pganalyze/pg_query_go/v6"
)

// statementsFile is the file that semsql/parse holds its trees to. SEMLAYER_STATEMENTS names another one.
const statementsFile = "../../semsql/parse/testdata/shapes.txt"

// rejected is written in place of a tree for a statement that is not SQL.
const rejected = "error sql_syntax"

// PostgreSQL's grammar accepts the same statements and gives the same trees.
func TestGrammar_GivesTheSameTrees(t *testing.T) {
	name := os.Getenv("SEMLAYER_STATEMENTS")
	if name == "" {
		name = statementsFile
	}
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(string(file)) {
		statement, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		text, err := pgquery.ParseToJSON(statement)
		compared++
		if want == rejected {
			if err == nil {
				t.Errorf("%s\nPostgreSQL accepts what semsql/parse refuses", statement)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s\nPostgreSQL: %v", statement, err)
			continue
		}
		var tree struct {
			Stmts []struct {
				Stmt any `json:"stmt"`
			} `json:"stmts"`
		}
		if err := json.Unmarshal([]byte(text), &tree); err != nil || len(tree.Stmts) != 1 {
			t.Errorf("%s\n%d statements: %v", statement, len(tree.Stmts), err)
			continue
		}
		if got := shape(tree.Stmts[0].Stmt); got != want {
			t.Errorf("%s\nPostgreSQL   %s\nsemsql/parse %s", statement, got, want)
		}
	}
	if compared < 150 {
		t.Errorf("%d statements compared, want 150 and more", compared)
	}
	t.Logf("%d statements", compared)
}

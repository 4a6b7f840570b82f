package statements

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/semsql"
)

// The statements of PostgreSQL's grammar that have no meaning over a model are rejected. integration/postgresgrammar holds
// that they have every production which no accepted statement has.
func TestRefusals_EveryOtherProductionOfPostgreSQL(t *testing.T) {
	s := newShop(t, "")
	for _, sql := range linesOf(t, "testdata/grammar/read.txt") {
		if _, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb"))); err != nil {
			t.Errorf("%s\n%v", sql, err)
		}
	}
	refused := linesOf(t, "testdata/grammar/refused.txt")
	for _, sql := range refused {
		compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb")))
		var e *semsql.Error
		switch {
		case err == nil:
			t.Errorf("%s\nis accepted: %s", sql, compiled.Kind)
		case !errors.As(err, &e), e.Code == "internal", len(e.SQLState) != 5:
			t.Errorf("%s\n%v", sql, err)
		}
	}
	if len(refused) < 150 {
		t.Errorf("%d statements", len(refused))
	}
}

// linesOf returns the lines of a file that are not comments.
func linesOf(t *testing.T, path string) []string {
	t.Helper()
	return slices.DeleteFunc(strings.Split(strings.TrimSuffix(string(readFile(t, path)), "\n"), "\n"), func(line string) bool { return strings.HasPrefix(line, "#") })
}

package agents_test

import (
	"errors"
	"os"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// copiesOf returns the number of rows the generated data have for each row: 1,000 in the long form.
func copiesOf(t testing.TB) int {
	text := os.Getenv("SEMLAYER_AGENTS_COPIES")
	if text == "" {
		return 20
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCoverage_BodiesGiveRowsOfSQLByHand asks every question over the data of its model and over generated data.
func TestCoverage_BodiesGiveRowsOfSQLByHand(t *testing.T) {
	for _, s := range subjects(t) {
		for _, scale := range []struct {
			name   string
			copies int
		}{{"small", 0}, {"generated", copiesOf(t)}} {
			t.Run(s.name+"/"+scale.name, func(t *testing.T) {
				e, db := s.open(t, scale.copies)
				equal, refused, different := 0, map[string]int{}, 0
				for _, q := range s.questions {
					body := decode(t, q.body)
					compiled, err := prepare.SQL(t.Context(), e, body)
					var coded engine.CodedError
					if errors.As(err, &coded) {
						refused[coded.ErrorCode()]++
						t.Errorf("%s: %v", q.text, err)
						continue
					}
					got, err := servers.QueryTable(t.Context(), db, compiled.SQL, nil)
					if err != nil {
						t.Fatalf("%v\n%s", err, compiled.SQL)
					}
					want := rowsOf(t.Context(), t, db, q.sql)
					want.Columns = got.Columns // the names of columns are the engine's: the SQL has them in the same order
					if diff := table.Diff(want, got, len(body.OrderBy) > 0); diff != "" {
						different++
						t.Errorf("%s\n%.1000s\n%s\n%s", q.text, diff, q.sql, compiled.SQL)
						continue
					}
					equal++
				}
				t.Attr("questions", strconv.Itoa(len(s.questions)))
				t.Attr("equal", percent(equal, len(s.questions)))
				t.Attr("refused", strconv.Itoa(len(refused)))
				t.Attr("different", strconv.Itoa(different))
			})
		}
	}
}

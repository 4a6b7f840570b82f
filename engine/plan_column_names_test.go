package engine_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func TestResult_RestoresTruncatedColumnNames(t *testing.T) {
	t.Run("a column keeps its name when the warehouse truncates it", func(t *testing.T) {
		s := servers.Postgres(t)
		stem := "total_" + strings.Repeat("of_everything_", 6) // of more bytes than the server keeps
		sum, most := stem+"1", stem+"2"
		model := numbers + fmt.Sprintf(`  - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.amount)}]}}
  - {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(sales.amount)}]}}
`, sum, most)
		const profile = "datasources:\n  pg: {type: postgres, host: '%s', port: %d, username: '%s', password: '%s', database: '%s', default: true}\n"
		e := open(t, engine.Config{
			ModelText: []byte(model), ConnectionsPath: file(t, fmt.Sprintf(profile, s.Host, s.Port, s.User, s.Password, s.Database)),
		})
		q := metricQuery(t, `{"metrics":["`+most+`","`+sum+`"]}`)
		got, err := askRows(t.Context(), e, q)
		if err != nil {
			t.Fatal(err)
		}
		if want := `[{"` + most + `":30,"` + sum + `":42}]`; string(got.Rows) != want || !slices.Equal(got.Columns, []string{most, sum}) {
			t.Errorf("columns %q, rows %s", got.Columns, got.Rows)
		}
		if names := arrowNames(t, e, q); !slices.Equal(names, []string{most, sum}) {
			t.Errorf("the stream has the columns %q", names)
		}
	})
}

// arrowNames returns the columns of a query's stream.
func arrowNames(t *testing.T, e *engine.Engine, q *query.MetricQuery) []string {
	t.Helper()
	s, err := askStream(t.Context(), e, q)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var b bytes.Buffer
	if _, err := s.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	var names []string
	for _, f := range r.Schema().Fields() {
		names = append(names, f.Name)
	}
	return names
}

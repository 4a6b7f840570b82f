package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// selfAware is a model over the text of the statement that reads it.
const selfAware = `
version: 0.2.0.dev0
name: m
datasets:
  - name: running
    source: SELECT current_query() AS text, 1 AS n
    fields:
      - {name: text, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: text}]}}
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(running.n)}]}}
`

func TestStatementTags_CarryTheIDOfTheQuery(t *testing.T) {
	s := servers.Postgres(t)
	profiles := file(t, fmt.Sprintf("datasources:\n  pg: {type: postgres, host: '%s', port: %d, username: '%s', password: '%s', database: '%s'}\n",
		s.Host, s.Port, s.User, s.Password, s.Database))
	q := metricQuery(t, `{"metrics":["total"],"group_by":[{"field":"running.text"}],"connection":"pg"}`)
	for name, c := range map[string]struct {
		off, id bool
		tagged  bool
	}{
		"by default":           {false, true, true},
		"without an id":        {false, false, false},
		"where it is left out": {true, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, engine.Config{ModelText: []byte(selfAware), ConnectionsPath: profiles, NoStatementTags: c.off})
			ctx, id := t.Context(), engine.NewQueryID()
			if c.id {
				ctx = engine.WithQueryID(ctx, id)
			}
			result, err := askRows(ctx, e, q)
			if err != nil {
				t.Fatal(err)
			}
			stream, err := askStream(ctx, e, q)
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			var arrow bytes.Buffer
			if _, err := stream.Write(ctx, io.Writer(&arrow)); err != nil {
				t.Fatal(err)
			}
			tag := "/* semlayer " + id + "/1 */"
			for how, text := range map[string]string{"rows": string(result.Rows), "stream": arrow.String()} {
				if got := strings.Contains(text, tag); got != c.tagged {
					t.Errorf("%s: tagged %v: %s", how, got, text)
				}
			}
			if regexp.MustCompile(`/\*`).MatchString(result.SQL + stream.SQL) {
				t.Errorf("the tag is in the SQL of the result: %s", result.SQL)
			}
		})
	}
}

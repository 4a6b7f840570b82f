package agents_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// namesOfGeneratedModel reads for names of a model those of the generated one: name = name, a line each. A metric that the
// generated model lacks has no line, and a query of it is rejected.
func namesOfGeneratedModel(t *testing.T, subject string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", subject, "generated_names.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if line == "" {
			continue
		}
		name, generated, ok := strings.Cut(line, " = ")
		if !ok {
			t.Fatalf("%s: %q", subject, line)
		}
		out[name] = generated
	}
	return out
}

var quotedTextOrName = regexp.MustCompile(`'(?:[^']|'')*'|[A-Za-z_][A-Za-z0-9_]*`)

// renamed returns a value of a body with other names in its texts; texts of a condition in single quotes stay.
func renamed(value any, names map[string]string) any {
	switch v := value.(type) {
	case string:
		return quotedTextOrName.ReplaceAllStringFunc(v, func(word string) string {
			if other, ok := names[word]; ok {
				return other
			}
			return word
		})
	case []any:
		for i := range v {
			v[i] = renamed(v[i], names)
		}
	case map[string]any:
		for key := range v {
			v[key] = renamed(v[key], names)
		}
	}
	return value
}

func renamedBody(t *testing.T, body string, names map[string]string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(renamed(v, names))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCoverage_GeneratedModels asks every question of the model that semlayer init --from writes of the same tables. The
// figures have no aim: they show what a model of an author adds.
func TestCoverage_GeneratedModels(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			e, err := engine.Open(t.Context(), engine.Config{
				Drivers: []warehouse.Driver{duckdb.Driver()}, GenerateModel: true, Setup: []string{s.data}, Logger: slog.New(slog.DiscardHandler),
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Close() }()
			_, db := s.open(t, 0)
			names := namesOfGeneratedModel(t, s.name)
			checkMappedNames(t, e, names)
			equal, refused, different := 0, map[string]int{}, 0
			for _, q := range s.questions {
				body := decode(t, renamedBody(t, q.body, names))
				compiled, err := prepare.SQL(t.Context(), e, body)
				var coded engine.CodedError
				if errors.As(err, &coded) {
					refused[coded.ErrorCode()]++
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				got, err := servers.QueryTable(t.Context(), db, compiled.SQL, nil)
				if err != nil {
					t.Fatalf("%v\n%s", err, compiled.SQL)
				}
				want := q.gold(t, db)
				want.Columns = got.Columns
				if diff := table.Diff(want, got, len(body.OrderBy) > 0); diff != "" {
					different++
					t.Logf("%s\n%.400s", q.text, diff)
					continue
				}
				equal++
			}
			total := 0
			for code, n := range refused {
				total += n
				t.Logf("refused with %s: %d", code, n)
			}
			if equal+total+different != len(s.questions) {
				t.Errorf("%d equal, %d refused and %d different of %d questions", equal, total, different, len(s.questions))
			}
			t.Attr("questions", strconv.Itoa(len(s.questions)))
			t.Attr("equal", percent(equal, len(s.questions)))
			t.Attr("refused", strconv.Itoa(total))
			t.Attr("different", strconv.Itoa(different))
		})
	}
}

// checkMappedNames fails where a name of the mapping is not in the generated model.
func checkMappedNames(t *testing.T, e *engine.Engine, names map[string]string) {
	t.Helper()
	text := string(e.GeneratedModel().Text)
	for name, generated := range names {
		if !regexp.MustCompile(`name: ` + regexp.QuoteMeta(generated) + `\b`).MatchString(text) {
			t.Errorf("%s means %s, which the generated model does not have", name, generated)
		}
	}
}

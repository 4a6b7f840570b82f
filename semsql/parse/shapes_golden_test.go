package parse_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/semsql/internal/randomtree"
	"github.com/semlayer/semlayer/semsql/parse"
)

var (
	update = flag.Bool("update", false, "write the file of shapes")
	output = flag.String("shapes", shapesFile, "the file of shapes")
	random = flag.Int("random", 100, "how many random statements -update adds")
)

// shapesFile has a statement and the shape of its tree in each line. The grammar of PostgreSQL
// gives the same shapes (integration/postgresgrammar), and rejects what has none.
const shapesFile = "testdata/shapes.txt"

func TestShapes_AreThoseOfTheFile(t *testing.T) {
	if *update {
		writeShapes(t)
	}
	text, err := os.ReadFile(*output)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		statement, shape, _ := strings.Cut(line, "\t")
		if got := statementShape(statement); got != shape {
			t.Errorf("%s\nhas the shape %s\nwant           %s", statement, got, shape)
		}
	}
	if len(lines) < 150 {
		t.Errorf("%d statements, want 150 and more", len(lines))
	}
}

func writeShapes(t *testing.T) {
	list, err := os.ReadFile("testdata/statements.txt")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for statement := range strings.Lines(string(list)) {
		writeShape(t, &b, strings.TrimSpace(statement))
	}
	if *output != shapesFile {
		writeKeywordShapes(t, &b)
		writeCorpusShapes(t, &b)
	}
	for seed := range uint64(*random) {
		q := randomtree.RandomQuery(rand.New(rand.NewPCG(seed, 2)), randomtree.Options{Shared: true})
		if text := parse.Format(q); !strings.Contains(text, "\n") {
			writeShape(t, &b, text)
		}
		writeShape(t, &b, randomtree.RandomOperatorChain(rand.New(rand.NewPCG(seed, 3))))
	}
	if err := os.WriteFile(*output, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// narrower has the statements whose word PostgreSQL takes for a name or a value and this
// grammar does not: operators as aliases, functions without parentheses as relations, DEFAULT,
// and a SELECT without items.
const narrower = `SELECT all FROM t;SELECT default FROM t;SELECT a and FROM t;SELECT a between FROM t;SELECT a ilike FROM t;SELECT a in FROM t;SELECT a is FROM t;SELECT a like FROM t;SELECT a or FROM t;
SELECT a FROM current_catalog;SELECT a FROM current_date;SELECT a FROM current_role;SELECT a FROM current_schema;SELECT a FROM current_time;SELECT a FROM current_timestamp;
SELECT a FROM current_user;SELECT a FROM localtime;SELECT a FROM localtimestamp;SELECT a FROM session_user;SELECT a FROM user;`

// writeKeywordShapes writes each word of PostgreSQL 15 in the places of a name.
func writeKeywordShapes(t *testing.T, b *strings.Builder) {
	words, err := os.ReadFile("testdata/keywords.txt")
	if err != nil {
		t.Fatal(err)
	}
	for word := range strings.FieldsSeq(string(words)) {
		for _, form := range []string{"SELECT # FROM t", "SELECT a # FROM t", "SELECT a AS # FROM t", "SELECT a FROM #", "SELECT #.a FROM t", "SELECT t.# FROM t", "SELECT a FROM t #"} {
			statement := strings.ReplaceAll(form, "#", word)
			shape := statementShape(statement)
			if strings.Contains(narrower, statement+";") || strings.HasPrefix(shape, "error") && shape != rejected {
				continue
			}
			writeShape(t, b, statement)
		}
	}
}

// ownSyntax are parts of statements whose trees PostgreSQL's grammar does not have: views, names in backticks, types and
// casts of Ossie, and the other spelling of MEASURE and its parameters.
var ownSyntax = []string{"SEMANTIC_VIEW", "`", "AGG(", "=>", "TRY_CAST(", "TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ"}

// writeCorpusShapes writes the statements that integration/statements runs or rejects.
func writeCorpusShapes(t *testing.T, b *strings.Builder) {
	paths, err := filepath.Glob("../../integration/statements/testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no statements", err)
	}
	written := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(text), "\n\n") {
			statement := statementOfBlock(block)
			if statement == "" || slices.ContainsFunc(ownSyntax, func(part string) bool { return strings.Contains(statement, part) }) {
				continue
			}
			if shape := statementShape(statement); strings.HasPrefix(shape, "error") && shape != rejected {
				continue
			}
			writeShape(t, b, statement)
			written++
		}
	}
	if written < 150 {
		t.Errorf("%d statements of the corpus", written)
	}
}

// statementOfBlock returns the statement of a case in one line: what is above the line with its outcome.
func statementOfBlock(block string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(block), "\n") {
		if strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "$ ") {
			break
		}
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

func writeShape(t *testing.T, b *strings.Builder, statement string) {
	shape := statementShape(statement)
	if strings.HasPrefix(shape, "error") && shape != rejected {
		t.Fatalf("%s\n%s", statement, shape)
	}
	b.WriteString(statement + "\t" + shape + "\n")
}

// rejected is the shape of a statement that is not SQL, here and in PostgreSQL.
const rejected = "error sql_syntax"

func statementShape(statement string) string {
	q, err := parse.Parse(statement, parse.DefaultLimits())
	var e *parse.Error
	if errors.As(err, &e) {
		return "error " + string(e.Code)
	}
	return shapeOf(q)
}

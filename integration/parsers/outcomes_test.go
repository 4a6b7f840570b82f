package parsers

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

var (
	update     = flag.Bool("update", false, "record the outcomes of today")
	outcomesTo = flag.String("outcomes", "", "a file into which every text and its outcomes are written")
)

// variantsPerText is how many changed copies of a text are asked besides the text itself.
const variantsPerText = 12

const recordFile = "testdata/outcomes.txt"

// Both parsers accept, print and reject the texts of the repository, and changed copies of them, as recorded. A line of the record is
// a digest of a text and one of its outcomes, so that a new text needs no new record.
func TestParsers_ReadAsRecorded(t *testing.T) {
	recorded := map[string]string{}
	if !*update {
		recorded = readRecord(t)
	}
	var lines, readable []string
	asked := 0
	for _, text := range repositoryTexts(t) {
		key := digest(text)
		want, known := recorded[key]
		if !known && !*update {
			continue
		}
		asked++
		outcomes := outcomesOfVariants(text)
		got := digest(outcomes)
		lines = append(lines, key+" "+got+"\n")
		if *outcomesTo != "" {
			readable = append(readable, outcomes)
		}
		if !*update && got != want {
			t.Errorf("the outcomes of %q or a variant of it are not those recorded: write them with -outcomes here and at the commit before, and compare", text)
		}
	}
	if *outcomesTo != "" {
		if err := os.WriteFile(*outcomesTo, []byte(strings.Join(readable, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		slices.Sort(lines)
		if err := os.WriteFile(recordFile, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const fewest = 3000
	if asked < fewest {
		t.Errorf("%d texts have a record, fewer than %d", asked, fewest)
	}
}

func readRecord(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	out := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, outcomes, ok := strings.Cut(s.Text(), " "); ok {
			out[key] = outcomes
		}
	}
	return out
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

// outcomesOfVariants returns the outcomes for a text and its changed copies.
func outcomesOfVariants(text string) string {
	var out strings.Builder
	for _, variant := range append([]string{text}, changedCopies(text)...) {
		fmt.Fprintf(&out, "%q\n", variant)
		for _, l := range languages {
			fmt.Fprintf(&out, "\t%s: %s\n", l.name, l.outcome(variant))
		}
	}
	return out.String()
}

var languages = []struct {
	name    string
	outcome func(text string) string
}{
	{"query", func(text string) string { return expressionOutcome(text, sqlexpr.QueryLimits()) }},
	{"model", func(text string) string { return expressionOutcome(text, sqlexpr.ModelLimits()) }},
	{"native", func(text string) string { return expressionOutcome(text, sqlexpr.NativeLimits("duckdb")) }},
	{"statement", func(text string) string { return statementOutcome(parse.Parse(text, parse.DefaultLimits())) }},
	{"catalogue", func(text string) string {
		return statementOutcome(parse.ParseCatalogueStatement(text, parse.DefaultLimits()))
	}},
}

func expressionOutcome(text string, limits sqlexpr.Limits) string {
	e, err := sqlexpr.ParseLimited(text, limits)
	var refused *sqlexpr.SyntaxError
	switch {
	case errors.As(err, &refused):
		return fmt.Sprintf("error %d %d %t %q %q", refused.Offset, refused.Position, refused.Unsupported, refused.Error(), refused.Hint)
	case err != nil:
		return "error " + err.Error()
	}
	out := sqlexpr.Format(e)
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		out += fmt.Sprintf(" %d", x.Pos())
		return true
	})
	return out
}

func statementOutcome(q *parse.Query, err error) string {
	var refused *parse.Error
	switch {
	case errors.As(err, &refused):
		return fmt.Sprintf("error %d %s %s %s %q %q %q", refused.Position, refused.Code, refused.SQLState, refused.Ossie, refused.Message, refused.Hint, refused.Statement)
	case err != nil:
		return "error " + err.Error()
	}
	out := parse.Format(q)
	parse.Walk(q, func(n parse.Node) bool {
		out += fmt.Sprintf(" %d", n.Pos())
		if c, ok := n.(*parse.Case); ok {
			for _, when := range c.Whens {
				out += fmt.Sprintf(" %d", when.At)
			}
		}
		return true
	})
	return out
}

var (
	tokenPattern = regexp.MustCompile(`'[^']*'|"[^"]*"|[\pL_][\pL\pN_]*|[0-9.]+|\s+|::|[<>=!|]+|.`)
	// insertedTokens are what a changed copy has in the place of one of its tokens.
	insertedTokens = []string{
		"NOT", "(", ")", ",", ".", "'x'", "1", "*", "::", "::int", "NULL", "DISTINCT", "BETWEEN", "IN", "IS", "LIKE", "AND", "é", "$1", ":p", "[1]",
		"OVER w", "FILTER (WHERE a)", "WITHIN GROUP (ORDER BY a)", "~", "pg_catalog.", "INTERVAL '1' DAY", "DATE '2024-01-31'", "CASE WHEN a THEN b END",
		"CAST(a AS text)", "EXTRACT(year FROM a)", "(SELECT 1)", "ORDER BY a", "ARRAY[1]", "COLLATE c", "AT TIME ZONE 'UTC'", "\"a b\"", "`b`", "--", "/*", "->>", "||",
	}
)

// changedCopies returns copies of a text with a token left out, repeated, moved or replaced, the same ones each time.
func changedCopies(text string) []string {
	tokens := tokenPattern.FindAllString(text, -1)
	if len(tokens) == 0 {
		return nil
	}
	sum := sha256.Sum256([]byte(text))
	random := rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
	var out []string
	for n := range variantsPerText {
		i := random.IntN(len(tokens))
		changed := slices.Clone(tokens)
		switch n % 4 {
		case 0:
			changed = slices.Delete(changed, i, i+1)
		case 1:
			changed[i] += " " + changed[i]
		case 2:
			changed[i] = " " + insertedTokens[random.IntN(len(insertedTokens))] + " "
		default:
			j := random.IntN(len(tokens))
			changed[i], changed[j] = changed[j], changed[i]
		}
		out = append(out, strings.Join(changed, ""))
	}
	return out
}

// repositoryTexts returns the texts that the repository has for the parsers: the lines of cases, the corpora of fuzzers, the
// statements of clients, and the literals in the tests of the parsers.
func repositoryTexts(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	for _, pattern := range []string{
		"modelspec/sqlexpr/*_test.go", "semsql/*_test.go", "semsql/parse/*_test.go", "semsql/internal/*/*_test.go", "pgwire/*_test.go", "pgwire/*/*_test.go",
		"modelspec/sqlexpr/testdata/*.txt", "semsql/parse/testdata/statements.txt", "semsql/testdata/*", "sqlemit/testdata/*.txt",
		"modelspec/sqlexpr/testdata/fuzz/*/*", "semsql/parse/testdata/fuzz/*/*", "integration/expressions/testdata/fuzz/*/*",
		"integration/statements/testdata/*.txt", "integration/statements/testdata/*/*.txt", "pgwire/catalogue/testdata/statements/*.sql",
		"integration/testdata/cases/*/*.txtar",
	} {
		files, err := filepath.Glob("../../" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range textsOfFile(file, string(content)) {
				if len(text) > 0 && len(text) <= 4096 {
					seen[text] = true
				}
			}
		}
	}
	out := make([]string, 0, len(seen))
	for text := range seen {
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

// What the larger language reads as a statement over a model is the tree that the language of models has for it.
func TestStatement_ModelTreeIsThatOfItsOwnLanguage(t *testing.T) {
	for _, text := range repositoryTexts(t) {
		for _, variant := range append([]string{text}, changedCopies(text)...) {
			tree := parse.ParseStatement(variant, parse.DefaultLimits()).ModelTree()
			if tree == nil {
				continue
			}
			if want, got := statementOutcome(parse.Parse(variant, parse.DefaultLimits())), statementOutcome(tree, nil); got != want {
				t.Errorf("%q:\n%s\nwant %s", variant, got, want)
			}
		}
	}
}

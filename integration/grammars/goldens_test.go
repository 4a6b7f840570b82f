package grammars

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const testdata = "../testdata"

// statement is the SQL of one case, and the tables that it reads.
type statement struct {
	name, sql string
	tables    string // CREATE TABLE statements
}

// goldens returns the statements that a dialect makes of the corpus; rejected cases are
// left out.
func goldens(t *testing.T, dialect string) []statement {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(testdata, "dialects", dialect, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out []statement
	for _, name := range names {
		topic := strings.TrimSuffix(filepath.Base(name), ".txtar")
		for _, s := range sections(read(t, name))[1:] {
			if strings.HasPrefix(s.text, "refused: ") {
				continue
			}
			c := sections(read(t, filepath.Join(testdata, "cases", topic, s.name+".txtar")))
			if other, ok := strings.CutPrefix(s.text, "as "); ok {
				s.text = named(c, strings.TrimSpace(other)+".sql")
			}
			out = append(out, statement{topic + "/" + s.name, s.text, tablesOf(t, c)})
		}
	}
	return append(out, compositions(t, dialect)...)
}

// compositions returns statements of outer SQL over finished queries.
func compositions(t *testing.T, dialect string) []statement {
	t.Helper()
	const folder = "../compositions/testdata"
	names, err := filepath.Glob(filepath.Join(folder, "dialects", dialect, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var out []statement
	for _, name := range names {
		for _, s := range sections(read(t, name))[1:] {
			if !strings.HasPrefix(s.text, "refused: ") {
				out = append(out, statement{"compositions/" + s.name, s.text, read(t, filepath.Join(folder, "data.sql"))})
			}
		}
	}
	return out
}

// tablesOf returns the data.sql of a case: its own, else the one of its fixture.
func tablesOf(t *testing.T, c []section) string {
	t.Helper()
	if own := named(c, "data.sql"); own != "" {
		return own
	}
	for line := range strings.Lines(c[0].text) {
		if fixture, ok := strings.CutPrefix(line, "fixture: "); ok {
			return read(t, filepath.Join(testdata, "fixtures", strings.TrimSpace(fixture), "data.sql"))
		}
	}
	t.Fatalf("a case has neither data nor a fixture:\n%s", c[0].text)
	return ""
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// section is a part of an archive; the first has no name.
type section struct{ name, text string }

var marker = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func sections(archive string) []section {
	out := []section{{}}
	at := 0
	for _, m := range marker.FindAllStringSubmatchIndex(archive, -1) {
		out[len(out)-1].text = archive[at:m[0]]
		out = append(out, section{name: archive[m[2]:m[3]]})
		at = m[1]
	}
	out[len(out)-1].text = archive[at:]
	return out
}

func named(sections []section, name string) string {
	for _, s := range sections {
		if s.name == name {
			return s.text
		}
	}
	return ""
}

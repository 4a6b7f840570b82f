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

// goldens returns the statements of a dialect for the cases and the compositions, of the folder SEMLAYER_STATEMENTS that
// `make statements` writes. Those that the dialect rejects are left out.
func goldens(t *testing.T, dialect string) []statement {
	t.Helper()
	folder := os.Getenv("SEMLAYER_STATEMENTS")
	if folder == "" {
		t.Fatal("SEMLAYER_STATEMENTS names no folder; make grammars does")
	}
	var out []statement
	for _, s := range sections(read(t, filepath.Join(folder, "corpus", dialect+".txtar")))[1:] {
		if !strings.HasPrefix(s.text, "rejected: ") {
			out = append(out, statement{s.name, s.text, tablesOf(t, sections(read(t, filepath.Join(testdata, "cases", s.name+".txtar"))))})
		}
	}
	for _, s := range sections(read(t, filepath.Join(folder, "compositions", dialect+".txtar")))[1:] {
		if !strings.HasPrefix(s.text, "rejected: ") {
			out = append(out, statement{"compositions/" + s.name, s.text, read(t, "../compositions/testdata/data.sql")})
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

package corpus

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// sharedTexts are the dialects that a golden names where its text is theirs.
var sharedTexts = []string{"duckdb", "postgres", "mysql"}

// CheckGoldens compares the statements of the cases that cases.txt in dir lists with the archives there, and what single
// dialects reject with rejections.txt. The list has to cover every construct. With update all of it is written. The
// dialects elsewhere stand in another place, and have no archive.
func (s Statements) CheckGoldens(t *testing.T, dir string, update bool, elsewhere ...string) {
	t.Helper()
	listPath, rejectionsPath := filepath.Join(dir, "cases.txt"), filepath.Join(dir, "rejections.txt")
	list, err := os.ReadFile(listPath)
	if err != nil && !update {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))
	covering := s.Cover(names)
	if update {
		names = covering
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for path, text := range map[string]string{listPath: strings.Join(names, "\n") + "\n", rejectionsPath: s.rejections()} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.goldens(names, elsewhere).Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(names, covering); diff != "" {
		t.Errorf("no listed case has a construct that these have: look at it, then run go test -update (-listed +covering)\n%s", diff)
	}
	rejections, err := os.ReadFile(rejectionsPath)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(rejections), s.rejections()); diff != "" {
		t.Errorf("look whether the change is meant, then run go test -update\n%s", diff)
	}
	written, err := ReadStatements(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(written, s.goldens(names, elsewhere)); diff != "" {
		t.Errorf("look whether the change is meant, then run go test -update\n%s", diff)
	}
}

// goldens returns the statements of some cases as the archives have them.
func (s Statements) goldens(names, elsewhere []string) Statements {
	out := Statements{}
	for dialect, texts := range s {
		if dialect == PlanKey || slices.Contains(elsewhere, dialect) {
			continue
		}
		for _, name := range names {
			text := texts[name]
			if text == "" || strings.HasPrefix(text, RejectedPrefix) {
				continue
			}
			if same := slices.IndexFunc(sharedTexts, func(other string) bool { return s[other][name] == text }); same >= 0 && sharedTexts[same] != dialect {
				text = "as " + sharedTexts[same]
			}
			out.Add(dialect, name, text)
		}
	}
	return out
}

// rejections returns a line for each case that a dialect rejects and DuckDB answers.
func (s Statements) rejections() string {
	var lines [][2]string
	for dialect, texts := range s {
		for name, text := range texts {
			if strings.HasPrefix(text, RejectedPrefix) && !strings.HasPrefix(s["duckdb"][name], RejectedPrefix) {
				lines = append(lines, [2]string{name, fmt.Sprintf("%s %s: %s", name, dialect, text)})
			}
		}
	}
	slices.SortFunc(lines, func(a, b [2]string) int { return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1])) })
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line[1])
	}
	return b.String()
}

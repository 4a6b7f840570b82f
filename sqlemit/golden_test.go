package sqlemit_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/sqlemit"
)

var update = flag.Bool("update", false, "rewrite the SQL sections of the plan files")

// section is one "-- name --" part of a txtar file.
type section struct{ name, text string }

func readSections(tb testing.TB, path string) []section {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	out := []section{{}}
	for _, line := range strings.SplitAfter(string(data), "\n") {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(line, " --\n"), "-- "); ok && strings.HasSuffix(line, " --\n") {
			out = append(out, section{name: name})
			continue
		}
		out[len(out)-1].text += line
	}
	return out
}

// A case is a plan and, for each dialect that it is about, the SQL that a
// person would have written for it.
func TestEmit_Goldens(t *testing.T) {
	paths, err := filepath.Glob("testdata/plans/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no plans", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			sections := readSections(t, path)
			root := readPlan(t, sectionText(sections, "plan"))
			for i, s := range sections {
				name, isSQL := strings.CutSuffix(s.name, ".sql")
				if !isSQL {
					continue
				}
				d, ok := sqlemit.LookupDialect(name)
				if !ok {
					t.Fatalf("no dialect %q", name)
				}
				got, err := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{Pretty: true})
				if err != nil {
					got = "error: " + err.Error()
				}
				got += "\n"
				if *update {
					sections[i].text = got
					continue
				}
				if diff := cmp.Diff(s.text, got); diff != "" {
					t.Errorf("%s (-want +got)\n%s", name, diff)
				}
			}
			if *update {
				writeSections(t, path, sections)
			}
		})
	}
}

func sectionText(sections []section, name string) string {
	for _, s := range sections {
		if s.name == name {
			return s.text
		}
	}
	return ""
}

func writeSections(tb testing.TB, path string, sections []section) {
	tb.Helper()
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteString("-- " + s.name + " --\n")
		}
		b.WriteString(s.text)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func allPlans(tb testing.TB) map[string]string {
	tb.Helper()
	paths, err := filepath.Glob("testdata/plans/*.txtar")
	if err != nil || len(paths) == 0 {
		tb.Fatal("no plans", err)
	}
	out := map[string]string{}
	for _, path := range paths {
		out[filepath.Base(path)] = sectionText(readSections(tb, path), "plan")
	}
	return out
}

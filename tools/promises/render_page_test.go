package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/workspace"
)

var update = flag.Bool("update", false, "write testdata/page.md again")

// example returns a page with everything that a page can have.
func example() resultsPage {
	run := measurementCommand{dir: "restapi", pkg: ".", test: "^TestA$"}
	return resultsPage{
		name: "example", title: "Example", intro: "Words to begin with.",
		sections: []pageSection{
			{"Right", []promise{
				{name: "single", sentence: "One thing holds", method: "How it is measured.", run: run, rows: "^TestA$", figures: []figureDefinition{
					{name: "asked", key: "asked", aims: atLeastTarget(10)}, {name: "wrong", key: "wrong", aims: exactTarget(0)}, {name: "seed", key: "seed", of: aggregationVerbatim},
				}},
				{name: "broken", sentence: "A test fails", method: "How.", run: run, rows: "^TestB$", figures: []figureDefinition{{name: "n", key: "n", aims: exactTarget(0)}}},
				{name: "new", sentence: "Nobody has measured this", method: "How.", run: run, rows: "^TestC$", figures: []figureDefinition{{name: "n", key: "n", aims: exactTarget(0)}}},
			}},
			{"Fast", []promise{
				{name: "rows", sentence: "Several things hold", method: "How.", run: run, rows: "^BenchmarkA/(Q.)/(.*)$", rowHeader: "query, on", interpretation: "What to make of it.", figures: []figureDefinition{
					{name: "time", key: "ns/op", unit: "µs", scale: 1e-3, aims: []figureTarget{{bound: 50, row: "Q1"}, {bound: 150, row: "Q3"}}}, {name: "allocations", key: "allocs/op"},
				}},
				{name: "peers", sentence: "Nobody is faster", method: "How.", from: competitorReportFile, rows: `^(Q1)/(\d+)/(.+)$`, rowHeader: "question, datasets, program", figures: []figureDefinition{
					{name: "times", key: "ratio", aims: atLeastTarget(8)}, {name: "time", key: "s", unit: "ms", scale: 1e3},
				}},
				{name: "told", sentence: "Something is so", method: "How.", run: run, rows: "^BenchmarkB$", figures: []figureDefinition{{name: "rate", key: "req/s", unit: "/s"}}},
			}},
		},
	}
}

func exampleResults() runsByPromiseName {
	here, there := "AMD EPYC, 2 cores, 24 GiB, linux/amd64, go1.26.8", "Another, 1 core, 1 GiB, linux/arm64, go1.26.8"
	of := func(r promiseRun, events ...reportedValue) promiseRun {
		r.Command, r.Date, r.Events = "cd restapi && go test", "2026-11-21", events
		return r
	}
	return runsByPromiseName{
		"single": of(promiseRun{Commit: "0123456789ab", Machine: here, Seconds: 12.34, Others: 0.01}, reportedValue{"TestA", "asked", "12000"}, reportedValue{"TestA", "wrong", "0"}, reportedValue{"TestA", "seed", "4711"}),
		"broken": of(promiseRun{Commit: "0123456789ab.dirty", Machine: here, Seconds: 1, Failure: "TestB/x failed"}),
		"rows": of(promiseRun{Commit: "0123456789ab", Machine: here, Seconds: 600, Others: 0.25},
			reportedValue{"BenchmarkA/Q1/a_b", "ns/op", "55000"}, reportedValue{"BenchmarkA/Q1/c", "ns/op", "16100"}, reportedValue{"BenchmarkA/Q3/c", "ns/op", "60000"}, reportedValue{"BenchmarkA/Q1/c", "allocs/op", "84"}),
		"told": of(promiseRun{Commit: "ba9876543210", Machine: there, Seconds: 3, Short: true}, reportedValue{"BenchmarkB", "req/s", "1234567.8"}),
	}
}

func TestRender_WholePage(t *testing.T) {
	got, err := example().renderPage("testdata/root", exampleResults())
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/page.md"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("look whether the change is meant, then run go test -update\n%s", diff)
	}
}

func root(t *testing.T) string {
	t.Helper()
	root, err := workspace.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestPages_GeneratedFromResults(t *testing.T) {
	root := root(t)
	for _, p := range allPages() {
		r, err := readResults(p.filePath(root, "json"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := p.renderPage(root, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(p.filePath(root, "md"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got) {
			t.Errorf("docs/%s.md is not what the tool makes of docs/%s.json; run go run ./tools/promises -render -write\n%s", p.name, p.name, cmp.Diff(string(want), string(got)))
		}
		for name := range r {
			if !slices.ContainsFunc(p.promises(), func(x promise) bool { return x.name == name }) {
				t.Errorf("docs/%s.json has results of %s, which nobody promises", p.name, name)
			}
		}
	}
}

var function = regexp.MustCompile(`(Test|Benchmark)[A-Z]\w*`)

// What is promised is measured by tests that exist and that give the figures.
func TestPromises_HaveTests(t *testing.T) {
	root, seen := root(t), map[string]bool{}
	for _, p := range allPages() {
		for _, x := range p.promises() {
			t.Run(x.name, func(t *testing.T) {
				if seen[x.name] {
					t.Error("two promises of one name")
				}
				seen[x.name] = true
				if _, err := regexp.Compile(x.rows); err != nil || x.rows == "" {
					t.Errorf("rows: %v", err)
				}
				if x.sentence == "" || x.method == "" || len(x.figures) == 0 {
					t.Error("it says nothing")
				}
				if x.from != "" {
					return
				}
				if x.run.script != nil {
					if _, err := os.Stat(filepath.Join(root, x.run.script[0])); err != nil {
						t.Error(err)
					}
					return
				}
				sources := ""
				for _, pkg := range strings.Fields(x.run.pkg) {
					sources += sourcesOf(t, filepath.Join(root, x.run.dir, pkg))
				}
				names := function.FindAllString(x.run.test+x.run.bench, -1)
				if len(names) == 0 {
					t.Errorf("%q%q names no test", x.run.test, x.run.bench)
				}
				for _, name := range names {
					if !strings.Contains(sources, "func "+name+"(") {
						t.Errorf("there is no %s in %s/%s", name, x.run.dir, x.run.pkg)
					}
				}
			})
		}
	}
}

func sourcesOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}

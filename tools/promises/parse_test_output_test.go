package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEvents_ReadFigures(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		events   []reportedValue
		failure  string
		reason   []string
	}{
		{
			"an attribute of a test",
			`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"attr","Package":"p","Test":"TestA/on_duckdb","Key":"queries","Value":"12"}
{"Action":"output","Package":"p","Test":"TestA/on_duckdb","Output":"=== ATTR  TestA/on_duckdb queries 12\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p"}
`,
			[]reportedValue{{"TestA/on_duckdb", "queries", "12"}}, "", nil,
		},
		{
			"a line of a benchmark, whose units have slashes",
			`{"Action":"output","Package":"p","Test":"BenchmarkB/datasets=3","Output":"BenchmarkB/datasets=3\n"}
{"Action":"output","Package":"p","Test":"BenchmarkB/datasets=3","Output":"BenchmarkB/datasets=3-2         \t      10\t        49.10 ns/op\t         1.500 arrow/bare\t 84 allocs/op\n"}
`,
			[]reportedValue{{"BenchmarkB/datasets=3", "ns/op", "49.10"}, {"BenchmarkB/datasets=3", "arrow/bare", "1.500"}, {"BenchmarkB/datasets=3", "allocs/op", "84"}}, "", nil,
		},
		{
			"a line in two parts, between which another package writes",
			`{"Action":"output","Package":"p","Output":"BenchmarkB-2 \t 10"}
{"Action":"output","Package":"q","Output":"BenchmarkC-2 \t 10 \t 7 ns/op\n"}
{"Action":"output","Package":"p","Output":"\t 49.10 ns/op\n"}
`,
			[]reportedValue{{"BenchmarkC", "ns/op", "7"}, {"BenchmarkB", "ns/op", "49.10"}}, "", nil,
		},
		{
			"one processor, and a name that ends in a number",
			`{"Action":"output","Package":"p","Test":"BenchmarkB/of-3","Output":"BenchmarkB/of-3 \t 10 \t 7 ns/op\n"}` + "\n",
			[]reportedValue{{"BenchmarkB/of-3", "ns/op", "7"}}, "", nil,
		},
		{
			"what a script prints",
			"fuzz: elapsed: 3s\n=== ATTR  fuzz targets 23\n=== ATTR  fuzz engine go 1.26\n",
			[]reportedValue{{"fuzz", "targets", "23"}, {"fuzz", "engine", "go 1.26"}}, "", nil,
		},
		{
			"a failure is told by its innermost test",
			`{"Action":"output","Package":"p","Test":"TestA/x","Output":"    a_test.go:2: of no interest\n"}
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"output","Package":"p","Test":"TestA/b/c","Output":"    a_test.go:1: because\n"}
{"Action":"fail","Package":"p","Test":"TestA/b/c"}
{"Action":"fail","Package":"p","Test":"TestA/b"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"fail","Package":"p"}
`,
			nil, "TestA/b/c failed", []string{"    a_test.go:1: because"},
		},
		{
			"a package that does not build has no tests to blame",
			`{"ImportPath":"p","Action":"build-output","Output":"p.go:1: no\n"}
{"Action":"fail","Package":"p","FailedBuild":"p"}
`,
			nil, "a package failed", []string{"p.go:1: no"},
		},
		{"words that only begin like a benchmark", `{"Action":"output","Package":"p","Output":"Benchmarks are fun\n"}` + "\n", nil, "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := parseTestOutput(strings.NewReader(tc.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.events, got.events); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
			if len(tc.reason) > 0 && !cmp.Equal(tc.reason, got.failureLines()) {
				t.Errorf("reason %q, want %q", got.failureLines(), tc.reason)
			}
			if f := got.failureText(nil); f != tc.failure {
				t.Errorf("failure %q, want %q", f, tc.failure)
			}
		})
	}
}

func TestCommand_ShownAsTyped(t *testing.T) {
	c := measurementCommand{
		dir: "restapi", pkg: "./x", test: "^TestA$", flags: []string{"-timeout=60m"}, env: map[string]string{"PROMISES_B": "2", "PROMISES_A": "1"},
		shortEnv: map[string]string{"PROMISES_A": "0"}, shortFlags: []string{"-timeout=1m"},
	}
	b := measurementCommand{pkg: "./x", bench: "^BenchmarkA$"}
	t.Setenv("PROMISES_B", "3")
	for _, tc := range []struct{ got, want string }{
		{c.reproduceCommandLine(false), "cd restapi && PROMISES_A=1 PROMISES_B=3 go test -count=1 -run '^TestA$' -timeout=60m ./x"},
		{c.reproduceCommandLine(true), "cd restapi && PROMISES_A=0 PROMISES_B=2 go test -count=1 -run '^TestA$' -timeout=1m ./x"},
		{b.reproduceCommandLine(false), "go test -run '^$' -bench '^BenchmarkA$' ./x"},
		{measurementCommand{script: []string{"tools/scripts/fuzz.sh", "30s", "it's"}}.reproduceCommandLine(false), `tools/scripts/fuzz.sh 30s 'it'\''s'`},
	} {
		if tc.got != tc.want {
			t.Errorf("got  %s\nwant %s", tc.got, tc.want)
		}
	}
}

// A collector that is fed what a real run printed.
func TestEvents_ReadRealRun(t *testing.T) {
	f, err := os.Open("testdata/run.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := parseTestOutput(f)
	if err != nil {
		t.Fatal(err)
	}
	want := []reportedValue{
		{"TestA", "seed", "12"}, {"TestA/sub_one", "n", "a b c"}, {"BenchmarkB/x_y", "rows", "5"},
		{"BenchmarkB/x_y", "ns/op", "49.10"}, {"BenchmarkB/x_y", "of-echo", "1.500"},
	}
	if diff := cmp.Diff(want, got.events); diff != "" {
		t.Error(diff)
	}
}

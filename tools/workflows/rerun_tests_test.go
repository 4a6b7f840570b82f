package workflows

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pottery is a package whose tests write their names into a file at each run. failsOnce fails at its first run.
const pottery = `package pottery

import (
	"os"
	"strings"
	"testing"
)

func note(t *testing.T) (first bool) {
	name := os.Getenv("RUNS")
	before, _ := os.ReadFile(name)
	if err := os.WriteFile(name, append(before, t.Name()+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	return !strings.Contains(string(before), t.Name()+"\n")
}

func failsOnce(t *testing.T) {
	if note(t) {
		t.Error("the kiln is cold")
	}
}

func failsAlways(t *testing.T) {
	note(t)
	t.Error("the clay is dry")
}
`

// installedGotestsum returns the program that .ci/run installs, or skips the test.
func installedGotestsum(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root(t), ".cache/bin/gotestsum-v*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Skip("gotestsum is not installed: .ci/run installs it")
	}
	return found[len(found)-1]
}

func TestRerun_RepeatsFailedTestsOnly(t *testing.T) {
	gotestsum := installedGotestsum(t)
	for _, tt := range []struct {
		name     string
		tests    string // the functions of a test file
		earlier  string // tests that an earlier run of the script repeated
		runs     string // the tests that ran, in order
		unsteady string
		passes   bool
	}{
		{
			name:  "a test that fails once passes, and is listed",
			tests: "func TestKiln(t *testing.T) { failsOnce(t) }\nfunc TestGlaze(t *testing.T) { note(t) }",
			runs:  "TestKiln TestGlaze TestKiln", unsteady: "studio/pottery.TestKiln: 2 runs, 1 failures\n", passes: true,
		},
		{
			name:     "a test runs again with all of its subtests",
			tests:    `func TestKiln(t *testing.T) { t.Run("hot", func(t *testing.T) { note(t) }); t.Run("cold", failsOnce) }`,
			runs:     "TestKiln/hot TestKiln/cold TestKiln/hot TestKiln/cold",
			unsteady: "studio/pottery.TestKiln: 2 runs, 1 failures\nstudio/pottery.TestKiln/cold: 2 runs, 1 failures\n", passes: true,
		},
		{
			name:  "a test that fails three times fails",
			tests: "func TestClay(t *testing.T) { failsAlways(t) }",
			runs:  "TestClay TestClay TestClay", unsteady: "studio/pottery.TestClay: 3 runs, 3 failures\n",
		},
		{name: "a panic is not repeated", tests: `func TestClay(t *testing.T) { note(t); panic("broken") }`, runs: "TestClay"},
		{
			name:  "a data race is not repeated",
			tests: `func TestClay(t *testing.T) { println("WARNING: DATA RACE"); failsAlways(t) }`, runs: "TestClay",
		},
		{name: "a package that does not compile is not repeated", tests: "func TestClay(t *testing.T) { failsOnce() }"},
		{
			name:    "more than ten failures are not repeated, with those of an earlier run",
			tests:   "func TestKiln(t *testing.T) { failsOnce(t) }\nfunc TestClay(t *testing.T) { failsOnce(t) }",
			earlier: strings.Repeat("studio/x.TestGlaze: 2 runs, 1 failures\nstudio/x.TestGlaze/thin: 2 runs, 1 failures\n", 9), runs: "TestKiln TestClay",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := written(t, map[string]string{
				"go.mod": "module studio\n\ngo 1.26\n", "pottery/pottery_test.go": pottery,
				"pottery/cases_test.go": "package pottery\n\nimport \"testing\"\n\n" + tt.tests + "\n", "unsteady": tt.earlier,
			})
			cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), "tools/scripts/rerun-tests.sh"), gotestsum, "unsteady", "-vet=off", "-count=1", "./pottery")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOWORK=off", "RUNS="+filepath.Join(dir, "runs"))
			out, err := cmd.CombinedOutput()
			if (err == nil) != tt.passes {
				t.Errorf("%v\n%s", err, out)
			}
			if closing := "\nDONE "; !strings.Contains(string(out), closing) {
				t.Errorf("no closing line:\n%s", out)
			}
			runs, err := os.ReadFile(filepath.Join(dir, "runs"))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.runs, strings.Join(strings.Fields(string(runs)), " ")); diff != "" {
				t.Errorf("tests that ran (-want +got)\n%s%s", diff, out)
			}
			unsteady, err := os.ReadFile(filepath.Join(dir, "unsteady"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.earlier+tt.unsteady, string(unsteady)); diff != "" {
				t.Errorf("unsteady tests (-want +got)\n%s", diff)
			}
		})
	}
}

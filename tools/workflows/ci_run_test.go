package workflows

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakeMake notes the targets that it is called with, fails for the target FAIL, and prints what a run of tests prints.
const fakeMake = `#!/bin/bash
for arg in "$@"; do
	case $arg in
	RERUN=*) unsteady=${arg#RERUN=} ;;
	[a-z]*) echo "$arg" >>"$TARGETS" ;;
	esac
done
case " $* " in
*" $FAIL "*) exit 1 ;;
*" test "*) echo "studio/kiln.TestHeat: 2 runs, 1 failures" >>"$unsteady" && echo "DONE 2 runs, 7 tests, 1 failure in 1s" ;;
esac
`

// runCI runs .ci/run with programs that do nothing. It returns the targets that were made, the output, and whether the run passed.
func runCI(t *testing.T, failingTarget string) (targets, output string, passed bool) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(root(t), ".ci/run"))
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{".ci/run": string(script), "bin/make": fakeMake}
	for _, name := range []string{"git", "gcc", "g++", "mold", "python3", "npm"} {
		programs["bin/"+name] = "#!/bin/bash\n"
	}
	dir := written(t, programs)
	for name := range programs {
		if err := os.Chmod(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, ".ci/run"))
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), "TARGETS="+filepath.Join(dir, "targets"), "FAIL="+failingTarget)
	out, err := cmd.CombinedOutput()
	made, readErr := os.ReadFile(filepath.Join(dir, "targets"))
	if readErr != nil {
		t.Fatalf("%v\n%s", readErr, out)
	}
	return strings.Join(strings.Fields(string(made)), " "), string(out), err == nil
}

func TestCIRun_EndsAtFailureOfBuildOrVet(t *testing.T) {
	for target, want := range map[string]string{"build": "build", "vet": "build vet"} {
		targets, output, passed := runCI(t, target)
		if targets != want || passed {
			t.Errorf("%s fails: passed %t, made %s, want %s\n%s", target, passed, targets, want, output)
		}
	}
}

func TestCIRun_RunsEveryStepAfterAnotherFailure(t *testing.T) {
	all, output, passed := runCI(t, "none")
	if !passed || !strings.HasPrefix(all, "build vet ") {
		t.Errorf("passed %t, made %s\n%s", passed, all, output)
	}
	for _, target := range []string{"test", "lint"} {
		if targets, output, passed := runCI(t, target); targets != all || passed {
			t.Errorf("%s fails: passed %t, made %s, want %s\n%s", target, passed, targets, all, output)
		}
	}
}

func TestCIRun_OutputEndsWithUnsteadyTests(t *testing.T) {
	_, output, _ := runCI(t, "none")
	const want = "\n==> unsteady\nstudio/kiln.TestHeat: 2 runs, 1 failures\nDONE 2 runs, 7 tests, 1 failure in 1s\n"
	if !strings.HasSuffix(output, want) {
		t.Errorf("want the end%s\ngot\n%s", want, output)
	}
}

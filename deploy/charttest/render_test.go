package charttest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	chart     = "../helm/semlayer"
	release   = "sales"
	namespace = "metrics"

	// The oldest cluster that the chart promises to run on. A helm that was built by
	// `go install` assumes an even older one unless a flag names the version.
	oldest = "--kube-version=1.30.0"
)

// helm runs helm as a user without settings would. It never connects
// to a cluster.
func helm(t *testing.T, args ...string) (out, errs string, err error) {
	t.Helper()
	bin := os.Getenv("HELM")
	if bin == "" {
		bin = "helm"
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home,
		"HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home,
		"KUBECONFIG=" + filepath.Join(home, "none"),
	}
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.String(), e.String(), err
}

// render is `helm template` with flags; the test ends where helm rejects.
func render(t *testing.T, flags ...string) string {
	t.Helper()
	out, errs, err := helm(t, append([]string{"template", release, chart, "--namespace", namespace, oldest}, flags...)...)
	if err != nil {
		t.Fatalf("helm template %s: %v\n%s", strings.Join(flags, " "), err, errs)
	}
	return out
}

// variants returns the files of values that every policy is asked of.
func variants(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/values/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files of values: %v", len(files), err)
	}
	return files
}

var rendered sync.Map // by file

// everyVariant runs a test on the decoded manifests of each file of values.
func everyVariant(t *testing.T, test func(t *testing.T, m manifests)) {
	t.Helper()
	for _, file := range variants(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			text, ok := rendered.Load(file)
			if !ok {
				text = render(t, "--values", file)
				rendered.Store(file, text)
			}
			test(t, decode(t, text.(string)))
		})
	}
}

func TestLint(t *testing.T) {
	for _, file := range variants(t) {
		if out, errs, err := helm(t, "lint", "--strict", oldest, chart, "--values", file); err != nil {
			t.Errorf("%s: %v\n%s%s", file, err, out, errs)
		}
	}
}

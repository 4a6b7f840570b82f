package workflows

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/tools/workspace"
)

const organisation = "semlayer"

func root(t *testing.T) string {
	t.Helper()
	dir, err := workspace.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRepository_PassesEveryCheck(t *testing.T) {
	dir := root(t)
	for name, check := range checks {
		found, err := check(dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, sentence := range found {
			t.Errorf("%s: %s", name, sentence)
		}
	}
}

var checks = map[string]func(string) ([]string, error){
	"workflows": CheckWorkflows,
	"updates":   CheckDependabotFolders,
	"owners":    func(dir string) ([]string, error) { return CheckCodeOwners(dir, organisation) },
}

// CONTRIBUTING.md shows the steps of .ci/run, and each job of the workflows but those that
// release.
func TestContributing_ListsWhatRuns(t *testing.T) {
	dir := root(t)
	page, err := os.ReadFile(filepath.Join(dir, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps, err := exec.CommandContext(t.Context(), filepath.Join(dir, ".ci/run"), "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+string(steps)+"```\n") || len(steps) == 0 {
		t.Errorf("CONTRIBUTING.md does not show the steps of .ci/run:\n%s", steps)
	}
	jobs, err := MakeTargetsOfJobs(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs["nightly.yml"]) == 0 {
		t.Fatalf("no job runs at night: %v", jobs)
	}
	for file, names := range jobs {
		if file == "release.yml" || file == "test.yml" {
			continue
		}
		for job, targets := range names {
			row := regexp.MustCompile("(?m)^\\| `" + job + "` \\| `make .*$").FindString(string(page))
			for _, target := range targets {
				if target != "servers-install" && target != "browser-install" && !strings.Contains(row, "`make "+target+"`") {
					t.Errorf("CONTRIBUTING.md does not show that the job %s of %s runs make %s: %q", job, file, target, row)
				}
			}
		}
	}
}

const (
	commit   = "0123456789012345678901234567890123456789"
	another  = "abcdefabcdefabcdefabcdefabcdefabcdefabcd"
	checkout = "      - uses: actions/checkout@" + commit + " # v4.2.2\n        with:\n          persist-credentials: false\n"
)

// small returns a repository without defects.
func small() map[string]string {
	return map[string]string{
		".github/workflows/test.yml": "on: push\npermissions:\n  contents: read\njobs:\n  ci:\n    container: golang:1.26@sha256:" + strings.Repeat("0", 64) +
			"\n    steps:\n" + checkout + "      - run: make test lint\n      - uses: ./local\n",
		".github/dependabot.yml": "version: 2\nupdates:\n  - {package-ecosystem: gomod, directories: [/a]}\n  - {package-ecosystem: npm, directories: [/a/ui]}\n" +
			"  - {package-ecosystem: github-actions, directories: [/]}\n",
		".github/CODEOWNERS":           "# everything\n* @semlayer/all\n/a/ @semlayer/all\n",
		"Makefile":                     "test: ## run\n\tgo test\nlint:\n\ttrue\n",
		"a/go.mod":                     "module a\n",
		"a/ui/package.json":            "{}\n",
		"a/ui/node_modules/x/go.mod":   "module x\n",
		"a/testdata/old/package.json":  "{}\n",
		"a/testdata/docker/Dockerfile": "FROM scratch\n",
	}
}

func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func complaints(t *testing.T, files map[string]string) []string {
	t.Helper()
	dir := written(t, files)
	var all []string
	for name, check := range checks {
		found, err := check(dir)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, found...)
	}
	return all
}

func TestChecks_AcceptSoundRepository(t *testing.T) {
	if found := complaints(t, small()); len(found) > 0 {
		t.Error(found)
	}
}

func TestChecks_ReportEachDefect(t *testing.T) {
	const workflow, updates, owners = ".github/workflows/test.yml", ".github/dependabot.yml", ".github/CODEOWNERS"
	for _, tt := range []struct{ file, from, to, want string }{
		{workflow, "@" + commit + " # v4.2.2", "@v4", "test.yml: actions/checkout@v4 is not pinned by a commit of 40 hexadecimal digits"},
		{workflow, commit, commit[:39], "test.yml: actions/checkout@" + commit[:39] + " is not pinned by a commit of 40 hexadecimal digits"},
		{workflow, " # v4.2.2", "", `test.yml: actions/checkout@` + commit + ` has the comment "" instead of its version, # v1.2.3`},
		{workflow, "# v4.2.2", "# v4", `test.yml: actions/checkout@` + commit + ` has the comment "# v4" instead of its version, # v1.2.3`},
		{workflow, checkout, checkout + strings.Replace(checkout, commit, another, 1), "test.yml: actions/checkout is pinned to " + commit + " # v4.2.2 and to " + another + " # v4.2.2"},
		{workflow, "persist-credentials: false", "fetch-depth: 0", "test.yml: a checkout leaves the token in the folder: persist-credentials is not false"},
		{workflow, "@sha256:" + strings.Repeat("0", 64), "", "test.yml: the image golang:1.26 has no digest"},
		{workflow, "permissions:\n  contents: read\n", "", "test.yml: the workflow has no permissions: its token may write"},
		{workflow, "make test lint", "make test lnit", "test.yml: make lnit: the Makefile has no such target"},
		{updates, "[/a]", "[/b]", "dependabot.yml does not list gomod /a"},
		{updates, "[/a]", "[/a, /b]", "dependabot.yml lists gomod /b, where there is nothing to update"},
		{updates, "[/a/ui]", "[]", "dependabot.yml does not list npm /a/ui"},
		{updates, "github-actions", "docker", "dependabot.yml does not list github-actions /"},
		{owners, "/a/ @", "/b/ @", "CODEOWNERS: /b/ does not exist"},
		{owners, "/a/ @semlayer/all", "/a/ @someone", "CODEOWNERS: @someone is not a team of semlayer"},
		{owners, "/a/ @semlayer/all", "/a/", "CODEOWNERS: /a/ has no owner"},
		{owners, "* @semlayer/all\n", "", "CODEOWNERS: no line owns every file"},
	} {
		files := small()
		changed := strings.Replace(files[tt.file], tt.from, tt.to, 1)
		if changed == files[tt.file] {
			t.Fatalf("%s has no %q", tt.file, tt.from)
		}
		files[tt.file] = changed
		if found := complaints(t, files); !slices.Contains(found, tt.want) {
			t.Errorf("want %q, got %q", tt.want, found)
		}
	}
}

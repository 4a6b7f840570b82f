package workflows

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type releaseStep struct {
	Uses string            `yaml:"uses"`
	Run  string            `yaml:"run"`
	With map[string]string `yaml:"with"`
}

// attestedSubjects returns what each step attests, by its place among the steps.
func attestedSubjects(steps []releaseStep) map[string]int {
	out := map[string]int{}
	for i, s := range steps {
		if !strings.HasPrefix(s.Uses, "actions/attest-build-provenance@") {
			continue
		}
		for _, subject := range strings.Fields(strings.NewReplacer("${{ ", "${{", " }}", "}}").Replace(s.With["subject-path"] + " " + s.With["subject-name"])) {
			out[subject] = i
		}
	}
	return out
}

// What a release consists of has an attestation: archives before they leave the machine that built them; image and
// chart in their registry after they were pushed; the sums of all files before the release is made.
func TestRelease_AttestsWhatItPublishes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), ".github/workflows/release.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Jobs map[string]struct {
			Permissions map[string]string `yaml:"permissions"`
			Steps       []releaseStep     `yaml:"steps"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(text, &release); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		job, subject  string
		after, before string // parts of the steps around the attestation
	}{
		{"binary", "dist/*.tar.gz", "tar -C bin", ""},
		{"binary", "dist/*.deb", "debian-package.sh", ""},
		{"macos", "dist/*.tar.gz", "tar -C bin", ""},
		{"publish", "${{env.IMAGE}}", "imagetools create", "gh release create"},
		{"publish", "ghcr.io/${{github.repository_owner}}/charts/semlayer", "helm push", "gh release create"},
		{"publish", "dist/semlayer-*.tgz", "helm package", "gh release create"},
		{"publish", "dist/SHA256SUMS", "sha256sum -- * >SHA256SUMS", "gh release create"},
	} {
		job := release.Jobs[want.job]
		at, found := attestedSubjects(job.Steps)[want.subject]
		if !found {
			t.Errorf("the job %s does not attest %s", want.job, want.subject)
			continue
		}
		if job.Permissions["attestations"] != "write" || job.Permissions["id-token"] != "write" {
			t.Errorf("the job %s may not attest: %v", want.job, job.Permissions)
		}
		step := func(part string) int {
			return slices.IndexFunc(job.Steps, func(s releaseStep) bool { return strings.Contains(s.Run, part) })
		}
		if after := step(want.after); after < 0 || after > at {
			t.Errorf("%s is attested in step %d, before %q in step %d", want.subject, at, want.after, after)
		}
		if before := step(want.before); want.before != "" && before < at {
			t.Errorf("%s is attested in step %d, after %q in step %d", want.subject, at, want.before, before)
		}
		if name := job.Steps[at].With["subject-name"]; name != "" && (job.Steps[at].With["push-to-registry"] != "true" || job.Steps[at].With["subject-digest"] == "") {
			t.Errorf("the attestation of %s stays out of the registry", name)
		}
	}
}

// Nothing of a release is attested, pushed or published before the checks of a change have passed on its commit: each job that may
// write needs the job that calls test.yml.
func TestRelease_WaitsForCI(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), ".github/workflows/release.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Jobs map[string]struct {
			Uses        string            `yaml:"uses"`
			Needs       yaml.Node         `yaml:"needs"`
			Permissions map[string]string `yaml:"permissions"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(text, &release); err != nil {
		t.Fatal(err)
	}
	needs := func(job string) (out []string) {
		n := release.Jobs[job].Needs
		if n.Kind == yaml.ScalarNode {
			return []string{n.Value}
		}
		for _, item := range n.Content {
			out = append(out, item.Value)
		}
		return out
	}
	var waits func(job string) bool
	waits = func(job string) bool {
		return release.Jobs[job].Uses == "./.github/workflows/test.yml" || slices.ContainsFunc(needs(job), waits)
	}
	writers := 0
	for name, job := range release.Jobs {
		for _, right := range job.Permissions {
			if right == "write" {
				writers++
				if !waits(name) {
					t.Errorf("the job %s may write, and does not wait for test.yml", name)
				}
				break
			}
		}
	}
	if writers < 4 {
		t.Errorf("only %d jobs may write", writers)
	}
	// What builds a file for the release is needed by the job that publishes it.
	for _, job := range []string{"binary", "macos", "image"} {
		if !slices.Contains(needs("publish"), job) {
			t.Errorf("publish does not wait for %s", job)
		}
	}
}

// Command releasecheck reports whether the modules of this repository may be
// released as they are.
//
// The exported API of each module is written down in api/<module>.txt, as Go does
// it for its own library. The check compares what the sources export with the
// listing of the module's last tag, or where there is none with the listing that
// is committed:
//
//   - without a tag, nothing that is listed may be gone;
//   - after a tag, the version in versions.yaml has to be high enough for what has
//     gone and what is new;
//   - a module that has changed stands in CHANGELOG.md;
//   - the chart names the version of the binary.
//
// With -update the listings are written; commit them with the change that makes
// them different, where a reviewer sees what it does to users.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/semlayer/semlayer/tools/workspace"
)

func main() {
	update := flag.Bool("update", false, "write the listings of api/")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := checkReleases(ctx, *update)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release-check:", err)
		os.Exit(1)
	}
}

func checkReleases(ctx context.Context, update bool) error {
	root, err := workspace.FindRoot(".")
	if err != nil {
		return err
	}
	w, err := workspace.Load(root)
	if err != nil {
		return err
	}
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	failed := false
	for _, m := range w.Modules {
		version, released := w.Versions.Modules[m.Dir]
		if !released {
			continue
		}
		now, err := listModuleAPI(w.AbsModuleDir(m))
		if err != nil {
			return err
		}
		file := filepath.Join("api", apiListFileName(m.Dir))
		if update && len(now) > 0 {
			if err := os.WriteFile(filepath.Join(root, file), []byte(strings.Join(now, "\n")+"\n"), 0o644); err != nil {
				return err
			}
		}
		state := releasedModule{dir: m.Dir, version: version, now: now}
		if err := state.readLastRelease(ctx, root, file); err != nil {
			return err
		}
		v := state.checkRelease(string(changelog))
		for _, line := range v.wrong {
			failed = true
			fmt.Printf("%s: %s\n", m.Dir, line)
		}
		fmt.Printf("%-12s %-8s %4d lines of API  %s\n", m.Dir, version, len(now), strings.Join(v.notes, "; "))
	}
	if err := checkChartVersion(root, w.Versions.Modules["cmd"]); err != nil {
		failed = true
		fmt.Println(err)
	}
	if failed {
		return errors.New("not to be released like this; where it is meant, go run ./tools/releasecheck -update and describe it in CHANGELOG.md")
	}
	return nil
}

func apiListFileName(dir string) string { return strings.ReplaceAll(dir, "/", "-") + ".txt" }

// readLastRelease finds the last tag of a module and the API that it promised.
func (m *releasedModule) readLastRelease(ctx context.Context, root, file string) error {
	tags, err := runGit(ctx, root, "tag", "--list", m.dir+"/v*")
	if err != nil {
		// An archive of the sources has no tags.
		tags = ""
	}
	for _, tag := range strings.Fields(tags) {
		if v := strings.TrimPrefix(tag, m.dir+"/"); semver.IsValid(v) && semver.Compare(v, m.tagged) > 0 {
			m.tagged = v
		}
	}
	if m.tagged == "" {
		m.changed = true
		text, err := os.ReadFile(filepath.Join(root, file))
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it exports nothing, as a binary does, or is new
		}
		m.base = sortedLines(string(text))
		return err
	}
	tag := m.dir + "/" + m.tagged
	name, err := runGit(ctx, root, "ls-tree", "--name-only", tag, "--", filepath.ToSlash(file))
	if err != nil {
		return err
	}
	if name != "" {
		text, err := runGit(ctx, root, "show", tag+":"+filepath.ToSlash(file))
		if err != nil {
			return err
		}
		m.base = sortedLines(text)
	}
	diff, err := runGit(ctx, root, "diff", "--name-only", tag, "--", m.dir, ":!*_test.go", ":!**/testdata/**")
	m.changed = diff != ""
	return err
}

func sortedLines(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	slices.Sort(out)
	return out
}

func runGit(ctx context.Context, root string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = root
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(complaint.String()))
	}
	return string(out), nil
}

var chartAppVersionPattern = regexp.MustCompile(`(?m)^appVersion: "?([^"\n]*)"?$`)

// checkChartVersion reports whether the chart installs the binary that is being released.
func checkChartVersion(root, version string) error {
	const name = "deploy/helm/semlayer/Chart.yaml"
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return err
	}
	found := chartAppVersionPattern.FindSubmatch(text)
	if found == nil || "v"+string(found[1]) != version {
		return fmt.Errorf("%s: appVersion has to be %q", name, strings.TrimPrefix(version, "v"))
	}
	return nil
}

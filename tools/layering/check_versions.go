package layering

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// GoVersion is the go line of go.work and of every go.mod but those of modulesOnOlderGo.
const GoVersion = "1.26.0"

// modulesOnOlderGo are the modules that compile with an older Go (decision 0033). Programs of others import
// them, and such a program may stay on the release before the last.
var modulesOnOlderGo = map[string]string{"clients/go": "1.25.0"}

// readGoVersionOfModule returns the go line of a module.
func readGoVersionOfModule(dir string) string {
	if v, ok := modulesOnOlderGo[dir]; ok {
		return v
	}
	return GoVersion
}

// CheckModFiles compares go.work, the go.mod files and versions.yaml with each
// other and returns one sentence per disagreement.
func CheckModFiles(w *workspace.Workspace, prefix string) []string {
	var found []string
	complain := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }

	if w.Work.Go == nil || w.Work.Go.Version != GoVersion {
		complain("go.work: the go line must be %s", GoVersion)
	}
	for _, m := range w.Modules {
		name := m.Dir + "/go.mod"
		if m.Path != prefix+"/"+m.Dir {
			complain("%s: module %s does not follow its folder", name, m.Path)
		}
		if want := readGoVersionOfModule(m.Dir); m.File.Go == nil || m.File.Go.Version != want {
			complain("%s: the go line must be %s", name, want)
		}
		if m.File.Toolchain != nil {
			complain("%s: a toolchain line ties users to a patch release", name)
		}
		for _, r := range m.File.Replace {
			complain("%s: replaces %s, which `go install %s/cmd/semlayer@version` refuses; replaces live in go.work", name, r.Old.Path, prefix)
		}
		for _, r := range m.File.Require {
			sibling, ours := w.ModuleByPath(r.Mod.Path)
			if !ours {
				continue
			}
			if want := w.Versions.Modules[sibling.Dir]; r.Mod.Version != want {
				complain("%s: requires %s %s; versions.yaml has %q", name, sibling.Dir, r.Mod.Version, want)
			}
		}
	}
	found = append(found, versionsPinnedDifferently(w)...)
	found = append(found, versionsFileDisagreements(w)...)
	return found
}

// versionsPinnedDifferently compares direct requirements only: an indirect requirement
// is settled by each module's own graph.
func versionsPinnedDifferently(w *workspace.Workspace) []string {
	pins := map[string]map[string][]string{} // module path -> version -> folders
	for _, m := range w.Modules {
		for _, r := range m.File.Require {
			if _, ours := w.ModuleByPath(r.Mod.Path); ours || r.Indirect {
				continue
			}
			if pins[r.Mod.Path] == nil {
				pins[r.Mod.Path] = map[string][]string{}
			}
			pins[r.Mod.Path][r.Mod.Version] = append(pins[r.Mod.Path][r.Mod.Version], m.Dir)
		}
	}
	var found []string
	for _, modulePath := range slices.Sorted(maps.Keys(pins)) {
		versions := pins[modulePath]
		if len(versions) == 1 {
			continue
		}
		var parts []string
		for _, version := range slices.Sorted(maps.Keys(versions)) {
			parts = append(parts, version+" in "+strings.Join(versions[version], ", "))
		}
		found = append(found, fmt.Sprintf("%s is pinned twice: %s", modulePath, strings.Join(parts, "; ")))
	}
	return found
}

func versionsFileDisagreements(w *workspace.Workspace) []string {
	var found []string
	listed := slices.Concat(slices.Collect(maps.Keys(w.Versions.Modules)), w.Versions.Unreleased)
	for _, m := range w.Modules {
		if n := countOccurrences(listed, m.Dir); n != 1 {
			found = append(found, fmt.Sprintf("versions.yaml: lists %s %d times, want once", m.Dir, n))
		}
	}
	for _, dir := range slices.Sorted(slices.Values(listed)) {
		if !slices.ContainsFunc(w.Modules, func(m workspace.Module) bool { return m.Dir == dir }) {
			found = append(found, fmt.Sprintf("versions.yaml: %s is not a module of go.work", dir))
		}
	}

	want := map[string]bool{}
	for _, m := range w.Modules {
		if version, released := w.Versions.Modules[m.Dir]; released {
			want[fmt.Sprintf("%s %s => ./%s", m.Path, version, m.Dir)] = true
		}
	}
	for _, r := range w.Work.Replace {
		line := fmt.Sprintf("%s %s => %s", r.Old.Path, r.Old.Version, r.New.Path)
		if !want[line] {
			found = append(found, "go.work: unexpected replace "+line)
		}
		delete(want, line)
	}
	for _, line := range slices.Sorted(maps.Keys(want)) {
		found = append(found, "go.work: missing replace "+line)
	}
	return found
}

// ModulesNotInGoWork returns the folders that hold a go.mod and stand in no use
// line of go.work: the make targets would pass over them. Those that versions.yaml
// lists as outside are meant to.
func ModulesNotInGoWork(w *workspace.Workspace) ([]string, error) {
	var found []string
	err := filepath.WalkDir(w.Root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			if name != w.Root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Name() != "go.mod" {
			return nil
		}
		rel, err := filepath.Rel(w.Root, filepath.Dir(name))
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(rel)
		if !slices.ContainsFunc(w.Modules, func(m workspace.Module) bool { return m.Dir == dir }) && !slices.Contains(w.Versions.Outside, dir) {
			found = append(found, dir)
		}
		return nil
	})
	return found, err
}

func countOccurrences(list []string, want string) int {
	n := 0
	for _, s := range list {
		if s == want {
			n++
		}
	}
	return n
}

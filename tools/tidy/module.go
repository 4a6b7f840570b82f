package main

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/semlayer/semlayer/tools/layering"
	"github.com/semlayer/semlayer/tools/workspace"
)

// tidyFileChange is a file whose tidy content differs from what is on disk.
type tidyFileChange struct {
	name          string
	before, after []byte
}

// tidyModule returns the changes to go.mod and go.sum of one module.
func tidyModule(ctx context.Context, w *workspace.Workspace, m workspace.Module) ([]tidyFileChange, error) {
	tmp, err := os.MkdirTemp("", "semlayer-tidy-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	modName, sumName := filepath.Join(w.AbsModuleDir(m), "go.mod"), filepath.Join(w.AbsModuleDir(m), "go.sum")
	tmpMod, tmpSum := filepath.Join(tmp, "go.mod"), filepath.Join(tmp, "go.sum")

	// Read again rather than taken from w: tidying another module may have changed it.
	modBefore, err := os.ReadFile(modName)
	if err != nil {
		return nil, err
	}
	sumBefore, err := readFileIfPresent(sumName)
	if err != nil {
		return nil, err
	}
	withReplaces, err := addReplacesAndPins(w, m, modBefore)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(tmpMod, withReplaces, 0o600); err != nil {
		return nil, err
	}
	if err := os.WriteFile(tmpSum, sumBefore, 0o600); err != nil {
		return nil, err
	}

	cmd := exec.CommandContext(ctx, "go", "mod", "tidy", "-modfile="+tmpMod)
	cmd.Dir = w.AbsModuleDir(m)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go mod tidy: %w\n%s", err, out)
	}

	modAfter, err := goModWithoutReplaces(tmpMod)
	if err != nil {
		return nil, err
	}
	sumAfter, err := readFileIfPresent(tmpSum)
	if err != nil {
		return nil, err
	}
	var changes []tidyFileChange
	for _, c := range []tidyFileChange{{modName, modBefore, modAfter}, {sumName, sumBefore, sumAfter}} {
		if !bytes.Equal(c.before, c.after) {
			changes = append(changes, c)
		}
	}
	return changes, nil
}

// addReplacesAndPins adds to a go.mod the replaces that stand for go.work, and the pins of
// third-party modules that the module imports and does not require yet.
func addReplacesAndPins(w *workspace.Workspace, m workspace.Module, text []byte) ([]byte, error) {
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, sibling := range w.Modules {
		if sibling.Path == m.Path {
			continue
		}
		if err := file.AddReplace(sibling.Path, "", w.AbsModuleDir(sibling), ""); err != nil {
			return nil, err
		}
	}
	imports, err := listImportsOfFolder(w.AbsModuleDir(m))
	if err != nil {
		return nil, err
	}
	required := func(modulePath string) bool {
		return slices.ContainsFunc(file.Require, func(r *modfile.Require) bool { return r.Mod.Path == modulePath })
	}
	for modulePath, version := range missingRequirements(w, imports) {
		if required(modulePath) {
			continue
		}
		if err := file.AddRequire(modulePath, version); err != nil {
			return nil, err
		}
	}
	file.Cleanup()
	return file.Format()
}

// missingRequirements maps what must be required for the imports to be found to the
// version that is already in use here: a sibling's of versions.yaml, or the pin
// of another module.
func missingRequirements(w *workspace.Workspace, imports []string) map[string]string {
	pins := map[string]string{}
	for _, m := range w.Modules {
		if version, ok := w.Versions.Modules[m.Dir]; ok {
			pins[m.Path] = version
		}
		for _, r := range m.File.Require {
			if _, ours := w.ModuleByPath(r.Mod.Path); !ours && !r.Indirect {
				pins[r.Mod.Path] = r.Mod.Version
			}
		}
	}
	found := map[string]string{}
	for _, imported := range imports {
		owner := ""
		for modulePath := range pins {
			within := imported == modulePath || strings.HasPrefix(imported, modulePath+"/")
			if within && len(modulePath) > len(owner) {
				owner = modulePath
			}
		}
		if owner != "" {
			found[owner] = pins[owner]
		}
	}
	return found
}

func listImportsOfFolder(dir string) ([]string, error) {
	var imports []string
	err := layering.WalkGoFiles(dir, func(name string) error {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, imported)
		}
		return nil
	})
	slices.Sort(imports)
	return slices.Compact(imports), err
}

// goModWithoutReplaces takes the replaces out again.
func goModWithoutReplaces(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Clone(file.Replace) {
		if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
			return nil, err
		}
	}
	file.Cleanup()
	return file.Format()
}

func (c tidyFileChange) writeFile() error {
	if len(c.after) == 0 {
		return os.Remove(c.name)
	}
	return os.WriteFile(c.name, c.after, 0o644)
}

// describeChangedLines names the file and the lines that come and go; of go.sum, which no
// one reads, how many.
func (c tidyFileChange) describeChangedLines(root string) string {
	name, err := filepath.Rel(root, c.name)
	if err != nil {
		name = c.name
	}
	name = filepath.ToSlash(name)
	before, after := splitLines(c.before), splitLines(c.after)
	gone, come := removeStrings(before, after), removeStrings(after, before)
	if filepath.Base(c.name) == "go.sum" {
		return fmt.Sprintf("%s: -%d +%d lines\n", name, len(gone), len(come))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n", name)
	for _, line := range gone {
		fmt.Fprintf(&b, "  - %s\n", line)
	}
	for _, line := range come {
		fmt.Fprintf(&b, "  + %s\n", line)
	}
	return b.String()
}

func removeStrings(list, drop []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(drop, s) })
}

func splitLines(text []byte) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func readFileIfPresent(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	return data, err
}

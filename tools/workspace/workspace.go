package workspace

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/mod/modfile"
)

// Workspace is the repository as go.work and versions.yaml describe it.
type Workspace struct {
	Root     string // absolute path of the folder that holds go.work
	Work     *modfile.WorkFile
	Modules  []Module // sorted by Dir
	Versions VersionsYAML
}

// Module is one entry of go.work's use list.
type Module struct {
	Dir  string // slash-separated, relative to the root: "clients/go"
	Path string // the module path: "github.com/semlayer/semlayer/clients/go"
	File *modfile.File
}

// VersionsYAML is versions.yaml.
type VersionsYAML struct {
	Modules    map[string]string `yaml:"modules"`    // folder -> version
	Unreleased []string          `yaml:"unreleased"` // folders that are never tagged
	Outside    []string          `yaml:"outside"`    // folders of modules that go.work leaves out
}

// FindRoot walks up from dir to the folder that holds go.work.
func FindRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.work in this folder or above it")
		}
		dir = parent
	}
}

// Load reads go.work, every go.mod that it uses, and versions.yaml.
func Load(root string) (*Workspace, error) {
	work, err := readGoWorkFile(filepath.Join(root, "go.work"))
	if err != nil {
		return nil, err
	}
	w := &Workspace{Root: root, Work: work}
	for _, use := range work.Use {
		dir := path.Clean(filepath.ToSlash(use.Path))
		file, err := readGoModFile(filepath.Join(root, filepath.FromSlash(dir), "go.mod"))
		if err != nil {
			return nil, err
		}
		w.Modules = append(w.Modules, Module{Dir: dir, Path: file.Module.Mod.Path, File: file})
	}
	slices.SortFunc(w.Modules, func(a, b Module) int { return strings.Compare(a.Dir, b.Dir) })
	w.Versions, err = readVersionsYAML(filepath.Join(root, "versions.yaml"))
	return w, err
}

// AbsModuleDir returns the absolute path of a module's folder.
func (w *Workspace) AbsModuleDir(m Module) string {
	return filepath.Join(w.Root, filepath.FromSlash(m.Dir))
}

// ModuleByPath finds a module of the workspace by its module path.
func (w *Workspace) ModuleByPath(modulePath string) (Module, bool) {
	i := slices.IndexFunc(w.Modules, func(m Module) bool { return m.Path == modulePath })
	if i < 0 {
		return Module{}, false
	}
	return w.Modules[i], true
}

// ModuleOfImport finds the module that an import path belongs to: the longest module
// path of the workspace that is a prefix of it.
func (w *Workspace) ModuleOfImport(importPath string) (Module, bool) {
	var owner Module
	for _, m := range w.Modules {
		within := importPath == m.Path || strings.HasPrefix(importPath, m.Path+"/")
		if within && len(m.Path) > len(owner.Path) {
			owner = m
		}
	}
	return owner, owner.Path != ""
}

// DependencyOrder lists the modules so that each comes after the modules of
// the workspace that it requires. A cycle is an error.
func (w *Workspace) DependencyOrder() ([]Module, error) {
	const visiting, done = 1, 2
	state := map[string]int{}
	var order []Module
	var visit func(m Module) error
	visit = func(m Module) error {
		switch state[m.Path] {
		case done:
			return nil
		case visiting:
			return fmt.Errorf("modules require each other in a circle through %s", m.Dir)
		}
		state[m.Path] = visiting
		for _, req := range m.File.Require {
			sibling, ok := w.ModuleByPath(req.Mod.Path)
			if !ok {
				continue
			}
			if err := visit(sibling); err != nil {
				return err
			}
		}
		state[m.Path] = done
		order = append(order, m)
		return nil
	}
	for _, m := range w.Modules {
		if err := visit(m); err != nil {
			return nil, err
		}
	}
	return order, nil
}

func readGoWorkFile(name string) (*modfile.WorkFile, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.ParseWork(name, data, nil)
}

func readGoModFile(name string) (*modfile.File, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, err
	}
	if file.Module == nil {
		return nil, fmt.Errorf("%s: no module line", name)
	}
	return file, nil
}

func readVersionsYAML(name string) (VersionsYAML, error) {
	var v VersionsYAML
	f, err := os.Open(name)
	if err != nil {
		return v, err
	}
	defer f.Close()
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	if err := dec.Decode(&v); err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

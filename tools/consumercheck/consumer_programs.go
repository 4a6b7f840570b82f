package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// consumerProgram is one that a user of some of the modules writes.
type consumerProgram struct {
	name   string
	source string
	files  map[string]string // beside the source, by path
	// modules are those that it requires, by folder.
	modules []string
	cgo     bool
	// thirdParty are the third-party modules that it may link; nil means any but DuckDB,
	// unless cgo is on.
	thirdParty []string
	want       string // what it prints
}

const (
	programExampleFile     = "sqlemit/example_program_test.go"
	exampleModelPath       = "testdata/shop.yaml"
	maxExampleProgramLines = 29 // lines
)

//go:embed testdata/*.go
var embeddedProgramSources embed.FS

// consumerPrograms returns the programs that `make consumer-check` builds and runs.
func consumerPrograms(root string) ([]consumerProgram, error) {
	example, err := sqlWithoutEngineProgram(root)
	if err != nil {
		return nil, err
	}
	list := []consumerProgram{
		example,
		{name: "postgres", modules: []string{"engine"}, want: `SELECT SUM("orders".amount) AS "revenue" FROM orders AS "orders"`},
		{name: "duckdb", modules: []string{"engine", "executor"}, cgo: true, want: `[{"revenue":42}]`},
		{name: "handler", modules: []string{"engine", "restapi"}, want: "200 []"},
		{name: "client", modules: []string{"clients/go"}, thirdParty: []string{}, want: "true"},
	}
	for i, p := range list {
		if p.source != "" {
			continue
		}
		text, err := embeddedProgramSources.ReadFile("testdata/" + p.name + ".go")
		if err != nil {
			return nil, err
		}
		list[i].source = string(text)
	}
	return list, nil
}

// sqlWithoutEngineProgram returns the Example of sqlemit as a program: a query becomes SQL without an engine.
func sqlWithoutEngineProgram(root string) (consumerProgram, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(programExampleFile)))
	if err != nil {
		return consumerProgram{}, err
	}
	model, err := os.ReadFile(filepath.Join(root, "sqlemit", filepath.FromSlash(exampleModelPath)))
	if err != nil {
		return consumerProgram{}, err
	}
	source, want, err := programFromExample(string(text))
	return consumerProgram{
		name: "compile", source: source, want: want, files: map[string]string{exampleModelPath: string(model)},
		modules: []string{"modelspec", "planner", "sqlemit"}, thirdParty: []string{"go.yaml.in/yaml/v3", "gopkg.in/yaml.v3"},
	}, err
}

// programFromExample turns the file of an Example into a program, and returns what it prints.
func programFromExample(example string) (source, output string, err error) {
	for _, change := range [][2]string{{"package sqlemit_test\n", "package main\n"}, {"func Example() {\n", "func main() {\n"}} {
		if strings.Count(example, change[0]) != 1 {
			return "", "", fmt.Errorf("%s does not hold %q once", programExampleFile, change[0])
		}
		example = strings.Replace(example, change[0], change[1], 1)
	}
	before, rest, found := strings.Cut(example, "\t// Output: ")
	output, after, closed := strings.Cut(rest, "\n")
	if !found || !closed {
		return "", "", errors.New(programExampleFile + " does not say what it prints")
	}
	source = before + after
	if n := strings.Count(source, "\n"); n > maxExampleProgramLines {
		return "", "", fmt.Errorf("%s is a program of %d lines; at most %d are promised", programExampleFile, n, maxExampleProgramLines)
	}
	return source, output, nil
}

// buildAndRunProgram writes the program into a separate module, builds it, checks the packages that it links, and
// runs it.
func (c *consumerGoEnvironment) buildAndRunProgram(ctx context.Context, w *workspace.Workspace, p consumerProgram) error {
	dir, err := os.MkdirTemp(c.tmp, "program-")
	if err != nil {
		return err
	}
	mod := "module example.com/consumer\n\ngo 1.26.0\n"
	for _, folder := range p.modules {
		i := slices.IndexFunc(w.Modules, func(m workspace.Module) bool { return m.Dir == folder })
		if i < 0 {
			return errors.New("there is no module " + folder)
		}
		mod += "\nrequire " + w.Modules[i].Path + " " + w.Versions.Modules[folder] + "\n"
	}
	files := map[string]string{"go.mod": mod, "main.go": p.source}
	for name, text := range p.files {
		files[name] = text
	}
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			return err
		}
	}
	own := *c
	own.env = append(slices.Clone(c.env), "CGO_ENABLED="+map[bool]string{true: "1", false: "0"}[p.cgo])
	binary := filepath.Join(dir, "program")
	if _, err := own.runCommandForOutput(ctx, dir, "go", "build", "-trimpath", "-mod=mod", "-o", binary, "."); err != nil {
		return err
	}
	packages, err := own.runCommandForOutput(ctx, dir, "go", "list", "-mod=mod", "-deps", ".")
	if err != nil {
		return err
	}
	if foreign := p.forbiddenLinkedPackages(w, strings.Fields(string(packages))); len(foreign) > 0 {
		return fmt.Errorf("it links %s", strings.Join(foreign, ", "))
	}
	out, err := own.runCommandForOutput(ctx, dir, binary)
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(string(out)); got != p.want {
		return fmt.Errorf("it prints %q, want %q", got, p.want)
	}
	return nil
}

// forbiddenLinkedPackages returns the packages that the program must not link.
func (p consumerProgram) forbiddenLinkedPackages(w *workspace.Workspace, packages []string) (out []string) {
	for _, pkg := range packages {
		first, _, _ := strings.Cut(pkg, "/")
		_, ours := w.ModuleOfImport(pkg)
		switch {
		case !p.cgo && strings.Contains(pkg, "duckdb"):
			out = append(out, pkg)
		case p.thirdParty == nil, ours, !strings.Contains(first, "."), strings.HasPrefix(pkg, "example.com/consumer"):
		case !slices.ContainsFunc(p.thirdParty, func(m string) bool { return pkg == m || strings.HasPrefix(pkg, m+"/") }):
			out = append(out, pkg)
		}
	}
	return out
}

package layering_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The compiler can be embedded anywhere: it links only the standard library, the
// reader of YAML, and itself. Rules check the imports of a file; this test checks what follows
// from it. The importers are beside the compiler: that of Cube parses JavaScript as well (decision 0270).
func TestCompiler_LinksTheStandardLibraryAndYAMLAlone(t *testing.T) {
	const yaml = "go.yaml.in/yaml/v3"
	compiler := []string{"modelspec", "planner", "semsql", "sqlemit"}
	w := loadRepository(t)
	for _, m := range w.Modules {
		if !slices.Contains(compiler, m.Dir) {
			continue
		}
		list := func(args ...string) []string {
			list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, args...)...)
			list.Dir = w.AbsModuleDir(m)
			out, err := list.Output()
			if err != nil {
				t.Fatalf("%s: %v", m.Dir, err)
			}
			return strings.Fields(string(out))
		}
		own := slices.DeleteFunc(list("./..."), func(p string) bool { return strings.HasSuffix(p, "/modelspec/importer/cube") })
		packages := list(append([]string{"-deps"}, own...)...)
		if !slices.ContainsFunc(packages, func(p string) bool { owner, ours := w.ModuleOfImport(p); return ours && owner.Dir == m.Dir }) {
			t.Errorf("%s: go list names no package of the module: %q", m.Dir, packages)
		}
		for _, p := range packages {
			owner, ours := w.ModuleOfImport(p)
			if p != yaml && !(ours && slices.Contains(compiler, owner.Dir)) {
				t.Errorf("%s links %s: the compiler needs the standard library and %s, and nothing else", m.Dir, p, yaml)
			}
		}
	}
}

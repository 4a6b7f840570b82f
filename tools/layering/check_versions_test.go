package layering_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"github.com/semlayer/semlayer/tools/layering"
	"github.com/semlayer/semlayer/tools/workspace"
)

func TestModFiles_Agree(t *testing.T) {
	w := loadRepository(t)
	for _, s := range layering.CheckModFiles(w, prefix) {
		t.Error(s)
	}
	unlisted, err := layering.ModulesNotInGoWork(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range unlisted {
		t.Errorf("go.work does not use ./%s, so no make target reaches it", dir)
	}
}

// twoModules returns a workspace that CheckModFiles accepts: top requires base.
func twoModules() map[string]string {
	return map[string]string{
		"go.work":       "go 1.26.0\n\nuse (\n\t./base\n\t./top\n)\n\nreplace example.com/r/base v0.1.0 => ./base\n",
		"base/go.mod":   "module example.com/r/base\n\ngo 1.26.0\n\nrequire go.yaml.in/yaml/v3 v3.0.5\n",
		"top/go.mod":    "module example.com/r/top\n\ngo 1.26.0\n\nrequire example.com/r/base v0.1.0\n",
		"versions.yaml": "modules:\n  base: v0.1.0\nunreleased: [top]\n",
	}
}

func loadFiles(t *testing.T, files map[string]string) *workspace.Workspace {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		writeFile(t, root, name, text)
	}
	w, err := workspace.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestCheckModFiles_AcceptsAgreement(t *testing.T) {
	if diff := cmp.Diff([]string(nil), layering.CheckModFiles(loadFiles(t, twoModules()), "example.com/r")); diff != "" {
		t.Errorf("complaints (-want +got):\n%s", diff)
	}
}

func TestCheckModFiles_NamesDisagreements(t *testing.T) {
	for _, tc := range []struct {
		name, file, old, new string
		want                 string
	}{
		{"replace in go.mod", "top/go.mod", "go 1.26.0\n", "go 1.26.0\n\nreplace example.com/x => ../x\n", "top/go.mod: replaces example.com/x"},
		{"another go line", "top/go.mod", "go 1.26.0", "go 1.26.3", "top/go.mod: the go line must be 1.26.0"},
		{"another go line in go.work", "go.work", "go 1.26.0", "go 1.26.3", "go.work: the go line must be 1.26.0"},
		{"toolchain", "top/go.mod", "go 1.26.0\n", "go 1.26.0\n\ntoolchain go1.26.8\n", "top/go.mod: a toolchain line"},
		{"module path", "top/go.mod", "example.com/r/top", "example.com/r/other", "top/go.mod: module example.com/r/other does not follow its folder"},
		{"second pin", "top/go.mod", "go 1.26.0\n", "go 1.26.0\n\nrequire go.yaml.in/yaml/v3 v3.0.0\n", "go.yaml.in/yaml/v3 is pinned twice: v3.0.0 in top; v3.0.5 in base"},
		{"sibling version", "top/go.mod", "base v0.1.0", "base v0.2.0", `top/go.mod: requires base v0.2.0; versions.yaml has "v0.1.0"`},
		{"missing replace", "go.work", "replace example.com/r/base v0.1.0 => ./base\n", "", "go.work: missing replace example.com/r/base v0.1.0 => ./base"},
		{"unexpected replace", "go.work", "=> ./base", "=> ./elsewhere", "go.work: unexpected replace example.com/r/base v0.1.0 => ./elsewhere"},
		{"not in versions.yaml", "versions.yaml", "unreleased: [top]", "unreleased: []", "versions.yaml: lists top 0 times, want once"},
		{"twice in versions.yaml", "versions.yaml", "[top]", "[top, base]", "versions.yaml: lists base 2 times, want once"},
		{"unknown in versions.yaml", "versions.yaml", "[top]", "[top, gone]", "versions.yaml: gone is not a module of go.work"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := twoModules()
			if !strings.Contains(files[tc.file], tc.old) {
				t.Fatalf("%s does not contain %q", tc.file, tc.old)
			}
			files[tc.file] = strings.Replace(files[tc.file], tc.old, tc.new, 1)
			got := layering.CheckModFiles(loadFiles(t, files), "example.com/r")
			for _, s := range got {
				if strings.HasPrefix(s, tc.want) {
					return
				}
			}
			t.Errorf("got %q; want one that begins with %q", got, tc.want)
		})
	}
}

func TestCheckModFiles_IndirectMayDiffer(t *testing.T) {
	files := twoModules()
	files["top/go.mod"] += "\nrequire go.yaml.in/yaml/v3 v3.0.0 // indirect\n"
	w := loadFiles(t, files)
	top, _ := w.ModuleByPath("example.com/r/top")
	if !indirect(top.File, "go.yaml.in/yaml/v3") {
		t.Fatal("the planted requirement is not indirect")
	}
	if got := layering.CheckModFiles(w, "example.com/r"); len(got) != 0 {
		t.Errorf("complaints: %q", got)
	}
}

func TestModFiles_FindsUnlistedModules(t *testing.T) {
	files := twoModules()
	files["extra/go.mod"] = "module example.com/r/extra\n"
	files["apart/go.mod"] = "module example.com/r/apart\n"
	files["versions.yaml"] += "outside: [apart]\n"
	files["base/testdata/x/go.mod"] = "module example.com/x\n"
	got, err := layering.ModulesNotInGoWork(loadFiles(t, files))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"extra"}, got); diff != "" {
		t.Errorf("unlisted (-want +got):\n%s", diff)
	}
}

func indirect(file *modfile.File, modulePath string) bool {
	for _, r := range file.Require {
		if r.Mod.Path == modulePath {
			return r.Indirect
		}
	}
	return false
}

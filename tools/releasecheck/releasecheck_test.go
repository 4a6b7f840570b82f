package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestListing_ExportedNames(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"go.mod": "module example.com/m\n",
		"m.go": `package m

import (
	"context"

	"example.com/m/internal/i"
)

// Shown is of a package that no program can import.
type Shown = i.Hides

type Open struct {
	A, B int
	c    string
	*Base
	F func(ctx context.Context, n int) (ok bool, err error)
}

type Base struct{}
type hidden struct{ X int }
type Alias = Base
type List[T any] []T
type Sealed interface {
	Say(words ...string) string
	sealed()
}

const (
	First Kind = iota
	Second
	third
)
const Plain = 3

type Kind int

var Err error

func New[T any](a, b T, opts ...func(*Open)) (*Open, error) { return nil, nil }
func (o *Open) Do(ctx context.Context) error { return nil }
func (h hidden) Do()                         {}
func (o *Open) do()                          {}
`,
		"m_test.go":          "package m\n\nfunc TestOnly() {}\n",
		"windows_windows.go": "package m\n\nfunc Elsewhere() {}\n",
		"sub/sub.go":         "package sub\n\nfunc Here() {}\n",
		"other/named.go":     "package name\n\nfunc Here() {}\n",
		"internal/i/i.go":    "package i\n\ntype Hides struct {\n\tN int\n\tn int\n}\n\ntype Other struct{ N int }\n\nfunc (h *Hides) Do() {}\nfunc (h Hides) do() {}\nfunc Hidden() {}\n",
		"tool/main.go":       "package main\n\nfunc Exported() {}\nfunc main() {}\n",
		"testdata/x/x.go":    "package x\n\nfunc Data() {}\n",
		"nested/go.mod":      "module example.com/nested\n",
		"nested/n.go":        "package nested\n\nfunc Apart() {}\n",
	})
	got, err := listModuleAPI(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"m, const First Kind",
		"m, const Plain",
		"m, const Second Kind",
		"m, func New[T any](T, T, ...func(*Open)) (*Open, error)",
		"m, method (*Open) Do(context.Context) error",
		"m, method (*Shown) Do()",
		"m, type Alias = Base",
		"m, type Base struct",
		"m, type Kind int",
		"m, type List[T any] []T",
		"m, type Open struct",
		"m, type Open struct, A int",
		"m, type Open struct, B int",
		"m, type Open struct, F func(context.Context, int) (bool, error)",
		"m, type Open struct, embedded *Base",
		"m, type Sealed interface",
		"m, type Sealed interface, Say(...string) string",
		"m, type Sealed interface, unexported methods",
		"m, type Shown = i.Hides",
		"m, type Shown struct",
		"m, type Shown struct, N int",
		"m, var Err error",
		"other/name, func Here()",
		"sub, func Here()",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestJudge_Module(t *testing.T) {
	const told = "# Changelog\n\n## [Unreleased]\n\n- `engine`: more.\n\n## planner v0.2.0\n\n- `cmd`: no.\n"
	a, ab := []string{"a"}, []string{"a", "b"}
	cases := map[string]struct {
		m           releasedModule
		wrong, note string // a part of it; "" for none
	}{
		"no tag, more":                {releasedModule{dir: "engine", version: "v0.1.0", base: a, now: ab, changed: true}, "", "1 new lines"},
		"no tag, less":                {releasedModule{dir: "engine", version: "v0.1.0", base: ab, now: a, changed: true}, "gone: b", ""},
		"not in the changelog":        {releasedModule{dir: "cmd", version: "v0.1.0", base: a, now: a, changed: true}, "does not name it", ""},
		"in a section of its own":     {releasedModule{dir: "planner", version: "v0.2.0", tagged: "v0.1.0", base: a, now: a, changed: true}, "", ""},
		"unchanged needs no entry":    {releasedModule{dir: "cmd", version: "v0.1.0", tagged: "v0.1.0", base: a, now: a}, "", ""},
		"on the way to a release":     {releasedModule{dir: "engine", version: "v0.1.0", tagged: "v0.1.0", base: ab, now: a, changed: true}, "", "v0.2.0 or above"},
		"a patch that breaks":         {releasedModule{dir: "engine", version: "v0.1.1", tagged: "v0.1.0", base: ab, now: a, changed: true}, "v0.2.0 or above", ""},
		"a minor that breaks, v0":     {releasedModule{dir: "engine", version: "v0.2.0", tagged: "v0.1.0", base: ab, now: a, changed: true}, "", ""},
		"a minor that breaks, v1":     {releasedModule{dir: "engine", version: "v1.3.0", tagged: "v1.2.0", base: ab, now: a, changed: true}, "v2.0.0 or above", ""},
		"a patch that adds, v0":       {releasedModule{dir: "engine", version: "v0.1.1", tagged: "v0.1.0", base: a, now: ab, changed: true}, "", "1 new"},
		"a patch that adds, v1":       {releasedModule{dir: "engine", version: "v1.2.1", tagged: "v1.2.0", base: a, now: ab, changed: true}, "v1.3.0 or above", ""},
		"a version that goes back":    {releasedModule{dir: "engine", version: "v0.1.0", tagged: "v0.2.0", base: a, now: a, changed: true}, "older than the tag", ""},
		"a version beyond the others": {releasedModule{dir: "engine", version: "v2.0.0", tagged: "v1.2.0", base: ab, now: a, changed: true}, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := c.m.checkRelease(told)
			for what, pair := range map[string][2]string{"wrong": {strings.Join(v.wrong, "; "), c.wrong}, "note": {strings.Join(v.notes, "; "), c.note}} {
				got, want := pair[0], pair[1]
				if want == "" && what == "wrong" && got != "" || !strings.Contains(got, want) {
					t.Errorf("%s: %q, want %q", what, got, want)
				}
			}
		})
	}
}

func TestTag_LastOneCounts(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for _, v := range []string{"v0.9.0", "v0.10.0"} {
		write(t, root, map[string]string{"api/m.txt": "of " + v + "\n", "m/m.go": "package m // " + v + "\n"})
		git("add", ".")
		git("commit", "-q", "-m", v)
		git("tag", "m/"+v)
	}
	got := releasedModule{dir: "m"}
	if err := got.readLastRelease(t.Context(), root, "api/m.txt"); err != nil {
		t.Fatal(err)
	}
	if got.tagged != "v0.10.0" || !cmp.Equal(got.base, []string{"of v0.10.0"}) || got.changed {
		t.Errorf("%+v", got)
	}
	write(t, root, map[string]string{"m/m_test.go": "package m\n"})
	git("add", ".")
	if err := got.readLastRelease(t.Context(), root, "api/m.txt"); err != nil || got.changed {
		t.Errorf("a test is a change: %+v %v", got, err)
	}
	write(t, root, map[string]string{"m/m.go": "package m // more\n"})
	if err := got.readLastRelease(t.Context(), root, "api/m.txt"); err != nil || !got.changed {
		t.Errorf("no change is seen: %+v %v", got, err)
	}
}

package lookml

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// The parser of the npm package lookml-parser reads the same from the files that the tests of
// imports have. tools/lookml/run.sh installs it and names it in the variable.
func TestParse_AgreesWithTheNodeParser(t *testing.T) {
	peer := os.Getenv("SEMLAYER_LOOKML_PARSER")
	if peer == "" {
		t.Skip("SEMLAYER_LOOKML_PARSER is not set: make lookml-check sets it")
	}
	paths, err := filepath.Glob("../../../integration/imports/testdata/lookml/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	dir, compared := t.TempDir(), 0
	for _, path := range paths {
		archive, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range strings.Split(string(archive), "\n-- ")[1:] {
			name, text, _ := strings.Cut(section, " --\n")
			if !strings.HasPrefix(name, "input/") {
				continue
			}
			items, err := parseFile(importer.SourceFile{Name: name, Text: []byte(text)}, 0)
			if err != nil {
				t.Fatal(err)
			}
			var own []string
			for _, item := range items {
				for _, value := range item.flat("") {
					own = append(own, strings.ReplaceAll(value, ";", ";,")) // as the Node parser writes each semicolon of an SQL text
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "model.model.lkml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(sortedSet(peerFlat(t, peer, dir)), sortedSet(own)); diff != "" {
				t.Errorf("%s %s: - is the Node parser, + is this one\n%s", path, name, diff)
			}
			compared += len(own)
		}
	}
	if compared < 100 {
		t.Errorf("%d values are compared, too few to show anything", compared)
	}
}

// flat lists the values of a block with their paths.
func (b *block) flat(prefix string) []string {
	path := prefix + "." + b.key
	if b.name != "" {
		path += "." + b.name
	}
	var out []string
	switch {
	case b.braces:
		out = append(out, path)
		for _, item := range b.items {
			out = append(out, item.flat(path)...)
		}
	case b.isList:
		for _, e := range b.list {
			if e.key != "" {
				out = append(out, path, path+"."+e.key+" = "+e.node.Text)
			} else {
				out = append(out, path+" = "+e.node.Text)
			}
		}
	default:
		out = append(out, path+" = "+b.node.Text)
	}
	return out
}

// peerFlat lists what the Node parser reads from the one file of a folder.
func peerFlat(t *testing.T, peer, dir string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", peer, "--input=*.lkml")
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var read struct{ File map[string]any }
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var out []string
	for _, file := range read.File {
		out = append(out, flatValue("", file)...)
	}
	return out
}

func flatValue(path string, v any) []string {
	switch v := v.(type) {
	case map[string]any:
		var out []string
		if _, block := v["$type"]; block {
			out = append(out, path)
		}
		for key, value := range v {
			if !strings.HasPrefix(key, "$") {
				out = append(out, flatValue(path+"."+key, value)...)
			}
		}
		return out
	case []any:
		var out []string
		for _, item := range v {
			out = append(out, flatValue(path, item)...)
		}
		return out
	case bool:
		return []string{path + " = " + map[bool]string{true: "yes", false: "no"}[v]}
	}
	return []string{path + " = " + strings.TrimSpace(fmt.Sprint(v))}
}

func sortedSet(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

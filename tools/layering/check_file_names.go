package layering

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// The name of a file is a noun inside its package. A longer one is a sentence, and asks for a better noun or for a package.
const (
	maxFileNameWords      = 3
	maxFileNameCharacters = 24
)

// fileNameSuffixes are the ends of a name that say when the file is built.
var fileNameSuffixes = []string{"_internal_test", "_test", "_linux", "_unix", "_other"}

// CheckFileNames reports Go files whose names have too many words or characters, join two things by "and", or repeat the name of their
// folder.
func CheckFileNames(w *workspace.Workspace) ([]string, error) {
	var found []string
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			rel, err := filepath.Rel(w.Root, name)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			if fault := faultOfFileName(rel); fault != "" {
				found = append(found, rel+": "+fault)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	return found, nil
}

// faultOfFileName returns what is wrong with the name of a file; "" for nothing.
func faultOfFileName(rel string) string {
	noun := strings.TrimSuffix(path.Base(rel), ".go")
	for _, suffix := range fileNameSuffixes {
		noun = strings.TrimSuffix(noun, suffix)
	}
	words := strings.Split(noun, "_")
	folder := path.Base(path.Dir(rel))
	switch {
	case slices.Contains(words, "and"):
		return `the name joins two things by "and": name the one thing, or make it two files`
	case len(words) > maxFileNameWords:
		return fmt.Sprintf("the name has %d words, more than %d", len(words), maxFileNameWords)
	case len(noun) > maxFileNameCharacters:
		return fmt.Sprintf("the name has %d characters, more than %d", len(noun), maxFileNameCharacters)
	case len(words) > 1 && slices.Contains(words, folder):
		return "the name repeats " + folder + ", the name of its folder"
	}
	return ""
}

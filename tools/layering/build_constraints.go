package layering

import (
	"go/build"
	"path/filepath"

	"github.com/semlayer/semlayer/tools/workspace"
)

// CheckFilesLeftOutOfBuilds reports files that a build for Linux with cgo leaves out. A last word in the name that is a system
// or a processor, such as windows, does that without a message. leftOut maps a file to the reason why it is
// left out; a file that is not is reported too.
func CheckFilesLeftOutOfBuilds(w *workspace.Workspace, leftOut map[string]string) ([]string, error) {
	linux := build.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", true
	var found []string
	out := map[string]bool{}
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			rel, err := filepath.Rel(w.Root, name)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			built, err := linux.MatchFile(filepath.Split(name))
			if err != nil {
				return err
			}
			out[rel] = !built
			if !built && leftOut[rel] == "" {
				found = append(found, rel+": a build for Linux leaves this file out: by its name, or by a constraint")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for rel := range leftOut {
		if !out[rel] {
			found = append(found, rel+": is listed as left out of the build, and is not")
		}
	}
	return found, nil
}

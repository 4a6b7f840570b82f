package reload

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// maxDataFolders bounds the folders of data that are watched.
const maxDataFolders = 10_000

// DataPathsToWatch lists what to watch of the paths of data files: a file, a folder with the folders below
// it, and of a glob the folders of its matches and the one before its first pattern.
func DataPathsToWatch(paths []string) []string {
	var out []string
	for _, p := range paths {
		at := strings.IndexAny(p, "*?[")
		if at < 0 {
			out = append(out, foldersBelow(p)...)
			continue
		}
		out = append(out, filepath.Dir(p[:at]+"x"))
		matches, _ := filepath.Glob(p) // a pattern that does not parse was rejected at the start
		for _, m := range matches {
			out = append(out, filepath.Dir(m))
		}
	}
	return out[:min(len(out), maxDataFolders)]
}

func foldersBelow(path string) []string {
	out := []string{path}
	_ = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || len(out) >= maxDataFolders:
			return fs.SkipDir
		case e.IsDir() && p != path:
			out = append(out, p)
		}
		return nil
	})
	return out
}

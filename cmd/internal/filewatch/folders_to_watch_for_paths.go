package filewatch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxSymlinks bounds the links on the way to one file, as systems do.
const maxSymlinks = 40

// FoldersToWatch lists the folders in which a change can make these paths lead to something else: the folder that
// holds the file, the folder of every symbolic link on the way, and the path itself where it is a
// folder. For a path that does not exist, it is the nearest folder above that does.
func FoldersToWatch(paths []string) []string {
	found := map[string]bool{}
	for _, p := range paths {
		addFoldersAlongPath(found, p)
	}
	return slices.Sorted(maps.Keys(found))
}

func addFoldersAlongPath(found map[string]bool, path string) {
	path, err := filepath.Abs(path)
	if err != nil {
		return
	}
	volume := filepath.VolumeName(path)
	root := volume + string(filepath.Separator)
	folder, left := root, splitPathIntoComponents(path[len(volume):])
	for links := 0; len(left) > 0; {
		name := left[0]
		if left = left[1:]; name == ".." {
			folder = filepath.Dir(folder)
			continue
		}
		here := filepath.Join(folder, name)
		info, err := os.Lstat(here)
		switch {
		case err != nil:
			found[folder] = true
			return
		case info.Mode()&fs.ModeSymlink != 0:
			found[folder] = true
			target, err := os.Readlink(here)
			if links++; err != nil || links > maxSymlinks {
				return
			}
			if filepath.IsAbs(target) {
				folder = root
			}
			left = append(splitPathIntoComponents(target), left...)
		case len(left) == 0 && !info.IsDir():
			found[folder] = true
		case len(left) == 0:
			found[here] = true
			found[folder] = true // where the folder may be replaced
		case !info.IsDir():
			found[folder] = true
			return
		default:
			folder = here
		}
	}
}

// splitPathIntoComponents cuts a path into its names.
func splitPathIntoComponents(path string) []string {
	return slices.DeleteFunc(strings.Split(filepath.ToSlash(path), "/"), func(name string) bool { return name == "" || name == "." })
}

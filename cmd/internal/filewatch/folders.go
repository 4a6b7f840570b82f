package filewatch

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxSymlinks bounds the links on the way to one file, as systems do.
const maxSymlinks = 40

// WatchedNames are the names in one folder whose changes matter.
type WatchedNames struct {
	Names []string // sorted
	Any   bool     // every name may matter: the folder itself is watched
}

// FoldersToWatch returns the folders in which a change can make these paths lead to something else, with the names that
// matter there: the folder that holds the file, the folder of every symbolic link on the way, and the path itself where it
// is a folder. For a path that does not exist, it is the nearest folder above that does.
func FoldersToWatch(paths []string) map[string]WatchedNames {
	found := watchedFolders{}
	for _, p := range paths {
		found.addAlongPath(p)
	}
	return found
}

// watchedFolders holds the names to watch by folder.
type watchedFolders map[string]WatchedNames

func (found watchedFolders) addName(folder, name string) {
	w := found[folder]
	if at, known := slices.BinarySearch(w.Names, name); !known {
		w.Names = slices.Insert(w.Names, at, name)
	}
	found[folder] = w
}

func (found watchedFolders) addAlongPath(path string) {
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
			found.addName(folder, name)
			return
		case info.Mode()&fs.ModeSymlink != 0:
			found.addName(folder, name)
			target, err := os.Readlink(here)
			if links++; err != nil || links > maxSymlinks {
				return
			}
			if filepath.IsAbs(target) {
				folder = root
			}
			left = append(splitPathIntoComponents(target), left...)
		case len(left) == 0 && !info.IsDir():
			found.addName(folder, name)
		case len(left) == 0:
			inside := found[here]
			inside.Any = true
			found[here] = inside
			found.addName(folder, name) // where the folder may be replaced
		case !info.IsDir():
			found.addName(folder, name)
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

package datafiles

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxVisitedEntries bounds the files and folders that Find looks at.
const maxVisitedEntries = 1_000_000

// fileWalk collects a Set.
type fileWalk struct {
	ctx     context.Context
	set     *FileSet
	entries int
	inTable map[string]bool // canonical paths of the table that is being collected
}

// folderEntry is a file or folder with its link resolved.
type folderEntry struct {
	name      string // as the folder lists it
	shown     string // as the user wrote the beginning
	canonical string
	info      fs.FileInfo
}

// addFolderTables adds the tables of a folder.
func (w *fileWalk) addFolderTables(path string) error {
	canonical, err := resolveCanonicalPath(path)
	if err != nil {
		return unreadablePathError(path, err)
	}
	before := *w.set
	list, err := w.listFolder(canonical, canonical, path)
	if err != nil {
		return err
	}
	tables, partitioned := []Table{}, true
	for _, e := range list {
		if e.info.IsDir() {
			t := Table{Path: e.shown, Name: IdentifierFromText(e.name)}
			w.inTable = map[string]bool{}
			if err := w.addFolderFiles(&t, e, e.name, []string{canonical, e.canonical}, canonical, nil); err != nil {
				return err
			}
			if len(t.Files) > 0 {
				partitioned = partitioned && isPartitionFolder(e.name)
				tables = append(tables, t)
			}
			continue
		}
		k, name, ok := formatOfFileName(e.name)
		if !ok {
			w.set.Skipped++
			continue
		}
		partitioned = false
		tables = append(tables, Table{Name: IdentifierFromText(name), Format: k.format, Path: e.shown, Files: []File{newFile(e.canonical, e.name, k, e.info)}})
	}
	if partitioned && len(tables) > 0 {
		w.set.Skipped, w.set.Warnings = before.Skipped, before.Warnings
		return w.addPartitionedTable(path, canonical)
	}
	for _, t := range tables {
		if err := w.addTable(t); err != nil {
			return err
		}
	}
	return nil
}

// addPartitionedTable adds a folder of which all folders with data are named key=value: it is itself
// one table.
func (w *fileWalk) addPartitionedTable(path, canonical string) error {
	t := Table{Path: path, Name: IdentifierFromText(filepath.Base(canonical))}
	w.inTable = map[string]bool{}
	e := folderEntry{shown: path, canonical: canonical}
	if err := w.addFolderFiles(&t, e, "", []string{canonical}, canonical, nil); err != nil {
		return err
	}
	return w.addTable(t)
}

// addFolderFiles adds the data files of a folder at any depth to a table. name is the path below the
// root; above are the canonical folders on the way, against cycles of links.
func (w *fileWalk) addFolderFiles(t *Table, of folderEntry, name string, above []string, root string, keys []PartitionKey) error {
	list, err := w.listFolder(of.canonical, root, of.shown)
	if err != nil {
		return err
	}
	for _, e := range list {
		below := filepath.Join(name, e.name)
		if e.info.IsDir() {
			if slices.Contains(above, e.canonical) {
				w.addUnfollowedLinkWarning(e.shown, "points to a folder that contains it")
				continue
			}
			if err := w.addFolderFiles(t, e, below, append(above[:len(above):len(above)], e.canonical), root, appendPartitionKey(keys, e.name)); err != nil {
				return err
			}
			continue
		}
		k, _, ok := formatOfFileName(e.name)
		if !ok {
			w.set.Skipped++
			continue
		}
		f := newFile(e.canonical, below, k, e.info)
		f.Keys = keys
		if err := w.addFileToTable(t, f, k.format, e.shown); err != nil {
			return err
		}
	}
	return nil
}

// addFileToTable adds a file to the table of a folder. Its rows count once, also where a link leads
// to it.
func (w *fileWalk) addFileToTable(t *Table, f File, format Format, shown string) error {
	if w.inTable[f.Path] {
		w.addUnfollowedLinkWarning(shown, "points to a file that the table already has")
		return nil
	}
	w.inTable[f.Path] = true
	if len(t.Files) == 0 {
		t.Format = format
	}
	if format != t.Format {
		return invalidFilesError("the folder "+quotePathForMessage(t.Path)+" holds two formats: "+quotePathForMessage(t.Files[0].Name)+" is "+t.Format.String()+
			", "+quotePathForMessage(f.Name)+" is "+format.String(), "put the files of each format into a separate folder")
	}
	if w.set.Files+len(t.Files) >= MaxFiles {
		return tooManyFilesError(shown)
	}
	t.Files = append(t.Files, f)
	return nil
}

// listFolder returns the visible entries of a folder in the order of their names, links resolved.
func (w *fileWalk) listFolder(canonical, root, shown string) ([]folderEntry, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	read, err := os.ReadDir(canonical)
	if err != nil {
		return nil, unreadablePathError(shown, err)
	}
	if w.entries += len(read); w.entries > maxVisitedEntries {
		return nil, invalidFilesError("there are more than "+strconv.Itoa(maxVisitedEntries)+" files and folders below "+quotePathForMessage(shown), "")
	}
	var list []folderEntry
	for _, d := range read {
		e := folderEntry{name: d.Name(), shown: filepath.Join(shown, d.Name()), canonical: filepath.Join(canonical, d.Name())}
		switch {
		case strings.HasPrefix(e.name, "."):
			if !d.IsDir() {
				w.set.Skipped++
			}
			continue
		case d.Type()&fs.ModeSymlink != 0:
			if !w.resolveLink(&e, root) {
				continue
			}
		default:
			if e.info, err = d.Info(); err != nil {
				continue // it has gone
			}
		}
		if !e.info.IsDir() && !e.info.Mode().IsRegular() {
			w.set.Skipped++ // a device, a socket or a pipe
			continue
		}
		list = append(list, e)
	}
	return list, nil
}

// resolveLink resolves a symbolic link. It reports whether the target exists and lies inside root.
func (w *fileWalk) resolveLink(e *folderEntry, root string) bool {
	target, err := filepath.EvalSymlinks(e.canonical)
	if err == nil {
		e.info, err = os.Stat(target)
	}
	switch {
	case err != nil:
		w.addUnfollowedLinkWarning(e.shown, "points to a file that cannot be read")
	case !isInsideFolder(target, root):
		w.addUnfollowedLinkWarning(e.shown, "points outside of the folder")
	default:
		e.canonical = target
		return true
	}
	return false
}

func isInsideFolder(path, root string) bool {
	below, err := filepath.Rel(root, path)
	return err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}

func (w *fileWalk) addUnfollowedLinkWarning(link, why string) {
	w.set.Warnings = append(w.set.Warnings, "the symbolic link "+quotePathForMessage(link)+" is not followed: it "+why)
}

// maxShownPathLength is the longest path that a message repeats whole.
const maxShownPathLength = 200

// quotePathForMessage shows a path in a message: as it is where it is made of ordinary characters, else in
// quotes, and its end alone where it is long.
func quotePathForMessage(path string) string {
	if r := []rune(path); len(r) > maxShownPathLength {
		path = "…" + string(r[len(r)-maxShownPathLength:])
	}
	ordinary := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/\\._-=+:,@%~…", r)
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !ordinary(r) }) < 0 {
		return path
	}
	return strconv.Quote(path)
}

func formatPathsForMessage(paths []string) string {
	shown := make([]string, len(paths))
	for i, p := range paths {
		shown[i] = quotePathForMessage(p)
	}
	return strings.Join(shown, ", ")
}

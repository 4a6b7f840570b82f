package datafiles

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxEntries bounds the files and folders that Find looks at.
const maxEntries = 1_000_000

// walk collects a Set.
type walk struct {
	ctx     context.Context
	set     *Set
	entries int
	inTable map[string]bool // canonical paths of the table that is being collected
}

// entry is a file or folder with its link resolved.
type entry struct {
	name      string // as the folder lists it
	shown     string // as the user wrote the beginning
	canonical string
	info      fs.FileInfo
}

// root adds the tables of a folder.
func (w *walk) root(path string) error {
	canonical, err := canonicalPath(path)
	if err != nil {
		return unreadable(path, err)
	}
	before := *w.set
	list, err := w.list(canonical, canonical, path)
	if err != nil {
		return err
	}
	tables, partitioned := []Table{}, true
	for _, e := range list {
		if e.info.IsDir() {
			t := Table{Path: e.shown, Name: Ident(e.name)}
			w.inTable = map[string]bool{}
			if err := w.folder(&t, e, e.name, []string{canonical, e.canonical}, canonical, nil); err != nil {
				return err
			}
			if len(t.Files) > 0 {
				partitioned = partitioned && isKey(e.name)
				tables = append(tables, t)
			}
			continue
		}
		k, name, ok := kindOf(e.name)
		if !ok {
			w.set.Skipped++
			continue
		}
		partitioned = false
		tables = append(tables, Table{Name: Ident(name), Format: k.format, Path: e.shown, Files: []File{fileOf(e.canonical, e.name, k, e.info)}})
	}
	if partitioned && len(tables) > 0 {
		w.set.Skipped, w.set.Warnings = before.Skipped, before.Warnings
		return w.partitions(path, canonical)
	}
	for _, t := range tables {
		if err := w.add(t); err != nil {
			return err
		}
	}
	return nil
}

// partitions adds a folder of which all folders with data are named key=value: it is itself
// one table.
func (w *walk) partitions(path, canonical string) error {
	t := Table{Path: path, Name: Ident(filepath.Base(canonical))}
	w.inTable = map[string]bool{}
	e := entry{shown: path, canonical: canonical}
	if err := w.folder(&t, e, "", []string{canonical}, canonical, nil); err != nil {
		return err
	}
	return w.add(t)
}

// folder adds the data files of a folder at any depth to a table. name is the path below the
// root; above are the canonical folders on the way, against cycles of links.
func (w *walk) folder(t *Table, of entry, name string, above []string, root string, keys []PartitionKey) error {
	list, err := w.list(of.canonical, root, of.shown)
	if err != nil {
		return err
	}
	for _, e := range list {
		below := filepath.Join(name, e.name)
		if e.info.IsDir() {
			if slices.Contains(above, e.canonical) {
				w.warn(e.shown, "leads to a folder that contains it")
				continue
			}
			if err := w.folder(t, e, below, append(above[:len(above):len(above)], e.canonical), root, withKey(keys, e.name)); err != nil {
				return err
			}
			continue
		}
		k, _, ok := kindOf(e.name)
		if !ok {
			w.set.Skipped++
			continue
		}
		f := fileOf(e.canonical, below, k, e.info)
		f.Keys = keys
		if err := w.addFile(t, f, k.format, e.shown); err != nil {
			return err
		}
	}
	return nil
}

// addFile adds a file to the table of a folder. Its rows count once, also where a link leads
// to it.
func (w *walk) addFile(t *Table, f File, format Format, shown string) error {
	if w.inTable[f.Path] {
		w.warn(shown, "leads to a file that the table has already")
		return nil
	}
	w.inTable[f.Path] = true
	if len(t.Files) == 0 {
		t.Format = format
	}
	if format != t.Format {
		return invalid("the folder "+quote(t.Path)+" holds two formats: "+quote(t.Files[0].Name)+" is "+t.Format.String()+
			", "+quote(f.Name)+" is "+format.String(), "put the files of each format into a separate folder")
	}
	if w.set.Files+len(t.Files) >= MaxFiles {
		return tooMany(shown)
	}
	t.Files = append(t.Files, f)
	return nil
}

// list returns the visible entries of a folder in the order of their names, links resolved.
func (w *walk) list(canonical, root, shown string) ([]entry, error) {
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	read, err := os.ReadDir(canonical)
	if err != nil {
		return nil, unreadable(shown, err)
	}
	if w.entries += len(read); w.entries > maxEntries {
		return nil, invalid("there are more than "+strconv.Itoa(maxEntries)+" files and folders below "+quote(shown), "")
	}
	var list []entry
	for _, d := range read {
		e := entry{name: d.Name(), shown: filepath.Join(shown, d.Name()), canonical: filepath.Join(canonical, d.Name())}
		switch {
		case strings.HasPrefix(e.name, "."):
			if !d.IsDir() {
				w.set.Skipped++
			}
			continue
		case d.Type()&fs.ModeSymlink != 0:
			if !w.follow(&e, root) {
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

// follow resolves a symbolic link. It reports whether the target exists and lies inside root.
func (w *walk) follow(e *entry, root string) bool {
	target, err := filepath.EvalSymlinks(e.canonical)
	if err == nil {
		e.info, err = os.Stat(target)
	}
	switch {
	case err != nil:
		w.warn(e.shown, "leads to nothing that can be read")
	case !isInside(target, root):
		w.warn(e.shown, "leads out of the folder")
	default:
		e.canonical = target
		return true
	}
	return false
}

func isInside(path, root string) bool {
	below, err := filepath.Rel(root, path)
	return err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator))
}

func (w *walk) warn(link, why string) {
	w.set.Warnings = append(w.set.Warnings, "the symbolic link "+quote(link)+" is not followed: it "+why)
}

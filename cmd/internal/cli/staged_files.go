package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// stagedFile is a file that init writes. make writes it to a path in a temporary directory.
type stagedFile struct {
	path string
	make func(path string) error
}

// newStagedFile returns a file with the given content.
func newStagedFile(path string, content []byte) stagedFile {
	return stagedFile{path, func(staged string) error { return os.WriteFile(staged, content, 0o600) }}
}

// writeStagedFiles makes files in a temporary directory within dir, and moves them to their paths in dir when all are
// complete. An error leaves no new file, and no directory that did not exist. Only the owner may read the files.
func writeStagedFiles(dir string, overwrite bool, files []stagedFile) (err error) {
	_, missing := os.Lstat(dir)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	var moved []string
	defer func() {
		if err == nil {
			return
		}
		err = explainFullDisk(err, dir)
		if !overwrite {
			for _, path := range moved {
				_ = os.Remove(path)
			}
		}
		if missing != nil {
			_ = os.Remove(dir)
		}
	}()
	staging, err := os.MkdirTemp(dir, ".semlayer-init-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(staging) }()
	staged := make([]string, len(files))
	for i, f := range files {
		staged[i] = filepath.Join(staging, filepath.Base(f.path))
		if err := errors.Join(errorIfFileExists(f.path, overwrite), f.make(staged[i])); err != nil {
			return err
		}
		if err := os.Chmod(staged[i], 0o600); err != nil {
			return err
		}
	}
	for i, f := range files {
		if err := errorIfFileExists(f.path, overwrite); err != nil {
			return err
		}
		if err := os.Rename(staged[i], f.path); err != nil {
			return err
		}
		moved = append(moved, f.path)
	}
	return nil
}

// errorIfFileExists returns an error for a file that exists and must not be overwritten.
func errorIfFileExists(path string, overwrite bool) error {
	if info, err := os.Lstat(path); err == nil {
		switch {
		case info.IsDir():
			return fmt.Errorf("%s is a directory; nothing was written", path)
		case !overwrite:
			return fmt.Errorf("%s exists already; nothing was written", path)
		}
	}
	return nil
}

// explainFullDisk replaces the error of a write to a temporary file on a full disk by one that names the directory.
func explainFullDisk(err error, dir string) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("no space left on %s; nothing was written", dir)
	}
	return err
}

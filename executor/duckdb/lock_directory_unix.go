//go:build unix

package duckdb

import (
	"os"
	"syscall"
)

// tryFlockDirectory locks a directory until the file is closed. It returns nil where that fails:
// another process holds the lock, or this process may not open the directory.
func tryFlockDirectory(path string) *os.File {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	if err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = dir.Close()
		return nil
	}
	return dir
}

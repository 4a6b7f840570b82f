//go:build unix

package duckdb

import (
	"os"
	"syscall"
)

// lockDirectory locks a directory until the file is closed, or returns nil where that
// cannot be done: somebody else has it, or it is not ours to open.
func lockDirectory(path string) *os.File {
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

//go:build !linux

package duckdb

// isOnLocalFileSystem returns false on other systems, where it cannot check.
func isOnLocalFileSystem(string) bool { return false }

//go:build !unix

package duckdb

import "os"

// lockDirectory locks nothing where directories have no locks; nothing is taken for
// left behind there.
func lockDirectory(string) *os.File { return nil }

//go:build !unix

package duckdb

import "os"

// tryFlockDirectory locks nothing where directories have no locks; nothing is taken for
// left behind there.
func tryFlockDirectory(string) *os.File { return nil }

package generate

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// ModelNameOfPath returns the name of a model of the tables at a path: after the folder or the
// file, and for a glob after the folder that holds its files.
func ModelNameOfPath(path string) string {
	info, err := os.Stat(path)
	if err != nil && strings.ContainsAny(path, "*?[") {
		path = filepath.Dir(path)
	}
	if absolute, absErr := filepath.Abs(path); absErr == nil {
		path = absolute
	}
	base := filepath.Base(path)
	if err == nil && !info.IsDir() {
		base, _, _ = strings.Cut(base, ".")
	}
	return datafiles.IdentifierFromText(base)
}

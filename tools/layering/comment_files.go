package layering

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"

	"github.com/semlayer/semlayer/tools/workspace"
)

// goFileInCommentPattern matches the name of a Go file without a folder.
var goFileInCommentPattern = regexp.MustCompile(`(^|[^\w/.*-])([a-z][a-z0-9_]*\.go)\b`)

// CheckFilesNamedInComments reports comments that name a file of their folder which is not there.
func CheckFilesNamedInComments(w *workspace.Workspace) ([]string, error) {
	var found []string
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			missing, err := missingFilesNamedInComments(name)
			for _, text := range missing {
				rel, err := filepath.Rel(w.Root, name)
				if err != nil {
					return err
				}
				found = append(found, fmt.Sprintf("%s: a comment names %s, which is not in the folder", filepath.ToSlash(rel), text))
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func missingFilesNamedInComments(name string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	var missing []string
	for _, group := range file.Comments {
		for _, match := range goFileInCommentPattern.FindAllStringSubmatch(group.Text(), -1) {
			_, err := os.Stat(filepath.Join(filepath.Dir(name), match[2]))
			switch {
			case os.IsNotExist(err):
				missing = append(missing, match[2])
			case err != nil:
				return nil, err
			}
		}
	}
	return missing, nil
}

package layering

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// MaxFileLines is the length from which a hand-written file asks to be two.
const MaxFileLines = 800

var unfinishedCommentPattern = regexp.MustCompile(`\b(TODO|FIXME)\b`)

// CheckFileLengthsAndTodos reports hand-written files that are longer than MaxFileLines and
// comments that announce unfinished work. Tests may be long, because a table of
// cases is read row by row; generated files cannot be shortened. mayBeLong
// maps a file to the reason why it is allowed to be long.
func CheckFileLengthsAndTodos(w *workspace.Workspace, mayBeLong map[string]string) ([]string, error) {
	var found []string
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			complaints, err := checkFileLengthAndTodos(w.Root, name, mayBeLong)
			found = append(found, complaints...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func checkFileLengthAndTodos(root, name string, mayBeLong map[string]string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return nil, err
	}
	rel = filepath.ToSlash(rel)
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}

	var found []string
	for _, group := range file.Comments {
		for _, c := range group.List {
			if word := unfinishedCommentPattern.FindString(c.Text); word != "" {
				found = append(found, fmt.Sprintf("%s:%d: %s: finish it or open an issue", rel, files.Position(c.Pos()).Line, word))
			}
		}
	}
	lines := bytes.Count(text, []byte("\n"))
	if lines > MaxFileLines && !strings.HasSuffix(rel, "_test.go") && mayBeLong[rel] == "" {
		found = append(found, fmt.Sprintf("%s: %d lines, more than %d: split it", rel, lines, MaxFileLines))
	}
	return found, nil
}

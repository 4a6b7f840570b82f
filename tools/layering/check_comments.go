package layering

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// exportedNameInCommentPattern matches an exported name behind the name of a package: plan.Node.
var exportedNameInCommentPattern = regexp.MustCompile(`(^|[^\w./])([a-z]\w*)\.([A-Z]\w*)`)

// qualifiedName is a name with the package that a comment gives for it.
type qualifiedName struct{ pkg, name string }

// CheckExportedNamesInComments reports comments that name something of a package of the workspace that no package of this
// name has. Names of other packages are not checked.
func CheckExportedNamesInComments(w *workspace.Workspace) ([]string, error) {
	declared := map[string]map[string]bool{} // the words of the code by the names of packages
	named := map[string][]qualifiedName{}    // by file
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if declared[file.Name.Name] == nil {
				declared[file.Name.Name] = map[string]bool{}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.IsExported() {
					declared[file.Name.Name][id.Name] = true
				}
				return true
			})
			for _, group := range file.Comments {
				for _, match := range exportedNameInCommentPattern.FindAllStringSubmatch(group.Text(), -1) {
					if !importsOtherPackage(w, file, match[2]) {
						named[name] = append(named[name], qualifiedName{match[2], match[3]})
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var found []string
	for _, file := range slices.Sorted(maps.Keys(named)) {
		for _, n := range named[file] {
			if declared[n.pkg] == nil || declared[n.pkg][n.name] {
				continue
			}
			rel, err := filepath.Rel(w.Root, file)
			if err != nil {
				return nil, err
			}
			found = append(found, fmt.Sprintf("%s: a comment names %s.%s, which package %s does not have", filepath.ToSlash(rel), n.pkg, n.name, n.pkg))
		}
	}
	return found, nil
}

// importsOtherPackage reports whether a file imports a package of this name that is not of the workspace, such as go/types.
func importsOtherPackage(w *workspace.Workspace, file *ast.File, pkg string) bool {
	return slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
		importPath := strings.Trim(spec.Path.Value, `"`)
		return path.Base(importPath) == pkg && !slices.ContainsFunc(w.Modules, func(m workspace.Module) bool {
			return importPath == m.Path || strings.HasPrefix(importPath, m.Path+"/")
		})
	})
}

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

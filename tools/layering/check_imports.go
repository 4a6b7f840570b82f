package layering

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// ImportViolation is one import that a rule rejects.
type ImportViolation struct {
	File   string // slash-separated, relative to the workspace root
	Line   int
	Import string
	Reason string
}

func (v ImportViolation) String() string {
	return fmt.Sprintf("%s:%d: imports %s: %s", v.File, v.Line, v.Import, v.Reason)
}

// CheckImports parses the imports of every Go file of the workspace, with any
// build tags, and returns the violations of the rules, in order of file and line.
// prefix is the import path that all modules of the workspace share.
func CheckImports(w *workspace.Workspace, prefix string, rules []ModuleRule) ([]ImportViolation, error) {
	var found []ImportViolation
	for _, m := range w.Modules {
		i := slices.IndexFunc(rules, func(r ModuleRule) bool { return r.Module == m.Dir })
		if i < 0 {
			return nil, fmt.Errorf("module %s has no layering rule", m.Dir)
		}
		c := importChecker{work: w, prefix: prefix, module: m, rule: rules[i]}
		violations, err := c.checkImportsOfModule()
		if err != nil {
			return nil, err
		}
		found = append(found, violations...)
	}
	return found, nil
}

type importChecker struct {
	work   *workspace.Workspace
	prefix string
	module workspace.Module
	rule   ModuleRule
}

// checkImportsOfModule checks the imports of all Go files of the module.
func (c importChecker) checkImportsOfModule() ([]ImportViolation, error) {
	var found []ImportViolation
	err := WalkGoFiles(c.work.AbsModuleDir(c.module), func(name string) error {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(c.work.Root, name)
		if err != nil {
			return err
		}
		found = append(found, c.checkImportsOfFile(files, filepath.ToSlash(rel), file)...)
		return nil
	})
	slices.SortFunc(found, func(a, b ImportViolation) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return found, err
}

func (c importChecker) checkImportsOfFile(files *token.FileSet, rel string, file *ast.File) []ImportViolation {
	var found []ImportViolation
	isTest := strings.HasSuffix(rel, "_test.go")
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has already rejected such a file
		}
		if why := c.reasonAgainstImport(path.Dir(rel), imported, isTest); why != "" {
			found = append(found, ImportViolation{rel, files.Position(spec.Pos()).Line, imported, why})
		}
	}
	return found
}

// reasonAgainstImport returns the reason against an import, or "".
func (c importChecker) reasonAgainstImport(pkg, imported string, isTest bool) string {
	if owner, ours := c.work.ModuleOfImport(imported); ours {
		if owner.Path == c.module.Path {
			return c.reasonAgainstSameModule(pkg, imported, isTest)
		}
		return c.reasonAgainstWorkspaceModule(imported, owner, isTest)
	}
	first, _, _ := strings.Cut(imported, "/")
	if strings.Contains(first, ".") {
		return c.reasonAgainstThirdParty(imported, isTest)
	}
	if isTest {
		return ""
	}
	return findForbiddenReason(c.rule.StdNever, imported, matchesPackagePattern)
}

func (c importChecker) reasonAgainstWorkspaceModule(imported string, owner workspace.Module, isTest bool) string {
	released := !slices.Contains(c.work.Versions.Unreleased, c.module.Dir)
	if released && slices.Contains(c.work.Versions.Unreleased, owner.Dir) {
		return reasonNotReleased
	}
	rel := strings.TrimPrefix(imported, c.prefix+"/")
	allowed := slices.Clone(c.rule.Ours)
	if isTest {
		allowed = append(allowed, c.rule.OursTests...)
	}
	if slices.ContainsFunc(allowed, func(p string) bool { return matchesPackagePattern(p, rel) }) {
		return ""
	}
	return cmp.Or(findForbiddenReason(c.rule.OursNever, rel, matchesPackagePattern), c.rule.OursWhy, reasonNotListed)
}

// reasonAgainstSameModule returns the reason against an import of another package of the same
// module, or "".
func (c importChecker) reasonAgainstSameModule(pkg, imported string, isTest bool) string {
	if isTest || len(c.rule.Packages) == 0 {
		return ""
	}
	i := slices.IndexFunc(c.rule.Packages, func(r PackageRule) bool { return r.Package == pkg })
	if i < 0 {
		return "the package has no rule: say in the rules of its module what it may import"
	}
	rel := strings.TrimPrefix(imported, c.prefix+"/")
	if slices.ContainsFunc(c.rule.Packages[i].May, func(p string) bool { return matchesPackagePattern(p, rel) }) {
		return ""
	}
	return c.rule.Packages[i].Why
}

func (c importChecker) reasonAgainstThirdParty(imported string, isTest bool) string {
	if why := findForbiddenReason(c.rule.ThirdPartyNever, imported, hasPathPrefix); why != "" {
		return why
	}
	allowed := slices.Clone(c.rule.ThirdParty)
	if isTest {
		allowed = append(allowed, c.rule.ThirdPartyTests...)
	}
	if slices.ContainsFunc(allowed, func(p string) bool { return p == "*" || hasPathPrefix(p, imported) }) {
		return ""
	}
	return cmp.Or(c.rule.ThirdPartyWhy, reasonNotListed)
}

func findForbiddenReason(forbidden []ForbiddenImport, imported string, match func(pattern, name string) bool) string {
	for _, r := range forbidden {
		if match(r.Pattern, imported) {
			return r.Why
		}
	}
	return ""
}

// matchesPackagePattern compares a package with a pattern that is exact unless it ends in "/...".
func matchesPackagePattern(pattern, name string) bool {
	if pattern == "..." {
		return true
	}
	if root, ok := strings.CutSuffix(pattern, "/..."); ok {
		return hasPathPrefix(root, name)
	}
	return pattern == name
}

// hasPathPrefix reports whether name is root or lies under it.
func hasPathPrefix(root, name string) bool {
	return name == root || strings.HasPrefix(name, root+"/")
}

// WalkGoFiles calls visit with every Go file of the module in dir. Like the go
// command, it passes over testdata, over names that begin with a dot or an
// underscore, and over modules inside the module.
func WalkGoFiles(dir string, visit func(name string) error) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		ignored := strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
		if !d.IsDir() {
			if ignored || path.Ext(base) != ".go" {
				return nil
			}
			return visit(name)
		}
		if name == dir {
			return nil
		}
		if ignored || base == "testdata" {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
			return filepath.SkipDir
		}
		return nil
	})
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// proseOfGoFile returns the comments of a Go file and, outside of tests, its string literals.
func proseOfGoFile(file string, content []byte) ([]ProseText, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []ProseText
	for _, c := range parsed.Comments {
		out = append(out, ProseText{GroupComments, file, set.Position(c.Pos()).Line, commentProse(c)})
	}
	if strings.HasSuffix(file, "_test.go") {
		return out, nil
	}
	s := stringCollector{set: set, file: file, group: GroupMessages}
	ast.Walk(s.visitorAppendingTo(&out), parsed)
	return out, nil
}

// commentProse returns a comment without its marks. Lines with deeper indentation are code.
func commentProse(c *ast.CommentGroup) string {
	var lines []string
	for _, part := range c.List {
		for _, line := range strings.Split(part.Text, "\n") {
			line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(line, "*/"), "/*"), "//")
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "go:") {
				line = ""
			}
			lines = append(lines, blankOutCode(line))
		}
	}
	return strings.Join(lines, "\n")
}

// stringCollector collects string literals; those of commands and of flags belong to CLI.
type stringCollector struct {
	set   *token.FileSet
	file  string
	group ProseTextKind
	out   *[]ProseText
}

func (s stringCollector) visitorAppendingTo(out *[]ProseText) ast.Visitor {
	s.out = out
	return s
}

// Visit collects the strings of one node.
func (s stringCollector) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.CompositeLit:
		if strings.HasSuffix(selectorText(n.Type), "cobra.Command") {
			s.group = GroupCLI
		}
	case *ast.CallExpr:
		if isFlagDefinitionCall(n) {
			s.group = GroupCLI
		}
	case *ast.BinaryExpr:
		if text, ok := joinStringLiterals(n); ok {
			s.addStringLiteral(n, text)
			return nil
		}
	case *ast.BasicLit:
		if text, ok := joinStringLiterals(n); ok {
			s.addStringLiteral(n, text)
		}
	}
	return s
}

func (s stringCollector) addStringLiteral(n ast.Expr, text string) {
	if strings.Contains(text, " ") {
		*s.out = append(*s.out, ProseText{s.group, s.file, s.set.Position(n.Pos()).Line, blankOutCode(text)})
	}
}

// joinStringLiterals joins string literals and +; other operands count as a word.
func joinStringLiterals(n ast.Expr) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(n.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, okLeft := joinStringLiterals(n.X)
		right, okRight := joinStringLiterals(n.Y)
		if n.Op != token.ADD || !okLeft && !okRight {
			return "", false
		}
		if !okLeft {
			left = "·"
		}
		if !okRight {
			right = "·"
		}
		return left + right, true
	}
	return "", false
}

// isFlagDefinitionCall reports a call such as flags.StringVar(&v, "name", "", "usage").
func isFlagDefinitionCall(n *ast.CallExpr) bool {
	f, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || len(n.Args) < 3 {
		return false
	}
	for _, kind := range []string{"String", "Bool", "Int", "Int64", "Uint", "Duration", "StringSlice", "StringArray"} {
		for _, end := range []string{"", "P", "Var", "VarP"} {
			if f.Sel.Name == kind+end {
				return true
			}
		}
	}
	return false
}

func selectorText(n ast.Expr) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return selectorText(n.X) + "." + n.Sel.Name
	case *ast.Ident:
		return n.Name
	}
	return ""
}

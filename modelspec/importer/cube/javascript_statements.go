package cube

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// readJavaScript reads the cubes and views of a JavaScript file: the statements that call cube or view with a name and an object.
// Nothing is run: a part that is not a literal is a program, which is a dropped entry with its line.
func (p *projectImport) readJavaScript(s importer.SourceFile, order int) {
	r, statements, err := parseJavaScript(s.Name, order, s.Text)
	if err != nil {
		p.report.AddUnreadableFile(s, order, err)
		return
	}
	outside := 0 // the line of the first statement that is not a cube or a view
	for _, statement := range statements {
		call, name, body := r.cubeCall(statement)
		switch {
		case call != "":
			r.readCubeObject(p, call, name, body)
		case outside == 0 && !isEmptyStatement(statement):
			outside = r.lineOfStatement(statement)
		}
		r.passStatement(statement)
	}
	if outside > 0 {
		p.report.AddDropped(r.newNode(outside), "file", filepath.Base(s.Name),
			fmt.Sprintf("line %d: a program is not read: the cubes, views and values that it makes are missing", outside))
	}
}

// javaScriptReader makes nodes of the literals of a JavaScript text.
type javaScriptReader struct {
	file  string
	order int
	text  []byte
	// lines are the offsets at which lines begin.
	lines []int
	// declared are the names that the text itself declares or imports: their values are known to a program alone.
	declared map[string]bool
	// end is the offset behind the last part of the statements that have been read.
	end int
	// fixedLine is the line of each node where the text is a value of another file; 0 where it is a file.
	fixedLine int
}

// parseJavaScript parses a text as an ES module. Errors are *importer.Error with their line.
func parseJavaScript(file string, order int, text []byte) (*javaScriptReader, []js.IStmt, error) {
	// The parser puts a NUL behind the text, and its parts are slices of this buffer.
	buffer := make([]byte, len(text)+1)
	copy(buffer, text)
	r := &javaScriptReader{file: file, order: order, text: buffer, lines: []int{0}, declared: map[string]bool{}}
	for i, c := range text {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	if i := slices.Index(text, 0); i >= 0 {
		return nil, nil, &importer.Error{File: file, Line: r.lineAt(i), Message: "the file is not JavaScript: it has a NUL character"}
	}
	ast, err := js.Parse(parse.NewInputBytes(buffer[:len(text)]), js.Options{})
	if err != nil {
		failed := &importer.Error{File: file, Message: "the file is not JavaScript: " + err.Error()}
		if mistake := (*parse.Error)(nil); errors.As(err, &mistake) {
			failed.Line, failed.Message = mistake.Line, "the file is not JavaScript: "+mistake.Message
		}
		return nil, nil, failed
	}
	for _, v := range ast.Scope.Declared {
		r.declared[string(v.Data)] = true
	}
	for _, statement := range ast.List {
		if imported, ok := statement.(*js.ImportStmt); ok {
			r.declared[string(imported.Default)] = true
			for _, alias := range imported.List {
				r.declared[string(alias.Binding)] = true
			}
		}
	}
	return r, ast.List, nil
}

func (r *javaScriptReader) newNode(line int) *importer.Node {
	return importer.NewInputTextNode(r.file, line, r.order, "")
}

// offsetOf returns the offset of a part of the text, which the tree of the parser does not have: a part is a slice of the text, and
// its address gives its place. A part that the parser copied has none.
func (r *javaScriptReader) offsetOf(part []byte) (offset int, found bool) {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(r.text)))
	address := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	if len(part) == 0 || address < begin || address >= begin+uintptr(len(r.text)) {
		return 0, false
	}
	return int(address - begin), true
}

func (r *javaScriptReader) lineAt(offset int) int {
	if r.fixedLine > 0 {
		return r.fixedLine
	}
	i, found := slices.BinarySearch(r.lines, offset)
	if found {
		i++
	}
	return i
}

// lineOf returns the line of a part of the text, and another line where it has none.
func (r *javaScriptReader) lineOf(part []byte, otherwise int) int {
	if offset, found := r.offsetOf(part); found {
		return r.lineAt(offset)
	}
	return otherwise
}

// cubeCall returns the parts of a statement that is cube(`name`, {…}) or view(`name`, {…}); call is "" for any other.
func (r *javaScriptReader) cubeCall(statement js.IStmt) (call string, name *importer.Node, body *js.ObjectExpr) {
	s, ok := statement.(*js.ExprStmt)
	if !ok {
		return "", nil, nil
	}
	c, ok := s.Value.(*js.CallExpr)
	if !ok || c.Optional || len(c.Args.List) != 2 || c.Args.List[0].Rest || c.Args.List[1].Rest {
		return "", nil, nil
	}
	called, ok := c.X.(*js.Var)
	if !ok || r.declared[string(called.Data)] {
		return "", nil, nil
	}
	body, ok = c.Args.List[1].Value.(*js.ObjectExpr)
	if call = string(called.Data); !ok || call != "cube" && call != "view" {
		return "", nil, nil
	}
	name, err := r.readValue(c.Args.List[0].Value, "name", r.lineOfStatement(statement))
	if err != nil || name.Kind != importer.KindScalar || !name.Quoted {
		return "", nil, nil
	}
	return call, name, body
}

// isEmptyStatement reports whether a statement has no effect, such as 'use strict'.
func isEmptyStatement(statement js.IStmt) bool {
	switch statement.(type) {
	case *js.EmptyStmt, *js.Comment, *js.DirectivePrologueStmt:
		return true
	}
	return false
}

// lineOfStatement returns the line at which the next statement begins. A name has its place once in the tree, where the text has it
// first, so that a statement that begins with one is behind the end of those before.
func (r *javaScriptReader) lineOfStatement(statement js.IStmt) int {
	end := nextTokenOffset(r.text, r.end)
	if first, found := r.offsetOf(firstPart(statement)); found {
		end = max(end, first)
	}
	return r.lineAt(end)
}

// nextTokenOffset returns the offset of the next text behind white space, comments and what closes a statement.
func nextTokenOffset(text []byte, at int) int {
	for at < len(text)-1 {
		switch c := text[at]; {
		case c == '/' && text[at+1] == '/':
			if n := slices.Index(text[at:], '\n'); n >= 0 {
				at += n
				continue
			}
			return at
		case c == '/' && text[at+1] == '*':
			n := bytes.Index(text[at+2:], []byte("*/"))
			if n < 0 {
				return at
			}
			at += n + 4
			continue
		case c == ' ', c == '\t', c == '\r', c == '\n', c == ')', c == '}', c == ']', c == ',', c == ';':
			at++
			continue
		}
		return at
	}
	return at
}

// firstPart returns the first name or literal of a statement, nil where it begins with neither.
func firstPart(statement js.IStmt) []byte {
	switch s := statement.(type) {
	case *js.ExprStmt:
		return firstPartOfExpression(s.Value)
	case *js.VarDecl:
		if len(s.List) > 0 {
			if name, ok := s.List[0].Binding.(*js.Var); ok {
				return name.Data
			}
		}
	case *js.ImportStmt:
		return s.Module
	case *js.FuncDecl:
		if s.Name != nil {
			return s.Name.Data
		}
	case *js.ClassDecl:
		if s.Name != nil {
			return s.Name.Data
		}
	case *js.IfStmt:
		return firstPartOfExpression(s.Cond)
	}
	return nil
}

func firstPartOfExpression(e js.IExpr) []byte {
	for {
		switch x := e.(type) {
		case *js.Var:
			return x.Data
		case *js.LiteralExpr:
			return x.Data
		case *js.CallExpr:
			e = x.X
		case *js.DotExpr:
			e = x.X
		case *js.IndexExpr:
			e = x.X
		case *js.BinaryExpr:
			e = x.X
		case *js.CondExpr:
			e = x.Cond
		default:
			return nil
		}
	}
}

// passStatement moves the end of what has been read behind a statement.
func (r *javaScriptReader) passStatement(statement js.IStmt) {
	js.Walk(&lastPartVisitor{r, 0}, statement)
}

// lastPartVisitor moves the end of what has been read behind the literals of a tree. It leaves out what is nested deeper
// than an object of a cube can be.
type lastPartVisitor struct {
	reader *javaScriptReader
	depth  int
}

const maxVisitedDepth = 200

// Enter passes a node.
func (v *lastPartVisitor) Enter(n js.INode) js.IVisitor {
	switch n := n.(type) {
	case *js.LiteralExpr:
		v.pass(n.Data)
	case *js.TemplateExpr:
		v.pass(n.Tail)
	case *js.DirectivePrologueStmt:
		v.pass(n.Value)
	case *js.ImportStmt:
		v.pass(n.Module)
	}
	if v.depth++; v.depth > maxVisitedDepth {
		v.depth--
		return nil
	}
	return v
}

// Exit leaves a node.
func (v *lastPartVisitor) Exit(js.INode) { v.depth-- }

func (v *lastPartVisitor) pass(part []byte) {
	if offset, found := v.reader.offsetOf(part); found {
		v.reader.end = max(v.reader.end, offset+len(part))
	}
}

package cube

import (
	"fmt"
	"strings"

	"github.com/tdewolff/parse/v2/js"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// programError is why a value is not a literal: only a program has it.
type programError struct {
	line int
	what string
}

func (e *programError) Error() string {
	return fmt.Sprintf("line %d: %s is a program, which is not read", e.line, e.what)
}

// sqlKeys are the keys whose texts are SQL. In them ${…} names cubes and members.
var sqlKeys = map[string]bool{"sql": true, "sql_table": true}

// referenceKeys are the keys whose values are names of members and cubes, which JavaScript writes without quotes.
var referenceKeys = map[string]bool{
	"extends": true, "drill_members": true, "levels": true, "measures": true, "dimensions": true, "segments": true, "time_dimension": true,
	"rollups": true, "join_path": true, "reduce_by": true, "group_by": true, "add_group_by": true, "include": true, "exclude": true,
	"includes": true, "excludes": true, "keep_only": true,
}

// readValue makes a node of a literal. key is the key of the value, in snake case.
func (r *javaScriptReader) readValue(e js.IExpr, key string, line int) (*importer.Node, error) {
	switch x := e.(type) {
	case *js.GroupExpr:
		return r.readValue(x.X, key, line)
	case *js.LiteralExpr:
		return r.readLiteral(x, key, line)
	case *js.UnaryExpr:
		if number, ok := x.X.(*js.LiteralExpr); ok && x.Op == js.NegToken && js.IsNumeric(number.TokenType) {
			n, err := r.readLiteral(number, key, line)
			if err == nil {
				n.Text = "-" + n.Text
			}
			return n, err
		}
	case *js.TemplateExpr:
		if x.Tag == nil {
			return r.readTemplate(x, key, line)
		}
	case *js.ObjectExpr:
		return r.readObject(x, key, line)
	case *js.ArrayExpr:
		n := r.newNode(line)
		n.Kind = importer.KindList
		for _, item := range x.List {
			if item.Spread || item.Value == nil {
				return nil, &programError{line, "a list with a spread or a hole"}
			}
			child, err := r.readValue(item.Value, key, line)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, child)
		}
		return n, nil
	case *js.Var:
		if string(x.Data) == "undefined" {
			n := r.newNode(line)
			n.Kind = importer.KindNull
			return n, nil
		}
	}
	if path, ok := r.memberPath(e); ok && referenceKeys[key] {
		n := r.newNode(line)
		n.Text = path
		return n, nil
	}
	return nil, &programError{line, r.nameOfProgram(e)}
}

// nameOfProgram returns what an expression is, for messages.
func (r *javaScriptReader) nameOfProgram(e js.IExpr) string {
	switch x := e.(type) {
	case *js.Var:
		return "the variable " + string(x.Data)
	case *js.CallExpr:
		if name, ok := x.X.(*js.Var); ok {
			return "the call " + string(name.Data) + "(…)"
		}
		return "a call"
	case *js.ArrowFunc, *js.FuncDecl, *js.MethodDecl:
		return "a function"
	case *js.TemplateExpr:
		return "a tagged template"
	case *js.DotExpr, *js.IndexExpr:
		if path, ok := r.memberPath(e); ok {
			return "the variable " + path
		}
	}
	return "an expression"
}

// memberPath returns the text of a name, or of names with dots between them, that the file does not declare.
func (r *javaScriptReader) memberPath(e js.IExpr) (string, bool) {
	switch x := e.(type) {
	case *js.Var:
		return string(x.Data), !r.declared[string(x.Data)]
	case *js.DotExpr:
		before, ok := r.memberPath(x.X)
		member, isName := x.Y.(js.LiteralExpr)
		if !ok || !isName || x.Optional {
			return "", false
		}
		return before + "." + string(member.Data), true
	}
	return "", false
}

func (r *javaScriptReader) readLiteral(x *js.LiteralExpr, key string, line int) (*importer.Node, error) {
	n := r.newNode(r.lineOf(x.Data, line))
	n.Text = string(x.Data)
	switch x.TokenType {
	case js.StringToken:
		text, err := unescapeJavaScript(string(x.Data[1:len(x.Data)-1]), n.Line)
		if err == nil && sqlKeys[key] {
			err = checkNoTextReference(text, n.Line)
		}
		n.Text, n.Quoted = text, true
		return n, err
	case js.NullToken:
		n.Kind = importer.KindNull
		return n, nil
	case js.TrueToken, js.FalseToken:
		return n, nil
	case js.IntegerToken, js.DecimalToken:
		if !strings.Contains(n.Text, "_") {
			return n, nil
		}
	}
	return nil, &programError{n.Line, n.Text}
}

// checkNoTextReference rejects a text of SQL that has braces around a name: in JavaScript they are text, and in the files that this
// package reads beside it they are a reference.
func checkNoTextReference(text string, line int) error {
	if m := referencePattern.FindString(text); m != "" {
		return fmt.Errorf("line %d: its SQL has %s, which is text in JavaScript and not a reference", line, m)
	}
	return nil
}

// readTemplate makes a text of a template, with {name} in the places of ${name}.
func (r *javaScriptReader) readTemplate(x *js.TemplateExpr, key string, line int) (*importer.Node, error) {
	first := x.Tail
	if len(x.List) > 0 {
		first = x.List[0].Value
	}
	n := r.newNode(r.lineOf(first, line))
	n.Quoted = true
	var out strings.Builder
	addText := func(part []byte, before, after string) error {
		raw := strings.TrimSuffix(strings.TrimPrefix(string(part), before), after)
		text, err := unescapeJavaScript(raw, r.lineOf(part, line))
		if err == nil && sqlKeys[key] {
			err = checkNoTextReference(text, r.lineOf(part, line))
		}
		out.WriteString(text)
		return err
	}
	before := "`"
	for _, part := range x.List {
		if err := addText(part.Value, before, "${"); err != nil {
			return nil, err
		}
		before = "}"
		path, ok := r.memberPath(part.Expr)
		if !ok || !sqlKeys[key] {
			offset, _ := r.offsetOf(part.Value)
			return nil, &programError{r.lineAt(offset + len(part.Value)), r.nameOfProgram(part.Expr)}
		}
		out.WriteString("{" + path + "}")
	}
	if err := addText(x.Tail, before, "`"); err != nil {
		return nil, err
	}
	n.Text = out.String()
	return n, nil
}

// javaScriptProperty is a key of an object with its value.
type javaScriptProperty struct {
	key   string
	line  int
	value js.IExpr
}

// properties returns the keys of an object; of two equal ones the last counts, as in JavaScript. failed is the first part that
// only a program has.
func (r *javaScriptReader) properties(x *js.ObjectExpr, line int) (list []javaScriptProperty, failed error) {
	fail := func(what string) {
		if failed == nil {
			failed = &programError{line, what}
		}
	}
	places := map[string]int{}
	for _, p := range x.List {
		switch {
		case p.Spread:
			line = max(line, r.lineOf(firstPartOfExpression(p.Value), line))
			fail("a spread")
			continue
		case p.Name == nil:
			if method, ok := p.Value.(*js.MethodDecl); ok {
				line = r.lineOf(method.Name.Literal.Data, line)
			}
			fail("a function")
			continue
		case p.Name.IsComputed():
			line = max(line, r.lineOf(firstPartOfExpression(p.Name.Computed), line))
			fail("a computed key")
			continue
		}
		line = r.lineOf(p.Name.Literal.Data, line)
		key := string(p.Name.Literal.Data)
		if p.Name.Literal.TokenType == js.StringToken {
			var err error
			if key, err = unescapeJavaScript(key[1:len(key)-1], line); err != nil && failed == nil {
				failed = err
			}
		}
		property := javaScriptProperty{key, line, p.Value}
		if i, twice := places[key]; twice {
			list[i] = property
			continue
		}
		places[key] = len(list)
		list = append(list, property)
	}
	return list, failed
}

func (r *javaScriptReader) readObject(x *js.ObjectExpr, key string, line int) (*importer.Node, error) {
	properties, err := r.properties(x, line)
	if err != nil {
		return nil, err
	}
	n := r.newNode(line)
	n.Kind = importer.KindMap
	for _, p := range properties {
		value, err := r.readValue(p.value, snakeCase(p.key), p.line)
		if err != nil {
			return nil, err
		}
		n.Members = append(n.Members, importer.MapEntry{Key: p.key, Line: p.line, Value: value})
	}
	if namedListKeys[key] != "" {
		return namedList(n), nil
	}
	return n, nil
}

// namedList makes the list of a map of objects by name, which YAML has in its place.
func namedList(n *importer.Node) *importer.Node {
	list := *n
	list.Kind, list.Members = importer.KindList, nil
	for _, m := range n.Members {
		list.Items = append(list.Items, withName(m.Value, m.Key, m.Line))
	}
	return &list
}

// withName returns an object with its name.
func withName(n *importer.Node, name string, line int) *importer.Node {
	out := *n
	text := *n
	text.Kind, text.Text, text.Quoted, text.Members, text.Items, text.Line = importer.KindScalar, name, true, nil, nil, line
	out.Line = line
	if out.Kind == importer.KindMap {
		out.Members = append([]importer.MapEntry{{Key: "name", Line: line, Value: &text}}, n.Members...)
	}
	return &out
}

package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// YAMLDocument is one document of a text, and where it begins.
type YAMLDocument struct {
	Root         *Node
	Line, Column int
	Anchors      map[*Node]string // the names of the values that have one
}

// ReadYAML returns the first documents of a text, at most so many. A text of comments alone has no document. The
// error is an *Error.
func ReadYAML(text []byte, most int) ([]YAMLDocument, error) {
	return new(TreeBuilder).ReadYAML(text, most)
}

// ReadYAML is the function ReadYAML with the nodes of the builder. The library reports its own bugs on hostile input by
// panicking, which is an error here.
func (b *TreeBuilder) ReadYAML(text []byte, most int) (documents []YAMLDocument, err error) {
	defer func() {
		if r := recover(); r != nil {
			documents, err = nil, &Error{Message: fmt.Sprintf("the parser gave up (%v)", r)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(withoutVersionDirective(text)))
	var read []*yaml.Node
	for len(read) < most {
		d := &yaml.Node{}
		err := decoder.Decode(d)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, newSyntaxError(text, decoder, err)
		}
		read = append(read, d)
	}
	documents = make([]YAMLDocument, len(read))
	for i, d := range read {
		root := d
		if d.Kind == yaml.DocumentNode && len(d.Content) == 1 {
			root = d.Content[0]
		}
		c := yamlTreeCopier{b, map[*yaml.Node]*Node{}, nil}
		documents[i] = YAMLDocument{c.copyYAMLTree(root), d.Line, d.Column, c.anchors}
	}
	return documents, nil
}

var versionDirectivePattern = regexp.MustCompile(`^%YAML[ \t]+1\.2[ \t]*(?:[ \t]#.*)?\r?\n?$`)

// withoutVersionDirective makes a comment of the directive %YAML 1.2, which the library rejects although it reads YAML 1.2. Directives are
// above the first document; each line keeps its length.
func withoutVersionDirective(text []byte) []byte {
	for at := 0; at < len(text); {
		line := text[at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		switch trimmed := bytes.TrimSpace(line); {
		case versionDirectivePattern.Match(line):
			text = bytes.Clone(text)
			text[at] = '#'
			return text
		case len(trimmed) > 0 && trimmed[0] != '#' && line[0] != '%':
			return text
		}
		at += len(line)
	}
	return text
}

// PlainTag returns the tag that YAML gives a text without quotes: "!!str", "!!int", "!!null".
func PlainTag(text string) string {
	return (&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag()
}

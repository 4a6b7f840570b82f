// Package yamldocs reads the documents of a YAML text with yaml.v3.
//
//	text ──Read──► a yaml.Node for each document, or *Error with its place and a hint
//
// Everything that reads YAML in this module takes it from here, so that hostile text has one
// place where the library's panics end.
package yamldocs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"
)

var versionDirectivePattern = regexp.MustCompile(`^%YAML[ \t]+1\.2[ \t]*(?:[ \t]#.*)?\r?\n?$`)

// Read returns the first documents of a text, at most so many. A text of comments alone
// has none. The error is an *Error; the library reports its own bugs on hostile input by
// panicking, which is an error here.
func Read(text []byte, most int) (documents []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			documents, err = nil, &Error{Message: fmt.Sprintf("the parser gave up (%v)", r)}
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(withoutVersionDirective(text)))
	for len(documents) < most {
		document := &yaml.Node{}
		err := decoder.Decode(document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, newSyntaxError(text, decoder, err)
		}
		documents = append(documents, document)
	}
	return documents, nil
}

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

// RootNode returns the value of a document.
func RootNode(document *yaml.Node) *yaml.Node {
	if document.Kind == yaml.DocumentNode && len(document.Content) == 1 {
		return document.Content[0]
	}
	return document
}

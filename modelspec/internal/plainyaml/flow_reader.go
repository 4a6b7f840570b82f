package plainyaml

import (
	"github.com/semlayer/semlayer/modelspec/document"
)

// flowReader reads collections in brackets on one line.
type flowReader struct {
	*parser
	at    int
	depth int
}

func (f *flowReader) skipSpaces() {
	for f.at < f.stop && f.text[f.at] == ' ' {
		f.at++
	}
}

// peekByte returns the next byte after spaces; 0 at the end of the line.
func (f *flowReader) peekByte() byte {
	f.skipSpaces()
	if f.at >= f.stop {
		return 0
	}
	return f.text[f.at]
}

func (f *flowReader) readValue() *document.Node {
	if f.depth++; f.depth > maxDepth {
		return nil
	}
	defer func() { f.depth-- }()
	switch f.peekByte() {
	case '[':
		return f.readCollection(document.SequenceNode, "!!seq", ']')
	case '{':
		return f.readCollection(document.MappingNode, "!!map", '}')
	}
	return f.readScalar()
}

// readScalar reads a scalar.
func (f *flowReader) readScalar() *document.Node {
	switch b := f.peekByte(); {
	case b == '"' || b == '\'':
		n, after := f.parseQuoted(f.at)
		f.at = after
		return n
	case isWordStart(b) || isDigit(b) || b == '(' || b == '-' && f.at+1 < f.stop && isDigit(f.text[f.at+1]):
		start := f.at
		for f.at < f.stop && isPlainFlowByte(f.text[f.at]) {
			f.at++
		}
		return f.newScalarNode(start, f.offsetBeforeTrailingSpaces(start, f.at))
	}
	return nil
}

func isPlainFlowByte(b byte) bool {
	switch b {
	case ' ', '_', '-', '.', '/', '*', '+', '(', ')', '<', '>', '=', '%', '$', ';', '\'', '"', '!', '&', '|', '@', '^', '~':
		return true
	}
	return isWordStart(b) || isDigit(b) || b >= 0x80
}

func (f *flowReader) readCollection(kind document.Kind, tag string, end byte) *document.Node {
	n := f.newNodeAt(kind, tag, f.at)
	mark := f.BeginChildren()
	f.at++
	for first := true; ; first = false {
		if f.peekByte() == end {
			if !first {
				return nil // a trailing comma
			}
			f.at++
			return n
		}
		if kind == document.MappingNode {
			key := f.readScalar()
			if key == nil || f.at >= f.stop || f.text[f.at] != ':' || f.at+1 >= f.stop || f.text[f.at+1] != ' ' {
				return nil
			}
			f.at++
			f.AddChild(key)
		}
		v := f.readValue()
		if v == nil {
			return nil
		}
		f.AddChild(v)
		switch f.peekByte() {
		case ',':
			f.at++
		case end:
			f.at++
			f.Close(n, mark)
			return n
		default:
			return nil
		}
	}
}

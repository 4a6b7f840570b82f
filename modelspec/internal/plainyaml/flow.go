package plainyaml

import (
	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/internal/nodes"
)

// flowReader reads collections in brackets on one line.
type flowReader struct {
	*parser
	at    int
	depth int
}

func (f *flowReader) spaces() {
	for f.at < f.stop && f.text[f.at] == ' ' {
		f.at++
	}
}

// peek is the next byte after spaces; 0 at the end of the line.
func (f *flowReader) peek() byte {
	f.spaces()
	if f.at >= f.stop {
		return 0
	}
	return f.text[f.at]
}

func (f *flowReader) value() *nodes.Node {
	if f.depth++; f.depth > maxDepth {
		return nil
	}
	defer func() { f.depth-- }()
	switch f.peek() {
	case '[':
		return f.collection(yaml.SequenceNode, "!!seq", ']')
	case '{':
		return f.collection(yaml.MappingNode, "!!map", '}')
	}
	return f.flowScalar()
}

// flowScalar reads a scalar.
func (f *flowReader) flowScalar() *nodes.Node {
	switch b := f.peek(); {
	case b == '"' || b == '\'':
		n, after := f.quoted(f.at)
		f.at = after
		return n
	case isWordStart(b) || isDigit(b) || b == '(' || b == '-' && f.at+1 < f.stop && isDigit(f.text[f.at+1]):
		start := f.at
		for f.at < f.stop && plainInFlow(f.text[f.at]) {
			f.at++
		}
		return f.scalar(start, f.trim(start, f.at))
	}
	return nil
}

func plainInFlow(b byte) bool {
	switch b {
	case ' ', '_', '-', '.', '/', '*', '+', '(', ')', '<', '>', '=', '%', '$', ';', '\'', '"', '!', '&', '|', '@', '^', '~':
		return true
	}
	return isWordStart(b) || isDigit(b) || b >= 0x80
}

func (f *flowReader) collection(kind yaml.Kind, tag string, end byte) *nodes.Node {
	n := f.node(kind, tag, f.at)
	mark := f.Mark()
	f.at++
	for first := true; ; first = false {
		if f.peek() == end {
			if !first {
				return nil // a trailing comma
			}
			f.at++
			return n
		}
		if kind == yaml.MappingNode {
			key := f.flowScalar()
			if key == nil || f.at >= f.stop || f.text[f.at] != ':' || f.at+1 >= f.stop || f.text[f.at+1] != ' ' {
				return nil
			}
			f.at++
			f.Add(key)
		}
		v := f.value()
		if v == nil {
			return nil
		}
		f.Add(v)
		switch f.peek() {
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

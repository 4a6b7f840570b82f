package draft

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec/format"
)

// Print writes the model in the layout of package format. A model with a text that the
// layout cannot hold, such as a comment with unusual spaces, is written without it.
func Print(m *Model) []byte {
	root, tail := tree(m)
	text := encode(root)
	if len(tail) > 0 {
		text += "    " + strings.ReplaceAll(commentText(tail), "\n", "\n    ") + "\n"
	}
	formatted, err := format.Format([]byte(text))
	if err != nil {
		return []byte(text)
	}
	return formatted
}

// encode writes a node as YAML with an indentation of two.
func encode(n *yaml.Node) string {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(n); err != nil {
		panic("draft: " + err.Error()) // the nodes of this package have a kind and a tag that match
	}
	return out.String()
}

// oneLine is a key with a value on one line.
func oneLine(key string, value *yaml.Node) string {
	o := newObject(nil)
	o.add(key, value)
	return strings.TrimSuffix(encode(o.Node), "\n")
}

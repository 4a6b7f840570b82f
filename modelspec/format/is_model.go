package format

import (
	"bytes"

	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// IsModel reports whether a text may be a model: an object with the key semantic_model, with datasets, or with a version and another part of a
// model. A text that cannot be read may be one, and Format returns its mistake.
func IsModel(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	var root *document.Node
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		root, _ = document.ReadJSON(text, document.TreeLimits{Nodes: 2 * limits.ModelNodes, Depth: limits.ModelDepth})
	}
	if root == nil {
		documents, err := document.ReadYAML(text, 2)
		if err != nil || len(documents) != 1 {
			return true
		}
		root = documents[0].Root
	}
	if root = root.FollowAlias(); root.Kind != document.MappingNode {
		return false
	}
	keys := map[string]bool{}
	for i := 0; i < len(root.Content); i += 2 {
		keys[root.Content[i].Value] = true
	}
	return keys["semantic_model"] || keys["datasets"] || keys["<<"] || keys["version"] && (keys["metrics"] || keys["relationships"])
}

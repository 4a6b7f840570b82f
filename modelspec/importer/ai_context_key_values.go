package importer

import (
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// NewAIContextKeyValue makes an entry of an ai_context from a member of the input. A map, and a
// list that holds one, is written as JSON.
func NewAIContextKeyValue(m MapEntry) draft.AIContextKeyValue {
	switch m.Value.Kind {
	case KindScalar:
		return draft.AIContextKeyValue{Key: m.Key, Value: m.Value.Text}
	case KindList:
		values := make([]string, 0, len(m.Value.Items))
		for _, item := range m.Value.Items {
			if item.Kind != KindScalar {
				return draft.AIContextKeyValue{Key: m.Key, Value: nodeAsJSONText(m.Value)}
			}
			values = append(values, item.Text)
		}
		return draft.AIContextKeyValue{Key: m.Key, Values: values}
	case KindMap:
		return draft.AIContextKeyValue{Key: m.Key, Value: nodeAsJSONText(m.Value)}
	}
	return draft.AIContextKeyValue{Key: m.Key}
}

func nodeAsJSONText(n *Node) string {
	text, err := json.Marshal(nodeAsJSONValue(n))
	if err != nil {
		return "" // texts, lists and maps always marshal
	}
	return string(text)
}

// nodeAsJSONValue returns a node as values of encoding/json. Scalars are texts.
func nodeAsJSONValue(n *Node) any {
	switch n.Kind {
	case KindScalar:
		return n.Text
	case KindList:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = nodeAsJSONValue(item)
		}
		return out
	case KindMap:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = nodeAsJSONValue(m.Value)
		}
		return out
	}
	return nil
}

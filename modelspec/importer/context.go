package importer

import (
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// ContextEntry makes an entry of an ai_context from a member of the input. A map, and a
// list that holds one, is written as JSON.
func ContextEntry(m Member) draft.Entry {
	switch m.Value.Kind {
	case Scalar:
		return draft.Entry{Key: m.Key, Value: m.Value.Text}
	case List:
		values := make([]string, 0, len(m.Value.Items))
		for _, item := range m.Value.Items {
			if item.Kind != Scalar {
				return draft.Entry{Key: m.Key, Value: jsonOf(m.Value)}
			}
			values = append(values, item.Text)
		}
		return draft.Entry{Key: m.Key, Values: values}
	case Map:
		return draft.Entry{Key: m.Key, Value: jsonOf(m.Value)}
	}
	return draft.Entry{Key: m.Key}
}

func jsonOf(n *Node) string {
	text, err := json.Marshal(plain(n))
	if err != nil {
		return "" // texts, lists and maps always marshal
	}
	return string(text)
}

// plain is a node as values of encoding/json. Scalars are texts.
func plain(n *Node) any {
	switch n.Kind {
	case Scalar:
		return n.Text
	case List:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = plain(item)
		}
		return out
	case Map:
		out := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			out[m.Key] = plain(m.Value)
		}
		return out
	}
	return nil
}

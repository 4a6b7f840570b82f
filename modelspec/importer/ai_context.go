package importer

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
)

// NewAIContext makes the context of an object from its metadata in another tool, which may be nil, and from the title that the tool
// shows, unless it is "". A title is a name that people use for the object, and comes before the synonyms of the metadata.
func NewAIContext(title, name string, meta *Node) draft.AIContext {
	var c draft.AIContext
	if !strings.EqualFold(title, name) {
		addUniqueTexts(&c.Synonyms, title)
	}
	if meta == nil {
		return c
	}
	for _, m := range meta.Members {
		entry := NewAIContextKeyValue(m)
		texts := slices.Concat(entry.Values, []string{entry.Value})
		switch m.Key {
		case "synonyms":
			addUniqueTexts(&c.Synonyms, texts...)
		case "examples":
			addUniqueTexts(&c.Examples, texts...)
		case "instructions":
			c.Instructions = strings.TrimSpace(strings.Join(texts, "\n"))
		default:
			c.Other = append(c.Other, entry)
		}
	}
	return c
}

// addUniqueTexts adds the texts that a list lacks. Case makes no difference.
func addUniqueTexts(list *[]string, texts ...string) {
	for _, text := range texts {
		text = strings.TrimSpace(text)
		isKnown := slices.ContainsFunc(*list, func(known string) bool { return strings.EqualFold(known, text) })
		if text != "" && !isKnown {
			*list = append(*list, text)
		}
	}
}

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

package profile

import (
	"errors"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/document"
)

const (
	// What is read of a file, and of one profile, once merges are expanded.
	maxYAMLMembersPerFile    = 200_000
	maxYAMLMembersPerProfile = 1_000
	maxYAMLMergeDepth        = 16 // merges within merges
)

// parseYAML returns the root of the only document, nil for an empty one. Its error has the line and not the words
// of the parser: they quote the text, and what does not parse is often a password that needs quotes.
func parseYAML(text []byte) (*document.Node, error) {
	documents, err := document.ReadYAML(text, 2)
	mistake := (*document.Error)(nil)
	switch {
	case errors.As(err, &mistake):
		where := ""
		if mistake.Line > 0 {
			where = fmt.Sprintf(" (near line %d)", mistake.Line)
		}
		return nil, configError("the file is not YAML"+where, "a value with characters such as @ * & ! % # : { needs quotes; indentation takes spaces only")
	case len(documents) > 1:
		return nil, configError("the file holds more than one YAML document", "")
	case len(documents) == 1:
		return documents[0].Root.FollowAlias(), nil
	}
	return nil, nil
}

// yamlMember is one key of a mapping with its value, aliases followed.
type yamlMember struct {
	key   string
	line  int
	value *document.Node
}

// yamlMappingReader reads mappings, as many members as are left.
type yamlMappingReader struct{ left int }

// listMembers lists the keys of a mapping, its own before merged ones and each once;
// twice names the keys that the mapping itself has more than once. Keys that are
// no text are left out. Not ok is a mapping with more members than are left.
func (t *yamlMappingReader) listMembers(n *document.Node) (list []yamlMember, twice map[string]bool, ok bool) {
	seen := map[string]bool{}
	twice = map[string]bool{}
	ok = t.collectOwnAndMergedMembers(n, 0, func(m yamlMember, depth int) {
		if seen[m.key] {
			if depth == 0 {
				twice[m.key] = true
			}
			return
		}
		seen[m.key] = true
		list = append(list, m)
	})
	return list, twice, ok
}

func (t *yamlMappingReader) collectOwnAndMergedMembers(n *document.Node, depth int, add func(yamlMember, int)) (ok bool) {
	if depth > maxYAMLMergeDepth {
		return false
	}
	var merged []*document.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if t.left--; t.left < 0 {
			return false
		}
		key, value := n.Content[i].FollowAlias(), n.Content[i+1].FollowAlias()
		switch {
		case key.Kind != document.ScalarNode:
		case key.Tag == "!!merge":
			if value.Kind == document.SequenceNode {
				merged = append(merged, value.Content...)
			} else {
				merged = append(merged, value)
			}
		default:
			add(yamlMember{key.Value, int(key.Line), value}, depth)
		}
	}
	for _, m := range merged {
		if t.left--; t.left < 0 {
			return false
		}
		if m = m.FollowAlias(); m.Kind == document.MappingNode && !t.collectOwnAndMergedMembers(m, depth+1, add) {
			return false
		}
	}
	return true
}

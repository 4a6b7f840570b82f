package profile

import (
	"bytes"
	"errors"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"
)

const (
	// What is read of a file, and of one profile, once merges are expanded.
	maxYAMLMembersPerFile    = 200_000
	maxYAMLMembersPerProfile = 1_000
	maxYAMLMergeDepth        = 16 // merges within merges
)

// parseYAML returns the root of the only document, nil for an empty one.
func parseYAML(text []byte) (root *yaml.Node, err error) {
	// The library reports its own bugs on hostile input by panicking.
	defer func() {
		if recover() != nil {
			root, err = nil, redactedYAMLError("")
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, redactedYAMLError(err.Error())
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, redactedYAMLError(err.Error())
		}
		return nil, configError("the file holds more than one YAML document", "")
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return followYAMLAlias(doc.Content[0]), nil
	}
	return nil, nil
}

var yamlErrorLinePattern = regexp.MustCompile(`^yaml: (line \d+)`)

// redactedYAMLError passes on the line and not the words: they quote the text, and what
// does not parse is often a password that needs quotes.
func redactedYAMLError(message string) error {
	where := ""
	if m := yamlErrorLinePattern.FindStringSubmatch(message); m != nil {
		where = " (near " + m[1] + ")"
	}
	return configError("the file is not YAML"+where, "a value with characters such as @ * & ! % # : { needs quotes; indentation takes spaces only")
}

func followYAMLAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// yamlMember is one key of a mapping with its value, aliases followed.
type yamlMember struct {
	key   string
	line  int
	value *yaml.Node
}

// yamlMappingReader reads mappings, as many members as are left.
type yamlMappingReader struct{ left int }

// listMembers lists the keys of a mapping, its own before merged ones and each once;
// twice names the keys that the mapping itself has more than once. Keys that are
// no text are left out. Not ok is a mapping with more members than are left.
func (t *yamlMappingReader) listMembers(n *yaml.Node) (list []yamlMember, twice map[string]bool, ok bool) {
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

func (t *yamlMappingReader) collectOwnAndMergedMembers(n *yaml.Node, depth int, add func(yamlMember, int)) (ok bool) {
	if depth > maxYAMLMergeDepth {
		return false
	}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if t.left--; t.left < 0 {
			return false
		}
		key, value := followYAMLAlias(n.Content[i]), followYAMLAlias(n.Content[i+1])
		switch {
		case key.Kind != yaml.ScalarNode:
		case key.Tag == "!!merge":
			if value.Kind == yaml.SequenceNode {
				merged = append(merged, value.Content...)
			} else {
				merged = append(merged, value)
			}
		default:
			add(yamlMember{key.Value, key.Line, value}, depth)
		}
	}
	for _, m := range merged {
		if t.left--; t.left < 0 {
			return false
		}
		if m = followYAMLAlias(m); m.Kind == yaml.MappingNode && !t.collectOwnAndMergedMembers(m, depth+1, add) {
			return false
		}
	}
	return true
}

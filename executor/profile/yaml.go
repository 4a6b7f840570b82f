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
	maxFileMembers    = 200_000
	maxProfileMembers = 1_000
	maxMerges         = 16 // merges within merges
)

// parseYAML returns the root of the only document, nil for an empty one.
func parseYAML(text []byte) (root *yaml.Node, err error) {
	// The library reports its own bugs on hostile input by panicking.
	defer func() {
		if recover() != nil {
			root, err = nil, yamlError("")
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, yamlError(err.Error())
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlError(err.Error())
		}
		return nil, configError("the file holds more than one YAML document", "")
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return resolve(doc.Content[0]), nil
	}
	return nil, nil
}

var yamlLine = regexp.MustCompile(`^yaml: (line \d+)`)

// yamlError passes on the line and not the words: they quote the text, and what
// does not parse is often a password that needs quotes.
func yamlError(message string) error {
	where := ""
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		where = " (near " + m[1] + ")"
	}
	return configError("the file is not YAML"+where, "a value with characters such as @ * & ! % # : { needs quotes; indentation takes spaces only")
}

func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// mappingMember is one key of a mapping with its value, aliases followed.
type mappingMember struct {
	key   string
	line  int
	value *yaml.Node
}

// mappingReader reads mappings, as many members as are left.
type mappingReader struct{ left int }

// members lists the keys of a mapping, its own before merged ones and each once;
// twice names the keys that the mapping itself has more than once. Keys that are
// no text are left out. Not ok is a mapping with more members than are left.
func (t *mappingReader) members(n *yaml.Node) (list []mappingMember, twice map[string]bool, ok bool) {
	seen := map[string]bool{}
	twice = map[string]bool{}
	ok = t.collectMembers(n, 0, func(m mappingMember, depth int) {
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

func (t *mappingReader) collectMembers(n *yaml.Node, depth int, add func(mappingMember, int)) (ok bool) {
	if depth > maxMerges {
		return false
	}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if t.left--; t.left < 0 {
			return false
		}
		key, value := resolve(n.Content[i]), resolve(n.Content[i+1])
		switch {
		case key.Kind != yaml.ScalarNode:
		case key.Tag == "!!merge":
			if value.Kind == yaml.SequenceNode {
				merged = append(merged, value.Content...)
			} else {
				merged = append(merged, value)
			}
		default:
			add(mappingMember{key.Value, key.Line, value}, depth)
		}
	}
	for _, m := range merged {
		if t.left--; t.left < 0 {
			return false
		}
		if m = resolve(m); m.Kind == yaml.MappingNode && !t.collectMembers(m, depth+1, add) {
			return false
		}
	}
	return true
}

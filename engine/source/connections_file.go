package source

import (
	"bytes"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/executor/profile"
)

// connectionsFileOfDSN returns a connections file with one profile. A password is a variable, and the
// path of a file is absolute.
func connectionsFileOfDSN(d profile.ParsedDSN) ([]byte, error) {
	entry := &yaml.Node{Kind: yaml.MappingNode}
	add := func(to *yaml.Node, key string, value *yaml.Node) {
		to.Content = append(to.Content, yamlTextNode(key), value)
	}
	for _, k := range d.Keys {
		value, err := settingValueText(d, k)
		if err != nil {
			return nil, err
		}
		add(entry, k.Name, yamlTextNode(value))
	}
	if d.HasPassword {
		add(entry, "password", yamlTextNode("${"+PasswordEnvVariable+"}"))
	}
	add(entry, "default", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	sources, root := &yaml.Node{Kind: yaml.MappingNode}, &yaml.Node{Kind: yaml.MappingNode}
	add(sources, d.Profile.Name, entry)
	add(root, "datasources", sources)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func yamlTextNode(value string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(value)
	return n
}

// settingValueText returns the value of a key as it is written. The file would take ${ for a variable.
func settingValueText(d profile.ParsedDSN, k profile.KeyValue) (string, error) {
	value := k.Value
	if k.Name == "uri" {
		path := value
		switch s := d.Profile.Settings.(type) {
		case *profile.DuckDB:
			path = s.Path
		case *profile.SQLite:
			path = s.Path
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		if value = absolute; path == ":memory:" {
			value = path
		}
	}
	if strings.Contains(value, "${") {
		return "", &Error{"the value of " + k.Name + " holds ${, which a connections file reads as a variable", ""}
	}
	return value, nil
}

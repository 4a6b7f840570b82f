package source

import (
	"path/filepath"
	"strings"

	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec/document"
)

// connectionsFileOfDSN returns a connections file with one profile. A password is a variable, and the
// path of a file is absolute.
func connectionsFileOfDSN(d profile.ParsedDSN) ([]byte, error) {
	entry := document.NewMapping()
	add := func(key string, value *document.Node) {
		entry.Content = append(entry.Content, document.NewText(key), value)
	}
	for _, k := range d.Keys {
		value, err := settingValueText(d, k)
		if err != nil {
			return nil, err
		}
		add(k.Name, document.NewText(value))
	}
	if d.HasPassword {
		add("password", document.NewText("${"+PasswordEnvVariable+"}"))
	}
	add("default", &document.Node{Kind: document.ScalarNode, Tag: "!!bool", Value: "true"})
	return document.Print(document.NewMapping(document.NewText("datasources"), document.NewMapping(document.NewText(d.Profile.Name), entry)), 2)
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

package settings

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/viper"

	"github.com/semlayer/semlayer/engine"
)

// maxFileBytes is the maximum length of a settings file.
const maxFileBytes = 1 << 20

// FileValues hold what a settings file sets, by flag: the text of a value, or the items of a list.
type FileValues map[string][]string

// ReadFile reads the settings of a file that a command uses. Keys of another command that reads
// settings are checked and left out, so that several commands can read one file.
func ReadFile(path string, uses func(flag string) bool) (FileValues, error) {
	text, err := readBoundedFile(path)
	if err != nil {
		return nil, err
	}
	values, err := parseFile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for flag := range values {
		if !uses(flag) {
			delete(values, flag)
		}
	}
	return values, nil
}

func readBoundedFile(path string) ([]byte, error) {
	from, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }() // which was only read
	text, err := io.ReadAll(io.LimitReader(from, maxFileBytes+1))
	if err == nil && len(text) > maxFileBytes {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxFileBytes)
	}
	return text, err
}

// parseFile reads the text of a settings file, and reports all its faults.
func parseFile(text []byte) (FileValues, error) {
	decoder, err := viper.NewCodecRegistry().Decoder("yaml")
	if err != nil {
		return nil, err
	}
	members := map[string]any{}
	if err := decoder.Decode(text, members); err != nil {
		return nil, fmt.Errorf("is not a mapping of settings: %w", err)
	}
	out := FileValues{}
	var faults []error
	for _, key := range slices.Sorted(maps.Keys(members)) {
		setting, err := settingOfKey(key)
		if err == nil {
			out[key], err = setting.textsOf(members[key])
		}
		if err != nil {
			faults = append(faults, err)
		}
	}
	return out, errors.Join(faults...)
}

// settingOfKey returns the setting that a key of the file means.
func settingOfKey(key string) (Setting, error) {
	setting, ok := Lookup(key)
	switch {
	case ok && setting.HasKey():
		return setting, nil
	case ok && setting.Secret:
		return setting, fmt.Errorf("%s is not a key, because it is secret: name a file with %s-file", key, key)
	case ok:
		return setting, fmt.Errorf("%s is not a key: a settings file cannot name another", key)
	}
	var keys []string
	for _, one := range table {
		if one.HasKey() {
			keys = append(keys, one.Flag)
		}
	}
	if nearest, ok := engine.ClosestName(strings.ReplaceAll(strings.ToLower(strings.TrimLeft(key, "-")), "_", "-"), keys); ok {
		return setting, fmt.Errorf("the key %q is unknown; the nearest is %s", key, nearest)
	}
	return setting, fmt.Errorf("the key %q is unknown", key)
}

// textsOf returns the texts of a value of the file.
func (s Setting) textsOf(value any) ([]string, error) {
	list, isList := value.([]any)
	if !isList {
		text, err := s.textOf(value)
		return []string{text}, err
	}
	if s.Kind != List && s.Kind != Words {
		return nil, fmt.Errorf("%s must be %s, not a list", s.Flag, s.nounText())
	}
	out := []string{}
	for _, item := range list {
		text, err := s.textOf(item)
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

// textOf returns the text of one value. A number where a text is expected may have been written as another text: 010 is 8.
func (s Setting) textOf(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		if s.Kind == Boolean {
			return strconv.FormatBool(v), nil
		}
	case int:
		if s.Kind == Integer {
			return strconv.Itoa(v), nil
		}
	case nil:
		return "", fmt.Errorf("%s has no value", s.Flag)
	case map[string]any:
		return "", fmt.Errorf("%s must be %s, not a mapping", s.Flag, s.nounText())
	}
	if s.Kind == Integer || s.Kind == Boolean {
		return "", fmt.Errorf("%s must be %s, not %v", s.Flag, s.nounText(), value)
	}
	return "", fmt.Errorf("%s must be text: write %v in quotes", s.Flag, value)
}

// nounText returns what one value is, in words.
func (s Setting) nounText() string {
	switch s.Kind {
	case Integer:
		return "an integer"
	case Boolean:
		return "true or false"
	}
	return "text"
}

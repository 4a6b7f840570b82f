package corpus

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// ReadGoldenArchives returns the texts below dir by the name of their case: one archive a
// topic, one section a case. A folder that does not exist has none.
func ReadGoldenArchives(dir string) (map[string]string, error) {
	texts := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		topic := strings.TrimSuffix(filepath.Base(name), ".txtar")
		_, sections := splitSections(string(text))
		for _, s := range sections {
			texts[topic+"/"+s.name] = s.text
		}
	}
	return texts, nil
}

// WriteGoldenArchives is the inverse of ReadGoldenArchives. Topics that are gone lose their archive.
func WriteGoldenArchives(dir string, texts map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	topics := map[string][]section{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		topic, behaviour := path.Split(name)
		topic = strings.TrimSuffix(topic, "/") + ".txtar"
		topics[topic] = append(topics[topic], section{behaviour, texts[name]})
	}
	for topic, sections := range topics {
		if err := os.WriteFile(filepath.Join(dir, topic), []byte(joinSections("", sections)), 0o644); err != nil {
			return err
		}
	}
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || topics[name] != nil {
			return err
		}
		return os.Remove(filepath.Join(dir, name))
	})
}

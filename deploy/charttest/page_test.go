package charttest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The page for operators: a reader without prior knowledge installs the service from it.
func operations(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

var (
	valuesOnPage = regexp.MustCompile("(?s)```yaml file=values.yaml\n(.*?)```")
	helmOnPage   = regexp.MustCompile(`(?m)^helm (?:install|upgrade) semlayer deploy/helm/semlayer (.*)$`)
)

// The commands of the page create the documented objects: with its own values,
// and a model.
func TestPage_CommandsWork(t *testing.T) {
	page := operations(t)
	values := valuesOnPage.FindStringSubmatch(page)
	if values == nil {
		t.Fatal("the page has no values.yaml")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"values.yaml": values[1], "model.yaml": "version: 0.2.0.dev0\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commands := helmOnPage.FindAllStringSubmatch(page, -1)
	if len(commands) < 2 {
		t.Fatalf("%d commands of helm on the page, an installation and an upgrade are expected", len(commands))
	}
	for _, c := range commands {
		var flags []string
		for _, word := range strings.Fields(c[1]) {
			switch word {
			case "--wait", "--atomic": // they ask a cluster
			case "values.yaml":
				flags = append(flags, filepath.Join(dir, word))
			default:
				flags = append(flags, strings.Replace(word, "=model.yaml", "="+filepath.Join(dir, "model.yaml"), 1))
			}
		}
		m := decode(t, render(t, flags...))
		for what, made := range map[string]bool{
			"an ingress":       m.ingress != nil,
			"an autoscaler":    m.scaler != nil,
			"a network policy": m.network != nil,
			"a ConfigMap":      len(m.configMaps) == 1,
			"no Secret":        len(m.secrets) == 0,
		} {
			if !made {
				t.Errorf("%s: %s is missing", c[0], what)
			}
		}
	}
}

var nameOnPage = regexp.MustCompile("`([a-z][A-Za-z]*(?:\\.[a-z][A-Za-z]*)*)`")

// What the page calls by the name of a value is one.
func TestPage_NamesExistingValues(t *testing.T) {
	t.Run("each value that the page names exists in the chart", func(t *testing.T) {
		text, err := os.ReadFile(chart + "/values.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]any
		if err := yaml.Unmarshal(text, &values); err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, match := range nameOnPage.FindAllStringSubmatch(operations(t), -1) {
			names := strings.Split(match[1], ".")
			if _, group := values[names[0]].(map[string]any); !group || len(names) == 1 || names[1] == "yaml" {
				continue
			}
			seen++
			var at any = values
			for _, name := range names {
				group, _ := at.(map[string]any)
				v, ok := group[name]
				if !ok {
					t.Errorf("the chart has no value %s", match[1])
					break
				}
				at = v
			}
		}
		if seen < 8 {
			t.Errorf("%d values are named: are they still written as before?", seen)
		}
	})
}

package charttest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const readmeHead = `# The chart of semlayer

Run semlayer on Kubernetes 1.30 or later:

` + "```" + `
helm install semlayer oci://ghcr.io/semlayer/charts/semlayer --set-file model.inline=model.yaml
helm test semlayer
` + "```" + `

[docs/operations.md](../../../docs/operations.md#on-kubernetes) describes installation, upgrades and secrets, and
[docs/runbook.md](../../../docs/runbook.md) what to do when something fails. A value that the table does not list is an error.

<!-- Made from values.schema.json and values.yaml: make helm-test; go test ./deploy/charttest -update writes it. -->
| value | type | default | meaning |
|---|---|---|---|
`

// property is the part of a JSON Schema that the table shows.
type property struct {
	Type       any                 `json:"type"`
	Enum       []any               `json:"enum"`
	Minimum    *int                `json:"minimum"`
	Maximum    *int                `json:"maximum"`
	Properties map[string]property `json:"properties"`
	Closed     *bool               `json:"additionalProperties"` // false where each key is listed
}

// kind returns the type in words.
func (p property) kind() string {
	if len(p.Enum) > 0 {
		var words []string
		for _, v := range p.Enum {
			if v != "" {
				words = append(words, fmt.Sprintf("`%v`", v))
			}
		}
		return strings.Join(words, ", ")
	}
	names, ok := p.Type.(string)
	if list, several := p.Type.([]any); several {
		var all []string
		for _, v := range list {
			all = append(all, fmt.Sprint(v))
		}
		names, ok = strings.Join(all, " or "), true
	}
	if !ok {
		names = "object"
	}
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		names += fmt.Sprintf(", %d to %d", *p.Minimum, *p.Maximum)
	case p.Minimum != nil && *p.Minimum > 0:
		names += fmt.Sprintf(", from %d", *p.Minimum)
	}
	return names
}

// valueRows writes a row for each value of a mapping of values.yaml, and descends where the schema lists every key.
func valueRows(t *testing.T, b *strings.Builder, prefix string, values *yaml.Node, schema map[string]property) {
	t.Helper()
	for i := 0; i+1 < len(values.Content); i += 2 {
		key, value := values.Content[i], values.Content[i+1]
		name := prefix + key.Value
		p, ok := schema[key.Value]
		if !ok {
			t.Errorf("values.schema.json has no %s", name)
			continue
		}
		if p.Closed != nil && !*p.Closed && value.Kind == yaml.MappingNode {
			if text := comment(key); text != "" {
				fmt.Fprintf(b, "| `%s` | | | %s |\n", name, text)
			}
			valueRows(t, b, name+".", value, p.Properties)
			continue
		}
		var data any
		if err := value.Decode(&data); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		initial := "`" + string(text) + "`"
		if slices.Contains([]string{`""`, "[]", "{}", "null"}, string(text)) {
			initial = ""
		}
		meaning := comment(key)
		if more := words(value.LineComment); more != "" {
			meaning = strings.TrimSpace(meaning + " " + more)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, p.kind(), initial, meaning)
	}
}

// comment returns the comment above a key as one line, without examples.
func comment(key *yaml.Node) string { return words(key.HeadComment) }

func words(comment string) string {
	paragraphs := strings.Split(comment, "\n\n")
	var out []string
	for _, line := range strings.Split(paragraphs[len(paragraphs)-1], "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "#")
		if example := strings.HasPrefix(line, " - ") || strings.HasPrefix(line, "  "); !example && line != "" {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.ReplaceAll(strings.Join(out, " "), "|", `\|`)
}

func TestReadme_MadeFromTheSchema(t *testing.T) {
	text, err := os.ReadFile(chart + "/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var values yaml.Node
	if err := yaml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(chart + "/values.schema.json"); err != nil {
		t.Fatal(err)
	}
	var schema property
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(readmeHead)
	valueRows(t, &b, "", values.Content[0], schema.Properties)
	file := chart + "/README.md"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(page), b.String()); diff != "" {
		t.Errorf("(-page +schema)\n%s", diff)
	}
}

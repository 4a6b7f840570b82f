package modelspec_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
)

const small = `version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [order_id]
        fields:
          - name: order_id
            expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}
    metrics:
      - name: order_count
        expression:
          dialects:
            - dialect: ANSI_SQL
              expression: COUNT(orders.order_id)
`

func parse(t *testing.T, text string) *modelspec.Document {
	t.Helper()
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// validated lists the findings about a document.
func validated(t *testing.T, doc *modelspec.Document, opts ...modelspec.ValidateOption) []modelspec.Issue {
	t.Helper()
	issues, err := modelspec.Validate(t.Context(), doc, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return issues
}

func TestParse_KeepsLocationsAndPositions(t *testing.T) {
	m := parse(t, small).Model()
	metric := m.Metrics[0]
	entry := metric.Expression.Entries[0]
	got := []string{
		fmt.Sprint(m.Datasets[0].Fields[0].Location, m.Datasets[0].Fields[0].Position),
		fmt.Sprint(metric.Name.Value, metric.Name.Position),
		fmt.Sprint(entry.Location, entry.Expression.Position, entry.Expression.PositionAtOffset(6)),
	}
	want := []string{
		"semantic_model[0].datasets[0].fields[0]{9 13}",
		"order_count{12 15}",
		"semantic_model[0].metrics[0].expression.dialects[0]{16 27} {16 33}",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParse_JSONPositions(t *testing.T) {
	t.Run("positions in JSON count characters and lines", func(t *testing.T) {
		for text, want := range map[string]string{
			`{"version":"0.2.0.dev0","name":"größe","metrics":[{"name":"m"}]}`:                                            "{1 32} {1 51} {1 59}",
			"{\r\n\t\"version\" : \"0.2.0.dev0\" ,\n\n\"name\":\r\n\t\t\"größe\", \"metrics\": [\n{ \"name\": \"m\"}\n]}": "{5 3} {6 1} {6 11}",
			"\n  {\"version\":\"0.2.0.dev0\",\"name\":\"a\\\"日本\",\"metrics\":[ {\"name\":\"m\"}]}":                       "{2 34} {2 54} {2 62}",
		} {
			m := parse(t, text).Model()
			if got := fmt.Sprint(m.Name.Position, " ", m.Metrics[0].Position, " ", m.Metrics[0].Name.Position); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	})
}

func TestParse_BothShapesInYAMLAndJSON(t *testing.T) {
	const fields = `"fields": [{"name": "id", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "id"}]}}]`
	for what, text := range map[string]string{
		"list, JSON":         `{"version":"0.2.0.dev0","semantic_model":[{"name":"m","datasets":[{"name":"d","source":"t",` + fields + `}]}]}`,
		"flat, JSON":         `{"version":"0.2.0.dev0","name":"m","datasets":[{"name":"d","source":"t",` + fields + `}]}`,
		"flat, YAML":         "version: 0.2.0.dev0\nname: m\ndatasets:\n  - {name: d, source: t, " + fields + "}\n",
		"JSON with tabs":     "{\n\t\"version\": \"0.2.0.dev0\",\n\t\"name\": \"m\",\n\t\"datasets\": [{\"name\": \"d\", \"source\": \"t\", " + fields + "}]\n}",
		"YAML that begins {": "{version: 0.2.0.dev0, name: m, datasets: [{name: d, source: t, " + fields + "}]}",
	} {
		t.Run(what, func(t *testing.T) {
			doc := parse(t, text)
			if issues := validated(t, doc); len(issues) > 0 {
				t.Fatal(issues)
			}
			m := doc.Model()
			if m.Name.Value != "m" || m.Datasets[0].Fields[0].Expression.DefaultEntry().Expression.Value != "id" {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestParse_YAMLFeatures(t *testing.T) {
	doc := parse(t, `
version: 0.2.0.dev0
name: m
ai_context: {instructions: be careful, synonyms: [a, b], big: 12345678901234567890, on: 1.5, none: null}
datasets:
  - &base
    name: d
    source: "a.b"
    description: null
    fields:
      - name: x
        expression: &x
          dialects:
            - dialect: ANSI_SQL
              expression: |
                a
                + b
        dimension: {is_time: false}
      - {name: y, expression: *x}
  - {<<: *base, name: e}
`)
	if issues := validated(t, doc); len(issues) > 0 {
		t.Fatal(issues)
	}
	m := doc.Model()
	text := m.Datasets[0].Fields[0].Expression.Entries[0].Expression
	if got, want := text.PositionAtOffset(4), (modelspec.Position{Line: 17, Column: 19}); got != want {
		t.Errorf("position of b: %v, want %v", got, want)
	}
	if f := m.Datasets[1].Fields[1]; m.Datasets[1].Source.Value != "a.b" || f.Expression.Entries[0].Expression.Value != "a\n+ b\n" {
		t.Errorf("merge or alias lost: %+v", m.Datasets[1])
	}
	got := fmt.Sprint(m.AIContext)
	if want := "map[big:12345678901234567890 instructions:be careful none:<nil> on:1.5 synonyms:[a b]]"; got != want {
		t.Errorf("ai_context %s, want %s", got, want)
	}
}

func TestParse_JSON(t *testing.T) {
	doc := parse(t, `{"version":"0.2.0.dev0","name":"\ud83d\ude00\/","datasets":[]}`)
	if got := doc.Model().Name.Value; got != "😀/" {
		t.Errorf("name %q", got)
	}
}

func TestParse_OtherTextIsLoadError(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1)
	}
	for _, c := range []struct {
		what, text, want string
		kind             modelspec.LoadErrorKind
	}{
		{"nothing", " \n", "the text is empty", modelspec.LoadErrorParse},
		{"comments only", "# nothing\n", "the text holds only comments", modelspec.LoadErrorParse},
		{"a scalar", "hello", `line 1, column 1: a model is an object with the keys version and semantic_model; this text is a string`, modelspec.LoadErrorParse},
		{"a list", "[1]", `line 1, column 1: a model is an object with the keys version and semantic_model; this text is a list`, modelspec.LoadErrorParse},
		{"another kind of object", "a: 1", `line 1, column 1: the text is not a model: it has none of the keys version, semantic_model, dialects, vendors, name, description, ai_context, datasets, relationships, metrics, custom_extensions`, modelspec.LoadErrorParse},
		{"broken YAML", "version: [1\nname: x", `line 2, column 5: the text is not YAML: did not find expected ',' or ']'; the block that it belongs to begins at line 1, column 10`, modelspec.LoadErrorParse},
		{"broken JSON", "{\"version\": \"0.2.0.dev0\",\n \"name\" \"m\"}", `line 2, column 9: the text is not JSON: invalid character '"' after object key`, modelspec.LoadErrorParse},
		{"JSON cut short", `{"version": "0.2.0.dev0", "name`, `line 1, column 32: the text is not JSON: unexpected end of the text`, modelspec.LoadErrorParse},
		{"JSON and more", `{"version": "0.2.0.dev0"} x`, `line 1, column 27: the text is not JSON: invalid character 'x' after top-level value`, modelspec.LoadErrorParse},
		{"a tab", "version: 0.2.0.dev0\nname: m\ndatasets:\n\t- name: d\n", "line 4, column 1: the text is not YAML: a tab is used for indentation; YAML takes spaces only", modelspec.LoadErrorParse},
		{"a duplicate key", "version: 1\nname: m\nversion: 2\n", `line 3, column 1: the key "version" is given twice; the first is at line 1, column 1`, modelspec.LoadErrorParse},
		{"a duplicate key in JSON", `{"version": "1", "version": "2"}`, `line 1, column 18: the key "version" is given twice; the first is at line 1, column 2`, modelspec.LoadErrorParse},
		{"a list as a key", "version: 1\n? [a]\n: b\n", "line 2, column 3: a key must be text", modelspec.LoadErrorParse},
		{"two YAML documents", "version: 1\n---\nversion: 2\n", "line 2, column 1: a second YAML document begins here; a file holds one", modelspec.LoadErrorParse},
		{"a UTF-8 mark", "\xEF\xBB\xBFversion: 1", "line 1, column 1: the text begins with a byte order mark; save it as UTF-8 without one", modelspec.LoadErrorParse},
		{"UTF-16", "\xFF\xFEv\x00", "line 1, column 1: the text is UTF-16; save it as UTF-8", modelspec.LoadErrorParse},
		{"a NUL", "version: 1\nname: \x00", "line 2, column 7: the text holds a NUL byte", modelspec.LoadErrorParse},
		{"bad UTF-8", "version: 1\nname: é\xff", "line 2, column 8: the byte 0xFF is not valid UTF-8", modelspec.LoadErrorParse},
		{"too deep, YAML", "version: " + deep, "line 1, column 73: the text is nested deeper than 64 levels", modelspec.LoadErrorParse},
		{"too deep, JSON", `{"version": ` + deep + "}", "line 1, column 76: the text is nested deeper than 64 levels", modelspec.LoadErrorParse},
		{"an alias bomb", bomb, "", modelspec.LoadErrorParse},
		{"an alias of itself", "version: &v [*v]\n", "", modelspec.LoadErrorParse},
		{"too long", strings.Repeat("# long\n", 1<<21), "the text has 14680064 bytes, more than the limit of 10485760", modelspec.LoadErrorParse},
		{"an ontology", "version: 0.2.0.dev0\nontology:\n  name: x\n", "", modelspec.LoadErrorOntology},
		{"an empty ontology", "ontology:\n", "", modelspec.LoadErrorOntology},
	} {
		t.Run(c.what, func(t *testing.T) {
			doc, err := modelspec.Parse([]byte(c.text))
			var loadErr *modelspec.LoadError
			if !errors.As(err, &loadErr) {
				t.Fatalf("%v, %v; want a load error", doc, err)
			}
			if loadErr.Kind != c.kind || c.want != "" && err.Error() != c.want {
				t.Errorf("%s: %s\nwant %s: %s", loadErr.Kind, err, c.kind, c.want)
			}
		})
	}
}

func TestParseFile_NamesFile(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.yaml")
	if err := os.WriteFile(broken, []byte("a: 1\na: 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := modelspec.ParseFile(broken)
	if want := broken + `:2:1: the key "a" is given twice; the first is at line 1, column 1`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	absent := filepath.Join(dir, "absent.yaml")
	_, err = modelspec.ParseFile(absent)
	var loadErr *modelspec.LoadError
	if !errors.As(err, &loadErr) || loadErr.Kind != modelspec.LoadErrorUnreadable || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want an io error that wraps os.ErrNotExist", err)
	}
}

// Texts share the nodes of their trees, one after the other: a document keeps nothing of its tree.
func TestParse_DocumentsOutliveTheirTrees(t *testing.T) {
	anchors := strings.Replace(small, "source: orders", "source: &table orders\n        description: *table", 1)
	asJSON := `{"version": "0.2.0.dev0", "name": "j", "datasets": [{"name": "d", "source": "s", "ai_context": {"synonyms": ["x"]}, "custom_extensions": [{"vendor_name": "V", "data": "{}"}]}]}`
	texts := []string{small, anchors, asJSON}
	var documents []*modelspec.Document
	for _, text := range texts {
		documents = append(documents, parse(t, text))
	}
	for range 100 {
		parse(t, strings.ReplaceAll(small, "order", "item"))
	}
	for i, text := range texts {
		if !reflect.DeepEqual(documents[i], parse(t, text)) {
			t.Errorf("the document of this text has changed:\n%s", text)
		}
	}
}

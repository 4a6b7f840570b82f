package schemas_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/schema"
)

// compiled returns a schema that validates.
func compiled(t *testing.T, s *schema.Schema) *jsonschema.Schema {
	t.Helper()
	text, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	const resource = "http://127.0.0.1/schema.json"
	if err := c.AddResource(resource, document); err != nil {
		t.Fatal(err)
	}
	out, err := c.Compile(resource)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// valueOf returns a text of YAML or JSON as the validator takes it.
func valueOf(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// jsonValue returns a text of JSON as the validator takes it.
func jsonValue(t *testing.T, text string) any {
	t.Helper()
	out, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// validator checks a model and its payloads, which are documents in strings that validators
// leave alone.
type validator struct {
	model    *jsonschema.Schema
	payloads map[extension.Carrier]*jsonschema.Schema
}

func newValidator(t *testing.T) validator {
	t.Helper()
	v := validator{compiled(t, schema.ModelSchema()), map[extension.Carrier]*jsonschema.Schema{}}
	for _, carrier := range []extension.Carrier{extension.CarrierModel, extension.CarrierDataset, extension.CarrierField, extension.CarrierRelationship, extension.CarrierMetric} {
		v.payloads[carrier] = compiled(t, schema.PayloadSchema(carrier))
	}
	return v
}

// members returns the elements of the list under a key of an object, and nil if the object does not have that list.
func members(v any, key string) []any {
	object, _ := v.(map[string]any)
	list, _ := object[key].([]any)
	return list
}

func (v validator) validate(t *testing.T, document any) error {
	t.Helper()
	errs := []error{v.model.Validate(document)}
	check := func(carrier extension.Carrier, object any) {
		for _, entry := range members(object, "custom_extensions") {
			x, _ := entry.(map[string]any)
			name, _ := x["vendor_name"].(string)
			text, isText := x["data"].(string)
			ours := slices.ContainsFunc(modelspec.ExtensionVendors(), func(vendor string) bool { return strings.EqualFold(vendor, name) })
			if !ours || !isText || !json.Valid([]byte(text)) {
				continue
			}
			errs = append(errs, v.payloads[carrier].Validate(jsonValue(t, text)))
		}
	}
	for _, model := range append(members(document, "semantic_model"), document) {
		check(extension.CarrierModel, model)
		for _, d := range members(model, "datasets") {
			check(extension.CarrierDataset, d)
			for _, f := range members(d, "fields") {
				check(extension.CarrierField, f)
			}
		}
		for _, r := range members(model, "relationships") {
			check(extension.CarrierRelationship, r)
		}
		for _, m := range members(model, "metrics") {
			check(extension.CarrierMetric, m)
		}
	}
	return errors.Join(errs...)
}

// problems lists what reading a model finds: wrong types, and payloads that are rejected.
func problems(t *testing.T, text []byte) []string {
	t.Helper()
	doc, err := modelspec.Parse(text)
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	issues, err := modelspec.Validate(t.Context(), doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range issues {
		if i.Severity == modelspec.SeverityError {
			out = append(out, i.Code+" "+i.Location+" "+i.Message)
		}
	}
	if len(out) > 0 {
		return out
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range cat.Errors {
		if e.Code == extension.CodeInvalidPayload || e.Code == extension.CodeUnsupportedVersion {
			out = append(out, e.Code+" "+e.Location+" "+e.Message)
		}
	}
	return out
}

func TestModelSchema_AcceptsEveryModelThatLoads(t *testing.T) {
	s := newValidator(t)
	count := 0
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case filepath.Ext(path) != ".yaml":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := modelspec.Parse(text); err != nil || len(problems(t, text)) > 0 {
			return nil //nolint:nilerr // a file that does not load is not of the corpus
		}
		count++
		if err := s.validate(t, valueOf(t, text)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 30 {
		t.Errorf("only %d models load", count)
	}
}

// full is a model with every key of the format, as JSON.
const full = `{
"version": "0.2.0.dev0", "dialects": ["ANSI_SQL"], "vendors": ["SEMLAYER"], "semantic_model": [{
 "name": "m", "description": "d", "ai_context": {"instructions": "i", "synonyms": ["s"], "examples": ["e"]},
 "datasets": [
  {"name": "a", "source": "a", "primary_key": ["id"], "unique_keys": [["code"]], "description": "d", "ai_context": "c",
   "custom_extensions": [{"vendor_name": "semlayer", "data": "{\"v\":\"1.9\",\"requires\":[],\"time_dimension\":\"day\"}"}, {"vendor_name": "OTHER", "data": {"x": 1}}],
   "fields": [
    {"name": "id", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "id"}]}, "datatype": "Integer"},
    {"name": "code", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "code"}]}, "datatype": "Integer", "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"requires\":[\"time\"],\"time\":{\"format\":\"yyyyMMdd\",\"granularity\":\"day\"}}"}], "dimension": {"is_time": true}},
    {"name": "day", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "day"}]}, "dimension": {"is_time": true}, "datatype": "Date", "label": "l", "description": "d", "ai_context": "c",
     "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"time_granularity\":\"day\",\"is_dimension\":true}"}]},
    {"name": "x", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "x"}]}, "datatype": "Decimal"},
    {"name": "b_count", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "COUNT(b.id)"}]}, "datatype": "Integer",
     "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.10\",\"lod\":{\"grain\":[\"id\"],\"where\":\"b.kind = ':k'\",\"via\":[\"ba\"]},\"params\":[{\"name\":\"k\",\"type\":\"string\",\"default\":\"z\"}]}"}]}
   ]},
  {"name": "b", "source": "b", "primary_key": ["id"], "fields": [
    {"name": "id", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "id"}]}},
    {"name": "a_id", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "a_id"}]}},
    {"name": "kind", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "kind"}]}}
  ]}
 ],
 "relationships": [{"name": "ba", "from": "b", "to": "a", "from_columns": ["a_id"], "to_columns": ["id"], "cardinality": "many_to_one", "ai_context": "c",
   "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"join_type\":\"left\",\"cardinality\":\"many_to_one\"}"}]}],
 "metrics": [
  {"name": "s", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "datatype": "Decimal", "description": "d", "ai_context": "c",
   "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"requires\":[\"measure\"],\"time_dimension\":\"a.day\",\"fill_nulls_with\":0,\"subject_path\":[\"p\"],\"unit\":\"u\",\"format\":\"f\",\"measure\":{\"name\":\"sx\"}}"}]},
  {"name": "n", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "COUNT(*)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"dataset\":\"a\"}"}]},
  {"name": "f", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(CASE WHEN a.x > 5 THEN a.x END)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER",
   "data": "{\"v\":\"1.9\",\"derive\":{\"type\":\"filter\",\"base\":\"s\",\"where\":\"a.x > :least\"},\"params\":[{\"name\":\"least\",\"type\":\"int\",\"default\":5,\"allowed\":[5,6],\"min\":1,\"max\":9,\"description\":\"d\"}]}"}]},
  {"name": "c", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"derive\":{\"type\":\"compose\",\"expr\":\"s\",\"fill\":0}}"}]},
  {"name": "w1", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"type\":\"pop\",\"offset\":\"1 month\",\"calculation\":\"delta\"}}"}]},
  {"name": "w2", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"type\":\"rolling\",\"function\":\"sum\",\"periods\":3,\"require_full_window\":true}}"}]},
  {"name": "w3", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"type\":\"cumulative\",\"function\":\"sum\",\"reset\":\"year\"}}"}]},
  {"name": "w4", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"offset\":{\"count\":1,\"granularity\":\"month\",\"direction\":\"back\"},\"calculation\":\"ratio\"}}"}]},
  {"name": "w5", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"frame\":{\"function\":\"corr\",\"second\":\"n\",\"preceding\":2,\"reset\":\"year\",\"require_full_window\":false,\"order\":{\"by\":\"time\",\"direction\":\"asc\"},\"partition\":{\"mode\":\"query_dimensions_except\",\"exclude\":[\"a.code\"]},\"units\":\"rows\",\"scope\":\"frame\"}}}"}]},
  {"name": "w6", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"rank\":{\"function\":\"ntile\",\"buckets\":4,\"order\":{\"by\":\"value\"},\"partition\":{\"mode\":\"none\"}}}}"}]},
  {"name": "w7", "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": "SUM(a.x)"}]}, "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.9\",\"window\":{\"value\":{\"function\":\"nth_value\",\"n\":2}}}"}]}
 ],
 "custom_extensions": [{"vendor_name": "SEMLAYER", "data": "{\"v\":\"1.10\",\"queries\":[{\"name\":\"q\",\"description\":\"d\",\"questions\":[\"How much?\"],\"synonyms\":[\"s\"],\"verified\":{\"by\":\"us\",\"on\":\"2024-01-31\"},\"params\":[{\"name\":\"n\",\"type\":\"int\",\"default\":3,\"min\":1}],\"query\":{\"metrics\":[\"s\"],\"limit\":\":n\"}}]}"}]
}]}`

// replacements are values of every JSON type.
var replacements = []any{nil, true, 7.5, "text", []any{}, map[string]any{}, []any{7.5}, []any{[]any{"x"}}, []any{map[string]any{}}}

// anyType matches the places that take a scalar of any type, or that the decoder leaves to
// others: the body of a saved query is read by the planner.
var anyType = regexp.MustCompile(`ai_context|^\.dialects|^\.vendors|\.data\.x$|params\[\]\.(default|min|max|allowed\[\])$|queries\[\]\.query\.`)

// mutant is the full model with one value replaced.
type mutant struct {
	path    string
	payload bool // the value is inside of a payload
	text    []byte
}

// mutants calls f for the model with each value, those in payloads included, replaced by
// each replacement.
func mutants(t *testing.T, f func(mutant)) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(full), &root); err != nil {
		t.Fatal(err)
	}
	emit := func(path string, payload bool) {
		text, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		f(mutant{path, payload, text})
	}
	values := replacements
	if os.Getenv("SEMLAYER_TEST_LONG") == "" {
		values = values[1:4]
	}
	var walk func(v any, path string, payload bool, set func(any))
	walk = func(v any, path string, payload bool, set func(any)) {
		for _, r := range values {
			set(r)
			emit(path, payload)
		}
		set(v)
		switch x := v.(type) {
		case map[string]any:
			for key, value := range x {
				walk(value, path+"."+key, payload, func(r any) { x[key] = r; set(x) })
			}
		case []any:
			for i, value := range x {
				walk(value, path+"[]", payload, func(r any) { x[i] = r; set(x) })
			}
		case string:
			var inner any
			if !strings.HasSuffix(path, ".data") || json.Unmarshal([]byte(x), &inner) != nil {
				return
			}
			walk(inner, path+":", true, func(r any) {
				text, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				set(string(text))
			})
		}
	}
	walk(root, "", false, func(r any) { root = r })
}

func TestModelSchema_AgreesWithTheDecoderOnEveryTypeOfEveryKey(t *testing.T) {
	s := newValidator(t)
	if found := problems(t, []byte(full)); len(found) > 0 {
		t.Fatalf("the full model does not load: %s", strings.Join(found, "\n"))
	}
	if err := s.validate(t, jsonValue(t, full)); err != nil {
		t.Fatal(err)
	}
	rejected, accepted := map[string]bool{}, map[string]bool{}
	mutants(t, func(m mutant) {
		found := problems(t, m.text)
		invalid := s.validate(t, jsonValue(t, string(m.text)))
		isType := slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, modelspec.CodeParse+" ") })
		switch {
		case invalid != nil && len(found) == 0:
			t.Errorf("%s: the decoder accepts and the schema rejects %v\n%s", m.path, invalid, m.text)
		case invalid == nil && isType:
			t.Errorf("%s: the schema accepts and the decoder finds %s", m.path, found[0])
		case invalid != nil:
			rejected[m.path] = true
		default:
			accepted[m.path] = true
		}
	})
	// Each key is rejected with some type; that the decoder agrees is checked above.
	if len(rejected) < 100 {
		t.Errorf("only %d places with a mistake that both find", len(rejected))
	}
	for path := range accepted {
		if !rejected[path] && !anyType.MatchString(path) {
			t.Errorf("%s: no type is a mistake there", path)
		}
	}
}

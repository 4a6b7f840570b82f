package openapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

// everything answers with each of the engine's types.
func everything() Document {
	d := Document{Title: "t", Version: "v", Description: "d"}
	for id, answer := range map[string]any{
		"model": engine.ModelInfo{}, "capabilities": engine.Capabilities{}, "datasets": []describe.Dataset{},
		"metrics": []describe.Metric{}, "dimensions": []describe.Dimension{}, "connections": []Connection{},
		"relationships": []describe.Relationship{}, "views": []describe.View{}, "findings": engine.Findings{}, "saved": []describe.SavedQuery{}, "rollups": []describe.Rollup{}, "lineage": lineage.Graph{},
		"validate": engine.Validation{}, "compile": engine.Compiled{}, "explain": engine.Explained{}, "find": engine.FindResult{}, "values": engine.FieldValues{}, "compatible": engine.CompatibleItems{}, "attribute": engine.Attribution{}, "compile-sql": CompiledSQL{},
	} {
		d.Operations = append(d.Operations, Operation{
			ID: id, Method: "POST", Path: "/" + id, Tag: "t", Body: MetricQuery(),
			Answers: []Response{{Status: 200, Description: "d", Type: answer}},
		})
	}
	return d
}

func TestTables_EveryLineIsUsed(t *testing.T) {
	r := newSchemaReflector()
	d := everything()
	for _, o := range d.Operations {
		if err := d.addOperation(r, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.joinedErrors(); err != nil {
		t.Error(err)
	}
	for line := range typeDescriptions {
		if !r.used[line] {
			t.Errorf("there is no type %s", line)
		}
	}
	for line := range fieldDescriptions {
		if !r.used[line] {
			t.Errorf("there is no property %s", line)
		}
	}
	for line := range attributionFieldDescriptions {
		if !r.used[line] {
			t.Errorf("there is no property %s", line)
		}
	}
}

type undescribed struct {
	Field string `json:"field"`
}

func TestSchema_UndescribedTypeRejected(t *testing.T) {
	d := Document{Operations: []Operation{{ID: "x", Method: "GET", Path: "/x", Answers: []Response{{Status: 200, Type: undescribed{}}}}}}
	_, err := d.JSON()
	if err == nil || !strings.Contains(err.Error(), "openapi.undescribed has no description") || !strings.Contains(err.Error(), "openapi.undescribed.field has no description") {
		t.Errorf("%v", err)
	}
}

func TestSchema_RequiredUnlessOmitted(t *testing.T) {
	text, err := everything().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Required             []string
				AdditionalProperties *bool `json:"additionalProperties"`
				Properties           map[string]struct{ Type any }
			}
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	schemas := document.Components.Schemas
	for name, want := range map[string]string{
		"Compiled":    "dialect sql",
		"Dataset":     "fields name primary_key source time_dimensions",
		"MetricQuery": "",
		"GroupBy":     "",
		"TimeRange":   "",
		"LocalField":  "dataset expression name",
		// Of an embedded struct too.
		"AttributionFactor": "baseline_value current_value delta effect factor",
	} {
		if got := strings.Join(schemas[name].Required, " "); got != want {
			t.Errorf("%s requires %s", name, got)
		}
	}
	if closed := schemas["MetricQuery"].AdditionalProperties; closed == nil || *closed {
		t.Error("a request takes any key")
	}
	if got := schemas["Dataset"].Properties["primary_key"].Type; got != "array" {
		t.Errorf("a list is %v", got)
	}
	if got, _ := json.Marshal(schemas["AttributionFactor"].Properties["delta"].Type); string(got) != `["number","null"]` {
		t.Errorf("a number of an attribution is %s", got)
	}
}

// Dialect has the name that the engine's DialectInfo gets.
type Dialect struct {
	Name string   `json:"name" description:"d"`
	_    struct{} `description:"d"`
}

func TestSchema_EqualTypeNamesRejected(t *testing.T) {
	d := everything()
	d.Operations = append(d.Operations, Operation{ID: "x", Method: "GET", Path: "/x", Answers: []Response{{Status: 200, Type: Dialect{}}}})
	if _, err := d.JSON(); err == nil || !strings.Contains(err.Error(), "are both called Dialect") {
		t.Errorf("%v", err)
	}
}

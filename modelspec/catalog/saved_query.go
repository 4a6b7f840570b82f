package catalog

import (
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// SavedQueryKind is the kind of request that a saved query is the body of.
type SavedQueryKind string

// The kinds of saved queries. Each is the key of the body in the model.
const (
	SavedKindMetrics     SavedQueryKind = "query"
	SavedKindDetail      SavedQueryKind = "select"
	SavedKindAttribution SavedQueryKind = "attribute"
)

// SavedQuery is a query that the model holds under a name.
type SavedQuery struct {
	modelspec.Place // of its object in the payload

	Name        string
	Kind        SavedQueryKind
	Description string
	Questions   []string
	Synonyms    []string
	Verified    *Verification // nil when absent
	Home        bool          // a page of the model shows the result first
	Chart       string        // line, bar, area, table or number; empty for one that fits the result
	Params      []*Param
	Metrics     []string // that the body names
	Dimensions  []string // the fields of group_by, where no parameter is among them
	Body        []SavedBodyMember
	Err         *modelspec.CompileError
}

// ViewName returns the view that the body names; "" for none.
func (s *SavedQuery) ViewName() string {
	for _, m := range s.Body {
		if m.Name != "view" || len(m.Parts) != 1 {
			continue
		}
		var name string
		if text, ok := m.Parts[0].(SavedBodyJSONText); ok && json.Unmarshal([]byte(text), &name) == nil {
			return name
		}
	}
	return ""
}

// RequestOnlyBodyKeys lists the keys of a body that a saved query leaves to the requests that use it.
func RequestOnlyBodyKeys() []string { return []string{"connection", "dialect", "pretty", "saved"} }

// Verification names who checked a saved query, and the date.
type Verification struct {
	By string `json:"by"`
	On string `json:"on"`
}

// Param finds a parameter of the saved query by its name; nil when there is none.
func (s *SavedQuery) Param(name string) *Param {
	for _, p := range s.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// SavedBodyMember is one top-level key of a saved body with its value. The parts, each printed
// as it describes, make up the JSON of the value.
type SavedBodyMember struct {
	Name  string
	Parts []SavedBodyPart
}

// SavedBodyPart is a part of a value of a saved body: SavedBodyJSONText, SavedBodyParamPlaceholder or SavedBodyCondition.
type SavedBodyPart interface{ isBodyPart() }

// SavedBodyJSONText is JSON as it is.
type SavedBodyJSONText string

// SavedBodyParamPlaceholder stands for a whole JSON value: that of the parameter.
type SavedBodyParamPlaceholder struct{ Param string }

// SavedBodyCondition is a JSON string that holds a condition with sqlexpr.Param nodes.
type SavedBodyCondition struct{ Condition sqlexpr.Expr }

func (SavedBodyJSONText) isBodyPart()         {}
func (SavedBodyParamPlaceholder) isBodyPart() {}
func (SavedBodyCondition) isBodyPart()        {}

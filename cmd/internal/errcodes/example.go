package errcodes

import (
	_ "embed"
	"strings"
)

// BaseModelYAML is the model that the examples build on.
//
//go:embed base.yaml
var BaseModelYAML string

// ExampleKind is the kind of an example's text.
type ExampleKind string

// The kinds. The first four are pieces of a model, the next four are bodies
// of requests. Data is SQL that changes the tables of BaseModelYAML, or rows of them.
// Policies are a policies file for BaseModelYAML.
const (
	ExampleKindModel         ExampleKind = "model"
	ExampleKindFields        ExampleKind = "fields"
	ExampleKindRelationships ExampleKind = "relationships"
	ExampleKindMetrics       ExampleKind = "metrics"
	ExampleKindQuery         ExampleKind = "query"
	ExampleKindDetailQuery   ExampleKind = "select"
	ExampleKindAttribute     ExampleKind = "attribute"
	ExampleKindSQL           ExampleKind = "sql"
	ExampleKindData          ExampleKind = "data"
	ExampleKindPolicies      ExampleKind = "policies"
	ExampleKindSituation     ExampleKind = "situation"
)

// Example raises one code.
type Example struct {
	Kind ExampleKind `json:"kind"`
	Text string      `json:"text"`
	// Data is SQL that changes the tables, beside a piece of a model.
	Data string `json:"data,omitempty"`
	// Basic: the model is read in basic mode.
	Basic bool `json:"basic,omitempty"`
}

// Intro describes the text in words; "" if the text is already a sentence.
func (x Example) Intro() string {
	intro := map[ExampleKind]string{
		ExampleKindModel:         "a model",
		ExampleKindFields:        "fields of orders",
		ExampleKindRelationships: "a relationship",
		ExampleKindMetrics:       "metrics",
		ExampleKindQuery:         "a metric query",
		ExampleKindDetailQuery:   "a detail query",
		ExampleKindAttribute:     "an attribution",
		ExampleKindSQL:           "a statement in SQL",
		ExampleKindData:          "a change of the tables",
		ExampleKindPolicies:      "a policies file",
		ExampleKindSituation:     "",
	}[x.Kind]
	if x.Basic {
		intro += ", in basic mode"
	}
	if x.Data != "" {
		intro += " and a change of the tables"
	}
	return intro
}

// IsRequestBody reports whether the text is the body of a request.
func (x Example) IsRequestBody() bool {
	return x.Kind == ExampleKindQuery || x.Kind == ExampleKindDetailQuery || x.Kind == ExampleKindAttribute || x.Kind == ExampleKindSQL
}

// placeholderLineByKind holds the line of Base that each kind of model example replaces.
var placeholderLineByKind = map[ExampleKind]string{
	ExampleKindFields:        "      # more fields of orders\n",
	ExampleKindRelationships: "  # more relationships\n",
	ExampleKindMetrics:       "  # more metrics\n",
}

// ModelText returns the model text that an example is about: Base with the piece in it, or Base
// itself for a query.
func (x Example) ModelText() string {
	if x.Kind == ExampleKindModel {
		return x.Text + "\n"
	}
	mark, ok := placeholderLineByKind[x.Kind]
	if !ok {
		return BaseModelYAML
	}
	indent, _, _ := strings.Cut(mark, "#")
	var piece strings.Builder
	for _, line := range strings.Split(x.Text, "\n") {
		piece.WriteString(indent + line + "\n")
	}
	return strings.Replace(BaseModelYAML, mark, piece.String(), 1)
}

package errcodes

import (
	_ "embed"
	"strings"
)

// BaseModel is the model that the examples build on.
//
//go:embed base.yaml
var BaseModel string

// ExampleKind is the kind of an example's text.
type ExampleKind string

// The kinds. The first four are pieces of a model, the next four are bodies
// of requests. Data is SQL that changes the tables of BaseModel, or rows of them.
const (
	KindModel         ExampleKind = "model"
	KindFields        ExampleKind = "fields"
	KindRelationships ExampleKind = "relationships"
	KindMetrics       ExampleKind = "metrics"
	KindQuery         ExampleKind = "query"
	KindSelect        ExampleKind = "select"
	KindAttribute     ExampleKind = "attribute"
	KindSQL           ExampleKind = "sql"
	KindData          ExampleKind = "data"
	KindSituation     ExampleKind = "situation"
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
		KindModel:         "a model",
		KindFields:        "fields of orders",
		KindRelationships: "a relationship",
		KindMetrics:       "metrics",
		KindQuery:         "a metric query",
		KindSelect:        "a detail query",
		KindAttribute:     "an attribution",
		KindSQL:           "a statement in SQL",
		KindData:          "a change of the tables",
		KindSituation:     "",
	}[x.Kind]
	if x.Basic {
		intro += ", in basic mode"
	}
	if x.Data != "" {
		intro += " and a change of the tables"
	}
	return intro
}

// IsRequest reports whether the text is the body of a request.
func (x Example) IsRequest() bool {
	return x.Kind == KindQuery || x.Kind == KindSelect || x.Kind == KindAttribute || x.Kind == KindSQL
}

// placeholderLines holds the line of Base that each kind of model example replaces.
var placeholderLines = map[ExampleKind]string{
	KindFields:        "      # more fields of orders\n",
	KindRelationships: "  # more relationships\n",
	KindMetrics:       "  # more metrics\n",
}

// ModelText is the model text that an example is about: Base with the piece in it, or Base
// itself for a query.
func (x Example) ModelText() string {
	if x.Kind == KindModel {
		return x.Text + "\n"
	}
	mark, ok := placeholderLines[x.Kind]
	if !ok {
		return BaseModel
	}
	indent, _, _ := strings.Cut(mark, "#")
	var piece strings.Builder
	for _, line := range strings.Split(x.Text, "\n") {
		piece.WriteString(indent + line + "\n")
	}
	return strings.Replace(BaseModel, mark, piece.String(), 1)
}

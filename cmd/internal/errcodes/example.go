package errcodes

import (
	_ "embed"
	"strings"
)

// BaseModel is the model that the examples build on.
//
//go:embed base.yaml
var BaseModel string

// Kind is the kind of an example's text.
type Kind string

// The kinds. The first four are pieces of a model, the next three are bodies
// of requests. Data is SQL that changes the tables of BaseModel, or rows of them.
const (
	Model         Kind = "model"
	Fields        Kind = "fields"
	Relationships Kind = "relationships"
	Metrics       Kind = "metrics"
	Query         Kind = "query"
	Select        Kind = "select"
	Attribute     Kind = "attribute"
	Data          Kind = "data"
	Situation     Kind = "situation"
)

// Example raises one code.
type Example struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"`
	// Data is SQL that changes the tables, beside a piece of a model.
	Data string `json:"data,omitempty"`
	// Basic: the model is read in basic mode.
	Basic bool `json:"basic,omitempty"`
}

// Intro describes the text in words; "" if the text is already a sentence.
func (x Example) Intro() string {
	intro := map[Kind]string{
		Model:         "a model",
		Fields:        "fields of orders",
		Relationships: "a relationship",
		Metrics:       "metrics",
		Query:         "a metric query",
		Select:        "a detail query",
		Attribute:     "an attribution",
		Data:          "a change of the tables",
		Situation:     "",
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
func (x Example) IsRequest() bool { return x.Kind == Query || x.Kind == Select || x.Kind == Attribute }

// kindLabels holds the line of Base that each kind of model example replaces.
var kindLabels = map[Kind]string{
	Fields:        "      # more fields of orders\n",
	Relationships: "  # more relationships\n",
	Metrics:       "  # more metrics\n",
}

// Compose is the model text that an example is about: Base with the piece in it, or Base
// itself for a query.
func (x Example) Compose() string {
	if x.Kind == Model {
		return x.Text + "\n"
	}
	mark, ok := kindLabels[x.Kind]
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

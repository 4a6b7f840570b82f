package modelspec

import (
	"fmt"
	"slices"
	"strings"
)

// Document is a model file as written: typed, but neither checked nor
// resolved. It is immutable after Parse.
type Document struct {
	// Version as declared; empty when absent.
	Version LocatedText
	// Models of the document. A valid one has exactly one.
	Models []*SemanticModel

	shape    modelPlacement
	root     Place
	issues   []Issue
	warnings []*CompileWarning
}

// UnknownKeyWarnings lists the keys that the format does not know, in document order.
func (d *Document) UnknownKeyWarnings() []*CompileWarning { return slices.Clone(d.warnings) }

// Model returns the one semantic model, nil when the document does not hold
// exactly one.
func (d *Document) Model() *SemanticModel {
	if len(d.Models) != 1 {
		return nil
	}
	return d.Models[0]
}

// Hides selects the objects of a document that a reader does not see, by their names.
type Hides struct{ Dataset, Relationship, Metric func(name string) bool }

// Without returns the document, without the objects that a reader does not see.
func (d *Document) Without(hides Hides) *Document {
	model := d.Model()
	if model == nil {
		return d
	}
	seen := *model
	seen.Datasets = slices.DeleteFunc(slices.Clone(model.Datasets), func(x *Dataset) bool { return hides.Dataset(x.Name.Value) })
	seen.Relationships = slices.DeleteFunc(slices.Clone(model.Relationships), func(x *Relationship) bool { return hides.Relationship(x.Name.Value) })
	seen.Metrics = slices.DeleteFunc(slices.Clone(model.Metrics), func(x *Metric) bool { return hides.Metric(x.Name.Value) })
	out := *d
	out.Models = []*SemanticModel{&seen}
	return &out
}

const documentFormsText = "either `version` and `semantic_model: [{name, datasets, …}]`, or `version, name, datasets, …` at the root"

// CheckSingleModel returns the compile error of a document that does not hold exactly one
// semantic model; nil for one that does. Its code is unknown_dataset, by contract.
func (d *Document) CheckSingleModel() *CompileError {
	at := Place{Location: "semantic_model", Position: d.root.Position}
	var what string
	switch n := len(d.Models); {
	case d.shape == modelPlacementMissing:
		what = "the document holds no semantic model"
	case d.shape == documentFormBothListAndRoot:
		what = "the document holds a list semantic_model and a model at the root"
	case n == 0:
		what = "the list semantic_model is empty"
	case n > 1:
		what = fmt.Sprintf("the document holds %d semantic models", n)
		at = d.Models[1].Place
	default:
		return nil
	}
	return &CompileError{
		Code: CodeUnknownDataset, Location: at.Location, Position: at.Position,
		Message: what + "; a document holds exactly one", Hint: documentFormsText,
	}
}

// Place is the location of an object: its path in the document and its position
// in the text.
type Place struct {
	Location string
	Position Position
}

// MemberLocation returns the path of a member of the object.
func (p Place) MemberLocation(key string) string {
	if key == "" {
		key = `""`
	}
	if p.Location == "" {
		return key
	}
	return p.Location + "." + key
}

// SemanticModel is one model.
type SemanticModel struct {
	Place
	Name          LocatedText
	Description   string
	AIContext     any // string or map[string]any; nil when absent
	Datasets      []*Dataset
	Relationships []*Relationship
	Metrics       []*Metric
	Extensions    []*CustomExtension
}

// Dataset is one logical table.
type Dataset struct {
	Place
	Name        LocatedText
	Source      LocatedText
	PrimaryKey  []LocatedText
	UniqueKeys  [][]LocatedText
	Fields      []*Field
	Description string
	AIContext   any
	Extensions  []*CustomExtension

	byName map[string]*Field // by folded name, the first of each
}

// addField appends a field.
func (d *Dataset) addField(f *Field) {
	d.Fields = append(d.Fields, f)
	if d.byName == nil {
		d.byName = map[string]*Field{}
	}
	if key := strings.ToLower(f.Name.Value); d.byName[key] == nil {
		d.byName[key] = f
	}
}

// Field is a row-level value.
type Field struct {
	Place
	Name        LocatedText
	Expression  *Expression // nil when absent, which validation rejects
	Dimension   *Dimension
	Datatype    LocatedText
	Label       string
	Description string
	AIContext   any
	Extensions  []*CustomExtension
}

// Dimension is a field's dimension block.
type Dimension struct {
	Place
	IsTime *bool
}

// Relationship joins the many side From to the one side To.
type Relationship struct {
	Place
	Name        LocatedText
	From, To    LocatedText
	FromColumns []LocatedText
	ToColumns   []LocatedText
	Cardinality LocatedText // empty when absent
	AIContext   any
	Extensions  []*CustomExtension
}

// Metric is one metric.
type Metric struct {
	Place
	Name        LocatedText
	Expression  *Expression
	Datatype    LocatedText
	Description string
	AIContext   any
	Extensions  []*CustomExtension
}

// Expression is an expression, written once or once per dialect.
type Expression struct {
	Place
	Entries []*DialectEntry
}

// DialectEntry is one spelling of an expression.
type DialectEntry struct {
	Place
	Dialect    LocatedText
	Expression LocatedText
}

// CustomExtension is one vendor's payload: a JSON document in a string. A
// payload that is not a string is kept as Data.Value == "" with IsText false.
type CustomExtension struct {
	Place
	VendorName string
	Data       LocatedText
	IsText     bool
	IsObject   bool // an object in place of its JSON text, which semlayer fmt writes
}

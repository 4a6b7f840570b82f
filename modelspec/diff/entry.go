package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// Class is the effect of a change on the queries of the old model.
type Class string

// The classes, worst first.
const (
	Breaking   Class = "breaking"   // a query that compiled no longer does, or a result has another type
	Changed    Class = "changed"    // queries compile and may have other results
	Compatible Class = "compatible" // queries have the same results
)

// Classes lists the classes, worst first.
func Classes() []Class { return []Class{Breaking, Changed, Compatible} }

// AtLeast reports whether a class is as bad as another, or worse.
func (c Class) AtLeast(other Class) bool {
	return slices.Index(Classes(), c) <= slices.Index(Classes(), other)
}

// Object is the kind of an object that changed.
type Object string

// The kinds of objects.
const (
	ObjectModel        Object = "model"
	ObjectDataset      Object = "dataset"
	ObjectField        Object = "field"
	ObjectRelationship Object = "relationship"
	ObjectMetric       Object = "metric"
	ObjectParameter    Object = "parameter"
	ObjectSavedQuery   Object = "saved_query"
	ObjectQuery        Object = "query" // a logged query
)

var objects = []Object{
	ObjectModel, ObjectDataset, ObjectField, ObjectRelationship, ObjectMetric, ObjectParameter, ObjectSavedQuery, ObjectQuery,
}

// What names the property of an object that differs.
type What string

// The properties.
const (
	Removed       What = "removed"
	Added         What = "added"
	NameOf        What = "name"
	Error         What = "error" // the reason why the object does not compile; absent where it does
	Source        What = "source"
	PrimaryKey    What = "primary_key"
	UniqueKeys    What = "unique_keys"
	TimeDimension What = "time_dimension"
	Reached       What = "reached" // the relationships on which the affected metrics reach a dataset
	Expression    What = "expression"
	LevelOfDetail What = "level_of_detail"
	Filter        What = "filter"
	Datatype      What = "datatype"
	IsTime        What = "is_time"
	TimeFormat    What = "time_format"
	Grains        What = "grains"    // the grains that a query may ask for
	Groupable     What = "groupable" // whether a query may group by the field
	Offered       What = "offered"   // whether lists offer the field as a dimension
	BareName      What = "bare_name" // the fields that the name without a dataset means
	Prefix        What = "prefix"    // whether the name begins a path
	From          What = "from"
	To            What = "to"
	Columns       What = "columns"
	JoinType      What = "join_type"
	Cardinality   What = "cardinality"
	Window        What = "window"
	Fill          What = "fill"
	MemberFill    What = "member_fill"
	Unit          What = "unit"
	Format        What = "format"
	SubjectPath   What = "subject_path"
	Attribution   What = "attribution"
	Default       What = "default"
	Domain        What = "domain"
	Label         What = "label"
	Description   What = "description"
	AIContext     What = "ai_context"
	SQL           What = "sql"  // of a logged query
	Kind          What = "kind" // of a saved query
	Body          What = "body"
	Questions     What = "questions"
	Synonyms      What = "synonyms"
	Verified      What = "verified"
)

// Entry is one difference.
type Entry struct {
	Class  Class  `json:"class"`
	Object Object `json:"object"`
	// Name of the object: revenue, orders.amount, revenue.threshold for a parameter.
	Name string `json:"name"`
	What What   `json:"what"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`
	// Because is the change that this one follows from.
	Because string `json:"because,omitempty"`
	// Affects lists the metrics that change with the object.
	Affects []string `json:"affects,omitempty"`
	// Location is the place in the new model, of what was removed in the old one.
	Location string `json:"location"`
	// RenamedFromHint of a removed object is the added one of an equal meaning whose name
	// is nearest, and of that one the removed.
	RenamedFromHint string `json:"renamed_from_hint,omitempty"`
	// Line of a logged query in its file.
	Line int `json:"line,omitempty"`

	Position modelspec.Position `json:"-"` // of Location
	InOld    bool               `json:"-"` // Location is in the old model
}

// Sort puts entries in order: by class, kind of object, name and property.
func Sort(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Classes(), a.Class), slices.Index(Classes(), b.Class)),
			cmp.Compare(slices.Index(objects, a.Object), slices.Index(objects, b.Object)),
			strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
			cmp.Compare(a.Line, b.Line),
			strings.Compare(string(a.What), string(b.What)),
			strings.Compare(a.Old, b.Old),
			strings.Compare(a.New, b.New),
		)
	})
}

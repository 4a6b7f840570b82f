package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// ChangeClass is the effect of a change on the queries of the old model.
type ChangeClass string

// The classes, worst first.
const (
	ClassBreaking   ChangeClass = "breaking"   // a query that compiled no longer does, or a result has another type
	ClassChanged    ChangeClass = "changed"    // queries compile and may have other results
	ClassCompatible ChangeClass = "compatible" // queries have the same results
)

// Classes lists the classes, worst first.
func Classes() []ChangeClass { return []ChangeClass{ClassBreaking, ClassChanged, ClassCompatible} }

// AtLeast reports whether a class is as bad as another, or worse.
func (c ChangeClass) AtLeast(other ChangeClass) bool {
	return slices.Index(Classes(), c) <= slices.Index(Classes(), other)
}

// ObjectKind is the kind of an object that changed.
type ObjectKind string

// The kinds of objects.
const (
	ObjectModel        ObjectKind = "model"
	ObjectDataset      ObjectKind = "dataset"
	ObjectField        ObjectKind = "field"
	ObjectRelationship ObjectKind = "relationship"
	ObjectMetric       ObjectKind = "metric"
	ObjectParameter    ObjectKind = "parameter"
	ObjectSavedQuery   ObjectKind = "saved_query"
	ObjectRollup       ObjectKind = "rollup"
	ObjectView         ObjectKind = "view"
	ObjectLoggedQuery  ObjectKind = "query" // a logged query
)

var objectKinds = []ObjectKind{
	ObjectModel, ObjectDataset, ObjectField, ObjectRelationship, ObjectMetric, ObjectParameter, ObjectSavedQuery, ObjectRollup, ObjectView, ObjectLoggedQuery,
}

// Property names the property of an object that differs.
type Property string

// The properties.
const (
	PropertyRemoved           Property = "removed"
	PropertyAdded             Property = "added"
	PropertyName              Property = "name"
	PropertyCompileError      Property = "error" // the reason why the object does not compile; absent where it does
	PropertySource            Property = "source"
	PropertyPrimaryKey        Property = "primary_key"
	PropertyUniqueKeys        Property = "unique_keys"
	PropertyTimeDimension     Property = "time_dimension"
	PropertyCalendar          Property = "calendar"
	PropertySequence          Property = "sequence"
	PropertyPathToDataset     Property = "reached" // the relationships on which the affected metrics reach a dataset
	PropertyExpression        Property = "expression"
	PropertyLevelOfDetail     Property = "level_of_detail"
	PropertyFilter            Property = "filter"
	PropertyDatatype          Property = "datatype"
	PropertyIsTime            Property = "is_time"
	PropertyTimeFormat        Property = "time_format"
	PropertyGrains            Property = "grains"    // the grains that a query may request
	PropertyGroupable         Property = "groupable" // whether a query may group by the field
	PropertyListedAsDimension Property = "offered"   // whether lists offer the field as a dimension
	PropertyUnqualifiedName   Property = "bare_name" // the fields that the name without a dataset means
	PropertyCanBeginPath      Property = "prefix"    // whether the name begins a path
	PropertyFromDataset       Property = "from"
	PropertyToDataset         Property = "to"
	PropertyJoinColumns       Property = "columns"
	PropertyJoinType          Property = "join_type"
	PropertyCardinality       Property = "cardinality"
	PropertyValidity          Property = "valid"
	PropertyWindow            Property = "window"
	PropertyNonAdditive       Property = "non_additive"
	PropertyAtLevel           Property = "at"
	PropertyNullFill          Property = "fill"
	PropertyMemberFill        Property = "member_fill"
	PropertyUnit              Property = "unit"
	PropertyFormat            Property = "format"
	PropertySubjectPath       Property = "subject_path"
	PropertyHeadline          Property = "headline"
	PropertyBetterDirection   Property = "better"
	PropertySQLAggregates     Property = "sql_aggregates"
	PropertyAttribution       Property = "attribution"
	PropertyParamDefault      Property = "default"
	PropertyParamDomain       Property = "domain"
	PropertyLabel             Property = "label"
	PropertyOrder             Property = "order"     // of the values of a field, for people
	PropertyFreshness         Property = "freshness" // of the table of a dataset
	PropertyDescription       Property = "description"
	PropertyAIContext         Property = "ai_context"
	PropertyDefaultTimeZone   Property = "time_zone"  // of queries that name none
	PropertyDefaultWeekStart  Property = "week_start" // of queries that name none
	PropertyLoggedSQL         Property = "sql"        // of a logged query
	PropertySavedQueryKind    Property = "kind"       // of a saved query
	PropertySavedQueryBody    Property = "body"
	PropertySampleQuestions   Property = "questions"
	PropertySynonyms          Property = "synonyms"
	PropertyVerified          Property = "verified"
	PropertyHome              Property = "home"
	PropertyChart             Property = "chart"
	PropertyRollupDataset     Property = "of" // the dataset whose rows the measures of a rollup aggregate
	PropertyRollupGroups      Property = "group_by"
	PropertyRollupMeasures    Property = "measures"
	PropertyRollupAsOf        Property = "as_of"
	PropertyRollupMaxAge      Property = "max_age"
	PropertyRollupRows        Property = "rows"
	PropertyRollupConnections Property = "connections"
	PropertyRollupStore       Property = "store"
	PropertyRollupRefresh     Property = "refresh"
	PropertyViewMetrics       Property = "metrics"
	PropertyViewFields        Property = "fields"
	PropertyViewJoins         Property = "joins"
	PropertyViewFilters       Property = "filters"
	PropertyViewTimeRange     Property = "time_range"
	PropertyViewLabels        Property = "labels"
	PropertyViewFolders       Property = "folders"
	PropertyViewHierarchies   Property = "hierarchies"
)

// Entry is one difference.
type Entry struct {
	Class  ChangeClass `json:"class"`
	Object ObjectKind  `json:"object"`
	// Name of the object: revenue, orders.amount, revenue.threshold for a parameter.
	Name     string   `json:"name"`
	Property Property `json:"what"`
	Old      string   `json:"old,omitempty"`
	New      string   `json:"new,omitempty"`
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
	// VisibleTo lists the roles that see an added dataset, field or metric, in the order of the policies; nil without policies.
	VisibleTo []string `json:"visible_to,omitzero"`

	Position modelspec.Position `json:"-"` // of Location
	InOld    bool               `json:"-"` // Location is in the old model
}

// SortEntries puts entries in order: by class, kind of object, name and property.
func SortEntries(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Classes(), a.Class), slices.Index(Classes(), b.Class)),
			cmp.Compare(slices.Index(objectKinds, a.Object), slices.Index(objectKinds, b.Object)),
			strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)),
			cmp.Compare(a.Line, b.Line),
			strings.Compare(string(a.Property), string(b.Property)),
			strings.Compare(a.Old, b.Old),
			strings.Compare(a.New, b.New),
		)
	})
}

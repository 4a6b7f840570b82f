package catalog

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

// Catalog is one compiled semantic model.
type Catalog struct {
	Name        string
	Description string
	AIContext   any    // string or map[string]any, as in the document; nil when absent
	TimeZone    string // of queries that give none; "" where the model is silent
	// RestrictsGrains: some metric declares the grains at which it has its meaning.
	RestrictsGrains bool
	WeekStart       sqlexpr.Weekday // of queries that give none; WeekdayNone where the model is silent

	Datasets      []*Dataset
	Fields        []*Field // of all datasets, in document order; Fields[i].ID == i
	Relationships []*Relationship
	Metrics       []*Metric
	Measures      []*Measure // of all metrics and levels of detail, each once; Measures[i].ID == i
	Saved         []*SavedQuery
	Rollups       []*Rollup // those without an error
	Views         []*View   // those whose names exist; one may have no path, or several, as its error

	// Errors and Warnings of the compile stage, in document order.
	Errors   []*modelspec.CompileError
	Warnings []*modelspec.CompileWarning

	names nameIndex
	graph joinGraph
	index *measureIndex
	local *fieldsAndMetricsAddedByQuery // nil: the catalog is the model's alone

	view *viewScope // nil: the names are those of the whole model

	rollupsByHome map[int]*rollupsOfHome // by the ID of the dataset

	joined   joinedFieldRegistry
	hasInner bool // some relationship drops rows

	// Attributes are the values of the reader; nil for a catalog that has no readers.
	Attributes sqlexpr.AttributeValues
}

// Dataset is one logical table.
type Dataset struct {
	ID          int // index in Catalog.Datasets
	Name        string
	Source      sqlexpr.DatasetTableOrQuery
	PrimaryKey  []string
	UniqueKeys  [][]string
	Fields      []*Field
	PrimaryTime *Field    // nil: none, or several and none chosen
	Calendar    *Calendar // nil: the dataset is not a calendar
	Sequence    *Sequence // nil: the dataset is not a sequence
	Label       string    // for people
	// Freshness is an aggregate over columns of the table, whose value names its state; nil when not declared.
	Freshness   sqlexpr.Expr
	Description string
	AIContext   any

	// Rows are the rows that the reader of the catalog may see; nil for all.
	Rows *RowRule
	// Plain are the fields whose values the reader does not see, or sees masked. Keys and relationships read them; no name finds them.
	Plain []*Field

	fields map[string]*Field // by lower-cased name
}

// RowRule admits rows of a dataset to a reader. Its fields belong to a catalog of the whole model, which no rule restricts, and may hold
// attributes of the reader.
type RowRule struct {
	Model   *Catalog
	Dataset *Dataset // of Model
	// Admits is the condition, a field of Dataset; nil where all rows meet it.
	Admits *Field
	// Parts are conditions that the values of fields depend on, where roles of the reader differ. A field reads one as the column
	// of its name.
	Parts []*Field

	// Planned is what a planner makes of the rule for any query, in its own type. It holds nothing of a reader but the rule.
	Planned atomic.Value
}

// Part returns the part that a column of a field's expression means; nil for a column of the source.
func (r *RowRule) Part(name sqlexpr.Name) *Field {
	if i := r.PartIndex(name); i >= 0 {
		return r.Parts[i]
	}
	return nil
}

// PartIndex returns the index of the part that a column of a field's expression means; -1 for a column of the source.
func (r *RowRule) PartIndex(name sqlexpr.Name) int {
	return slices.IndexFunc(r.Parts, func(f *Field) bool { return name.Quoted && f.Name == name.Text })
}

// Field is a row-level value of a dataset.
type Field struct {
	ID          int // index in Catalog.Fields
	Dataset     *Dataset
	Name        string
	Expr        DialectVariants[sqlexpr.Expr] // see the package comment; nil where Err is set
	Datatype    modelspec.Datatype            // as declared, "" when absent
	Type        sqlexpr.Type
	Granularity sqlexpr.Grain // finest grain stored; GrainNone when not declared
	IsTime      bool
	Declared    bool    // the document declares it a dimension (a `dimension` block or is_dimension)
	Revealed    bool    // a level of detail that reads more than its reader sees, and shows nothing of what it is made of
	IsDimension *bool   // the extension's word on it; nil when silent
	MeasuredBy  *Metric // the first metric that sums or averages the field; nil when none does
	Label       string
	Order       []string // of the values of a text, for people; nil for none
	Description string
	AIContext   any

	TextBytes int // of a field that a query adds: bytes of its value as text, estimated

	Reads []*Field // other fields of the dataset that the expression names

	LOD      *LOD         // level-of-detail field: Expr is unused
	Joined   *JoinedField // field of another dataset that an expression reads; it has an ID, Dataset and Name besides
	Encoding *TimeFormat  // the column stores an encoded date
	Shown    *ShownClock  // of a field that a query adds: what a clock shows; nil for any other field
	Err      *modelspec.CompileError
	// ErrByDialect holds the errors of expressions written for single dialects;
	// see ErrorForDialect.
	ErrByDialect map[string]*modelspec.CompileError
}

// ShownClock makes a field what the clock of a zone shows at instants.
type ShownClock struct {
	Zone *timezone.Zone
	At   *Field // whose values are the instants; nil for those of an expression
}

// LOD is a field computed per grain key over other datasets' rows.
type LOD struct {
	Grain    []*Field // fields of the carrying dataset
	Measures DialectVariants[*ArithmeticOverOperands]
	Where    sqlexpr.Expr // over Ref{Field.ID} and Param; nil when absent
	Via      []JoinStep   // the declared path from the aggregated dataset to the carrier; nil when absent
	Params   []*Param
}

// TimeFormat is how a column encodes time. Exactly one of Epoch and Layout is set.
type TimeFormat struct {
	Text    string // the format as written
	Epoch   string // "seconds", "millis" or "days"; "" for a layout
	Layout  []TimeLayoutPart
	Grain   sqlexpr.Grain // the stored period; GrainNone when finer than a day
	Numeric bool          // compares as a number, otherwise as text
}

// TimeLayoutPart is one piece of a layout: a token (yyyy MM dd HH mm ss Q ww) or
// literal text.
type TimeLayoutPart struct {
	Token   string
	Literal string
}

// JoinType is how a join treats rows without a match.
type JoinType uint8

// The join types of a relationship.
const (
	JoinLeft JoinType = iota
	JoinInner
)

var joinTypeNames = []string{"left", "inner"}

// JoinTypeNames lists the types by their names in a model.
func JoinTypeNames() []string { return slices.Clone(joinTypeNames) }

// ParseJoinType reads the name of a type; left, which is the default, for any other text.
func ParseJoinType(text string) JoinType { return JoinType(max(0, slices.Index(joinTypeNames, text))) }

// String returns the type's name in a model.
func (t JoinType) String() string { return joinTypeNames[t] }

// Relationship is a join edge from the many side to the one side.
type Relationship struct {
	ID          int
	Name        string
	From, To    *Dataset
	FromFields  []*Field
	ToFields    []*Field // paired with FromFields by position
	JoinType    JoinType
	Cardinality modelspec.Cardinality // declared, or what the keys prove
	Valid       *RelationshipValidity // nil: the rows of To are valid at any time
	AIContext   any
	Err         *modelspec.CompileError // a join column or the payload is broken
	// NamedOnly: only a reference that names the relationship follows it.
	NamedOnly bool
}

// SafeForward reports whether following the edge from From to To never
// multiplies rows.
func (r *Relationship) SafeForward() bool { return r.Cardinality.MatchesOneRow() }

// SafeBackward reports whether following the edge from To to From never
// multiplies rows.
func (r *Relationship) SafeBackward() bool { return r.Cardinality == modelspec.OneToOne }

// IsSelfJoin reports whether the relationship joins a dataset to itself.
func (r *Relationship) IsSelfJoin() bool { return r.From == r.To }

// RelationshipValidity limits a relationship to the rows of its target that are valid at a time: a row
// of To matches a row of From where the columns are equal and From ≤ At < To. A null From or
// To is open, and a null At matches nothing.
type RelationshipValidity struct {
	At   *Field // of the dataset that the relationship leaves
	From *Field // of its target
	// To is nil where a row is valid until the next From of its key. Of rows with an equal
	// From, the one with the greatest primary key is valid.
	To *Field
}

// Fields lists the fields in the order at, from, to.
func (v *RelationshipValidity) Fields() []*Field {
	if v.To == nil {
		return []*Field{v.At, v.From}
	}
	return []*Field{v.At, v.From, v.To}
}

// ComparedType returns the type in which the fields are compared: a Date is its midnight where
// another field is a DateTime.
func (v *RelationshipValidity) ComparedType() sqlexpr.Type {
	widest := sqlexpr.TypeDate
	for _, f := range v.Fields() {
		widest = max(widest, f.Type)
	}
	return widest
}

// VisibleField returns the field by which a reader sees what a key reads: f itself, or the masked field of its name. It is nil where the
// reader does not see it.
func (d *Dataset) VisibleField(f *Field) *Field {
	if !slices.Contains(d.Plain, f) {
		return f
	}
	return d.Field(f.Name)
}

// IsMasked reports whether a reader sees other values of a field than are stored: those of its mask, or what it makes of a masked field.
func (f *Field) IsMasked() bool {
	isStored := func(plain *Field) bool { return plain != f && plain.Name == f.Name }
	return slices.ContainsFunc(f.Dataset.Plain, isStored) || slices.ContainsFunc(f.Reads, (*Field).IsMasked)
}

// HidesColumnsOf reports whether a reader does not see a field by which a relationship joins.
func HidesColumnsOf(r *Relationship) bool {
	hidden := func(f *Field) bool { return f != nil && f.Dataset.VisibleField(f) == nil }
	return slices.ContainsFunc(r.FromFields, hidden) || slices.ContainsFunc(r.ToFields, hidden) || r.Valid != nil && slices.ContainsFunc(r.Valid.Fields(), hidden)
}

// PrimaryOrFirstUniqueKeyColumns returns the primary key of the dataset, or without one its first unique key; nil without any.
func (d *Dataset) PrimaryOrFirstUniqueKeyColumns() []string {
	switch {
	case len(d.PrimaryKey) > 0:
		return d.PrimaryKey
	case len(d.UniqueKeys) > 0:
		return d.UniqueKeys[0]
	}
	return nil
}

// FieldOfKeyColumn returns the field that a column of a key means: the one of its name, else one whose
// expression is the column; nil where the dataset has neither.
func (d *Dataset) FieldOfKeyColumn(name string) *Field {
	isUsable := func(f *Field) bool { return f.Err == nil && f.LOD == nil && f.Joined == nil }
	if i := slices.IndexFunc(d.Plain, func(f *Field) bool {
		return isUsable(f) && (strings.EqualFold(f.Name, strings.Trim(name, `"`)) || f.MatchesColumnName(name))
	}); i >= 0 {
		return d.Plain[i]
	}
	if f := d.fields[strings.ToLower(strings.Trim(name, `"`))]; f != nil && isUsable(f) {
		return f
	}
	i := slices.IndexFunc(d.Fields, func(f *Field) bool { return isUsable(f) && f.MatchesColumnName(name) })
	if i < 0 {
		return nil
	}
	return d.Fields[i]
}

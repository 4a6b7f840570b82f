package draft

import "github.com/semlayer/semlayer/modelspec"

// Model is a semantic model that is being written.
type Model struct {
	// Comments are the first lines of the file. Here as in every other object they are
	// written without "#".
	Comments      []string
	Name          string
	Description   string
	Context       AIContext
	Datasets      []*Dataset
	Relationships []*Relationship
	Metrics       []*Metric
	Queries       []*SavedQuery
	Views         []*View
}

// AIContext is an ai_context: what an agent that chooses by it reads.
type AIContext struct {
	Instructions string
	Synonyms     []string
	Examples     []string
	// Other are further keys, such as the metadata of the tool that a model came from,
	// in their order.
	Other []AIContextKeyValue
}

// AIContextKeyValue is one key of a context with its text or list of texts.
type AIContextKeyValue struct {
	Key    string
	Value  string
	Values []string // in place of Value, where not nil
}

// Dataset is a logical table.
type Dataset struct {
	Comments    []string
	Name        string
	Source      string
	PrimaryKey  KeyDeclaration
	UniqueKeys  []KeyDeclaration
	Fields      []*Field
	Label       string
	Description string
	Context     AIContext
	// TimeDimension is the dataset's primary time field.
	TimeDimension string
	// Calendar makes grains of values of the dataset's days.
	Calendar *Calendar
}

// Calendar is a dataset of days: Date is the field of the day, and Periods are the fields of the periods by name.
type Calendar struct {
	Date    string            `json:"date"`
	Periods map[string]string `json:"periods"`
}

// KeyDeclaration is a primary or unique key. The zero Key is not written.
type KeyDeclaration struct {
	Columns []string
	Note    string // a comment after the key
	// CommentedOut writes the key as a comment: the reader sees a likely key that
	// nothing has proven.
	CommentedOut bool
}

// Field is a row-level value.
type Field struct {
	Comments    []string
	Name        string
	Expression  Expression
	Role        FieldRole
	Datatype    modelspec.Datatype
	Label       string
	Description string
	Context     AIContext
	// IsDimension, where it is set, decides whether the field is offered for grouping.
	IsDimension *bool
	// Granularity is the finest calendar period that a time field stores.
	Granularity string
	TimeFormat  *TimeFormat
	LOD         *LODBlock
	Order       []string // the values of a text in the order in which people know them
}

// FieldRole is the meaning of a dimension block of a field.
type FieldRole uint8

// The roles.
const (
	FieldRoleUndeclared FieldRole = iota // no dimension block
	FieldRoleDimension                   // dimension: {}
	FieldRoleTime                        // dimension: {is_time: true}
	FieldRoleNotTime                     // dimension: {is_time: false}
)

// TimeFormat is how a column encodes time: yyyyMMdd, epoch_seconds.
type TimeFormat struct {
	Format      string `json:"format"`
	Granularity string `json:"granularity,omitempty"`
}

// LODBlock is the grain at which an aggregating field is computed.
type LODBlock struct {
	Grain []string `json:"grain"`
	Where string   `json:"where,omitempty"`
	Via   []string `json:"via,omitempty"`
}

// Relationship joins the many side From to the one side To.
type Relationship struct {
	Comments    []string
	Name        string
	From, To    string
	FromColumns []string
	ToColumns   []string
	Cardinality modelspec.Cardinality // not written where it is unproven
	Context     AIContext
	JoinType    string
	Valid       *RelationshipValidity
	// CommentedOut writes the relationship as a comment.
	CommentedOut bool
}

// Metric is one metric.
type Metric struct {
	Comments    []string
	Name        string
	Expression  Expression
	Datatype    modelspec.Datatype
	Description string
	Context     AIContext
	Extension   MetricExtension
}

// Expression is an expression, written once for each dialect.
type Expression []DialectText

// DialectText is an expression in one dialect.
type DialectText struct{ Dialect, Text string }

// ANSIExpression returns an expression that every dialect shares.
func ANSIExpression(text string) Expression { return Expression{{"ANSI_SQL", text}} }

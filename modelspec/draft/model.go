package draft

// Model is a semantic model that is being written.
type Model struct {
	// Comments are the first lines of the file. Here as in every other object they are
	// written without "#".
	Comments      []string
	Name          string
	Description   string
	Context       Context
	Datasets      []*Dataset
	Relationships []*Relationship
	Metrics       []*Metric
	Queries       []*SavedQuery
}

// Context is an ai_context: what an agent that chooses by it reads.
type Context struct {
	Instructions string
	Synonyms     []string
	Examples     []string
	// Other are further keys, such as the metadata of the tool that a model came from,
	// in their order.
	Other []Entry
}

// Entry is one key of a context with its text or list of texts.
type Entry struct {
	Key    string
	Value  string
	Values []string // in place of Value, where not nil
}

// Dataset is a logical table.
type Dataset struct {
	Comments    []string
	Name        string
	Source      string
	PrimaryKey  Key
	UniqueKeys  []Key
	Fields      []*Field
	Description string
	Context     Context
	// TimeDimension is the dataset's primary time field.
	TimeDimension string
}

// Key is a primary or unique key. The zero Key is not written.
type Key struct {
	Columns []string
	Note    string // a comment behind the key
	// CommentedOut writes the key as a comment: the reader sees a likely key that
	// nothing has proven.
	CommentedOut bool
}

// Field is a row-level value.
type Field struct {
	Comments    []string
	Name        string
	Expression  Expression
	Role        Role
	Datatype    string
	Label       string
	Description string
	Context     Context
	// IsDimension, where it is set, decides whether the field is offered for grouping.
	IsDimension *bool
	// Granularity is the finest calendar period that a time field stores.
	Granularity string
	TimeFormat  *TimeFormat
	LOD         *LOD
}

// Role is the meaning of a dimension block of a field.
type Role uint8

// The roles.
const (
	NoRole    Role = iota // no dimension block
	Dimension             // dimension: {}
	Time                  // dimension: {is_time: true}
	NotTime               // dimension: {is_time: false}
)

// TimeFormat is how a column encodes time: yyyyMMdd, epoch_seconds.
type TimeFormat struct {
	Format      string `json:"format"`
	Granularity string `json:"granularity,omitempty"`
}

// LOD is the grain at which an aggregating field is computed.
type LOD struct {
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
	Cardinality string
	Context     Context
	JoinType    string
	// CommentedOut writes the relationship as a comment.
	CommentedOut bool
}

// Metric is one metric.
type Metric struct {
	Comments    []string
	Name        string
	Expression  Expression
	Datatype    string
	Description string
	Context     Context
	Extension   MetricExtension
}

// Expression is an expression, written once for each dialect.
type Expression []DialectText

// DialectText is an expression in one dialect.
type DialectText struct{ Dialect, Text string }

// ANSI is an expression that every dialect shares.
func ANSI(text string) Expression { return Expression{{"ANSI_SQL", text}} }

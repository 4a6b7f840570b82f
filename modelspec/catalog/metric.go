package catalog

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Kind is a metric's inferred kind.
type Kind string

// The kinds of a plain metric.
const (
	KindAggregate  Kind = "aggregate"  // one aggregate, nothing else
	KindRatio      Kind = "ratio"      // a division of two aggregates or plain arithmetic of them
	KindExpression Kind = "expression" // anything else
)

// Metric is one declared metric.
type Metric struct {
	ID          int // index in Catalog.Metrics
	Name        string
	Kind        Kind
	Forms       Variants[*Form] // nil where Err is set, and for a filter: Derive.Base has the form
	Datasets    []*Dataset      // homes of its aggregates, in document order
	TimeAxis    *Field          // declared time_dimension; nil when not declared
	Fill        string          // fill_nulls_with as a number literal (may start with '-'); "" when none
	Window      *Window
	Derive      *Derive
	Params      []*Param
	Datatype    string
	Type        sqlexpr.Type
	Description string
	AIContext   any
	Unit        string
	Format      string
	SubjectPath any
	Err         *modelspec.CompileError
	// ErrByDialect holds the errors of expressions written for single dialects;
	// see ErrFor.
	ErrByDialect map[string]*modelspec.CompileError
}

// Form is a metric's arithmetic: Expr over sqlexpr.Ref{ID: i} = Operands[i].
// A plain aggregate is Ref{0} over one measure.
type Form struct {
	Expr     sqlexpr.Expr
	Operands []Operand
}

// Operand is what a form computes with: *Measure or *Metric. Sealed.
type Operand interface{ operand() }

func (*Measure) operand() {}
func (*Metric) operand()  {}

// Agg is an aggregate function of a measure.
type Agg uint8

// The aggregates.
const (
	AggSum Agg = iota
	AggCount
	AggCountDistinct
	AggAvg
	AggMin
	AggMax
)

var aggNames = [...]string{"sum", "count", "count_distinct", "avg", "min", "max"}

// String is the aggregate's name in lower case, as in synthesized measure names.
func (a Agg) String() string { return aggNames[a] }

// DuplicateInsensitive reports whether repeating rows leaves the value as it is.
func (a Agg) DuplicateInsensitive() bool {
	return a == AggCountDistinct || a == AggMin || a == AggMax
}

// Additive reports whether the values of parts of the rows add up to the value of all.
func (a Agg) Additive() bool { return a == AggSum || a == AggCount }

// Measure is one aggregate at its home dataset. Measures are shared: two
// metrics with the same aggregate hold the same *Measure.
type Measure struct {
	ID   int    // unique in the catalog
	Name string // orders_amount_sum
	Stem string // Name without the number that makes it unique
	Home *Dataset
	Agg  Agg
	Arg  sqlexpr.Expr // over Ref{Field.ID}; nil for COUNT(*)
	Type sqlexpr.Type // of the aggregated value
}

// Window is the parsed window block of a metric. Exactly one of Offset, Rolling,
// Cumulative, Frame, Rank, Value is set.
type Window struct {
	Offset     *OffsetWindow
	Rolling    *RollingWindow
	Cumulative *CumulativeWindow
	Frame      *FrameWindow
	Rank       *RankWindow
	Value      *ValueWindow
	Base       Variants[*Measure] // nil for a filter, whose base has the measure
}

// Count is an integer of a window that a parameter may supply.
type Count struct {
	N     int
	Param string // "" when N is given
}

// OffsetWindow compares with the bucket Count granularities away.
type OffsetWindow struct {
	Pop         bool // spelled as the pop sugar
	Count       Count
	Grain       sqlexpr.Grain
	Forward     bool
	Calculation string // value delta percent_change ratio
}

// RollingWindow aggregates the Periods calendar buckets ending at the current one.
type RollingWindow struct {
	Function          string
	Periods           Count
	RequireFullWindow bool
}

// CumulativeWindow aggregates everything up to the current bucket, from the
// start of the Reset period where one is given.
type CumulativeWindow struct {
	Function string
	Reset    sqlexpr.Grain // GrainNone: never
}

// FrameWindow is the general frame.
type FrameWindow struct {
	Function          string
	Preceding         Count
	Unbounded         bool
	Second            *Measure // of two-input functions; nil otherwise
	Reset             sqlexpr.Grain
	RequireFullWindow bool
	Order             *WindowOrder
	Partition         Partition
	Range             bool // units: range
	PartitionScope    bool // scope: partition
}

// RankWindow ranks buckets.
type RankWindow struct {
	Function  string
	Buckets   Count // ntile
	Order     *WindowOrder
	Partition Partition
}

// ValueWindow picks one value of the ordered partition.
type ValueWindow struct {
	Function  string
	N         Count // nth_value
	Order     *WindowOrder
	Partition Partition
}

// WindowOrder is the order of a window's rows.
type WindowOrder struct {
	ByTime bool // otherwise by value
	Desc   bool
}

// Partition is how a window splits the rows. Mode "" is the family's default.
type Partition struct {
	Mode    string // query_dimensions query_dimensions_except time_bucket none
	Exclude []*Field
}

// Derive is the parsed derive block, or stands for a plain expression that names
// other metrics, which is a compose too. Exactly one of Base and Compose is
// used: Base non-nil is the filter family.
type Derive struct {
	Base  *Metric
	Where sqlexpr.Expr // over Ref{Field.ID} and Param
	// Compose: the metric's Forms hold the arithmetic over member metrics.
	Compose bool
	Fill    string // number literal applied to each member; "" when none
	Text    string // derive.expr or derive.where as written
}

// ParamType is a parameter's declared type.
type ParamType string

// The parameter types.
const (
	ParamInt    ParamType = "int"
	ParamFloat  ParamType = "float"
	ParamString ParamType = "string"
	ParamBool   ParamType = "bool"
	ParamDate   ParamType = "date"
)

// Param is one declared parameter. Values are literals: *sqlexpr.Number (or a
// negated one), String, Bool or Typed date.
type Param struct {
	Name        string
	Type        ParamType
	Default     sqlexpr.Expr // nil: the query must bind it
	Allowed     []sqlexpr.Expr
	Min, Max    sqlexpr.Expr
	Description string
}

// IsZeroOverNoRows reports whether the aggregate is 0, not NULL, over no rows.
func (a Agg) IsZeroOverNoRows() bool { return a == AggCount || a == AggCountDistinct }

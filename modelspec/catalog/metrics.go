package catalog

import (
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// MetricKind is a metric's inferred kind.
type MetricKind string

// The kinds of a plain metric.
const (
	KindAggregate  MetricKind = "aggregate"  // one aggregate, nothing else
	KindRatio      MetricKind = "ratio"      // a division of two aggregates, or of plain arithmetic of them
	KindExpression MetricKind = "expression" // anything else
)

// Metric is one declared metric.
type Metric struct {
	ID          int // index in Catalog.Metrics
	Name        string
	Kind        MetricKind
	Forms       DialectVariants[*ArithmeticOverOperands] // nil where Err is set, and for a filter: Derive.Base has the form
	Datasets    []*Dataset                               // homes of its aggregates, in document order
	TimeAxis    *Field                                   // declared time_dimension; nil when not declared
	Fill        string                                   // fill_nulls_with as a number literal (may start with '-'); "" when none
	Window      *Window
	Derive      *DeriveBlock
	At          *AtLevel // nil: at the level of the query
	Params      []*Param
	Datatype    modelspec.Datatype
	Type        sqlexpr.Type
	Description string
	AIContext   any
	Unit        string
	Format      string
	SubjectPath any
	Label       string // name for people; "" when not declared
	Headline    bool   // among the first metrics that a page shows
	Better      string // up or down: which change is good; "" when not declared
	// SQLAggregates are the aggregates that a SQL statement may write around the metric's column as
	// another spelling of the metric: sum, count, avg, min or max.
	SQLAggregates []string
	Grains        []GrainOrPeriod // at which the metric is declared to have its meaning; nil: at all. See SupportedGrains
	Revealed      bool            // it reads more than its reader sees, and shows nothing of what it is made of
	TextBytes     int             // of a metric that a query adds: bytes of its value as text, estimated
	Err           *modelspec.CompileError
	// ErrByDialect holds the errors of expressions written for single dialects;
	// see ErrorForDialect.
	ErrByDialect map[string]*modelspec.CompileError
}

// ArithmeticOverOperands is a metric's arithmetic: Expr over sqlexpr.Ref{ID: i} = Operands[i].
// A plain aggregate is Ref{0} over one measure. See AtLevel for the calls of a metric at another level.
type ArithmeticOverOperands struct {
	Expr     sqlexpr.Expr
	Operands []Operand
}

// Operand is what a form computes with: *Measure or *Metric. Sealed.
type Operand interface{ operandMarker() }

func (*Measure) operandMarker() {}
func (*Metric) operandMarker()  {}

// Measure is one aggregate at its home dataset. Measures are shared: two
// metrics with the same aggregate hold the same *Measure.
type Measure struct {
	ID   int    // unique in the catalog
	Name string // orders_amount_sum
	Stem string // Name without the number that makes it unique
	Home *Dataset
	Agg  Agg
	Arg  sqlexpr.Expr // over Ref{Field.ID}; nil for COUNT(*)
	// OrderBy is what LISTAGG orders by, over Ref{Field.ID}; nil for the argument.
	OrderBy sqlexpr.Expr
	Options AggOptions
	Type    sqlexpr.Type // of the aggregated value
	// NonAdditive is the rule by which the snapshots of a bucket make the value of a semi-additive measure; nil for others.
	NonAdditive *SemiAdditiveRule
}

// Window is the parsed window block of a metric. Exactly one of Offset, Rolling,
// Cumulative, Frame, Rank, Value, Recompute is set.
type Window struct {
	Offset     *OffsetWindow
	Rolling    *RollingWindow
	Cumulative *CumulativeWindow
	Frame      *FrameWindow
	Rank       *RankWindow
	Value      *ValueWindow
	Recompute  *RecomputeWindow
	// Base is the plain aggregate under the window. It is nil for a filter, whose base has the
	// measure, and for a window over the metric's whole expression, which its Forms hold.
	Base DialectVariants[*Measure]
	// Population is what the model declares; PopulationDefault is that of the family.
	Population WindowPopulation
}

// WindowCountOrParam is an integer of a window that a parameter may supply.
type WindowCountOrParam struct {
	N     int
	Param string // "" when N is given
}

// OffsetWindow compares with the bucket Count granularities away.
type OffsetWindow struct {
	Pop         bool // spelled as the pop sugar
	Count       WindowCountOrParam
	Grain       sqlexpr.Grain
	Period      *Period // of a calendar, in place of Grain; nil for a grain
	Forward     bool
	Calculation OffsetCalculation
}

// RollingWindow aggregates the Periods calendar buckets ending at the current one, or the units of a Span of time.
type RollingWindow struct {
	Function          sqlexpr.Func
	Periods           WindowCountOrParam
	Span              *WindowSpan // instead of Periods; nil without one
	RequireFullWindow bool
}

// CumulativeWindow aggregates everything up to the current bucket, from the
// start of the Reset period where one is given.
type CumulativeWindow struct {
	Function    sqlexpr.Func
	Reset       sqlexpr.Grain // GrainNone: never, or with ResetPeriod
	ResetPeriod *Period       // of a calendar; nil for a grain
}

// FrameWindow is the general frame.
type FrameWindow struct {
	Function          sqlexpr.Func
	Preceding         WindowCountOrParam
	Unbounded         bool
	Second            *Measure // of two-input functions; nil otherwise
	Reset             sqlexpr.Grain
	ResetPeriod       *Period // of a calendar; nil for a grain
	RequireFullWindow bool
	Order             *WindowOrder
	Partition         WindowPartition
	Range             bool // units: range
	PartitionScope    bool // scope: partition
}

// RankWindow ranks buckets.
type RankWindow struct {
	Function  sqlexpr.Func
	Buckets   WindowCountOrParam // ntile
	Order     *WindowOrder
	Partition WindowPartition
}

// ValueWindow picks one value of the ordered partition.
type ValueWindow struct {
	Function  sqlexpr.Func
	N         WindowCountOrParam // nth_value
	Order     *WindowOrder
	Partition WindowPartition
}

// RecomputeWindow computes the metric over all rows in the window: those of the Periods
// calendar buckets that end at the current one, of a Span of time, or all up to it, from the start of
// the Reset period where one is given.
type RecomputeWindow struct {
	Periods           WindowCountOrParam
	Unbounded         bool
	Span              *WindowSpan   // instead of Periods; nil without one
	Reset             sqlexpr.Grain // GrainNone: never, or with ResetPeriod
	ResetPeriod       *Period       // of a calendar; nil for a grain
	RequireFullWindow bool
}

// WindowSpan is a length of time that ends with the bucket.
type WindowSpan struct {
	Count  WindowCountOrParam
	Grain  sqlexpr.Grain // GrainNone with Period
	Period *Period       // of a calendar; nil for a grain
}

// WindowOrder is the order of a window's rows.
type WindowOrder struct {
	ByTime bool // otherwise by value
	Desc   bool
}

// WindowPartition is how a window splits the rows.
type WindowPartition struct {
	Mode    PartitionMode
	Exclude []*Field
}

// DeriveBlock is the parsed derive block, or stands for a plain expression that names
// other metrics, which is a compose too. Exactly one of Base and Compose is
// used: Base non-nil is the filter family.
type DeriveBlock struct {
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

// ParamTypeNames lists the types by their names in a model.
func ParamTypeNames() []string {
	return []string{string(ParamInt), string(ParamFloat), string(ParamString), string(ParamBool), string(ParamDate)}
}

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

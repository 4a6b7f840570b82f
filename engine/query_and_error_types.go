package engine

import (
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The types of queries and errors, under the names that users of the engine
// know them by.
type (
	// MetricQuery is the body of a metric query.
	MetricQuery = query.MetricQuery
	// GroupBy is one group-by item.
	GroupBy = query.GroupBy
	// TimeRange is a half-open interval of dates.
	TimeRange = query.TimeRange
	// TaggedTimeRange is a time range with its tag.
	TaggedTimeRange = query.TaggedRange
	// RelativeRange is a number of units of time before a given time.
	RelativeRange = query.RelativeRange
	// InlineMetric is a metric that a query defines.
	InlineMetric = query.InlineMetric
	// LocalField is a field that a query adds to a dataset.
	LocalField = query.LocalField
	// LocalLOD is the level of detail of a LocalField.
	LocalLOD = query.LocalLOD
	// Share requests a metric as fractions of a total.
	Share = query.ShareRequest
	// Compare requests the values of an earlier range.
	Compare = query.Compare
	// PeriodOffset is a number of periods back in time.
	PeriodOffset = query.PeriodOffset
	// Top keeps the largest values of a grouped column.
	Top = query.Top
	// TopOther selects what happens to the values that top does not keep.
	TopOther = query.TopOther
	// Fill requests the periods without data.
	Fill = query.Fill
	// OrderBy is one sort key.
	OrderBy = query.OrderBy
	// ParamBinding binds a parameter.
	ParamBinding = query.ParamBinding
	// ParamValue is a bound value.
	ParamValue = query.ParamValue

	// LoadError is returned if a text cannot be read as a model.
	LoadError = modelspec.LoadError
	// Issue is one finding of validation.
	Issue = modelspec.Issue
	// Position is a place in the model text.
	Position = modelspec.Position
	// CompileError is one object of the model that did not compile.
	CompileError = modelspec.CompileError
	// QueryWarning is what the caller should know of a query that is answered.
	QueryWarning = planerr.QueryWarning
	// Warning is a non-fatal finding about the model.
	Warning = modelspec.CompileWarning
	// PlanError is the rejection of a query.
	PlanError = planerr.Error
	// ExecuteError is the failure of an execution.
	ExecuteError = executor.Error
)

// SeverityError is the severity of an issue that makes a model invalid.
const SeverityError = modelspec.SeverityError

// The kinds of bound values.
const (
	StringValue = query.StringValue
	NumberValue = query.NumberValue
	BoolValue   = query.BoolValue
	NullValue   = query.NullValue
)

// DecodeMetricQuery reads the JSON body of a metric query. Its error is a
// *PlanError of code bad_request or unknown_query_key.
func DecodeMetricQuery(body []byte) (*MetricQuery, error) { return query.DecodeMetric(body) }

// DecodeValidateBody reads the JSON body of validate and returns the model's text. Its
// error is a *PlanError of code bad_request.
func DecodeValidateBody(body []byte) (string, error) { return query.DecodeValidateBody(body) }

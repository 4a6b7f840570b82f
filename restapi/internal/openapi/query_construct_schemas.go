package openapi

import "github.com/swaggest/jsonschema-go"

// MetricItem is an item of metrics: a name, or a metric of the query.
type MetricItem string

// JSONSchemaAnyOf lists the forms of the item.
func (MetricItem) JSONSchemaAnyOf() []any { return []any{"", InlineMetric{}} }

// PrepareJSONSchema leaves the type to the forms.
func (MetricItem) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.Type = nil
	s.WithDescription("The name of a metric of the model, or a metric that the query defines.")
	return nil
}

// InlineMetric is a metric of the query.
type InlineMetric struct {
	Name          string   `json:"name" pattern:"^[A-Za-z_][A-Za-z0-9_]{0,127}$" description:"The name of the metric and of its column."`
	Expression    string   `json:"expression" minLength:"1" description:"A metric expression, as in a model: aggregates of fields, and names of metrics of the model or of items before this one."`
	Dataset       string   `json:"dataset,omitempty" minLength:"1" description:"The dataset whose rows COUNT(*) counts."`
	TimeDimension string   `json:"time_dimension,omitempty" minLength:"1" description:"The time field (dataset.field) that metric_time means in this metric."`
	At            *At      `json:"at,omitempty" description:"The level of the metric, in place of the groups of the query."`
	_             struct{} `additionalProperties:"false" description:"A metric that the query defines."`
}

// At is the level of a metric of the query.
type At struct {
	Include    []string         `json:"include,omitempty" minItems:"1" maxItems:"8" uniqueItems:"true" description:"Groups that are added: a field, field:grain or field:part. The expression aggregates over their rows: AVG(revenue)."`
	Exclude    []string         `json:"exclude,omitempty" minItems:"1" uniqueItems:"true" description:"Grouped fields, or group columns, that are left out."`
	Only       []string         `json:"only,omitempty" uniqueItems:"true" description:"The only grouped fields that are kept; an empty list keeps none."`
	Unfiltered UnfilteredSchema `json:"unfiltered,omitempty" description:"The fields whose conditions do not count for the metric, or true. context_filter always counts."`
	_          struct{}         `additionalProperties:"false" description:"The level of a metric: other groups than those of the query, or other conditions. It has one key at least, and not both exclude and only. Each row shows the value of the groups that it lies in."`
}

// PrepareJSONSchema requires a key, and refuses exclude beside only.
func (At) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithMinProperties(1)
	both := jsonschema.Schema{Required: []string{"exclude", "only"}}
	s.Not = new(jsonschema.SchemaOrBool)
	*s.Not = both.ToSchemaOrBool()
	return nil
}

// UnfilteredSchema describes the key unfiltered of at.
type UnfilteredSchema struct{}

// JSONSchemaBytes returns the schema of true or fields.
func (UnfilteredSchema) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"The fields whose row conditions, and ranges, do not count for the metric; true for all row conditions, while the range counts.","anyOf":[{"type":"boolean","enum":[true]},{"type":"array","items":{"type":"string"},"minItems":1}]}`), nil
}

// GroupBy is an item of group_by.
type GroupBy struct {
	Field      string   `json:"field,omitempty" minLength:"1" description:"dataset.field, the name of a field if it is unique, rel.field, or metric_time."`
	Grain      string   `json:"grain,omitempty" enum:"second,minute,hour,day,week,month,quarter,year" description:"The period to which a time is rounded down."`
	Part       string   `json:"part,omitempty" enum:"hour_of_day,day_of_week,day_of_month,day_of_year,week_of_year,month_of_year,quarter_of_year" description:"The part of a time, a number, in place of a grain."`
	Name       string   `json:"name,omitempty" pattern:"^[A-Za-z_][A-Za-z0-9_]{0,127}$" description:"The name of the result column; by default that of the field, with the grain or the part after two underscores. An expression needs one."`
	Expression string   `json:"expression,omitempty" minLength:"1" description:"A scalar SQL expression over fields, in place of field, grain and part."`
	_          struct{} `additionalProperties:"false" description:"A group: a field with an optional grain or part, or a named expression."`
}

// PrepareJSONSchema requires the keys of one of the two forms.
func (GroupBy) PrepareJSONSchema(s *jsonschema.Schema) error {
	field, expression := jsonschema.Schema{Required: []string{"field"}}, jsonschema.Schema{Required: []string{"name", "expression"}}
	s.OneOf = []jsonschema.SchemaOrBool{field.ToSchemaOrBool(), expression.ToSchemaOrBool()}
	return nil
}

// LocalField is an item of with.
type LocalField struct {
	Dataset    string    `json:"dataset" minLength:"1" description:"The dataset that gets the field."`
	Name       string    `json:"name" pattern:"^[A-Za-z_][A-Za-z0-9_]{0,127}$" description:"The name of the field."`
	Expression string    `json:"expression" minLength:"1" description:"A scalar SQL expression over fields of the dataset; one with lod aggregates fields of other datasets too."`
	LOD        *LocalLOD `json:"lod,omitempty" description:"The level of detail of an expression that aggregates."`
	_          struct{}  `additionalProperties:"false" description:"A field that the query adds to a dataset."`
}

// LocalLOD is the level of detail of a LocalField.
type LocalLOD struct {
	Grain []string `json:"grain" minItems:"1" description:"Fields of the dataset: the expression is aggregated for each of their values."`
	Where string   `json:"where,omitempty" description:"A SQL condition on the rows that are aggregated."`
	Via   []string `json:"via,omitempty" minItems:"1" description:"The relationships from the aggregated rows to the dataset, if several paths lead there."`
	_     struct{} `additionalProperties:"false" description:"A level of detail."`
}

// Sequence is an item of sequences.
type Sequence struct {
	Name    string          `json:"name" pattern:"^[A-Za-z_][A-Za-z0-9_]{0,62}$" description:"The name of the dataset."`
	Entity  []string        `json:"entity" minItems:"1" description:"Fields of the dataset of the first step: whose events belong together."`
	Steps   []SequenceStep  `json:"steps" minItems:"2" maxItems:"8" description:"The steps in their order."`
	Same    []string        `json:"same,omitempty" minItems:"1" description:"Further fields that are equal at every step, null to null."`
	Within  *SequenceWithin `json:"within,omitempty" description:"The time from the start within which the other steps follow; by default any time."`
	Order   string          `json:"order,omitempty" enum:"given,any" description:"given: each step is sought from the one before it; any: from the start. Default: given."`
	Start   string          `json:"start,omitempty" enum:"each,first" description:"each: every row of the first step is a start; first: the first one of an entity. Default: each."`
	Every   string          `json:"every,omitempty" enum:"day,week,month,quarter,year" description:"With periods and two steps: a row for each start and calendar unit, whether and how often the second step followed in it."`
	Periods int64           `json:"periods,omitempty" minimum:"1" maximum:"120" description:"The number of units of every behind that of the start."`
	_       struct{}        `additionalProperties:"false" description:"A dataset with a row for each start, and what followed it."`
}

// SequenceStep is a step of a Sequence.
type SequenceStep struct {
	Name    string   `json:"name" pattern:"^[A-Za-z_][A-Za-z0-9_]{0,62}$" description:"The name of the step."`
	Dataset string   `json:"dataset" minLength:"1" description:"The dataset whose rows are the events of the step."`
	Where   string   `json:"where,omitempty" description:"A SQL condition on the rows of the step."`
	At      string   `json:"at,omitempty" description:"The time field of the step; by default the primary one of its dataset."`
	Entity  []string `json:"entity,omitempty" minItems:"1" description:"The fields of the entity, where they have other names than in the first step."`
	Same    []string `json:"same,omitempty" minItems:"1" description:"The fields of same, where they have other names than in the first step."`
	_       struct{} `additionalProperties:"false" description:"A step of a sequence."`
}

// SequenceWithin is a number of calendar units.
type SequenceWithin struct {
	Count       int64    `json:"count" minimum:"1" maximum:"100000" description:"The number of units."`
	Granularity string   `json:"granularity" enum:"second,minute,hour,day,week,month,quarter,year" description:"The unit."`
	_           struct{} `additionalProperties:"false" description:"A time that elapses; months and what is coarser count on the calendar of UTC."`
}

// TimeRange is a range of time of a query.
type TimeRange struct {
	Start     string         `json:"start,omitempty" description:"The start of the range, inclusive: a date or a date with a time."`
	End       string         `json:"end,omitempty" description:"The end of the range, exclusive."`
	Dimension string         `json:"dimension,omitempty" description:"The time field of the range, as dataset.field; needed if there are several."`
	Last      *RelativeRange `json:"last,omitempty" description:"The last units of time, in place of start and end."`
	_         struct{}       `additionalProperties:"false" description:"A half-open range of time: start, end or both, or last."`
}

// RelativeRange is a number of units of time before now.
type RelativeRange struct {
	N        int64    `json:"n" minimum:"1" description:"The number of units."`
	Unit     string   `json:"unit" enum:"minute,hour,day,week,month,quarter,year" description:"The unit."`
	Complete bool     `json:"complete,omitempty" description:"true: whole units before the one that contains as_of; false: that unit is included, up to the end of the day, hour or minute of as_of. Default: true."`
	_        struct{} `additionalProperties:"false" description:"The last units of time before as_of."`
}

// ShareSchema is an item of shares.
type ShareSchema struct {
	Metric string   `json:"metric" minLength:"1" description:"A column of a metric, or a metric with all its columns."`
	Of     []string `json:"of,omitempty" description:"Columns of group_by: the value is divided by the total of each group of these columns; by default by the grand total."`
	_      struct{} `additionalProperties:"false" description:"The values of a metric as fractions of a total."`
}

// PrepareJSONSchema allows null, which drops what the query has.
func (RankSchema) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.Properties["where_sql"].TypeObject.AddType(jsonschema.Null)
	span := s.Properties["time_range"].TypeObject
	none := new(jsonschema.Schema).WithType(jsonschema.Null.Type())
	span.OneOf = []jsonschema.SchemaOrBool{(&jsonschema.Schema{Ref: span.Ref}).ToSchemaOrBool(), none.ToSchemaOrBool()}
	span.Ref = nil
	return nil
}

// CompareSchema is the value of compare.
type CompareSchema struct {
	Offset  *PeriodOffset `json:"offset,omitempty" description:"The distance of the previous range."`
	Range   *Window       `json:"range,omitempty" description:"The previous range."`
	Metrics []string      `json:"metrics,omitempty" minItems:"1" description:"The metrics to compare; by default all."`
	Name    string        `json:"name,omitempty" minLength:"1" description:"Ends the names of the columns: metric__previous__name. Letters, digits and underscores."`
	Align   string        `json:"align,omitempty" enum:"weekday" description:"weekday moves an offset of months, quarters or years to the nearest number of weeks, so that days meet days of their weekday."`
	_       struct{}      `additionalProperties:"false" description:"An earlier range to compare the range of the query with: offset or range."`
}

// CompareKey is the value of compare.
type CompareKey string

// JSONSchemaAnyOf lists a comparison, and a list of them.
func (CompareKey) JSONSchemaAnyOf() []any { return []any{CompareSchema{}, []CompareSchema{}} }

// PrepareJSONSchema leaves the type to the forms.
func (CompareKey) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.Type = nil
	s.WithDescription("An earlier range to compare with, or a list of up to 4, with names.")
	return nil
}

// PrepareJSONSchema requires one of the two forms.
func (CompareSchema) PrepareJSONSchema(s *jsonschema.Schema) error {
	offset, within := jsonschema.Schema{Required: []string{"offset"}}, jsonschema.Schema{Required: []string{"range"}}
	s.OneOf = []jsonschema.SchemaOrBool{offset.ToSchemaOrBool(), within.ToSchemaOrBool()}
	return nil
}

// PeriodOffset is a number of periods.
type PeriodOffset struct {
	Count int64    `json:"count" minimum:"1" description:"The number of periods."`
	Unit  string   `json:"unit" minLength:"1" description:"The period, a grain."`
	_     struct{} `additionalProperties:"false" description:"A number of periods."`
}

// TopSchema is the value of top.
type TopSchema struct {
	Dimension string         `json:"dimension" minLength:"1" description:"The column of group_by whose values are kept."`
	N         int64          `json:"n" minimum:"1" maximum:"1000" description:"The number of values to keep."`
	By        string         `json:"by,omitempty" minLength:"1" description:"The column of a metric that ranks the values; by default the first."`
	Desc      bool           `json:"desc,omitempty" description:"true keeps the largest values, false the smallest. Default: true."`
	Within    []string       `json:"within,omitempty" description:"Other columns of group_by: values are ranked for each of their groups."`
	Other     TopOtherSchema `json:"other,omitempty" description:"The other values: true merges them into null, a string into that label, and false leaves them out."`
	Rank      *RankSchema    `json:"rank,omitempty" description:"The rows over which the values are ranked, where they are not those of the query."`
	_         struct{}       `additionalProperties:"false" description:"The largest values of a grouped column."`
}

// RankSchema is the key rank of top.
type RankSchema struct {
	WhereSQL  *string    `json:"where_sql,omitempty" description:"A condition on fields in the place of where_sql; null for no condition. By default where_sql of the query."`
	TimeRange *TimeRange `json:"time_range,omitempty" description:"A range in the place of time_range; null for all times. By default the range of the query."`
	_         struct{}   `additionalProperties:"false" description:"The conditions of a ranking."`
}

// TopOtherSchema describes the key other of top.
type TopOtherSchema struct{}

// JSONSchemaBytes returns the schema of a boolean or a label.
func (TopOtherSchema) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"A boolean or a label. Default: true.","type":["boolean","string"],"minLength":1}`), nil
}

// FillSchema is the value of fill.
type FillSchema struct {
	Value float64  `json:"value,omitempty" description:"The number that replaces null in the added rows."`
	_     struct{} `additionalProperties:"false" description:"Rows for the periods without data."`
}

package extension

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The implemented version of the extension and the oldest one honoured.
const (
	Version        = "1.10"
	MinimumVersion = "1.0"
)

// newestVendorAliasVersionText is the newest version of payloads under an alias of the vendor:
// later keys exist under the vendor's own name only.
const newestVendorAliasVersionText = "1.9"

// Carrier is a kind of object that carries payloads.
type Carrier string

// The carriers.
const (
	CarrierModel        Carrier = "semantic_model"
	CarrierDataset      Carrier = "dataset"
	CarrierField        Carrier = "field"
	CarrierRelationship Carrier = "relationship"
	CarrierMetric       Carrier = "metric"
)

// ImpactOfIgnoring is what an engine that ignores a key does to the reader of its
// results.
type ImpactOfIgnoring string

// The impacts.
const (
	// ImpactVisibleFailure: queries fail or visibly lack something.
	ImpactVisibleFailure ImpactOfIgnoring = "loud"
	// ImpactCosmetic: only presentation changes.
	ImpactCosmetic ImpactOfIgnoring = "cosmetic"
	// ImpactSilent: results change without a sign.
	ImpactSilent ImpactOfIgnoring = "silent"
)

// KeyDefinition describes one key of the extension. The name of a key that is newer than
// the block it belongs to is its path in the payload: lod.via, window.recompute.
type KeyDefinition struct {
	Name    string           `json:"key"`
	Carrier Carrier          `json:"carrier"`
	Since   string           `json:"since"`
	Impact  ImpactOfIgnoring `json:"ignore_impact"`
	Summary string           `json:"summary"`

	shape *ValueShape // of the value; nil for a member of a block, which has it in the shape of the block
}

// isMemberOfParentKey reports whether the key is a member of another key's block.
func (k KeyDefinition) isMemberOfParentKey() bool { return strings.Contains(k.Name, ".") }

// AllKeyDefinitions lists every key that the engine reads, by carrier and then by the
// version that introduced it. A key with two carriers appears twice.
func AllKeyDefinitions() []KeyDefinition { return slices.Clone(keyDefinitions) }

var keyDefinitions = []KeyDefinition{
	{"queries", CarrierModel, "1.10", ImpactVisibleFailure, "the queries that the model holds under names", shapeOf(newListShape(savedQueryShape, 0))},
	{"time_zone", CarrierModel, "1.10", ImpactSilent, "the time zone of queries that name none", shapeOf(newTextShape())},
	{"week_start", CarrierModel, "1.10", ImpactSilent, "the first day of the week of queries that name none", shapeOf(newEnumShape(sqlexpr.WeekdayNames()...))},
	{"rollups", CarrierModel, "1.10", ImpactCosmetic, "tables that hold aggregations of the model", shapeOf(newListShape(rollupShape, 0))},
	{"views", CarrierModel, "1.10", ImpactVisibleFailure, "named parts of the model", shapeOf(newListShape(viewShape, 0))},
	{"time_dimension", CarrierDataset, "1.0", ImpactVisibleFailure, "the dataset's primary time field", shapeOf(newTextShape())},
	{"calendar", CarrierDataset, "1.10", ImpactVisibleFailure, "the periods of a calendar that are grains of time fields", shapeOf(calendarShape)},
	{"calendar.periods.whole", CarrierDataset, "1.10", ImpactVisibleFailure, "the grain of which a period has whole buckets", nil},
	{"label", CarrierDataset, "1.10", ImpactCosmetic, "the name of the dataset for people", shapeOf(newTextShape())},
	{"freshness", CarrierDataset, "1.10", ImpactCosmetic, "the aggregate that names the state of the dataset's table", shapeOf(newTextShape())},
	{"sequence", CarrierDataset, "1.10", ImpactVisibleFailure, "the events of other datasets whose order makes the rows of the dataset", shapeOf(sequenceShape)},
	{"time_granularity", CarrierField, "1.0", ImpactVisibleFailure, "the finest calendar period that the time field stores", shapeOf(grainShape())},
	{"params", CarrierField, "1.5", ImpactVisibleFailure, "parameters of a level-of-detail field", shapeOf(newListShape(paramShape, 0))},
	{"is_dimension", CarrierField, "1.6", ImpactVisibleFailure, "whether the field is offered for grouping", shapeOf(ValueShape{Type: PayloadValueBoolean})},
	{"time", CarrierField, "1.7", ImpactSilent, "how the column encodes time", shapeOf(timeBlockShape)},
	{"lod", CarrierField, "1.8", ImpactVisibleFailure, "the grain at which an aggregating field is computed", shapeOf(lodShape)},
	{"lod.via", CarrierField, "1.10", ImpactVisibleFailure, "the relationships from the aggregated dataset to the field's own", nil},
	{"order", CarrierField, "1.10", ImpactCosmetic, "the order of the values of a text field for people", shapeOf(newListShape(newTextShape(), 1))},
	{"join_type", CarrierRelationship, "1.0", ImpactVisibleFailure, "left keeps rows without a match, inner drops them", shapeOf(newEnumShape(catalog.JoinTypeNames()...))},
	{"cardinality", CarrierRelationship, "1.9", ImpactVisibleFailure, "how many rows of each side match", shapeOf(newEnumShape(modelspec.Cardinalities()...))},
	{"valid", CarrierRelationship, "1.10", ImpactVisibleFailure, "the time at which a row of from is matched, and the fields of to between which its rows are valid", shapeOf(validityShape)},
	{"dataset", CarrierMetric, "1.0", ImpactVisibleFailure, "the home of an aggregate that names no column", shapeOf(newTextShape())},
	{"time_dimension", CarrierMetric, "1.0", ImpactVisibleFailure, "the metric's own time axis", shapeOf(newTextShape())},
	{"fill_nulls_with", CarrierMetric, "1.0", ImpactVisibleFailure, "the number shown instead of a null result", shapeOf(ValueShape{Type: PayloadValueNumber})},
	{"window", CarrierMetric, "1.0", ImpactVisibleFailure, "a calculation over the buckets of the result", shapeOf(anyWindowShape())},
	{"window.population", CarrierMetric, "1.10", ImpactSilent, "whether the window sees the rows in range alone", nil},
	{"window.span", CarrierMetric, "1.10", ImpactVisibleFailure, "the length of time of a rolling window, in place of its number of buckets", nil},
	{"window.recompute", CarrierMetric, "1.10", ImpactVisibleFailure, "the buckets over whose input rows the metric is computed again", nil},
	{"subject_path", CarrierMetric, "1.0", ImpactCosmetic, "where a catalogue shows the metric", shapeOf(newAnyOfShape(newTextShape(), subjectPathStepsShape))},
	{"unit", CarrierMetric, "1.0", ImpactCosmetic, "the unit of the value", shapeOf(newTextShape())},
	{"format", CarrierMetric, "1.0", ImpactCosmetic, "how to show the value", shapeOf(newTextShape())},
	{"label", CarrierMetric, "1.10", ImpactCosmetic, "the name of the metric for people", shapeOf(newTextShape())},
	{"headline", CarrierMetric, "1.10", ImpactCosmetic, "whether the metric is among the first that a page shows", shapeOf(ValueShape{Type: PayloadValueBoolean})},
	{"better", CarrierMetric, "1.10", ImpactCosmetic, "whether a rise or a fall of the value is good", shapeOf(newEnumShape(betterDirectionValues...))},
	{"sql_aggregates", CarrierMetric, "1.10", ImpactCosmetic, "the aggregates that SQL statements may write around the metric", shapeOf(newListShape(newEnumShape(allowedAggregatesAroundMetric...), 0))},
	{"grains", CarrierMetric, "1.10", ImpactCosmetic, "the grains and periods of calendars at which the metric has its meaning", shapeOf(newListShape(grainOrPeriodShape(sqlexpr.GrainNames()), 1))},
	{"derive", CarrierMetric, "1.4", ImpactVisibleFailure, "the metric as a filtered or combined form of other metrics", shapeOf(newAnyOfShape(filterBlockShape, composeBlockShape, atBlockShape))},
	{"derive.include", CarrierMetric, "1.10", ImpactVisibleFailure, "fields that a metric at another level groups by beside a query", nil},
	{"derive.exclude", CarrierMetric, "1.10", ImpactVisibleFailure, "grouped fields that a metric at another level leaves out", nil},
	{"derive.only", CarrierMetric, "1.10", ImpactVisibleFailure, "the only grouped fields that a metric at another level keeps", nil},
	{"derive.unfiltered", CarrierMetric, "1.10", ImpactVisibleFailure, "the row conditions that a metric at another level drops", nil},
	{"measure", CarrierMetric, "1.4", ImpactSilent, "the name of the metric's single measure", shapeOf(measureNameBlockShape)},
	{"params", CarrierMetric, "1.5", ImpactVisibleFailure, "parameters that a query may bind", shapeOf(newListShape(paramShape, 0))},
	{"non_additive", CarrierMetric, "1.10", ImpactSilent, "which snapshots of a bucket the metric is over", shapeOf(nonAdditiveShape)},
}

// keysOfEveryPayload stand in every payload.
var keysOfEveryPayload = []string{"v", "requires"}

func findKeyDefinition(carrier Carrier, name string) (KeyDefinition, bool) {
	for _, k := range keyDefinitions {
		if k.Carrier == carrier && k.Name == name {
			return k, true
		}
	}
	return KeyDefinition{}, false
}

// carriersOfKey lists the carriers that take a key in payloads of a version.
func carriersOfKey(name string, newest payloadVersion) []string {
	var out []string
	for _, k := range keyDefinitions {
		if k.Name == name && !mustParseVersion(k.Since).isNewerThan(newest) {
			out = append(out, string(k.Carrier))
		}
	}
	return out
}

func keyNamesOfCarrier(carrier Carrier) []string {
	out := slices.Clone(keysOfEveryPayload)
	for _, k := range keyDefinitions {
		if k.Carrier == carrier && !k.isMemberOfParentKey() {
			out = append(out, k.Name)
		}
	}
	return out
}

// The codes that reading a payload can raise.
const (
	CodeInvalidPayload           = "invalid_vendor_extension"
	CodeUnsupportedVersion       = "unsupported_vendor_ext_version"
	CodeRequiredKeyUnknown       = "vendor_ext_key_required"
	CodeNotImplemented           = "not_implemented"
	CodeVersionAhead             = "vendor_ext_version_ahead"
	CodeKeyNewerThanVersion      = "vendor_ext_key_newer_than_declared"
	CodeKeyNotInRequires         = "vendor_ext_requires_missing"
	CodeIgnoredPayload           = "ignored_vendor_extension"
	CodeParamUnbounded           = "vendor_param_unbounded"
	CodeParamValueColumnsCollide = "vendor_param_opaque_token"
)

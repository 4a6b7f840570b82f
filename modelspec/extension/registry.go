package extension

import (
	"slices"
	"strings"
)

// The implemented version of the extension and the oldest one honoured.
const (
	Version = "1.10"
	Minimum = "1.0"
)

// aliasVersion is the newest version of payloads under an alias of the vendor:
// later keys exist under the vendor's own name only.
const aliasVersion = "1.9"

// Carrier is a kind of object that carries payloads.
type Carrier string

// The carriers.
const (
	OnModel        Carrier = "semantic_model"
	OnDataset      Carrier = "dataset"
	OnField        Carrier = "field"
	OnRelationship Carrier = "relationship"
	OnMetric       Carrier = "metric"
)

// Impact is what an engine that ignores a key does to the reader of its
// results.
type Impact string

// The impacts.
const (
	// Loud: queries fail or visibly lack something.
	Loud Impact = "loud"
	// Cosmetic: only presentation changes.
	Cosmetic Impact = "cosmetic"
	// Silent: results change without a sign.
	Silent Impact = "silent"
)

// Key describes one key of the extension. The name of a key that is newer than
// the block it belongs to is its path in the payload: lod.via.
type Key struct {
	Name    string  `json:"key"`
	Carrier Carrier `json:"carrier"`
	Since   string  `json:"since"`
	Impact  Impact  `json:"ignore_impact"`
	Summary string  `json:"summary"`
}

// nested reports whether the key is a member of another key's block.
func (k Key) nested() bool { return strings.Contains(k.Name, ".") }

// Keys lists every key that the engine reads, by carrier and then by the
// version that introduced it. A key with two carriers appears twice.
func Keys() []Key { return slices.Clone(extensionKeys) }

var extensionKeys = []Key{
	{"queries", OnModel, "1.10", Loud, "the queries that the model holds under names"},
	{"time_dimension", OnDataset, "1.0", Loud, "the dataset's primary time field"},
	{"time_granularity", OnField, "1.0", Loud, "the finest calendar period that the time field stores"},
	{"params", OnField, "1.5", Loud, "parameters of a level-of-detail field"},
	{"is_dimension", OnField, "1.6", Loud, "whether the field is offered for grouping"},
	{"time", OnField, "1.7", Silent, "how the column encodes time"},
	{"lod", OnField, "1.8", Loud, "the grain at which an aggregating field is computed"},
	{"lod.via", OnField, "1.10", Loud, "the relationships from the aggregated dataset to the field's own"},
	{"join_type", OnRelationship, "1.0", Loud, "left keeps rows without a match, inner drops them"},
	{"cardinality", OnRelationship, "1.9", Loud, "how many rows of each side match"},
	{"dataset", OnMetric, "1.0", Loud, "the home of an aggregate that names no column"},
	{"time_dimension", OnMetric, "1.0", Loud, "the metric's own time axis"},
	{"fill_nulls_with", OnMetric, "1.0", Loud, "the number shown instead of a null result"},
	{"window", OnMetric, "1.0", Loud, "a calculation over the buckets of the result"},
	{"subject_path", OnMetric, "1.0", Cosmetic, "where a catalogue shows the metric"},
	{"unit", OnMetric, "1.0", Cosmetic, "the unit of the value"},
	{"format", OnMetric, "1.0", Cosmetic, "how to show the value"},
	{"derive", OnMetric, "1.4", Loud, "the metric as a filtered or combined form of other metrics"},
	{"measure", OnMetric, "1.4", Silent, "the name of the metric's single measure"},
	{"params", OnMetric, "1.5", Loud, "parameters that a query may bind"},
}

// envelopeKeys stand in every payload.
var envelopeKeys = []string{"v", "requires"}

func lookup(carrier Carrier, name string) (Key, bool) {
	for _, k := range extensionKeys {
		if k.Carrier == carrier && k.Name == name {
			return k, true
		}
	}
	return Key{}, false
}

// carriersOfKey lists the carriers that take a key in payloads of a version.
func carriersOfKey(name string, newest version) []string {
	var out []string
	for _, k := range extensionKeys {
		if k.Name == name && !mustParseVersion(k.Since).newerThan(newest) {
			out = append(out, string(k.Carrier))
		}
	}
	return out
}

func keyNamesOn(carrier Carrier) []string {
	out := slices.Clone(envelopeKeys)
	for _, k := range extensionKeys {
		if k.Carrier == carrier && !k.nested() {
			out = append(out, k.Name)
		}
	}
	return out
}

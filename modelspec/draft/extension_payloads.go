package draft

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// MetricExtension is the payload of a metric.
type MetricExtension struct {
	// Dataset is the home of an aggregate that names no column.
	Dataset       string              `json:"dataset,omitempty"`
	TimeDimension string              `json:"time_dimension,omitempty"`
	FillNullsWith *int                `json:"fill_nulls_with,omitempty"`
	Window        *Window             `json:"window,omitempty"`
	Derive        *DerivedMetricBlock `json:"derive,omitempty"`
	NonAdditive   *NonAdditiveBlock   `json:"non_additive,omitempty"`
	Unit          string              `json:"unit,omitempty"`
	Format        string              `json:"format,omitempty"`
	Label         string              `json:"label,omitempty"`
	Grains        []string            `json:"grains,omitempty"`
}

// NonAdditiveBlock makes a metric of the snapshots of its aggregate, whose times are By. Take chooses one of
// them, or makes one value of all; each combination of values of the fields Per has separate snapshots.
type NonAdditiveBlock struct {
	By   string   `json:"by"`
	Take string   `json:"take"`
	Per  []string `json:"per,omitempty"`
}

// RelationshipValidity limits a relationship to the rows of its target that are valid at the time At: From and To are
// fields of the target.
type RelationshipValidity struct {
	At   string `json:"at"`
	From string `json:"from"`
	To   string `json:"to,omitempty"`
}

// Window is a window in its short form, pop, rolling or cumulative, or a recomputed one.
type Window struct {
	Type        string           `json:"type,omitempty"`        // "" of a recomputed window
	Offset      *WindowOffset    `json:"offset,omitempty"`      // pop
	Calculation string           `json:"calculation,omitempty"` // pop
	Function    string           `json:"function,omitempty"`    // rolling and cumulative
	Periods     int              `json:"periods,omitempty"`     // rolling
	Reset       string           `json:"reset,omitempty"`       // cumulative
	Recompute   *RecomputeWindow `json:"recompute,omitempty"`
	Rank        *RankWindow      `json:"rank,omitempty"`
	Frame       *FrameWindow     `json:"frame,omitempty"`
	Span        *WindowOffset    `json:"span,omitempty"`       // rolling
	Population  string           `json:"population,omitempty"` // frame
}

// FrameWindow applies a function to rows of a result: so many before each, "unbounded" for all, or those of its whole partition.
type FrameWindow struct {
	Function  string           `json:"function"`
	Preceding any              `json:"preceding,omitempty"` // a number, or "unbounded"
	Scope     string           `json:"scope,omitempty"`
	Partition *WindowPartition `json:"partition,omitempty"`
}

// RankWindow numbers the rows of a result, in an order, among those of its partition.
type RankWindow struct {
	Function  string          `json:"function"`
	Order     WindowOrder     `json:"order"`
	Partition WindowPartition `json:"partition"`
}

// WindowOrder is the order of the rows of a window.
type WindowOrder struct {
	By        string `json:"by"`
	Direction string `json:"direction"`
}

// WindowPartition is the rule by which a window reads rows together. Exclude are the fields that do not count, as dataset.field.
type WindowPartition struct {
	Mode    string   `json:"mode"`
	Exclude []string `json:"exclude,omitempty"`
}

// RecomputeWindow computes a metric over all rows of a window: of the Span before each bucket, or of all buckets so
// far since the last Reset, where Periods is "unbounded".
type RecomputeWindow struct {
	Periods string        `json:"periods,omitempty"`
	Span    *WindowOffset `json:"span,omitempty"`
	Reset   string        `json:"reset,omitempty"`
}

// WindowOffset is the distance to the bucket that a window compares with, or the length of a span. The bucket of an offset
// whose Direction is forward is later.
type WindowOffset struct {
	Count       int    `json:"count"`
	Granularity string `json:"granularity"`
	Direction   string `json:"direction,omitempty"`
}

// DerivedMetricBlock makes a metric from others: a filter of Base, or the arithmetic Expr, which may be at another level.
type DerivedMetricBlock struct {
	Type    string    `json:"type"`
	Base    string    `json:"base,omitempty"`
	Where   string    `json:"where,omitempty"`
	Expr    string    `json:"expr,omitempty"`
	Include []string  `json:"include,omitempty"`
	Exclude []string  `json:"exclude,omitempty"`
	Only    *[]string `json:"only,omitempty"`
}

// SavedQuery is a query that the model holds under a name.
type SavedQuery struct {
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	Synonyms    []string    `json:"synonyms,omitempty"`
	Query       MetricQuery `json:"query"`
}

// MetricQuery is the body of a saved query of metrics.
type MetricQuery struct {
	Metrics []string  `json:"metrics"`
	GroupBy []GroupBy `json:"group_by,omitempty"`
	Where   string    `json:"where_sql,omitempty"`
	OrderBy []OrderBy `json:"order_by,omitempty"`
	Limit   int       `json:"limit,omitempty"`
}

// GroupBy is a field that a query groups by. Name is its column in the result.
type GroupBy struct {
	Field string `json:"field"`
	Grain string `json:"grain,omitempty"`
	Name  string `json:"name,omitempty"`
}

// OrderBy is a column that the rows are ordered by.
type OrderBy struct {
	Key        string `json:"key"`
	Descending bool   `json:"desc,omitempty"`
}

// The payloads of the other carriers, which Print makes of their members.
type (
	datasetExtension struct {
		TimeDimension string    `json:"time_dimension,omitempty"`
		Calendar      *Calendar `json:"calendar,omitempty"`
		Label         string    `json:"label,omitempty"`
	}
	fieldExtension struct {
		Granularity string      `json:"time_granularity,omitempty"`
		IsDimension *bool       `json:"is_dimension,omitempty"`
		Time        *TimeFormat `json:"time,omitempty"`
		LOD         *LODBlock   `json:"lod,omitempty"`
		Order       []string    `json:"order,omitempty"`
	}
	relationshipExtension struct {
		JoinType string                `json:"join_type,omitempty"`
		Valid    *RelationshipValidity `json:"valid,omitempty"`
	}
	modelExtension struct {
		Queries []*SavedQuery `json:"queries,omitempty"`
		Views   []*View       `json:"views,omitempty"`
	}
)

// payloadEnvelope begins every payload.
type payloadEnvelope struct {
	Version  string   `json:"v"`
	Requires []string `json:"requires,omitempty"`
}

// extensionPayloadJSON returns the text of one extension entry, "" where no member is set. An engine
// that does not know the required keys rejects the model.
func extensionPayloadJSON(members any, requires ...string) string {
	inner := encodeJSONText(members)
	if inner == "{}" {
		return ""
	}
	head := encodeJSONText(payloadEnvelope{extension.Version, requires})
	return addJSONSpaces(head[:len(head)-1] + "," + inner[1:])
}

// encodeJSONText encodes a struct of this file, which cannot fail: it holds texts, flags and
// integers.
func encodeJSONText(v any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic("draft: " + err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// addJSONSpaces puts a space after each colon and comma outside the texts of a JSON document.
func addJSONSpaces(text string) string {
	var out strings.Builder
	inText := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		out.WriteByte(c)
		switch {
		case inText && c == '\\':
			i++
			out.WriteByte(text[i])
		case c == '"':
			inText = !inText
		case !inText && (c == ':' || c == ','):
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// extensionVendorName returns the name that the payloads are written under.
func extensionVendorName() string { return modelspec.ExtensionVendors()[0] }

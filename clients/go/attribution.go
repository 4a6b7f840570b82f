package client

import (
	"encoding/json"
	"math"
)

// Number is a float64 that is NaN where the wire has null.
type Number float64

// MarshalJSON writes null for a value that JSON cannot represent.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Attribution explains why a metric changed between two windows.
type Attribution struct {
	Metric             string                          `json:"metric"`
	Strategy           string                          `json:"strategy"` // term_wise, mix_shift, factor_shapley or unsupported
	UnsupportedReason  *UnsupportedReason              `json:"unsupported_reason,omitempty"`
	TotalChange        TotalChange                     `json:"total_change"`
	FactorTotals       *FactorTotals                   `json:"factor_totals,omitempty"` // of mix_shift
	Factors            []Factor                        `json:"factors,omitempty"`       // of factor_shapley
	AffineConstant     *Number                         `json:"affine_constant,omitempty"`
	DimensionRanking   []DimensionRank                 `json:"dimension_ranking"` // best first
	SelectedDimensions []string                        `json:"selected_dimensions"`
	TopDimensionValues []Segment                       `json:"top_dimension_values"`
	PerDimension       map[string]DimensionAttribution `json:"per_dimension"`
	MemberBreakdown    []MemberChange                  `json:"member_breakdown,omitempty"` // of a compose
	FilterBreakdown    *FilterBreakdown                `json:"filter_breakdown,omitempty"` // of a derived filter
	WindowMapping      *WindowMapping                  `json:"window_mapping,omitempty"`   // of a window metric
	ComparisonMetadata Comparison                      `json:"comparison_metadata"`
	Warnings           []AttributionWarning            `json:"warnings"`
	Saved              string                          `json:"saved,omitempty"` // the saved query in use
}

// UnsupportedReason explains why there are totals and no contributions.
type UnsupportedReason struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Measure  string `json:"measure,omitempty"`
	Agg      string `json:"agg,omitempty"`
	Distinct bool   `json:"distinct,omitempty"`
}

// Change is a value in both windows.
type Change struct {
	BaselineValue Number `json:"baseline_value"`
	CurrentValue  Number `json:"current_value"`
	Delta         Number `json:"delta"`
}

// TotalChange is the change of the metric. PctChange is in percent of the
// baseline, nil where that has no meaning.
type TotalChange struct {
	Change
	PctChange *Number `json:"pct_change,omitempty"`
}

// FactorTotals splits the change of a ratio.
type FactorTotals struct {
	MixEffect  Number `json:"mix_effect"`
	RateEffect Number `json:"rate_effect"`
	Entered    Number `json:"entered"`
	Exited     Number `json:"exited"`
	Fallback   Number `json:"fallback"`
	Residual   Number `json:"residual"`
}

// Factor is one factor of a product; Effect is its Shapley value.
type Factor struct {
	Factor string `json:"factor"`
	Change
	Effect Number `json:"effect"`
}

// DimensionRank is a dimension's place. Score is the largest change of a
// segment in relation to the total.
type DimensionRank struct {
	Dimension   string  `json:"dimension"`
	Score       *Number `json:"score,omitempty"`
	NonAdditive bool    `json:"non_additive"`
	Truncated   bool    `json:"truncated"`
}

// DimensionAttribution holds the segments of a dimension, largest change first.
type DimensionAttribution struct {
	Values         []Segment       `json:"values"`
	Score          *Number         `json:"score,omitempty"`
	NonAdditive    bool            `json:"non_additive"`
	Truncated      bool            `json:"truncated"`
	Reconciliation *Reconciliation `json:"reconciliation,omitempty"`
}

// Reconciliation holds the difference between the segments and the totals.
type Reconciliation struct {
	BaselineResidual Number `json:"baseline_residual"`
	CurrentResidual  Number `json:"current_residual"`
	Passed           bool   `json:"passed"`
}

// Segment is one value of a dimension. The shares, rates and effects are those
// of a mix_shift.
type Segment struct {
	Dimension string `json:"dimension"`
	Value     string `json:"value"` // "(null)" for NULL
	Change
	ContributionPct   *Number    `json:"contribution_pct,omitempty"`
	SegmentKind       string     `json:"segment_kind"` // normal, entered, exited or fallback
	MixEffect         *Number    `json:"mix_effect,omitempty"`
	RateEffect        *Number    `json:"rate_effect,omitempty"`
	MixEffectRelative *Number    `json:"mix_effect_relative,omitempty"`
	BaselineRate      *Number    `json:"baseline_rate,omitempty"`
	CurrentRate       *Number    `json:"current_rate,omitempty"`
	BaselineShare     *Number    `json:"baseline_share,omitempty"`
	CurrentShare      *Number    `json:"current_share,omitempty"`
	DrillDown         *DrillDown `json:"drill_down,omitempty"`
}

// DrillDown is the condition that selects a segment's rows, ready for WhereSQL.
type DrillDown struct {
	WhereSQL string `json:"where_sql"`
}

// MemberChange is one member of a composed metric; the pointers are nil where
// the composition is not linear.
type MemberChange struct {
	Metric      string  `json:"metric"`
	Coefficient *Number `json:"coefficient,omitempty"`
	Change
	WeightedDelta *Number `json:"weighted_delta,omitempty"`
}

// FilterBreakdown sets a filtered metric beside its base and the rest of it.
type FilterBreakdown struct {
	BaseMetric string `json:"base_metric"`
	Base       Change `json:"base"`
	Filtered   Change `json:"filtered"`
	Complement Change `json:"complement"`
}

// WindowMapping describes how the windows were read for a window metric.
type WindowMapping struct {
	Family string `json:"family"`
	Calc   string `json:"calc"`
	Note   string `json:"note"`
}

// Comparison describes what was compared.
type Comparison struct {
	Baseline           Window         `json:"baseline"`
	Current            Window         `json:"current"`
	BaselineDays       Number         `json:"baseline_days"`
	CurrentDays        Number         `json:"current_days"`
	EqualLengthWindows bool           `json:"equal_length_windows"`
	TimeDimension      string         `json:"time_dimension,omitempty"`
	TimeZone           string         `json:"time_zone,omitempty"` // of the two windows
	QueriesExecuted    int            `json:"queries_executed"`
	Params             map[string]any `json:"params"`
}

// AttributionWarning is a finding about the result.
type AttributionWarning struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Dimension string `json:"dimension,omitempty"`
}

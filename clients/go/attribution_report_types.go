package client

import (
	"encoding/json"
	"math"
)

// NullableNumber is a float64 that is NaN where the wire has null.
type NullableNumber float64

// MarshalJSON writes null for a value that JSON cannot represent.
func (n NullableNumber) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads null as NaN.
func (n *NullableNumber) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = NullableNumber(math.NaN())
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
	FactorTotals       *RatioChangeEffects             `json:"factor_totals,omitempty"` // of mix_shift
	Factors            []FactorEffect                  `json:"factors,omitempty"`       // of factor_shapley
	AffineConstant     *NullableNumber                 `json:"affine_constant,omitempty"`
	DimensionRanking   []DimensionRank                 `json:"dimension_ranking"` // best first
	SelectedDimensions []string                        `json:"selected_dimensions"`
	TopDimensionValues []AttributionSegment            `json:"top_dimension_values"`
	PerDimension       map[string]DimensionAttribution `json:"per_dimension"`
	MemberBreakdown    []MemberMetricChange            `json:"member_breakdown,omitempty"` // of a compose
	FilterBreakdown    *FilteredMetricBreakdown        `json:"filter_breakdown,omitempty"` // of a derived filter
	WindowMapping      *WindowMetricInterpretation     `json:"window_mapping,omitempty"`   // of a window metric
	ComparisonMetadata ComparedWindows                 `json:"comparison_metadata"`
	Warnings           []AttributionWarning            `json:"warnings"`
	Saved              string                          `json:"saved,omitempty"` // the saved query in use
	Rollups            []RollupUse                     `json:"rollups,omitempty"`
	View               *ViewUse                        `json:"view,omitempty"`
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
	BaselineValue NullableNumber `json:"baseline_value"`
	CurrentValue  NullableNumber `json:"current_value"`
	Delta         NullableNumber `json:"delta"`
}

// TotalChange is the change of the metric. PctChange is in percent of the
// baseline, nil where that has no meaning.
type TotalChange struct {
	Change
	PctChange *NullableNumber `json:"pct_change,omitempty"`
}

// RatioChangeEffects splits the change of a ratio.
type RatioChangeEffects struct {
	MixEffect  NullableNumber `json:"mix_effect"`
	RateEffect NullableNumber `json:"rate_effect"`
	Entered    NullableNumber `json:"entered"`
	Exited     NullableNumber `json:"exited"`
	Fallback   NullableNumber `json:"fallback"`
	Residual   NullableNumber `json:"residual"`
}

// FactorEffect is one factor of a product; Effect is its Shapley value.
type FactorEffect struct {
	Factor string `json:"factor"`
	Change
	Effect NullableNumber `json:"effect"`
}

// DimensionRank is a dimension's place. Score is the largest change of a
// segment in relation to the total.
type DimensionRank struct {
	Dimension   string          `json:"dimension"`
	Score       *NullableNumber `json:"score,omitempty"`
	NonAdditive bool            `json:"non_additive"`
	Truncated   bool            `json:"truncated"`
}

// DimensionAttribution holds the segments of a dimension, largest change first.
type DimensionAttribution struct {
	Values         []AttributionSegment     `json:"values"`
	Score          *NullableNumber          `json:"score,omitempty"`
	NonAdditive    bool                     `json:"non_additive"`
	Truncated      bool                     `json:"truncated"`
	Reconciliation *ReconciliationResiduals `json:"reconciliation,omitempty"`
}

// ReconciliationResiduals holds the difference between the segments and the totals.
type ReconciliationResiduals struct {
	BaselineResidual NullableNumber `json:"baseline_residual"`
	CurrentResidual  NullableNumber `json:"current_residual"`
	Passed           bool           `json:"passed"`
}

// AttributionSegment is one value of a dimension. The shares, rates and effects are those
// of a mix_shift.
type AttributionSegment struct {
	Dimension string `json:"dimension"`
	Value     string `json:"value"` // "(null)" for NULL
	Change
	ContributionPct   *NullableNumber  `json:"contribution_pct,omitempty"`
	SegmentKind       string           `json:"segment_kind"` // normal, entered, exited or fallback
	MixEffect         *NullableNumber  `json:"mix_effect,omitempty"`
	RateEffect        *NullableNumber  `json:"rate_effect,omitempty"`
	MixEffectRelative *NullableNumber  `json:"mix_effect_relative,omitempty"`
	BaselineRate      *NullableNumber  `json:"baseline_rate,omitempty"`
	CurrentRate       *NullableNumber  `json:"current_rate,omitempty"`
	BaselineShare     *NullableNumber  `json:"baseline_share,omitempty"`
	CurrentShare      *NullableNumber  `json:"current_share,omitempty"`
	DrillDown         *DrillDownFilter `json:"drill_down,omitempty"`
}

// DrillDownFilter is the condition that selects a segment's rows, ready for WhereSQL.
type DrillDownFilter struct {
	WhereSQL string `json:"where_sql"`
}

// MemberMetricChange is one member of a composed metric; the pointers are nil where
// the composition is not linear.
type MemberMetricChange struct {
	Metric      string          `json:"metric"`
	Coefficient *NullableNumber `json:"coefficient,omitempty"`
	Change
	WeightedDelta *NullableNumber `json:"weighted_delta,omitempty"`
}

// FilteredMetricBreakdown sets a filtered metric beside its base and the rest of it.
type FilteredMetricBreakdown struct {
	BaseMetric string `json:"base_metric"`
	Base       Change `json:"base"`
	Filtered   Change `json:"filtered"`
	Complement Change `json:"complement"`
}

// WindowMetricInterpretation describes how the windows were read for a window metric.
type WindowMetricInterpretation struct {
	Family string `json:"family"`
	Calc   string `json:"calc"`
	Note   string `json:"note"`
}

// ComparedWindows describes what was compared.
type ComparedWindows struct {
	Baseline           DateWindow     `json:"baseline"`
	Current            DateWindow     `json:"current"`
	BaselineDays       NullableNumber `json:"baseline_days"`
	CurrentDays        NullableNumber `json:"current_days"`
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

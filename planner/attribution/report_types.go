package attribution

import (
	"encoding/json"
	"math"

	"github.com/semlayer/semlayer/planner/plan"
)

// NullableFloat marshals as a JSON number, or as null where there is none.
type NullableFloat float64

// MarshalJSON writes null for NaN and the infinities.
func (n NullableFloat) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n) + 0) // -0 is 0
}

// UnmarshalJSON reads null as NaN.
func (n *NullableFloat) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = NullableFloat(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}

// Report is the result of an attribution, in its wire format.
type Report struct {
	Metric             string                     `json:"metric"`
	Strategy           Strategy                   `json:"strategy"`
	UnsupportedReason  *UnsupportedReason         `json:"unsupported_reason,omitempty"`
	TotalChange        Change                     `json:"total_change"`
	FactorTotals       *FactorTotals              `json:"factor_totals,omitempty"`
	Factors            []Factor                   `json:"factors,omitempty"`
	AffineConstant     *NullableFloat             `json:"affine_constant,omitempty"`
	DimensionRanking   []DimensionRank            `json:"dimension_ranking"`
	SelectedDimensions []string                   `json:"selected_dimensions"`
	TopDimensionValues []SegmentValue             `json:"top_dimension_values"`
	PerDimension       map[string]DimensionReport `json:"per_dimension"`
	MemberBreakdown    []CompositionMember        `json:"member_breakdown,omitempty"`
	FilterBreakdown    *FilterBreakdown           `json:"filter_breakdown,omitempty"`
	WindowMapping      *WindowMapping             `json:"window_mapping,omitempty"`
	ComparisonMetadata ComparisonSummary          `json:"comparison_metadata"`
	Warnings           []Warning                  `json:"warnings"`
	// Saved is the saved query that requested it; "" where none did.
	Saved string `json:"saved,omitempty"`
	// Rollups is what the branches of its queries read, as of a metric query, each once; nil where no rollup may be read.
	Rollups []plan.RollupUse `json:"rollups,omitempty"`
	// View is the view that the request is in, with what of it acts by default; nil for one of the whole model.
	View *plan.ViewUse `json:"view,omitempty"`
}

// UnsupportedReason is why there are no contributions.
type UnsupportedReason struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Measure  string `json:"measure,omitempty"`
	Agg      string `json:"agg,omitempty"`
	Distinct bool   `json:"distinct,omitempty"`
}

// The codes of a Reason.
const (
	ReasonNonAdditiveMeasure = "non_sum_tier_measure"
	ReasonNonLinear          = "non_linear_expression"
	ReasonWindowNotMapped    = "window_not_mapped"
)

// Change is a value in both windows. PctChange is in percent of the baseline.
type Change struct {
	BaselineValue NullableFloat  `json:"baseline_value"`
	CurrentValue  NullableFloat  `json:"current_value"`
	Delta         NullableFloat  `json:"delta"`
	PctChange     *NullableFloat `json:"pct_change,omitempty"`
}

// ComparedValue is a value in both windows.
type ComparedValue struct {
	BaselineValue NullableFloat `json:"baseline_value"`
	CurrentValue  NullableFloat `json:"current_value"`
	Delta         NullableFloat `json:"delta"`
}

// NewComparedValue returns the pair in its wire format.
func NewComparedValue(p ValuePair) ComparedValue {
	return ComparedValue{NullableFloat(p.Baseline), NullableFloat(p.Current), NullableFloat(p.Delta())}
}

// FactorTotals splits the change of a ratio, over the dimension that ranks
// first. Residual is what the parts leave of the total change.
type FactorTotals struct {
	MixEffect  NullableFloat `json:"mix_effect"`
	RateEffect NullableFloat `json:"rate_effect"`
	Entered    NullableFloat `json:"entered"`
	Exited     NullableFloat `json:"exited"`
	Fallback   NullableFloat `json:"fallback"`
	Residual   NullableFloat `json:"residual"`
}

// Factor is one factor of a product with its Shapley value.
type Factor struct {
	Factor string `json:"factor"`
	ComparedValue
	Effect NullableFloat `json:"effect"`
}

// DimensionRank is one dimension's place.
type DimensionRank struct {
	Dimension   string         `json:"dimension"`
	Score       *NullableFloat `json:"score,omitempty"`
	NonAdditive bool           `json:"non_additive"`
	Truncated   bool           `json:"truncated"`
}

// DimensionReport holds the segments of one dimension, the largest change first.
type DimensionReport struct {
	Values         []SegmentValue        `json:"values"`
	Score          *NullableFloat        `json:"score,omitempty"`
	NonAdditive    bool                  `json:"non_additive"`
	Truncated      bool                  `json:"truncated"`
	Reconciliation *TotalsReconciliation `json:"reconciliation,omitempty"`
}

// TotalsReconciliation is the distance of the segments from the totals.
type TotalsReconciliation struct {
	BaselineResidual NullableFloat `json:"baseline_residual"`
	CurrentResidual  NullableFloat `json:"current_residual"`
	Passed           bool          `json:"passed"`
}

// SegmentValue is one segment.
type SegmentValue struct {
	Dimension string `json:"dimension"`
	Value     string `json:"value"`
	// Null: the segment of rows without a value. The wire form has the text (null), which is a text as well.
	Null              bool                `json:"-"`
	BaselineValue     NullableFloat       `json:"baseline_value"`
	CurrentValue      NullableFloat       `json:"current_value"`
	Delta             NullableFloat       `json:"delta"`
	ContributionPct   *NullableFloat      `json:"contribution_pct,omitempty"`
	SegmentKind       SegmentKind         `json:"segment_kind"`
	MixEffect         *NullableFloat      `json:"mix_effect,omitempty"`
	RateEffect        *NullableFloat      `json:"rate_effect,omitempty"`
	MixEffectRelative *NullableFloat      `json:"mix_effect_relative,omitempty"`
	BaselineRate      *NullableFloat      `json:"baseline_rate,omitempty"`
	CurrentRate       *NullableFloat      `json:"current_rate,omitempty"`
	BaselineShare     *NullableFloat      `json:"baseline_share,omitempty"`
	CurrentShare      *NullableFloat      `json:"current_share,omitempty"`
	DrillDown         *DrillDownCondition `json:"drill_down,omitempty"`
}

// SegmentKind is the windows in which a segment has a value.
type SegmentKind string

// The kinds of segments.
const (
	SegmentInBothWindows      SegmentKind = "normal"
	SegmentEntered            SegmentKind = "entered"
	SegmentExited             SegmentKind = "exited"
	SegmentWithoutDenominator SegmentKind = "fallback"
)

// DrillDownCondition is the condition that selects a segment's rows.
type DrillDownCondition struct {
	WhereSQL string `json:"where_sql"`
}

// CompositionMember is one member of a composed metric. Coefficient and WeightedDelta are
// absent where the composition is not linear.
type CompositionMember struct {
	Metric      string         `json:"metric"`
	Coefficient *NullableFloat `json:"coefficient,omitempty"`
	ComparedValue
	WeightedDelta *NullableFloat `json:"weighted_delta,omitempty"`
}

// FilterBreakdown sets a filtered metric beside its base and the rest of it.
type FilterBreakdown struct {
	BaseMetric string        `json:"base_metric"`
	Base       ComparedValue `json:"base"`
	Filtered   ComparedValue `json:"filtered"`
	Complement ComparedValue `json:"complement"`
}

// WindowMapping describes how the windows were read for a window metric.
type WindowMapping struct {
	Family string `json:"family"`
	Calc   string `json:"calc"`
	Note   string `json:"note"`
}

// ComparisonSummary describes what was compared, and what it took.
type ComparisonSummary struct {
	Baseline           Window         `json:"baseline"`
	Current            Window         `json:"current"`
	BaselineDays       NullableFloat  `json:"baseline_days"`
	CurrentDays        NullableFloat  `json:"current_days"`
	EqualLengthWindows bool           `json:"equal_length_windows"`
	TimeZone           string         `json:"time_zone,omitempty"` // of the request or the model; "" where neither has one
	TimeDimension      string         `json:"time_dimension,omitempty"`
	QueriesExecuted    int            `json:"queries_executed"`
	Params             map[string]any `json:"params"`
}

// Window is a half-open window of time, as the request wrote it.
type Window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Warning is a caveat of the result.
type Warning struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Dimension string `json:"dimension,omitempty"`
}

// The codes of a Warning.
const (
	WarnTruncated            = "truncated"
	WarnZeroTotalDelta       = "zero_total_delta"
	WarnUnequalWindows       = "unequal_windows"
	WarnNonAdditiveDimension = "non_additive_dimension"
	WarnReconciliation       = "reconciliation_failed"
)

// newOptionalNumber returns a number that is left out where there is none.
func newOptionalNumber(f float64) *NullableFloat {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	n := NullableFloat(f)
	return &n
}

// newChangeWithPercent adds the change in percent, where a baseline other than 0 gives it
// a meaning.
func newChangeWithPercent(p ValuePair) Change {
	c := Change{BaselineValue: NullableFloat(p.Baseline), CurrentValue: NullableFloat(p.Current), Delta: NullableFloat(p.Delta())}
	if p.Baseline != 0 {
		c.PctChange = newOptionalNumber(100 * p.Delta() / p.Baseline)
	}
	return c
}

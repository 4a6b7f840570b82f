package plan

// ViewUse is the view that a query is in, with what of it acts because the request leaves it.
type ViewUse struct {
	Name      string         `json:"name"`
	Filters   []string       `json:"filters,omitempty"` // as the model writes them
	TimeRange *ViewTimeRange `json:"time_range,omitempty"`
}

// ViewTimeRange is the time range that a view has by default, as the model writes it.
type ViewTimeRange struct {
	Dimension string         `json:"dimension,omitempty"`
	Start     string         `json:"start,omitempty"`
	End       string         `json:"end,omitempty"`
	Last      map[string]any `json:"last,omitempty"`
}

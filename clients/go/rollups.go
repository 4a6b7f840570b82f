package client

import "context"

// RollupUse is what one branch of a query reads: the table of a rollup, or base tables.
type RollupUse struct {
	Home    string   `json:"home"` // the dataset whose rows the branch aggregates
	Metrics []string `json:"metrics"`
	Tag     string   `json:"tag,omitempty"` // of the range that is a separate branch
	Rollup  *string  `json:"rollup"`        // nil for base tables
	Store   string   `json:"store,omitempty"`
	AsOf    string   `json:"as_of,omitempty"` // nothing in the table is older; "" where that is not known
	// WhyNot are the rollups that do not serve a branch over base tables.
	WhyNot []RollupRejection `json:"why_not,omitzero"`
}

// RollupRejection is the first rule by which a rollup does not serve a branch.
type RollupRejection struct {
	Rollup  string `json:"rollup"`
	Rule    string `json:"rule"`
	Subject string `json:"subject,omitempty"`
	Message string `json:"message"`
}

// Rollup describes a table that holds an aggregation of the model.
type Rollup struct {
	Name        string          `json:"name"`
	Of          string          `json:"of"` // the dataset whose rows the measures aggregate
	Source      string          `json:"source"`
	Store       string          `json:"store"` // connection or local
	GroupBy     []RollupGroup   `json:"group_by"`
	Measures    []RollupMeasure `json:"measures"`
	Where       string          `json:"where,omitempty"`
	Rows        int64           `json:"rows,omitempty"`
	MaxAge      int64           `json:"max_age,omitempty"` // in seconds
	Description string          `json:"description,omitempty"`
	States      []RollupState   `json:"states"` // what was last read of its table, on each connection
}

// RollupGroup is a column that the rows of a rollup are grouped by.
type RollupGroup struct {
	Field  string `json:"field"`
	Grain  string `json:"grain,omitempty"`
	Column string `json:"column"`
}

// RollupMeasure is a column that holds an aggregate. Combines is sum, min, max or same_groups.
type RollupMeasure struct {
	Measure  string `json:"measure"`
	Column   string `json:"column"`
	Combines string `json:"combines"`
}

// RollupState is what was last read of the table of a rollup on a connection.
type RollupState struct {
	Connection string `json:"connection"` // "" for the embedded database
	Available  bool   `json:"available"`
	Definition string `json:"definition"` // current, changed or unknown
	AsOf       string `json:"as_of,omitempty"`
}

// Rollups lists the rollups of the model.
func (c *Client) Rollups(ctx context.Context) ([]Rollup, error) {
	return sendAndDecodeJSON[[]Rollup](ctx, c, newGetRequest("/v1/rollups"))
}

// Catalog is what a page needs of a model before its first query.
type Catalog struct {
	Model       Model        `json:"model"`
	Datasets    []Dataset    `json:"datasets"`
	Metrics     []Metric     `json:"metrics"`
	Dimensions  []Dimension  `json:"dimensions"`
	Views       []View       `json:"views"`
	Saved       []SavedQuery `json:"saved"`
	Findings    Findings     `json:"findings"`
	Connections []Connection `json:"connections"`
	Connection  string       `json:"connection,omitempty"` // that queries most likely mean, where they must name one
}

// Catalog returns the lists of the model in one response.
func (c *Client) Catalog(ctx context.Context) (*Catalog, error) {
	return sendAndDecodeJSON[*Catalog](ctx, c, newGetRequest("/v1/catalog"))
}

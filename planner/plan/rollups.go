package plan

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// RollupTarget is what decides, besides the query and the model, which rollups a query may read.
type RollupTarget struct {
	// Connection is the name of the connection; "" for the embedded database.
	Connection string
	// Schema has the tables whose name in the model has one part; empty is that of the connection.
	Schema []sqlexpr.Name
	// Recorded: a control table has the ages of the tables that refreshes have built.
	Recorded bool
	// Fresh are the rows that are read in the place of the table alone, of rollups whose newest rows come from the base tables, by name.
	Fresh map[string]FreshRows
	// OfReader: the statement runs in a session of its reader, to whom the warehouse may show other rows than the rollup was made from.
	OfReader bool
	// Needs asks what a table must hold to serve each branch.
	Needs bool
	// Explains asks for all rollups that do not serve a branch, at its node.
	Explains bool
	// Unusable are the rollups that the state of their tables excludes, by name.
	Unusable map[string]RollupRejection
	// Local: the statement reads the local file of the connection, and no other table; nil for a statement on the connection.
	Local *LocalRollups
	// NotLocal is why a statement on the connection does not read the local file; "" where it was not tried.
	NotLocal string
}

// LocalRollups are the tables of a local file.
type LocalRollups struct {
	// Dialect is that of the connection, which has computed the rows of the tables.
	Dialect string
	// Unordered are the columns, by rollup, whose texts the connection orders otherwise than by their bytes.
	Unordered map[string][]string
	// TextsAreKnown: the file was asked for Unordered.
	TextsAreKnown bool
}

// LocalSchema has the tables of rollups in a local file, each with the name of its rollup.
const LocalSchema = "rollups"

// FreshRows are the rows of a rollup: those of its table before a time, or without one, and those of the base tables from then on.
type FreshRows struct {
	Cut  time.Time
	Rows Node
}

// Excluded returns the rollups that the state of their tables excludes; nil for no target.
func (t *RollupTarget) Excluded() map[string]RollupRejection {
	if t == nil {
		return nil
	}
	return t.Unusable
}

// RowsDialect returns the dialect in which the rows of the tables were computed, of a statement in a dialect.
func (t *RollupTarget) RowsDialect(statement string) string {
	if t != nil && t.Local != nil {
		return t.Local.Dialect
	}
	return statement
}

// TableOf returns the table of a rollup with a source.
func (t *RollupTarget) TableOf(rollup string, source sqlexpr.DatasetTableOrQuery) sqlexpr.DatasetTableOrQuery {
	if t.Local != nil {
		return sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: LocalSchema}, {Text: rollup, Quoted: true}}}
	}
	return t.Table(source)
}

// Table returns a table beside those of rollups: one whose name has one part is in Schema.
func (t *RollupTarget) Table(source sqlexpr.DatasetTableOrQuery) sqlexpr.DatasetTableOrQuery {
	if len(t.Schema) > 0 && len(source.Table) == 1 {
		source.Table = append(slices.Clone(t.Schema), source.Table...)
	}
	return source
}

// RollupUse is what one branch of a query reads: the table of a rollup, or the base tables.
type RollupUse struct {
	Home    string   `json:"home"`
	Metrics []string `json:"metrics"`
	Tag     string   `json:"tag,omitempty"` // of the range that is a branch by itself
	Rollup  *string  `json:"rollup"`        // nil: the base tables
	Store   string   `json:"store,omitempty"`
	AsOf    string   `json:"as_of,omitempty"` // nothing in the table is older; "" where that is not known
	// WhyNot are the rollups of the home that do not serve the branch; nil where one does.
	WhyNot []RollupRejection `json:"why_not,omitzero"`
	// Need is what a table must hold to serve the branch; nil where the target does not ask.
	Need *RollupNeed `json:"-"`
}

// RollupNeed is what a table must hold to serve a branch.
type RollupNeed struct {
	Home     string
	Fields   []RollupField
	Measures []RollupMeasure
	// Exact: the groups of the table are the fields, no more, each in the first of its grains, since a measure has no value over several groups.
	Exact bool
	Where []string // conditions of the table, sorted
	Inner []string // INNER relationships along which the branch drops rows, sorted
	// Missing is the rule that no table meets; nil for none.
	Missing *RollupRejection
}

// RollupMeasure is an aggregate that a table must hold.
type RollupMeasure struct {
	Expression string // as a rollup declares it
	Column     string // a name for it, which another may have
}

// RollupField is a field that a table must hold.
type RollupField struct {
	Field  string // as a rollup names it
	Column string // that a query gives it
	// Grains are the buckets that serve, the finest first; nil for the values of the field.
	Grains []sqlexpr.Grain
}

// RollupRejection is the first rule by which a rollup does not serve a branch.
type RollupRejection struct {
	Rollup  string `json:"rollup"`
	Rule    string `json:"rule"`
	Subject string `json:"subject,omitempty"`
	Message string `json:"message"`
}

// The rules by which a rollup serves a branch, in the order in which they are tried.
const (
	RollupRuleConnection  = "connection"
	RollupRuleLODField    = "lod_field"
	RollupRuleFanned      = "fanned"
	RollupRuleMeasure     = "measure"
	RollupRuleGroupBy     = "group_by"
	RollupRuleGrain       = "grain"
	RollupRuleFilter      = "filter"
	RollupRuleRangeField  = "range_field"
	RollupRuleRangeEdge   = "range_edge"
	RollupRuleWhere       = "where"
	RollupRuleInnerJoin   = "inner_join"
	RollupRuleSameGroups  = "same_groups"
	RollupRulePolicy      = "policy"
	RollupRuleLocal       = "local"
	RollupRuleUnavailable = "unavailable"
	RollupRuleDefinition  = "definition"
	RollupRuleMaxAge      = "max_age"
)

// RollupRules lists the rules in the order in which they are tried.
func RollupRules() []string {
	return []string{
		RollupRuleConnection, RollupRuleLODField, RollupRuleFanned, RollupRuleMeasure, RollupRuleGroupBy, RollupRuleGrain, RollupRuleFilter, RollupRuleRangeField,
		RollupRuleRangeEdge, RollupRuleWhere, RollupRuleInnerJoin, RollupRuleSameGroups, RollupRulePolicy, RollupRuleLocal, RollupRuleUnavailable,
		RollupRuleDefinition, RollupRuleMaxAge,
	}
}

// rejectedRollups returns where a node lists the rollups that do not serve a branch; nil for a node without such a list.
func rejectedRollups(n Node) *[]RollupRejection {
	switch n := n.(type) {
	case *Aggregate:
		return &n.Rejected
	case *GroupingSets:
		return &n.Rejected
	default:
		return nil
	}
}

// ListRejectedRollups lists the rollups that do not serve a branch at its aggregate, for EXPLAIN.
func ListRejectedRollups(branch Node, rejected []RollupRejection) {
	for n := branch; len(rejected) > 0; n = n.Inputs()[0] {
		if list := rejectedRollups(n); list != nil {
			*list = rejected
			return
		}
		if len(n.Inputs()) == 0 {
			return
		}
	}
}

package engine

import (
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/relations"
)

// RelationInfo is a relation that SQL statements read: a dataset, or all of them together.
type RelationInfo struct {
	Name        string
	Description string
	Columns     []RelationColumn
	// MoreColumns is how many columns are not listed. A statement may name them.
	MoreColumns int
	Keys        []RelationKey
	ForeignKeys []RelationForeignKey
}

// RelationColumn is a column of a relation.
type RelationColumn struct {
	Name        string
	Type        string // as PostgreSQL names it
	NotNull     bool
	IsMetric    bool // it is read as MEASURE(name)
	Description string
}

// RelationKey is a primary or unique key.
type RelationKey struct {
	Name    string
	Primary bool
	Columns []string
}

// RelationForeignKey is a relationship to a key of another relation.
type RelationForeignKey struct {
	Name          string
	Columns       []string
	Target        string
	TargetColumns []string // paired with Columns
}

// Relations lists the relations that SQL statements read: the datasets in the order of the model, then the
// one of all datasets, which has the name of the model.
func (e *Engine) Relations() []RelationInfo {
	e = e.visible()
	all := e.statementModel().Relations().Relations()
	out := make([]RelationInfo, len(all))
	for i, r := range all {
		out[i] = newRelationInfo(r)
	}
	return out
}

func newRelationInfo(r *relations.Relation) RelationInfo {
	out := RelationInfo{Name: r.Name, Description: r.Description, MoreColumns: r.LeftOut}
	for _, c := range r.Columns {
		out.Columns = append(out.Columns, RelationColumn{
			Name: c.Name, Type: c.Type.String(), NotNull: c.NotNull, IsMetric: c.Metric != nil, Description: c.Description,
		})
	}
	for _, k := range r.Keys {
		out.Keys = append(out.Keys, RelationKey{Name: k.Name, Primary: k.Primary, Columns: relationColumnNames(k.Columns)})
	}
	for _, f := range r.ForeignKeys {
		out.ForeignKeys = append(out.ForeignKeys, RelationForeignKey{
			Name: f.Name, Columns: relationColumnNames(f.Columns), Target: f.Target.Name, TargetColumns: relationColumnNames(f.TargetColumns),
		})
	}
	return out
}

func relationColumnNames(columns []*relations.Column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Name
	}
	return out
}

// SplitFirstSQLStatement cuts the first statement off a text that may hold several. The statement ends after its
// semicolon; complete is false where the text has none outside of quotes and comments.
func SplitFirstSQLStatement(text string) (statement, rest string, complete bool) {
	return parse.SplitFirstStatement(text)
}

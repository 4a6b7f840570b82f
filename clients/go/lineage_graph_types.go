package client

// Lineage is a graph of what is made of what. Its edges lead from the tables of
// a warehouse to the metrics.
type Lineage struct {
	Nodes []LineageNode `json:"nodes"`
	Edges []LineageEdge `json:"edges"`
}

// LineageNode is an object of the model, or a table that it reads.
type LineageNode struct {
	ID        string   `json:"id"`   // the kind and the name: metric:revenue
	Kind      string   `json:"kind"` // table, dataset, field, measure or metric
	Name      string   `json:"name"`
	Query     string   `json:"query,omitempty"`     // of a source that is a query
	Columns   []string `json:"columns,omitempty"`   // that a field reads
	Aggregate string   `json:"aggregate,omitempty"` // of a measure
	Error     string   `json:"error,omitempty"`     // the code of what keeps it from being used
}

// LineageEdge leads from what is used to what uses it; a join, from the dataset
// with the foreign key to the one with the key.
type LineageEdge struct {
	From         string   `json:"from"`
	To           string   `json:"to"`
	Relation     string   `json:"relation"` // source, contains, reads, aggregates, derives, joins …
	Relationship string   `json:"relationship,omitempty"`
	On           []string `json:"on,omitempty"`
	Error        string   `json:"error,omitempty"`
}

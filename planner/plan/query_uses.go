package plan

import "slices"

// Uses are the names of the model that a query uses, in the order in which planning meets them. A name that means nothing is as the query
// writes it. Where planning fails, Uses holds what it had met.
type Uses struct {
	Metrics []string
	// Dimensions are what the query groups by, or the fields that it returns, with their grain: orders.order_date:month.
	Dimensions []string
	// Filtered are the fields that its conditions read, as dataset.field.
	Filtered []string
}

// AddMetric adds a metric. A nil receiver keeps nothing.
func (u *Uses) AddMetric(name string) {
	if u != nil {
		u.Metrics = appendNewName(u.Metrics, name)
	}
}

// AddDimension adds a dimension. A nil receiver keeps nothing.
func (u *Uses) AddDimension(name string) {
	if u != nil {
		u.Dimensions = appendNewName(u.Dimensions, name)
	}
}

// AddFiltered adds a field that a condition reads. A nil receiver keeps nothing.
func (u *Uses) AddFiltered(name string) {
	if u != nil {
		u.Filtered = appendNewName(u.Filtered, name)
	}
}

func appendNewName(names []string, name string) []string {
	if name == "" || slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// ScannedDatasets returns the datasets that a plan reads, each once. Those that only the rule of a reader reads are not among them.
func ScannedDatasets(root Node) []string {
	var out []string
	seen := map[Node]bool{}
	var visit func(Node)
	visit = func(n Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		switch x := n.(type) {
		case *Scan:
			out = appendNewName(out, x.Dataset)
		case *Derived:
			if x.Admitted != nil {
				out = appendNewName(out, x.Admitted.Dataset)
				return
			}
		default: // no other node names a dataset
		}
		for _, input := range n.Inputs() {
			visit(input)
		}
	}
	visit(root)
	return out
}

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

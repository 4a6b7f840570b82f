package importer

import (
	"cmp"
	"slices"
	"strings"
)

// Outcome is what became of a construct.
type Outcome string

// The outcomes.
const (
	Exact        Outcome = "exact"
	Approximated Outcome = "approximated" // some query has another answer
	Dropped      Outcome = "dropped"
)

// Entry is one construct of the input in the report.
type Entry struct {
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Construct string  `json:"construct"` // what the format calls it
	Name      string  `json:"name"`
	Outcome   Outcome `json:"outcome"`
	Reason    string  `json:"reason,omitempty"`
	// Became are the paths of the objects in the model: datasets.orders.fields.status.
	Became Paths `json:"became,omitempty"`

	order int // of the file
}

// Paths are the places of objects in the imported model.
type Paths []string

// MarshalText joins the paths.
func (p Paths) MarshalText() ([]byte, error) { return []byte(strings.Join(p, ", ")), nil }

// The paths of the objects of a model.

// DatasetPath is the path of a dataset.
func DatasetPath(dataset string) string { return "datasets." + dataset }

// FieldPath is the path of a field.
func FieldPath(dataset, field string) string { return DatasetPath(dataset) + ".fields." + field }

// RelationshipPath is the path of a relationship.
func RelationshipPath(name string) string { return "relationships." + name }

// MetricPath is the path of a metric.
func MetricPath(name string) string { return "metrics." + name }

// QueryPath is the path of a saved query.
func QueryPath(name string) string { return "queries." + name }

// Report collects the entries of one import.
type Report struct {
	entries []*Entry
	became  map[string][]*Entry
}

// Exact records a construct that was imported with its meaning.
func (r *Report) Exact(at *Node, construct, name string, became ...string) *Entry {
	return r.add(at, construct, name, Exact, "", became)
}

// Approximated records a construct that was imported and of which some query has another
// answer.
func (r *Report) Approximated(at *Node, construct, name, reason string, became ...string) *Entry {
	return r.add(at, construct, name, Approximated, reason, became)
}

// Dropped records a construct that the model does not have.
func (r *Report) Dropped(at *Node, construct, name, reason string) *Entry {
	return r.add(at, construct, name, Dropped, reason, nil)
}

func (r *Report) add(at *Node, construct, name string, outcome Outcome, reason string, became []string) *Entry {
	e := &Entry{File: at.File, Line: at.Line, Construct: construct, Name: name, Outcome: outcome, Reason: reason, order: at.order}
	r.entries = append(r.entries, e)
	for _, path := range became {
		r.Became(e, path)
	}
	return e
}

// Became adds an object that a construct became.
func (r *Report) Became(e *Entry, path string) {
	if r.became == nil {
		r.became = map[string][]*Entry{}
	}
	e.Became = append(e.Became, path)
	r.became[path] = append(r.became[path], e)
}

// Entries lists the entries by file and line.
func (r *Report) Entries() []*Entry {
	out := slices.Clone(r.entries)
	slices.SortStableFunc(out, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// remove records that an object is not in the model: an entry that became nothing else is
// dropped, one that became more is approximated.
func (r *Report) remove(path, reason string) {
	for _, e := range r.became[path] {
		e.Became = slices.DeleteFunc(e.Became, func(p string) bool { return p == path })
		if len(e.Became) == 0 {
			e.Outcome, e.Reason = Dropped, reason
		} else {
			e.approximate(path + " is missing: " + reason)
		}
	}
	delete(r.became, path)
}

// lose records that an object is in the model without a part of its meaning.
func (r *Report) lose(path, reason string) {
	for _, e := range r.became[path] {
		e.approximate(reason)
	}
}

func (e *Entry) approximate(reason string) {
	if e.Outcome == Exact {
		e.Outcome, e.Reason = Approximated, reason
	}
}

// Lossy reports whether a construct was approximated or dropped.
func (r *Result) Lossy() bool {
	return slices.ContainsFunc(r.Entries, func(e *Entry) bool { return e.Outcome != Exact })
}

package importer

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Outcome is the outcome of importing a construct.
type Outcome string

// The outcomes.
const (
	OutcomeExact        Outcome = "exact"
	OutcomeApproximated Outcome = "approximated" // some query has another answer
	OutcomeDropped      Outcome = "dropped"
	// OutcomePresentation is of what shows values and has no part in them, such as formats, links and drills.
	OutcomePresentation Outcome = "presentation"
)

// IsLoss reports whether the model lacks a part of the meaning of a construct.
func (o Outcome) IsLoss() bool { return o == OutcomeApproximated || o == OutcomeDropped }

// ReportEntry is one construct of the input in the report.
type ReportEntry struct {
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Construct string  `json:"construct"` // what the format calls it
	Name      string  `json:"name"`
	Outcome   Outcome `json:"outcome"`
	Reason    string  `json:"reason,omitempty"`
	// Became are the paths of the objects in the model: datasets.orders.fields.status.
	Became ObjectPaths `json:"became,omitempty"`
	// IsAccessRule is set where the construct restricts rows or fields to some users.
	IsAccessRule bool `json:"-"`

	order int // of the file
}

// JoinReasons joins the reasons for which a construct is approximated; empty ones are left out.
func JoinReasons(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(reason string) bool { return reason == "" }), "; ")
}

// ObjectPaths are the places of objects in the imported model.
type ObjectPaths []string

// MarshalText joins the paths.
func (p ObjectPaths) MarshalText() ([]byte, error) { return []byte(strings.Join(p, ", ")), nil }

// The paths of the objects of a model.

// DatasetPath returns the path of a dataset.
func DatasetPath(dataset string) string { return "datasets." + dataset }

// FieldPath returns the path of a field.
func FieldPath(dataset, field string) string { return DatasetPath(dataset) + ".fields." + field }

// RelationshipPath returns the path of a relationship.
func RelationshipPath(name string) string { return "relationships." + name }

// MetricPath returns the path of a metric.
func MetricPath(name string) string { return "metrics." + name }

// SavedQueryPath returns the path of a saved query.
func SavedQueryPath(name string) string { return "queries." + name }

// ViewPath returns the path of a view.
func ViewPath(name string) string { return "views." + name }

// Report collects the entries of one import.
type Report struct {
	entries []*ReportEntry
	became  map[string][]*ReportEntry
	// unreadable is why the first file that cannot be read cannot.
	unreadable *Error
}

// ReadDocuments reads the documents of a file. A file that cannot be read is a dropped entry.
func (r *Report) ReadDocuments(s SourceFile, order int) []*Node {
	documents, err := Read(s, order)
	if err != nil {
		r.AddUnreadableFile(s, order, err)
	}
	return documents
}

// AddUnreadableFile records a file that cannot be read. If no file of the import can, FinishImport returns the error.
func (r *Report) AddUnreadableFile(s SourceFile, order int, err error) {
	at, mistake := NewInputTextNode(s.Name, 1, order, ""), &Error{File: s.Name, Message: err.Error()}
	reason := mistake.Message
	if errors.As(err, &mistake) {
		if reason = mistake.Message; mistake.Line > 0 {
			at.Line, reason = mistake.Line, fmt.Sprintf("line %d: %s", mistake.Line, mistake.Message)
		}
	}
	if r.unreadable == nil {
		r.unreadable = mistake
	}
	r.AddDropped(at, "file", filepath.Base(s.Name), reason)
}

// AddExact records a construct that was imported with its meaning.
func (r *Report) AddExact(at *Node, construct, name string, became ...string) *ReportEntry {
	return r.addEntry(at, construct, name, OutcomeExact, "", became)
}

// AddApproximated records a construct that was imported and of which some query has another
// answer.
func (r *Report) AddApproximated(at *Node, construct, name, reason string, became ...string) *ReportEntry {
	return r.addEntry(at, construct, name, OutcomeApproximated, reason, became)
}

// AddDropped records a construct that the model does not have.
func (r *Report) AddDropped(at *Node, construct, name, reason string) *ReportEntry {
	return r.addEntry(at, construct, name, OutcomeDropped, reason, nil)
}

// AddPresentation records a construct that shows values and has no part in them.
func (r *Report) AddPresentation(at *Node, construct, name, reason string) *ReportEntry {
	return r.addEntry(at, construct, name, OutcomePresentation, reason, nil)
}

func (r *Report) addEntry(at *Node, construct, name string, outcome Outcome, reason string, became []string) *ReportEntry {
	e := &ReportEntry{File: at.File, Line: at.Line, Construct: construct, Name: strings.TrimSuffix(name, "."), Outcome: outcome, Reason: reason, order: at.order}
	r.entries = append(r.entries, e)
	for _, path := range became {
		r.AddResultingObjectPath(e, path)
	}
	return e
}

// AddResultingObjectPath adds an object that a construct became.
func (r *Report) AddResultingObjectPath(e *ReportEntry, path string) {
	if r.became == nil {
		r.became = map[string][]*ReportEntry{}
	}
	e.Became = append(e.Became, path)
	r.became[path] = append(r.became[path], e)
}

// Entries lists the entries by file and line.
func (r *Report) Entries() []*ReportEntry {
	out := slices.Clone(r.entries)
	slices.SortStableFunc(out, func(a, b *ReportEntry) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Line, b.Line))
	})
	return out
}

// recordObjectRemoval records that an object is not in the model: an entry that became nothing else is
// dropped, one that became more is approximated.
func (r *Report) recordObjectRemoval(path, reason string) {
	for _, e := range r.became[path] {
		e.Became = slices.DeleteFunc(e.Became, func(p string) bool { return p == path })
		if len(e.Became) == 0 {
			e.Outcome, e.Reason = OutcomeDropped, reason
		} else {
			e.markApproximated(path + " is missing: " + reason)
		}
	}
	delete(r.became, path)
}

// recordApproximatedObject records that an object is in the model without a part of its meaning.
func (r *Report) recordApproximatedObject(path, reason string) {
	for _, e := range r.became[path] {
		e.markApproximated(reason)
	}
}

func (e *ReportEntry) markApproximated(reason string) {
	if e.Outcome == OutcomeExact {
		e.Outcome, e.Reason = OutcomeApproximated, reason
	}
}

// HasLosses reports whether a construct was approximated or dropped.
func (r *Result) HasLosses() bool {
	return slices.ContainsFunc(r.Entries, func(e *ReportEntry) bool { return e.Outcome.IsLoss() })
}

// Why an importer drops what another tool keeps of results.
const (
	RollupReason = "a rollup of the model does this: semlayer rollup suggest writes one from queries"
	CacheReason  = "a server keeps results for a time that its settings name"
)

package importer

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/draft"
)

// Imported is what a format makes of its files, before it is known to compile.
type Imported struct {
	Model  *draft.Model
	Report *Report
	// Tests is the text of a file of tests; nil where there is none.
	Tests []byte
	// Dialect is the dialect that expressions without a portable form are in; "" where
	// every expression is portable.
	Dialect string
}

// Result is a finished import.
type Result struct {
	Model   []byte // YAML in the standard form
	Tests   []byte
	Entries []*Entry
}

// Plan plans each metric and saved query of a model text and returns the reasons of those
// that have no plan, by the path of the report.
type Plan func(ctx context.Context, model []byte) (map[string]string, error)

// Settle removes from the model what does not compile and what plan refuses, and finishes the import. Errors are *Error, and those of ctx and plan.
func Settle(ctx context.Context, in *Imported, plan Plan) (*Result, error) {
	s := settling{Imported: in}
	for {
		text, err := s.compile(ctx)
		if err != nil {
			return nil, err
		}
		refused, err := plan(ctx, text)
		if err != nil {
			return nil, err
		}
		if len(refused) == 0 {
			return &Result{Model: text, Tests: in.Tests, Entries: in.Report.Entries()}, nil
		}
		s.removed = 0
		for i, m := range in.Model.Metrics {
			if reason, ok := refused[MetricPath(m.Name)]; ok {
				s.metric(i, reason)
			}
		}
		for i, q := range in.Model.Queries {
			if reason, ok := refused[QueryPath(q.Name)]; ok {
				s.query(i, reason)
			}
		}
		if s.removed == 0 {
			return nil, &Error{Message: "an object that the imported model does not have is refused"}
		}
		s.sweep()
	}
}

// settling removes objects: they are marked by setting them to nil, and swept together, so
// that the places of a round's findings stay right.
type settling struct {
	*Imported
	removed int
}

// compile removes what does not compile until the rest does, and returns its text.
func (s *settling) compile(ctx context.Context) ([]byte, error) {
	for {
		if len(s.Model.Datasets) == 0 {
			return nil, &Error{Message: "no part of the input can be imported" + s.firstReason()}
		}
		text := draft.Print(s.Model)
		doc, err := modelspec.Parse(text)
		if err != nil {
			return nil, &Error{Message: "the imported model cannot be read: " + err.Error()}
		}
		s.removed = 0
		last, err := s.find(ctx, doc)
		if err != nil {
			return nil, err
		}
		if last == "" {
			return text, nil
		}
		if s.removed == 0 {
			return nil, &Error{Message: "the imported model is not valid: " + last}
		}
		s.sweep()
	}
}

// find removes the objects that have a finding, and returns the last finding.
func (s *settling) find(ctx context.Context, doc *modelspec.Document) (last string, err error) {
	issues, err := modelspec.Validate(ctx, doc)
	if err != nil {
		return "", err
	}
	for _, issue := range issues {
		if issue.Severity == modelspec.SeverityError {
			last = fmt.Sprintf("%s: %s", issue.Location, issue.Message)
			s.at(issue.Location, issue.Message)
		}
	}
	if last != "" {
		return last, nil
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{})
	if err != nil {
		return "", err
	}
	for _, e := range cat.Errors {
		last = e.Error()
		s.at(e.Location, e.Message)
	}
	if last != "" {
		s.dependents(cat)
	}
	return last, nil
}

// dependents removes the objects that fail for the reason of another one.
func (s *settling) dependents(cat *catalog.Catalog) {
	for d, dataset := range cat.Datasets {
		for f, field := range dataset.Fields {
			if field.Err != nil {
				s.field(d, f, field.Err.Message)
			}
		}
	}
	for i, m := range cat.Metrics {
		if m.Err != nil {
			s.metric(i, m.Err.Message)
		}
	}
}

var (
	location      = regexp.MustCompile(`^semantic_model\[0\]\.(datasets|relationships|metrics)\[(\d+)\](?:\.fields\[(\d+)\]|\.(custom_extensions))?`)
	queryLocation = regexp.MustCompile(`^semantic_model\[0\]\.custom_extensions\[0\]\.data\.queries\[(\d+)\]`)
)

// at removes the object at a location of the printed model.
func (s *settling) at(place, reason string) {
	if m := queryLocation.FindStringSubmatch(place); m != nil {
		i, _ := strconv.Atoi(m[1])
		s.query(i, reason)
		return
	}
	m := location.FindStringSubmatch(place)
	if m == nil {
		return
	}
	i, _ := strconv.Atoi(m[2])
	switch {
	case m[1] == "metrics":
		s.metric(i, reason)
	case m[1] == "relationships":
		s.relationship(i, reason)
	case m[3] != "":
		f, _ := strconv.Atoi(m[3])
		s.field(i, f, reason)
	case m[4] != "":
		s.timeDimension(i, reason)
	default:
		s.dataset(i, reason)
	}
}

// timeDimension removes the time dimension of a dataset, which is all that its payload has.
func (s *settling) timeDimension(i int, reason string) {
	d := s.Model.Datasets[i]
	if d == nil || d.TimeDimension == "" {
		return
	}
	d.TimeDimension = ""
	s.removed++
	s.Report.lose(DatasetPath(d.Name), "it has no time dimension: "+reason)
}

func (s *settling) metric(i int, reason string) {
	if m := s.Model.Metrics[i]; m != nil {
		s.Model.Metrics[i] = nil
		s.remove(MetricPath(m.Name), reason)
	}
}

func (s *settling) query(i int, reason string) {
	if q := s.Model.Queries[i]; q != nil {
		s.Model.Queries[i] = nil
		s.remove(QueryPath(q.Name), reason)
	}
}

// relationship removes the relationship at index i of those that are written.
func (s *settling) relationship(i int, reason string) {
	if r := s.Model.Relationships[i]; r != nil {
		s.Model.Relationships[i] = nil
		s.remove(RelationshipPath(r.Name), reason)
	}
}

func (s *settling) field(d, f int, reason string) {
	dataset := s.Model.Datasets[d]
	if dataset == nil || dataset.Fields[f] == nil {
		return
	}
	name := dataset.Fields[f].Name
	dataset.Fields[f] = nil
	if dataset.TimeDimension == name {
		s.timeDimension(d, reason)
	}
	s.remove(FieldPath(dataset.Name, name), reason)
}

func (s *settling) dataset(i int, reason string) {
	d := s.Model.Datasets[i]
	if d == nil {
		return
	}
	d.TimeDimension = ""
	for f := range d.Fields {
		s.field(i, f, "its dataset is dropped: "+reason)
	}
	s.Model.Datasets[i] = nil
	s.remove(DatasetPath(d.Name), reason)
}

func (s *settling) remove(path, reason string) {
	s.removed++
	s.Report.remove(path, reason)
}

// sweep takes the marked objects out of the model.
func (s *settling) sweep() {
	m := s.Model
	m.Metrics = withoutNil(m.Metrics)
	m.Queries = withoutNil(m.Queries)
	m.Relationships = withoutNil(m.Relationships)
	m.Datasets = withoutNil(m.Datasets)
	for _, d := range m.Datasets {
		d.Fields = withoutNil(d.Fields)
	}
}

func withoutNil[T any](list []*T) []*T {
	out := list[:0]
	for _, item := range list {
		if item != nil {
			out = append(out, item)
		}
	}
	return out
}

// firstReason is why the first dropped construct was dropped.
func (s *settling) firstReason() string {
	for _, e := range s.Report.Entries() {
		if e.Outcome == Dropped {
			return fmt.Sprintf("; the first reason: %s:%d: %s %s: %s", e.File, e.Line, e.Construct, e.Name, e.Reason)
		}
	}
	return ""
}

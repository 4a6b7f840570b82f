package importer

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/draft"
)

// ImportedModel is what a format makes of its files, before it is known to compile.
type ImportedModel struct {
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
	Entries []*ReportEntry
}

// PlanCheckFunc plans each metric and saved query of a model text and returns the reasons of those
// that have no plan, by the path of the report.
type PlanCheckFunc func(ctx context.Context, model []byte) (map[string]string, error)

// FinishImport removes from the model what does not compile and what plan rejects, and finishes the import. Errors are *Error, and those of ctx and plan.
func FinishImport(ctx context.Context, in *ImportedModel, plan PlanCheckFunc) (*Result, error) {
	s := failingObjectRemover{ImportedModel: in}
	for {
		text, err := s.removeUncompilableObjects(ctx)
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
				s.removeMetric(i, reason)
			}
		}
		for i, q := range in.Model.Queries {
			if reason, ok := refused[SavedQueryPath(q.Name)]; ok {
				s.removeSavedQuery(i, reason)
			}
		}
		if s.removed == 0 {
			return nil, &Error{Message: "an object that the imported model does not have is refused"}
		}
		s.dropNilObjects()
	}
}

// failingObjectRemover removes objects: they are marked by setting them to nil, and swept together, so
// that the places of a round's findings stay right.
type failingObjectRemover struct {
	*ImportedModel
	removed int
}

// removeUncompilableObjects removes what does not compile until the rest does, and returns its text.
func (s *failingObjectRemover) removeUncompilableObjects(ctx context.Context) ([]byte, error) {
	for {
		if len(s.Model.Datasets) == 0 && s.Report.unreadable != nil {
			return nil, s.Report.unreadable
		}
		if len(s.Model.Datasets) == 0 {
			return nil, &Error{Message: "no part of the input can be imported" + s.firstDropReason()}
		}
		s.pruneViews()
		text := draft.PrintModel(s.Model)
		doc, err := modelspec.Parse(text)
		s.removed = 0
		if err != nil {
			if s.removeUnreadableObjects(); s.removed == 0 {
				return nil, &Error{Message: "the imported model cannot be read: " + err.Error()}
			}
			s.dropNilObjects()
			continue
		}
		last, err := s.removeObjectsWithFindings(ctx, doc)
		if err != nil {
			return nil, err
		}
		if last == "" {
			return text, nil
		}
		if s.removed == 0 {
			return nil, &Error{Message: "the imported model is not valid: " + last}
		}
		s.dropNilObjects()
	}
}

// removeUnreadableObjects removes the objects whose own text cannot be read, so that the report names their lines of the input.
func (s *failingObjectRemover) removeUnreadableObjects() {
	unreadable := func(alone draft.Model) string {
		alone.Name = s.Model.Name
		_, err := modelspec.Parse(draft.PrintModel(&alone))
		if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
			return "the text of its object in the model has a mistake: " + load.Message
		}
		return ""
	}
	for i, d := range s.Model.Datasets {
		bare := *d
		bare.Fields = nil
		if reason := unreadable(draft.Model{Datasets: []*draft.Dataset{&bare}}); reason != "" {
			s.removeDataset(i, reason)
			continue
		}
		for j, field := range d.Fields {
			bare.Fields = []*draft.Field{field}
			if reason := unreadable(draft.Model{Datasets: []*draft.Dataset{&bare}}); reason != "" {
				s.removeField(i, j, reason)
			}
		}
	}
	for i, m := range s.Model.Metrics {
		if reason := unreadable(draft.Model{Metrics: []*draft.Metric{m}}); reason != "" {
			s.removeMetric(i, reason)
		}
	}
}

// removeObjectsWithFindings removes the objects that have a finding, and returns the last finding.
func (s *failingObjectRemover) removeObjectsWithFindings(ctx context.Context, doc *modelspec.Document) (last string, err error) {
	issues, err := modelspec.Validate(ctx, doc)
	if err != nil {
		return "", err
	}
	for _, issue := range issues {
		if issue.Severity == modelspec.SeverityError {
			last = fmt.Sprintf("%s: %s", issue.Location, issue.Message)
			s.removeObjectAt(issue.Location, issue.Message)
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
		s.removeObjectAt(e.Location, e.Message)
	}
	if last != "" {
		s.removeDependents(cat)
	}
	return last, nil
}

// removeDependents removes the objects that fail for the reason of another one.
func (s *failingObjectRemover) removeDependents(cat *catalog.Catalog) {
	for d, dataset := range cat.Datasets {
		for f, field := range dataset.Fields {
			if field.Err != nil {
				s.removeField(d, f, field.Err.Message)
			}
		}
	}
	for i, m := range cat.Metrics {
		if m.Err != nil {
			s.removeMetric(i, m.Err.Message)
		}
	}
}

var (
	objectLocationPattern     = regexp.MustCompile(`^semantic_model\[0\]\.(datasets|relationships|metrics)\[(\d+)\](?:\.fields\[(\d+)\]|\.(custom_extensions))?`)
	savedQueryLocationPattern = regexp.MustCompile(`^semantic_model\[0\]\.custom_extensions\[0\]\.data\.queries\[(\d+)\]`)
	viewLocationPattern       = regexp.MustCompile(`^semantic_model\[0\]\.custom_extensions\[0\]\.data\.views\[(\d+)\]`)
)

// removeObjectAt removes the object at a location of the printed model.
func (s *failingObjectRemover) removeObjectAt(place, reason string) {
	if m := savedQueryLocationPattern.FindStringSubmatch(place); m != nil {
		i, _ := strconv.Atoi(m[1])
		s.removeSavedQuery(i, reason)
		return
	}
	if m := viewLocationPattern.FindStringSubmatch(place); m != nil {
		i, _ := strconv.Atoi(m[1])
		s.removeView(i, reason)
		return
	}
	m := objectLocationPattern.FindStringSubmatch(place)
	if m == nil {
		return
	}
	i, _ := strconv.Atoi(m[2])
	switch {
	case m[1] == "metrics":
		s.removeMetric(i, reason)
	case m[1] == "relationships":
		s.removeRelationship(i, reason)
	case m[3] != "":
		f, _ := strconv.Atoi(m[3])
		s.removeField(i, f, reason)
	case strings.Contains(place, ".data.calendar"):
		s.removeDataset(i, reason)
	case m[4] != "":
		s.removeTimeDimension(i, reason)
	default:
		s.removeDataset(i, reason)
	}
}

// removeTimeDimension removes the time dimension of a dataset, which is all that its payload has but for calendars.
func (s *failingObjectRemover) removeTimeDimension(i int, reason string) {
	d := s.Model.Datasets[i]
	if d == nil || d.TimeDimension == "" {
		return
	}
	d.TimeDimension = ""
	s.removed++
	s.Report.recordApproximatedObject(DatasetPath(d.Name), "it has no time dimension: "+reason)
}

func (s *failingObjectRemover) removeMetric(i int, reason string) {
	if m := s.Model.Metrics[i]; m != nil {
		s.Model.Metrics[i] = nil
		s.recordRemoval(MetricPath(m.Name), reason)
	}
}

func (s *failingObjectRemover) removeSavedQuery(i int, reason string) {
	if q := s.Model.Queries[i]; q != nil {
		s.Model.Queries[i] = nil
		s.recordRemoval(SavedQueryPath(q.Name), reason)
	}
}

// removeRelationship removes the relationship at index i of those that are written.
func (s *failingObjectRemover) removeRelationship(i int, reason string) {
	if r := s.Model.Relationships[i]; r != nil {
		s.Model.Relationships[i] = nil
		s.recordRemoval(RelationshipPath(r.Name), reason)
	}
}

func (s *failingObjectRemover) removeField(d, f int, reason string) {
	dataset := s.Model.Datasets[d]
	if dataset == nil || dataset.Fields[f] == nil {
		return
	}
	name := dataset.Fields[f].Name
	dataset.Fields[f] = nil
	if dataset.TimeDimension == name {
		s.removeTimeDimension(d, reason)
	}
	s.recordRemoval(FieldPath(dataset.Name, name), reason)
}

func (s *failingObjectRemover) removeDataset(i int, reason string) {
	d := s.Model.Datasets[i]
	if d == nil {
		return
	}
	d.TimeDimension = ""
	for f := range d.Fields {
		s.removeField(i, f, "its dataset is dropped: "+reason)
	}
	s.Model.Datasets[i] = nil
	s.recordRemoval(DatasetPath(d.Name), reason)
}

func (s *failingObjectRemover) recordRemoval(path, reason string) {
	s.removed++
	s.Report.recordObjectRemoval(path, reason)
}

// dropNilObjects takes the marked objects out of the model.
func (s *failingObjectRemover) dropNilObjects() {
	m := s.Model
	m.Metrics = removeNilItems(m.Metrics)
	m.Queries = removeNilItems(m.Queries)
	m.Views = removeNilItems(m.Views)
	m.Relationships = removeNilItems(m.Relationships)
	m.Datasets = removeNilItems(m.Datasets)
	for _, d := range m.Datasets {
		d.Fields = removeNilItems(d.Fields)
	}
}

func removeNilItems[T any](list []*T) []*T {
	out := list[:0]
	for _, item := range list {
		if item != nil {
			out = append(out, item)
		}
	}
	return out
}

// firstDropReason returns the reason why the first dropped construct was dropped.
func (s *failingObjectRemover) firstDropReason() string {
	for _, e := range s.Report.Entries() {
		if e.Outcome == OutcomeDropped {
			return fmt.Sprintf("; the first reason: %s:%d: %s: %s", e.File, e.Line, strings.TrimSpace(e.Construct+" "+e.Name), e.Reason)
		}
	}
	return ""
}

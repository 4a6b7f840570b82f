package modelspec

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// ValidateOption changes how a document is judged.
type ValidateOption func(*validator)

// WithBasicMode judges as the strict standard does: payloads of the vendor extension
// prove nothing.
func WithBasicMode(basic bool) ValidateOption { return func(v *validator) { v.basic = basic } }

// Validate checks the document against the rules of the format and returns all
// findings in document order. A finding of SeverityError makes the model
// invalid. Keys that the format does not know are not among the findings, see
// Document.Warnings; the same holds for a document with other than one model, which does not
// compile, see Document.CheckSingleModel.
//
// It looks at ctx between objects. When ctx ends, the error is that of ctx and there are
// no findings; there is no other error.
func Validate(ctx context.Context, doc *Document, opts ...ValidateOption) ([]Issue, error) {
	v := &validator{ctx: ctx, doc: doc, ranking: suggest.NewRankingBudget(nameRankingBudget)}
	for _, opt := range opts {
		opt(v)
	}
	v.issues = slices.Clone(doc.issues)
	for _, rule := range documentChecks {
		rule(v)
	}
	for _, m := range doc.Models {
		v.indexDatasets(m)
		for _, rule := range modelChecks {
			rule(v, m)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(v.issues, func(a, b Issue) int { return a.Position.Compare(b.Position) })
	return v.issues, nil
}

// Compare orders positions as they stand in the text.
func (p Position) Compare(q Position) int {
	if p.Line != q.Line {
		return p.Line - q.Line
	}
	return p.Column - q.Column
}

// HasErrors reports whether any issue is an error.
func HasErrors(issues []Issue) bool {
	return slices.ContainsFunc(issues, func(i Issue) bool { return i.Severity == SeverityError })
}

// The rules, each of which reports everything it finds.
var (
	documentChecks = []func(*validator){
		checkVersion,
		checkDuplicateModelNames,
	}
	modelChecks = []func(*validator, *SemanticModel){
		checkDatasets,
		warnFieldsWithoutSQLDialect,
		checkRelationships,
		checkMetrics,
	}
)

type validator struct {
	ctx    context.Context // of the one call of Validate
	doc    *Document
	basic  bool
	issues []Issue

	datasets map[string]*Dataset // of the model at hand, by folded name
	fields   map[*Dataset]map[string]bool
	ranking  *suggest.RankingBudget
}

func (v *validator) addError(code, location string, p Position, format string, args ...any) {
	v.addIssue(SeverityError, code, location, p, format, args...)
}

func (v *validator) addWarning(code, location string, p Position, format string, args ...any) {
	v.addIssue(SeverityWarning, code, location, p, format, args...)
}

func (v *validator) addIssue(s Severity, code, location string, p Position, format string, args ...any) {
	v.issues = append(v.issues, Issue{Severity: s, Code: code, Location: location, Position: p, Message: fmt.Sprintf(format, args...)})
}

func (v *validator) indexDatasets(m *SemanticModel) {
	v.datasets = make(map[string]*Dataset, len(m.Datasets))
	v.fields = map[*Dataset]map[string]bool{}
	for _, d := range m.Datasets {
		if key := strings.ToLower(d.Name.Value); v.datasets[key] == nil {
			v.datasets[key] = d
		}
	}
}

func checkVersion(v *validator) {
	version := v.doc.Version
	if version.Value == "" || version.Value == SpecVersion {
		return
	}
	note := ""
	if strings.HasPrefix(version.Value, "0.1") {
		note = "; " + version.Value + " is an older draft of the same format"
	}
	v.addError(CodeUnsupportedVersion, "version", version.Position,
		"the version %q is not supported: this engine implements %s%s", version.Value, SpecVersion, note)
}

// checkDuplicateModelNames finds models that share a name. Their number is judged by
// Document.CheckSingleModel.
func checkDuplicateModelNames(v *validator) {
	names := newDuplicateNameFinder(v, "semantic model")
	for _, m := range v.doc.Models {
		names.addNameOrDuplicateError(m.Name, m.Place)
	}
}

func checkDatasets(v *validator, m *SemanticModel) {
	if len(m.Datasets) == 0 {
		v.addError(CodeEmptyDatasets, m.MemberLocation("datasets"), m.Position, "the semantic model %q declares no datasets", m.Name.Value)
	}
	names, fields := newDuplicateNameFinder(v, "dataset"), newDuplicateNameFinder(v, "")
	for d := range cancel.EachUntilDone(v.ctx, m.Datasets) {
		names.addNameOrDuplicateError(d.Name, d.Place)
		fields.what = "field of " + d.Name.Value
		clear(fields.seen)
		for _, f := range d.Fields {
			fields.addNameOrDuplicateError(f.Name, f.Place)
		}
		if d.Source.Value != "" {
			if _, err := ParseDatasetSource(d.Source.Value); err != nil {
				v.addError(CodeParse, d.MemberLocation("source"), d.Source.Position, "%s", err)
			}
		}
	}
}

func warnFieldsWithoutSQLDialect(v *validator, m *SemanticModel) {
	for d := range cancel.EachUntilDone(v.ctx, m.Datasets) {
		for f := range cancel.EachUntilDone(v.ctx, d.Fields) {
			if e := f.Expression; e != nil && e.DefaultEntry() == nil {
				v.addWarning(CodeMissingSQLDialect, e.Location, e.Position,
					"the field %s.%s has no entry in ANSI_SQL or another SQL dialect; queries that use it fail", d.Name.Value, f.Name.Value)
			}
		}
	}
}

func checkMetrics(v *validator, m *SemanticModel) {
	names := newDuplicateNameFinder(v, "metric")
	for x := range cancel.EachUntilDone(v.ctx, m.Metrics) {
		names.addNameOrDuplicateError(x.Name, x.Place)
		if e := x.Expression; e != nil && e.DefaultEntry() == nil {
			v.addError(CodeMissingSQLDialect, e.Location, e.Position,
				"the metric %s has no entry in ANSI_SQL or another SQL dialect", x.Name.Value)
		}
	}
}

// duplicateNameFinder finds names that are given twice.
type duplicateNameFinder struct {
	v    *validator
	what string
	seen map[string]LocatedText
}

func newDuplicateNameFinder(v *validator, what string) *duplicateNameFinder {
	return &duplicateNameFinder{v, what, map[string]LocatedText{}}
}

func (n *duplicateNameFinder) addNameOrDuplicateError(name LocatedText, owner Place) {
	if name.Value == "" {
		return
	}
	key := strings.ToLower(name.Value)
	first, taken := n.seen[key]
	if !taken {
		n.seen[key] = name
		return
	}
	note := ""
	if first.Value != name.Value {
		note = fmt.Sprintf(" (as %q; names compare without regard to case)", first.Value)
	}
	n.v.addError(CodeDuplicateName, owner.MemberLocation("name"), name.Position,
		"a second %s is named %q; the first is at line %d%s", n.what, name.Value, first.Position.Line, note)
}

// nameRankingBudget bounds the work for suggestions: in a text full of wrong names it
// would grow as their number squared.
const nameRankingBudget = 20_000_000

// nearestNamesHint returns a text with the nearest of n names; if none is near, it lists
// some of the existing names.
func (v *validator) nearestNamesHint(name string, n int, list func() []string) string {
	if n == 0 || v.ranking.IsExhausted() {
		return fmt.Sprintf("there are %d", n)
	}
	names := slices.DeleteFunc(list(), func(n string) bool { return n == "" })
	if len(names) == 0 {
		return "none has a name"
	}
	best := v.ranking.Nearest(name, func() []string { return names }, 1)
	if near, ok := suggest.ClosestIfNear(name, best); ok {
		return "did you mean " + near + "?"
	}
	shown := names[:min(len(names), 5)]
	if more := len(names) - len(shown); more > 0 {
		return fmt.Sprintf("the declared names are %s and %d more", strings.Join(shown, ", "), more)
	}
	return "the declared names are " + strings.Join(shown, ", ")
}

// hasField looks a field up by its folded name.
func (v *validator) hasField(d *Dataset, name string) bool {
	known := v.fields[d]
	if known == nil {
		known = make(map[string]bool, len(d.Fields))
		for _, f := range d.Fields {
			known[strings.ToLower(f.Name.Value)] = true
		}
		v.fields[d] = known
	}
	return known[strings.ToLower(name)]
}

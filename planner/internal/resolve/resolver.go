package resolve

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
)

// MaxCandidates bounds every list of alternatives in an error.
const MaxCandidates = 20

// Resolver resolves references against one catalog. Homes are the datasets
// that a relationship-prefixed reference may leave: the homes of the query's
// branches, or a detail query's root.
type Resolver struct {
	Cat   *catalog.Catalog
	Homes []*catalog.Dataset
	// Root is set on the detail plane, where a bare name means the root's
	// field first.
	Root *catalog.Dataset

	// plain: errors propose no respelling. It keeps a proposal from searching
	// for further proposals.
	plain bool
}

// SplitPath reads a reference of a query's JSON: parts joined by dots, any of
// them in double quotes.
func SplitPath(text string) ([]string, error) {
	if !strings.Contains(text, `"`) {
		return strings.Split(text, "."), nil
	}
	e, err := sqlexpr.Parse(text)
	if err != nil {
		return nil, err
	}
	col, ok := e.(*sqlexpr.Column)
	if !ok {
		return nil, &planerr.Error{Code: planerr.CodeUnknownDimension, Message: planerr.ClipText(text) + " is not a field reference"}
	}
	return NameTexts(col.Path), nil
}

// NameTexts returns the texts of a name path.
func NameTexts(path []sqlexpr.Name) []string {
	parts := make([]string, len(path))
	for i, n := range path {
		parts[i] = n.Text
	}
	return parts
}

// Resolve finds the field that a reference of one, two or more parts names.
// Errors are *planerr.Error, or the *modelspec.CompileError of a field that
// failed to compile.
func (r *Resolver) Resolve(parts []string) (Ref, error) {
	ref, err := r.resolveParts(parts)
	if err != nil {
		return Ref{}, err
	}
	if ref.Field.Err != nil {
		return Ref{}, ref.Field.Err
	}
	return ref, nil
}

func (r *Resolver) resolveParts(parts []string) (Ref, error) {
	switch len(parts) {
	case 0:
		return Ref{}, r.unknownFieldError("")
	case 1:
		return r.resolveBareFieldName(parts[0])
	case 2:
		if d := r.Cat.Dataset(parts[0]); d != nil {
			return r.resolveFieldInDataset(d, parts[1])
		}
		if r.Cat.Relationship(parts[0]) == nil {
			return Ref{}, r.unknownQualifierError(parts)
		}
	}
	return r.resolvePrefixedRef(parts)
}

func (r *Resolver) resolveBareFieldName(name string) (Ref, error) {
	if r.Root != nil {
		return r.resolveBareNameFromRoot(name)
	}
	fields := r.Cat.FieldsNamed(name)
	switch len(fields) {
	case 0:
		if f, ok := r.Cat.OnlyFieldByRelationship(name); ok {
			return r.resolvePrefixedRef([]string{f.Rel.Name, f.Field.Name})
		}
		return Ref{}, r.unknownFieldError(name)
	case 1:
		return Ref{Field: fields[0]}, nil
	default:
		return Ref{}, ambiguousFieldError(name, fields)
	}
}

func (r *Resolver) resolveBareNameFromRoot(name string) (Ref, error) {
	if f := r.Cat.FindDatasetField(r.Root, name); f != nil {
		return Ref{Field: f}, nil
	}
	all := r.Cat.FieldsNamed(name)
	var near []*catalog.Field
	for _, f := range all {
		if r.Cat.ReachesSafely(r.Root, f.Dataset) {
			near = append(near, f)
		}
	}
	switch {
	case len(near) == 1:
		return Ref{Field: near[0]}, nil
	case len(near) > 1:
		return Ref{}, ambiguousFieldError(name, near)
	case len(all) == 1:
		return Ref{Field: all[0]}, nil // unreachable: the caller returns the error
	case len(all) > 1:
		return Ref{}, ambiguousFieldError(name, all)
	}
	if f, ok := r.Cat.OnlyFieldByRelationship(name); ok {
		return r.resolvePrefixedRef([]string{f.Rel.Name, f.Field.Name})
	}
	return Ref{}, r.unknownFieldError(name)
}

func ambiguousFieldError(name string, fields []*catalog.Field) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.QualifiedName()
	}
	return &planerr.Error{
		Code:       planerr.CodeAmbiguousDimension,
		Message:    "several datasets have a field named " + planerr.ClipText(name) + ": qualify it as one of " + strings.Join(names[:min(len(names), 5)], ", "),
		Candidates: names[:min(len(names), MaxCandidates)],
	}
}

func (r *Resolver) resolveFieldInDataset(d *catalog.Dataset, name string) (Ref, error) {
	if f := r.Cat.FindDatasetField(d, name); f != nil {
		return Ref{Field: f}, nil
	}
	var names []string
	for f := range r.Cat.FieldsOf(d) {
		if r.canBeSuggested(f) {
			names = append(names, f.QualifiedName())
		}
	}
	e := newUnknownFieldError("dataset "+d.Name+" has no field named "+planerr.ClipText(name), d.Name+"."+name, names)
	if len(r.Cat.FieldsNamed(name)) > 0 { // the dataset is wrong, not the field
		e.Respelling = ""
	}
	return Ref{}, e
}

// unknownFieldError returns the error of a name that no field has.
func (r *Resolver) unknownFieldError(name string) error {
	e := newUnknownFieldError("no dataset has a field named "+planerr.ClipText(name), name, r.fieldNames())
	if r.Cat.Metric(name) != nil {
		e.Message, e.Respelling = name+" is a metric, not a field", ""
		return e
	}
	e.Respelling = r.respelledBareName(name)
	return e
}

func (r *Resolver) unknownQualifierError(parts []string) error {
	text := strings.Join(parts, ".")
	return newUnknownFieldError(planerr.ClipText(parts[0])+" is neither a dataset nor a relationship, so "+planerr.ClipText(text)+" names no field", text, r.fieldNames())
}

// newUnknownFieldError returns the error of a name that no field has, among the names of those that may be meant.
func newUnknownFieldError(message, name string, names []string) *planerr.Error {
	e := &planerr.Error{
		Code: planerr.CodeUnknownDimension, Message: message, UnknownName: name,
		Candidates: suggest.Nearest(name, names, MaxCandidates),
	}
	e.Respelling, _ = suggest.Respelling(name, names)
	return e
}

// respelledBareName returns the qualified name of the one field whose own name is nearly a bare name; "" for none.
func (r *Resolver) respelledBareName(name string) string {
	var own []string
	for f := range r.Cat.AllFields() {
		if r.canBeSuggested(f) {
			own = append(own, f.Name)
		}
	}
	better, _ := suggest.Respelling(name, own)
	if fields := r.Cat.FieldsNamed(better); len(fields) == 1 {
		return fields[0].QualifiedName()
	}
	return ""
}

// canBeSuggested reports whether a field may be a candidate: it compiles, and it is not
// hidden, or the query is of records, which shows hidden fields too.
func (r *Resolver) canBeSuggested(f *catalog.Field) bool {
	return f.Err == nil && (r.Root != nil || !f.IsNoDimension())
}

// fieldNames lists the qualified names of the fields that a query may use.
func (r *Resolver) fieldNames() []string {
	names := make([]string, 0, len(r.Cat.Fields))
	for f := range r.Cat.AllFields() {
		if r.canBeSuggested(f) {
			names = append(names, f.QualifiedName())
		}
	}
	for f := range r.Cat.FieldsByRelationship() {
		if r.canBeSuggested(f.Field) {
			names = append(names, f.Text())
		}
	}
	return names
}

// resolvePrefixedRef resolves rel.field, rel.rel.field, …
func (r *Resolver) resolvePrefixedRef(parts []string) (Ref, error) {
	steps := parts[:len(parts)-1]
	var path []catalog.JoinStep
	for i, name := range steps {
		rel := r.Cat.Relationship(name)
		if rel == nil {
			return Ref{}, r.unknownRelationshipError(name, parts, path)
		}
		step, err := r.resolvePathStep(rel, parts, path, i == len(steps)-1)
		if err != nil {
			return Ref{}, err
		}
		path = append(path, step)
	}
	at := path[len(path)-1].TargetDataset()
	last := path[len(path)-1].Rel
	f := r.Cat.FindFieldAfter(last, at, parts[len(parts)-1])
	if f == nil {
		var names []string
		for _, g := range at.Fields {
			if r.canBeSuggested(g) && r.Cat.FindFieldAfter(last, at, g.Name) == g {
				names = append(names, Ref{Prefix: path, Field: g}.String())
			}
		}
		return Ref{}, &planerr.Error{
			Code:       planerr.CodeUnknownDimension,
			Message:    "dataset " + at.Name + ", reached by " + PathText(path) + ", has no field named " + planerr.ClipText(parts[len(parts)-1]),
			Candidates: suggest.Nearest(strings.Join(parts, "."), names, MaxCandidates),
		}
	}
	return Ref{Prefix: path, Field: f}, nil
}

// resolvePathStep chooses the direction in which a named relationship continues a path.
func (r *Resolver) resolvePathStep(rel *catalog.Relationship, parts []string, path []catalog.JoinStep, last bool) (catalog.JoinStep, error) {
	forward, reverse := catalog.JoinStep{Rel: rel}, catalog.JoinStep{Rel: rel, Reverse: true}
	if rel.IsSelfJoin() {
		if len(path) == 0 && last && slices.Contains(r.Homes, rel.From) || len(path) == 0 && last && len(r.Homes) == 0 {
			return forward, nil
		}
		return catalog.JoinStep{}, r.invalidPathError(parts, path, "a self-relationship can only be the single step of a path that leaves its own dataset")
	}
	if len(path) == 0 {
		switch {
		case slices.Contains(r.Homes, rel.From):
			return forward, nil
		case rel.SafeBackward() && slices.Contains(r.Homes, rel.To):
			return reverse, nil
		case last && r.Cat.ListsFieldAfter(rel, rel.To.Field(parts[len(parts)-1])):
			return forward, nil // a name of the view, to which one path of its joins leads
		}
		return catalog.JoinStep{}, r.invalidPathError(parts, path, "relationship "+rel.Name+" leaves "+rel.From.Name+", and this query starts at another dataset")
	}
	step, why := catalog.ContinueNamedPathByRelationship(path[0].SourceDataset(), path, rel)
	if why != "" {
		return catalog.JoinStep{}, r.invalidPathError(parts, path, why)
	}
	return step, nil
}

func (r *Resolver) unknownRelationshipError(name string, parts []string, path []catalog.JoinStep) error {
	return r.pathError("unknown_relationship", name+" names no relationship", parts, path)
}

func (r *Resolver) invalidPathError(parts []string, path []catalog.JoinStep, why string) error {
	return r.pathError("invalid_relationship_path", strings.Join(parts, ".")+" is not a path: "+why, parts, path)
}

// pathError lists the edges that leave the place a path has reached, and spells
// the path with the likeliest of them.
func (r *Resolver) pathError(code, message string, parts []string, path []catalog.JoinStep) error {
	from := r.Homes
	if len(path) > 0 {
		from = []*catalog.Dataset{path[len(path)-1].TargetDataset()}
	}
	var names []string
	for _, d := range from {
		for _, s := range r.Cat.NamedPathStepsFrom(d) {
			if !slices.Contains(names, s.Rel.Name) {
				names = append(names, s.Rel.Name)
			}
		}
	}
	e := &planerr.Error{Code: code, Message: message, Candidates: suggest.Nearest(parts[len(path)], names, MaxCandidates)}
	if len(e.Candidates) == 0 {
		e.SuggestedRetry = "no relationship begins here: end the path with a field, or use another path"
		e.Respelling = r.respellWithoutStep(parts, len(path))
		return e
	}
	e.Message += "; relationships that begin here: " + strings.Join(e.Candidates[:min(len(e.Candidates), 5)], ", ")
	e.SuggestedRetry = "use a relationship that begins here, for example " + e.Candidates[0]
	e.Respelling = r.pathWithRespelledStep(parts, len(path), e.Candidates)
	for i, name := range e.Candidates {
		e.Candidates[i] = sqlexpr.FormatPath(name)
	}
	return e
}

// respellWithoutStep leaves out one step of a path that ends nowhere, the last first, so that
// the rest leads to a field; "" if no such path exists.
func (r *Resolver) respellWithoutStep(parts []string, at int) string {
	if r.plain {
		return ""
	}
	try := *r
	try.plain = true
	for i := min(at, len(parts)-2); i >= 0; i-- {
		shorter := slices.Delete(slices.Clone(parts), i, i+1)
		if _, err := try.resolveParts(shorter); err == nil {
			return sqlexpr.FormatPath(shorter...)
		}
	}
	return ""
}

// pathWithRespelledStep exchanges one step of a path for the first candidate that makes it
// lead to a field; "" when none does.
func (r *Resolver) pathWithRespelledStep(parts []string, at int, candidates []string) string {
	if r.plain {
		return ""
	}
	try := *r
	try.plain = true
	for _, c := range candidates[:min(len(candidates), 5)] {
		respelled := slices.Clone(parts)
		respelled[at] = c
		if respelled[at] == parts[at] {
			continue
		}
		if _, err := try.resolveParts(respelled); err == nil {
			return sqlexpr.FormatPath(respelled...)
		}
	}
	return ""
}

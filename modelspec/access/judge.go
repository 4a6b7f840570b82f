package access

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// Applied are the policies of a model, judged against it: the views of its readers are made from them.
type Applied struct {
	file     *File
	policies *Policies
	doc      *modelspec.Document
	model    *catalog.Catalog // the whole, and the fields that rules and masks are
	basic    bool
	rules    map[*Grant]*catalog.Field
	masks    map[*Grant]map[*catalog.Field]*catalog.Field // by the masked field
}

// Apply judges policies against a model: its document, and the catalog that it compiles to, in basic mode or not. Without errors among
// the findings they can be applied.
func (f *File) Apply(ctx context.Context, p *Policies, doc *modelspec.Document, model *catalog.Catalog, basic bool) (*Applied, []modelspec.Issue, error) {
	j := &judge{ctx: ctx, file: f, out: &Applied{
		file: f, policies: p, doc: doc, model: model, basic: basic,
		rules: map[*Grant]*catalog.Field{}, masks: map[*Grant]map[*catalog.Field]*catalog.Field{},
	}}
	for i := range p.Roles {
		j.judgeRole(&p.Roles[i])
	}
	if p.Required != nil {
		for i := range p.Required.Datasets {
			j.judgeGrant(&p.Required.Datasets[i], true)
		}
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return j.out, j.issues, nil
}

type judge struct {
	ctx    context.Context
	file   *File
	out    *Applied
	issues []modelspec.Issue
}

func (j *judge) add(at Text, code, format string, args ...any) *modelspec.Issue {
	j.issues = append(j.issues, modelspec.Issue{Severity: modelspec.SeverityError, Code: code, Position: at.Position(), Message: fmt.Sprintf(format, args...)})
	return &j.issues[len(j.issues)-1]
}

func (j *judge) judgeRole(r *Role) {
	for i := range r.Datasets {
		j.judgeGrant(&r.Datasets[i], false)
	}
	for _, m := range r.Metrics {
		j.checkMetric(m)
	}
	for _, name := range r.Reveal {
		j.judgeReveal(r, name)
	}
}

func (j *judge) checkMetric(name Text) {
	if m := j.out.model.Metric(name.Value); m != nil && m.Name == name.Value {
		return
	}
	var names []string
	for _, m := range j.out.model.Metrics {
		names = append(names, m.Name)
	}
	j.add(name, codeUnknownMetric, "the model has no metric %q", name.Value).Candidates = suggest.Nearest(name.Value, names, suggest.MaxCandidates)
}

func (j *judge) judgeGrant(g *Grant, required bool) {
	if g.Dataset.Value == EveryDataset {
		if g.Rows.Value != "" || len(g.Mask) > 0 {
			j.add(g.Dataset, CodeInvalidPolicy, "the grant of %q takes neither a rule nor masks: its datasets have different fields", EveryDataset)
		}
		return
	}
	d := j.out.model.Dataset(g.Dataset.Value)
	if d == nil || d.Name != g.Dataset.Value {
		var names []string
		for _, d := range j.out.model.Datasets {
			names = append(names, d.Name)
		}
		j.add(g.Dataset, compile.CodeUnknownDataset, "the model has no dataset %q", g.Dataset.Value).Candidates = suggest.Nearest(g.Dataset.Value, names, suggest.MaxCandidates)
		return
	}
	for _, names := range [][]Text{g.Fields, g.Hide} {
		for _, name := range names {
			j.findField(d, name)
		}
	}
	if g.Rows.Value != "" {
		j.judgeRule(g, d)
	}
	j.judgeMasks(g, d, required)
}

func (j *judge) findField(d *catalog.Dataset, name Text) *catalog.Field {
	if f := d.Field(name.Value); f != nil && f.Name == name.Value {
		return f
	}
	var names []string
	for _, f := range d.Fields {
		names = append(names, f.Name)
	}
	j.add(name, compile.CodeUnknownField, "the dataset %s has no field %q", d.Name, name.Value).Candidates = suggest.Nearest(name.Value, names, suggest.MaxCandidates)
	return nil
}

// compileExpression adds the field that an expression is; nil after a finding.
func (j *judge) compileExpression(d *catalog.Dataset, text Text) *catalog.Field {
	name := "\x00policy " + strconv.Itoa(text.Line) + ":" + strconv.Itoa(text.Column)
	extended, f, err := compile.ExtendForPolicy(j.ctx, j.out.model, compile.PolicyExpression{
		Dataset: d, Name: name, Text: text.Value, AttributeNames: j.file.AttributeNames(),
		Attribute: func(name string) (sqlexpr.Type, bool, bool) {
			a, ok := j.file.AttributeNamed(name)
			return a.Type.logical(), a.List, ok
		},
	})
	if err != nil {
		j.add(text, err.Code, "%s", err.Message).Candidates = err.Candidates
		return nil
	}
	j.out.model = extended
	return f
}

func (t AttributeType) logical() sqlexpr.Type {
	switch t {
	case AttributeInt:
		return sqlexpr.TypeInt
	case AttributeFloat:
		return sqlexpr.TypeFloat
	case AttributeBool:
		return sqlexpr.TypeBool
	case AttributeDate:
		return sqlexpr.TypeDate
	}
	return sqlexpr.TypeString
}

func (j *judge) judgeRule(g *Grant, d *catalog.Dataset) {
	f := j.compileExpression(d, g.Rows)
	if f == nil {
		return
	}
	if f.Type != sqlexpr.TypeBool && f.Type != sqlexpr.TypeUnknown {
		j.add(g.Rows, CodeInvalidPolicy, "the rule of %s is a %s, not a condition", d.Name, f.Type)
		return
	}
	j.out.rules[g] = f
}

func (j *judge) judgeMasks(g *Grant, d *catalog.Dataset, required bool) {
	j.out.masks[g] = map[*catalog.Field]*catalog.Field{}
	for _, m := range g.Mask {
		f := j.findField(d, m.Field)
		if f == nil {
			continue
		}
		if mask := j.judgeMask(d, f, m); mask != nil {
			j.out.masks[g][f] = mask
		}
	}
	for masked := range j.out.masks[g] {
		columns := bareColumnsOf(masked)
		for _, other := range d.Fields {
			if other != masked && readsColumnItself(other, columns) && j.out.masks[g][other] == nil && (required || g.shows(other.Name)) &&
				!slices.ContainsFunc(g.Hide, func(t Text) bool { return t.Value == other.Name }) {
				j.add(g.Dataset, CodeInvalidPolicy, "the field %s reads the column of the masked field %s: mask it too, or hide it", other.QualifiedName(), masked.QualifiedName())
			}
		}
	}
}

func (j *judge) judgeMask(d *catalog.Dataset, f *catalog.Field, m Mask) *catalog.Field {
	mask := j.compileExpression(d, m.Expr)
	if mask == nil {
		return nil
	}
	invalid := func(format string, args ...any) *catalog.Field {
		j.add(m.Expr, CodeInvalidPolicy, format, args...)
		return nil
	}
	_, isNull := mask.Expr.Default.(*sqlexpr.Null)
	switch {
	case f.LOD != nil:
		return invalid("%s is a level of detail, which cannot be masked: hide it, or mask what it reads", f.QualifiedName())
	case f.Encoding != nil:
		return invalid("%s stores its time as %s, which cannot be masked: hide it", f.QualifiedName(), f.Encoding.Text)
	case readsOtherDatasets(mask):
		return invalid("the mask of %s reads another dataset, and a mask reads fields of its dataset", f.QualifiedName())
	case isNull:
	case f.Datatype == "":
		return invalid("%s declares no datatype, so that its mask can be NULL alone", f.QualifiedName())
	case !areOfOneKind(f.Type, mask.Type):
		return invalid("the mask of %s is a %s, and the field a %s", f.QualifiedName(), mask.Type, f.Type)
	}
	if f.Type != sqlexpr.TypeUnknown {
		mask.Expr = mapVariants(mask.Expr, func(e sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Cast{X: e, To: sqlexpr.TypeName{Type: f.Type}} })
	}
	return mask
}

func readsOtherDatasets(f *catalog.Field) bool {
	found := false
	for _, e := range variantsOf(f.Expr) {
		for range sqlexpr.Refs(e) {
			found = true
		}
	}
	return found
}

// areOfOneKind reports whether the values of one type can stand for those of another.
func areOfOneKind(a, b sqlexpr.Type) bool {
	return b == sqlexpr.TypeUnknown || a == b || a.IsNumeric() && b.IsNumeric() ||
		a != sqlexpr.TypeTimestampTZ && b != sqlexpr.TypeTimestampTZ && a.IsDateOrTimestamp() && b.IsDateOrTimestamp()
}

// bareColumnsOf lists the columns that the values of a field are, each by the expression for some dialects.
func bareColumnsOf(f *catalog.Field) []*sqlexpr.Column {
	var out []*sqlexpr.Column
	for _, e := range variantsOf(f.Expr) {
		if column, ok := e.(*sqlexpr.Column); ok {
			out = append(out, column)
		}
	}
	return out
}

// readsColumnItself reports whether a field reads one of the columns of another field other than through that field: what a name of the other
// field stands for is the other's own part of its expression.
func readsColumnItself(f *catalog.Field, columns []*sqlexpr.Column) bool {
	for _, e := range variantsOf(f.Expr) {
		for _, c := range sqlexpr.ColumnReferences(e) {
			isSame := func(column *sqlexpr.Column) bool {
				return strings.EqualFold(c.Path[len(c.Path)-1].Text, column.Path[len(column.Path)-1].Text)
			}
			if slices.ContainsFunc(columns, isSame) && !slices.Contains(columns, c) {
				return true
			}
		}
	}
	return false
}

func variantsOf(v catalog.DialectVariants[sqlexpr.Expr]) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	if v.Default != nil {
		out = append(out, v.Default)
	}
	for _, e := range v.ByDialect {
		out = append(out, e)
	}
	return out
}

func mapVariants[T any](v catalog.DialectVariants[T], f func(T) T) catalog.DialectVariants[T] {
	out := catalog.DialectVariants[T]{Default: f(v.Default)}
	for dialect, variant := range v.ByDialect {
		if out.ByDialect == nil {
			out.ByDialect = map[string]T{}
		}
		out.ByDialect[dialect] = f(variant)
	}
	return out
}

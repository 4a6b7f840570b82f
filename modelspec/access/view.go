package access

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// View is what the readers with a set of roles see of a model.
type View struct {
	// Document is the model without what is hidden, and Catalog what it compiles to: names find what is visible alone, and the datasets
	// carry their rules.
	Document *modelspec.Document
	Catalog  *catalog.Catalog
	// SQL: the readers may see SQL, plans and sources.
	SQL bool
	// SeesAll: a role grants everything, so that the findings of the model are for its readers.
	SeesAll bool
	// ConnectionsAll: every connection; else those of Connections.
	ConnectionsAll bool
	Connections    []string
	// Needs are the attributes that the rules and masks of the roles read.
	Needs []string

	whole *catalog.Catalog
	masks map[*catalog.Field]sqlexpr.Expr // of whole
	why   map[string]reason
}

// reason is why something is hidden: by itself, or because it reads something hidden.
type reason struct{ itself, reads string }

// Why returns what hides a dataset, a field or a metric, by its qualified name: `payroll.total reads payroll.salary (hide)`.
func (v *View) Why(name string) string {
	out := name
	for range len(v.why) + 1 {
		w, ok := v.why[name]
		switch {
		case !ok:
			return out
		case w.reads == "":
			return out + " (" + w.itself + ")"
		}
		name = w.reads
		out += " reads " + name
	}
	return out
}

// rolesOf returns the known roles in the order of the file.
func (a *Applied) rolesOf(names []string) []*Role {
	var out []*Role
	for i := range a.policies.Roles {
		if slices.Contains(names, a.policies.Roles[i].Name.Value) {
			out = append(out, &a.policies.Roles[i])
		}
	}
	return out
}

// View compiles what readers with some known roles see. Try plans a saved query of a catalog, at the defaults of its parameters: one
// without a plan does not exist for these readers, unless it has none in the whole model either, and names nothing that is hidden.
func (a *Applied) View(ctx context.Context, roles []string, try func(*catalog.Catalog, *catalog.SavedQuery) error) (*View, error) {
	b := a.newViewBuilder(a.rolesOf(roles))
	for _, d := range a.model.Datasets {
		b.addDataset(d)
	}
	b.findReveals()
	b.hideReadersOfHiddenFields()
	for b.hideSequences() {
		b.hideReadersOfHiddenFields()
	}
	for _, m := range a.model.Metrics {
		b.addMetric(m)
	}
	out := &View{Needs: a.policies.NeededAttributes(roles), why: b.why, whole: a.model, masks: b.view.Masks}
	for _, r := range b.roles {
		out.SQL = out.SQL || r.SQL || r.All
		out.SeesAll = out.SeesAll || r.All
		out.ConnectionsAll = out.ConnectionsAll || r.ConnectionsAll || r.All
		for _, c := range r.Connections {
			out.Connections = append(out.Connections, c.Value)
		}
	}
	if err := b.compile(ctx, out); err != nil {
		return nil, err
	}
	for _, q := range out.Catalog.Saved {
		if err := try(out.Catalog, q); err != nil && b.showsHidden(out.Catalog, err, try(a.model, a.model.SavedQuery(q.Name)), textsOf(q)...) {
			b.view.HidesSaved[q.Name] = true
		}
	}
	if len(b.view.HidesSaved) > 0 {
		return out, b.compile(ctx, out)
	}
	return out, nil
}

func (a *Applied) newViewBuilder(roles []*Role) *viewBuilder {
	return &viewBuilder{
		Applied: a, roles: roles, why: map[string]reason{}, hiddenDatasets: map[*catalog.Dataset]bool{}, hiddenMetrics: map[*catalog.Metric]bool{},
		view: &compile.View{Model: a.model, Hidden: map[*catalog.Field]bool{}, Masks: map[*catalog.Field]sqlexpr.Expr{}, Rows: map[*catalog.Dataset]*catalog.RowRule{}, HidesSaved: map[string]bool{}},
	}
}

type viewBuilder struct {
	*Applied
	roles          []*Role
	revealing      []*Role // which show all fields of the datasets that they grant
	allMetrics     bool    // are granted
	reveals        []*reveal
	view           *compile.View
	hiddenDatasets map[*catalog.Dataset]bool
	hiddenMetrics  map[*catalog.Metric]bool
	hiddenColumns  map[*catalog.Dataset]map[string]string // by folded name: the field whose value the column is
	why            map[string]reason
}

// roleGrant is what one role grants of a dataset.
type roleGrant struct {
	grant *Grant // nil: everything
	rule  *catalog.Field
	part  string // the column of the rule, where the values of fields depend on it; "" for a rule that is always true
	masks map[*catalog.Field]*catalog.Field
	plain bool                    // all fields are shown, without masks
	lacks map[*catalog.Field]bool // fields that read what the role does not show, so that they do not exist for it
}

func (g roleGrant) shows(f *catalog.Field) bool {
	return g.plain || g.grant.shows(f.Name) && !g.lacks[f]
}

// fieldsWithoutInput finds the fields of a dataset that read, by name or by column, a field which a role does not show.
func (g roleGrant) fieldsWithoutInput(d *catalog.Dataset) map[*catalog.Field]bool {
	if g.plain {
		return nil
	}
	g.lacks = map[*catalog.Field]bool{}
	columns := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for _, f := range d.Fields {
			if g.shows(f) {
				continue
			}
			for _, c := range bareColumnsOf(f) {
				columns[strings.ToLower(c.Path[len(c.Path)-1].Text)] = true
			}
		}
		for _, f := range d.Fields {
			if g.shows(f) && g.masks[f] == nil && (slices.ContainsFunc(f.Reads, func(r *catalog.Field) bool { return !g.shows(r) }) || readsAnyColumn(f, columns)) {
				g.lacks[f], changed = true, true
			}
		}
	}
	return g.lacks
}

func readsAnyColumn(f *catalog.Field, columns map[string]bool) bool {
	for _, e := range variantsOf(f.Expr) {
		for c := range sqlexpr.Nodes[*sqlexpr.Column](e) {
			if columns[strings.ToLower(c.Path[len(c.Path)-1].Text)] {
				return true
			}
		}
	}
	return false
}

// grantsOf lists the grants of a dataset in the order of the file.
func (b *viewBuilder) grantsOf(d *catalog.Dataset) []roleGrant {
	var out []roleGrant
	for _, r := range b.roles {
		switch g := grantFor(r.Datasets, d.Name); {
		case r.All:
			out = append(out, roleGrant{plain: true})
		case g != nil && slices.Contains(b.revealing, r):
			out = append(out, roleGrant{grant: g, rule: b.rules[g], plain: true})
		case g != nil:
			out = append(out, roleGrant{grant: g, rule: b.rules[g], masks: b.masks[g]})
		}
	}
	return out
}

func grantFor(grants []Grant, dataset string) *Grant {
	var every *Grant
	for i := range grants {
		switch grants[i].Dataset.Value {
		case dataset:
			return &grants[i]
		case EveryDataset:
			every = &grants[i]
		}
	}
	return every
}

// requiredOf lists what is required of a dataset.
func (b *viewBuilder) requiredOf(d *catalog.Dataset) []*Grant {
	if b.policies.Required == nil {
		return nil
	}
	var out []*Grant
	for i := range b.policies.Required.Datasets {
		if g := &b.policies.Required.Datasets[i]; g.Dataset.Value == d.Name || g.Dataset.Value == EveryDataset {
			out = append(out, g)
		}
	}
	return out
}

func (b *viewBuilder) addDataset(d *catalog.Dataset) {
	grants, required := b.grantsOf(d), b.requiredOf(d)
	if len(grants) == 0 {
		b.hiddenDatasets[d] = true
		b.why[d.Name] = reason{itself: notGranted}
		for _, f := range d.Fields {
			b.hide(f, reason{reads: d.Name})
		}
		return
	}
	rule := &catalog.RowRule{Model: b.model, Dataset: d}
	for i := range grants {
		if grants[i].rule != nil {
			grants[i].part = partPrefix + strconv.Itoa(i)
		}
		if len(grants) > 1 {
			grants[i].lacks = grants[i].fieldsWithoutInput(d)
		}
	}
	for _, f := range d.Fields {
		b.addField(f, grants, required, rule)
	}
	rule.Admits = admittedBy(grants, b.rulesOf(required), d)
	switch restricted := rule.Admits != nil || len(rule.Parts) > 0; {
	case restricted && d.Sequence != nil:
		b.hideDataset(d, reason{itself: "a rule on the rows of a sequence"})
	case restricted:
		b.view.Rows[d] = rule
	}
}

// partPrefix begins the names of parts of rules. No column has such a name.
const partPrefix = "\x00role "

func (b *viewBuilder) rulesOf(required []*Grant) []*catalog.Field {
	var out []*catalog.Field
	for _, g := range required {
		if f := b.rules[g]; f != nil {
			out = append(out, f)
		}
	}
	return out
}

// admittedBy returns the rule that a row meets which some role admits, and all that is required; nil where all rows meet it.
func admittedBy(grants []roleGrant, required []*catalog.Field, d *catalog.Dataset) *catalog.Field {
	var alternatives []*catalog.Field
	for _, g := range grants {
		if g.rule == nil {
			alternatives = nil
			break
		}
		alternatives = append(alternatives, g.rule)
	}
	all := required
	if len(alternatives) > 0 {
		all = append([]*catalog.Field{combine(sqlexpr.OpOr, alternatives, d)}, required...)
	}
	if len(all) == 0 {
		return nil
	}
	return combine(sqlexpr.OpAnd, all, d)
}

// combine joins conditions by AND or OR.
func combine(op sqlexpr.BinaryOp, conditions []*catalog.Field, d *catalog.Dataset) *catalog.Field {
	exprOf := func(dialect string) sqlexpr.Expr {
		out := conditions[0].Expr.ForDialect(dialect)
		for _, f := range conditions[1:] {
			out = &sqlexpr.Binary{Op: op, L: out, R: f.Expr.ForDialect(dialect)}
		}
		return out
	}
	out := &catalog.Field{Dataset: d, Name: partPrefix + "rule", Type: sqlexpr.TypeBool}
	out.Expr.Default = exprOf("")
	for _, f := range conditions {
		for dialect := range f.Expr.ByDialect {
			if out.Expr.ByDialect == nil {
				out.Expr.ByDialect = map[string]sqlexpr.Expr{}
			}
			out.Expr.ByDialect[dialect] = exprOf(dialect)
		}
		for dialect, err := range f.ErrByDialect {
			if out.ErrByDialect == nil {
				out.ErrByDialect = map[string]*modelspec.CompileError{}
			}
			out.ErrByDialect[dialect] = err
		}
	}
	return out
}

// addField decides what a reader sees of a field: its values, those of masks, or nothing.
func (b *viewBuilder) addField(f *catalog.Field, grants []roleGrant, required []*Grant, rule *catalog.RowRule) {
	for _, g := range required {
		if slices.ContainsFunc(g.Hide, func(t Text) bool { return t.Value == f.Name }) {
			b.hide(f, reason{itself: "hide of required"})
			return
		}
	}
	visible := false
	for _, g := range grants {
		visible = visible || g.shows(f)
	}
	if !visible {
		b.hide(f, reason{itself: hidingKey(grants)})
		return
	}
	for _, g := range required {
		if mask := b.masks[g][f]; mask != nil {
			b.view.Masks[f] = b.whereShown(f, mask.Expr.Default, grants, rule)
			return
		}
	}
	value, plain, masked := b.valueOf(f, grants, rule)
	switch {
	case plain:
	case f.LOD != nil || f.Encoding != nil || readsOtherDatasets(f) || len(f.Expr.ByDialect) > 0 || len(f.ErrByDialect) > 0 || f.Err != nil:
		if masked {
			b.view.Masks[f] = value
			return
		}
		b.hide(f, reason{itself: "its roles differ, and it has no value of a row"})
	default:
		b.view.Masks[f] = value
	}
}

// whereShown returns a value on the rows that are admitted by a role which shows the field, plain or masked, and NULL on the others.
func (b *viewBuilder) whereShown(f *catalog.Field, value sqlexpr.Expr, grants []roleGrant, rule *catalog.RowRule) sqlexpr.Expr {
	out, everywhere := &sqlexpr.Case{}, true
	for _, g := range grants {
		if !g.shows(f) {
			everywhere = false
		} else if g.rule == nil {
			return value
		}
	}
	if everywhere {
		return value
	}
	for _, g := range grants {
		if g.shows(f) {
			out.Whens = append(out.Whens, sqlexpr.When{Cond: b.partOf(g, rule), Then: value})
		}
	}
	return out
}

// valueOf returns the value of a field: that of its expression, where some role that admits the row shows it plainly, else that of the first
// mask, else NULL. The expression is over what the reader sees of the fields that it names. masked: the value does not hold that of the expression.
func (b *viewBuilder) valueOf(f *catalog.Field, grants []roleGrant, rule *catalog.RowRule) (value sqlexpr.Expr, plain, masked bool) {
	var shown, hiding []roleGrant
	for _, g := range grants {
		if g.shows(f) && g.masks[f] == nil {
			shown = append(shown, g)
		} else {
			hiding = append(hiding, g)
		}
	}
	always := slices.ContainsFunc(shown, func(g roleGrant) bool { return g.rule == nil })
	if always || len(hiding) == 0 {
		return nil, true, false
	}
	out := &sqlexpr.Case{}
	for _, g := range shown {
		out.Whens = append(out.Whens, sqlexpr.When{Cond: b.partOf(g, rule), Then: compile.OwnValue()})
	}
	for _, g := range hiding {
		if g.masks[f] == nil {
			continue
		}
		mask := g.masks[f].Expr.Default
		if len(shown) > 0 {
			mask = maskBesidePlain(f, g.masks[f])
		}
		if g.rule == nil || len(grants) == 1 {
			if len(out.Whens) == 0 {
				return mask, false, true
			}
			out.Else = mask
			return out, false, len(shown) == 0
		}
		out.Whens = append(out.Whens, sqlexpr.When{Cond: b.partOf(g, rule), Then: mask})
	}
	return out, false, len(shown) == 0
}

// maskBesidePlain returns a mask that has the type of the plain values in one CASE. The cast to a decimal without digits is one to a double on
// some engines, which would round the plain values.
func maskBesidePlain(f, mask *catalog.Field) sqlexpr.Expr {
	cast, ok := mask.Expr.Default.(*sqlexpr.Cast)
	if !ok || f.Type != sqlexpr.TypeDecimal {
		return mask.Expr.Default
	}
	if _, isNull := cast.X.(*sqlexpr.Null); isNull || mask.Type == sqlexpr.TypeInt || mask.Type == sqlexpr.TypeDecimal {
		return cast.X
	}
	return mask.Expr.Default
}

// partOf returns the column that is TRUE where the rule of a role admits a row.
func (b *viewBuilder) partOf(g roleGrant, rule *catalog.RowRule) sqlexpr.Expr {
	if !slices.ContainsFunc(rule.Parts, func(f *catalog.Field) bool { return f.Name == g.part }) {
		part := *g.rule
		part.Name = g.part
		rule.Parts = append(rule.Parts, &part)
	}
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: g.part, Quoted: true}}}
}

// hidingKey returns the key of a grant that hides a field which no role shows.
func hidingKey(grants []roleGrant) string {
	for _, g := range grants {
		if g.grant != nil && g.grant.FieldsAll {
			return "hide"
		}
	}
	return "not among fields"
}

func (b *viewBuilder) hide(f *catalog.Field, why reason) {
	b.view.Hidden[f] = true
	b.why[f.QualifiedName()] = why
	for _, column := range bareColumnsOf(f) {
		if b.hiddenColumns == nil {
			b.hiddenColumns = map[*catalog.Dataset]map[string]string{}
		}
		if b.hiddenColumns[f.Dataset] == nil {
			b.hiddenColumns[f.Dataset] = map[string]string{}
		}
		b.hiddenColumns[f.Dataset][strings.ToLower(column.Path[len(column.Path)-1].Text)] = f.QualifiedName()
	}
}

// hideReadersOfHiddenFields hides what needs a hidden field, until nothing more does.
func (b *viewBuilder) hideReadersOfHiddenFields() {
	for changed := true; changed; {
		changed = false
		for _, f := range b.model.Fields {
			if b.view.Hidden[f] || b.view.Masks[f] != nil && !b.holdsPlainValue(f) {
				continue
			}
			if what := b.hiddenInputOf(f); what != "" {
				b.hide(f, reason{reads: what})
				changed = true
			}
		}
	}
}

// holdsPlainValue reports whether the value that the view gives a field has that of its expression in it.
func (b *viewBuilder) holdsPlainValue(f *catalog.Field) bool {
	_, found := compile.ReplaceOwnValue(b.view.Masks[f], f.Expr.Default)
	return found
}

// hiddenInputOf returns what a field reads that is hidden; "" for nothing.
func (b *viewBuilder) hiddenInputOf(f *catalog.Field) string {
	for _, r := range f.Reads {
		if b.view.Hidden[r] {
			return r.QualifiedName()
		}
	}
	for _, e := range variantsOf(f.Expr) {
		for _, c := range sqlexpr.ColumnReferences(e) {
			if of, ok := b.hiddenColumns[f.Dataset][strings.ToLower(c.Path[len(c.Path)-1].Text)]; ok {
				return of
			}
		}
		if what := b.hiddenRefsOf(e); what != "" {
			return what
		}
	}
	if f.LOD == nil {
		return ""
	}
	for _, s := range f.LOD.Via {
		if b.hiddenDatasets[s.SourceDataset()] || b.hiddenDatasets[s.TargetDataset()] {
			return s.Rel.Name
		}
	}
	if what := b.hiddenRefsOf(f.LOD.Where); what != "" {
		return what
	}
	return b.hiddenInputOfForms(f.LOD.Measures)
}

// hiddenRefsOf returns which field that an expression over fields reads is hidden.
func (b *viewBuilder) hiddenRefsOf(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	for ref := range sqlexpr.Refs(e) {
		f := b.model.FieldByID(ref.ID)
		if what := b.hiddenField(f); what != "" {
			return what
		}
	}
	return ""
}

func (b *viewBuilder) hiddenField(f *catalog.Field) string {
	if f.Joined != nil {
		if what := b.hiddenOnPath(f.Joined.Path); what != "" {
			return what
		}
	}
	if source := f.SourceField(); b.view.Hidden[source] {
		return source.QualifiedName()
	}
	return ""
}

func (b *viewBuilder) hiddenOnPath(path []catalog.JoinStep) string {
	for _, s := range path {
		if d := s.TargetDataset(); b.hiddenDatasets[d] {
			return d.Name
		}
	}
	return ""
}

func (b *viewBuilder) hiddenInputOfForms(forms catalog.DialectVariants[*catalog.ArithmeticOverOperands]) string {
	all := []*catalog.ArithmeticOverOperands{forms.Default}
	for _, form := range forms.ByDialect {
		all = append(all, form)
	}
	for _, form := range all {
		if form == nil {
			continue
		}
		for _, o := range form.Operands {
			switch o := o.(type) {
			case *catalog.Measure:
				if what := b.hiddenInputOfMeasure(o); what != "" {
					return what
				}
			case *catalog.Metric:
				if b.addMetric(o) {
					return o.Name
				}
			}
		}
	}
	return ""
}

func (b *viewBuilder) hiddenInputOfMeasure(m *catalog.Measure) string {
	if m == nil {
		return ""
	}
	if b.hiddenDatasets[m.Home] {
		return m.Home.Name
	}
	for _, e := range m.ArgumentAndOrderKey() {
		if what := b.hiddenRefsOf(e); what != "" {
			return what
		}
	}
	if m.NonAdditive == nil {
		return ""
	}
	if what := b.hiddenField(m.NonAdditive.By); what != "" {
		return what
	}
	for _, p := range m.NonAdditive.Per {
		if what := b.hiddenField(p.Field) + b.hiddenOnPath(p.Path); what != "" {
			return what
		}
	}
	return ""
}

const notGranted = "not granted"

// addMetric decides whether a metric is hidden.
func (b *viewBuilder) addMetric(m *catalog.Metric) (hidden bool) {
	if known, ok := b.hiddenMetrics[m]; ok {
		return known
	}
	b.hiddenMetrics[m] = false // of a metric that needs itself, which does not compile
	switch what := b.hiddenInputOfMetric(m); what {
	case "":
	case notGranted:
		b.hiddenMetrics[m], b.why[m.Name] = true, reason{itself: what}
	default:
		b.hiddenMetrics[m], b.why[m.Name] = true, reason{reads: what}
	}
	return b.hiddenMetrics[m]
}

func (b *viewBuilder) grantsMetric(m *catalog.Metric) bool {
	return b.allMetrics || slices.ContainsFunc(b.roles, func(r *Role) bool {
		return r.All || r.MetricsAll || slices.ContainsFunc(r.Metrics, func(t Text) bool { return t.Value == m.Name })
	})
}

func (b *viewBuilder) hiddenInputOfMetric(m *catalog.Metric) string {
	if !b.grantsMetric(m) {
		return notGranted
	}
	for _, d := range m.Datasets {
		if b.hiddenDatasets[d] {
			return d.Name
		}
	}
	if what := b.hiddenInputOfForms(m.Forms); what != "" {
		return what
	}
	if what := b.hiddenInputOfLevel(m.At); what != "" {
		return what
	}
	if w := m.Window; w != nil {
		bases := []*catalog.Measure{w.Base.Default}
		for _, base := range w.Base.ByDialect {
			bases = append(bases, base)
		}
		if w.Frame != nil {
			bases = append(bases, w.Frame.Second)
		}
		for _, base := range bases {
			if what := b.hiddenInputOfMeasure(base); what != "" {
				return what
			}
		}
		for _, f := range w.EffectivePartition().Exclude {
			if what := b.hiddenField(f); what != "" {
				return what
			}
		}
	}
	if d := m.Derive; d != nil {
		if d.Base != nil && b.addMetric(d.Base) {
			return d.Base.Name
		}
		if what := b.hiddenRefsOf(d.Where); what != "" {
			return what
		}
	}
	return ""
}

const doesNotCompile = "does not compile without what is hidden"

// compile compiles the model without what is hidden. An object that compiles in the whole model alone needs something hidden, and is
// hidden too.
func (b *viewBuilder) compile(ctx context.Context, out *View) error {
	broken := map[string]bool{} // metrics and relationships
	for {
		out.Document = b.doc.Without(modelspec.Hides{
			Dataset: func(name string) bool { return b.hiddenDatasets[b.model.Dataset(name)] },
			Relationship: func(name string) bool {
				r := b.model.Relationship(name)
				return r == nil || b.hiddenDatasets[r.From] || b.hiddenDatasets[r.To] || broken["relationship "+name]
			},
			Metric: func(name string) bool { return b.hiddenMetrics[b.model.Metric(name)] },
		})
		var err error
		if out.Catalog, err = compile.Compile(ctx, out.Document, compile.Options{Basic: b.basic, View: b.view}); err != nil {
			return err
		}
		again := false
		for _, d := range out.Catalog.Datasets {
			for _, f := range d.Fields {
				if whole := b.model.Dataset(d.Name).Field(f.Name); b.errorShowsHidden(out.Catalog, f.Err, whole.Err) || b.variantShowsHidden(out.Catalog, f.ErrByDialect, whole.ErrByDialect) {
					b.hide(whole, reason{itself: doesNotCompile})
					again = true
				}
			}
		}
		again = b.hideBrokenSequences(out.Catalog) || again
		for _, m := range out.Catalog.Metrics {
			switch whole := b.model.Metric(m.Name); {
			case b.errorShowsHidden(out.Catalog, m.Err, whole.Err), b.variantShowsHidden(out.Catalog, m.ErrByDialect, whole.ErrByDialect):
				b.hiddenMetrics[whole], again = true, true
				b.why[m.Name] = reason{itself: doesNotCompile}
			case b.hiddenInputOfLevel(whole.At) != "":
				b.hiddenMetrics[whole], again = true, true
				b.why[m.Name] = reason{reads: b.hiddenInputOfLevel(whole.At)}
			}
		}
		for _, r := range out.Catalog.Relationships {
			if whole := b.model.Relationship(r.Name); r.Err != nil && whole.Err == nil {
				broken["relationship "+r.Name], again = true, true
			}
		}
		if !again {
			if !out.SeesAll { // they also describe what the view leaves out
				out.Catalog.Warnings = nil
			}
			return b.addRevealed(ctx, out.Catalog)
		}
	}
}

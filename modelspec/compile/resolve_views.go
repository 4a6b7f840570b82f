package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

const viewsKey = "views"

// addViews resolves the views of the model. One that names what does not exist is left out; one without a path, or with several, stays
// with its error, which requests in it have. For a reader a view is the part that they may see, and does not exist where that is empty
// or a condition of it needs what is hidden.
func (c *compiler) addViews() {
	for doc := range cancel.EachUntilDone(c.ctx, c.views) {
		r := viewResolver{compiler: c, doc: doc, out: &catalog.View{Place: doc.Place, Name: doc.Name.Name, Label: doc.Label, Description: doc.Description, AIContext: doc.AIContext}}
		r.resolve()
		switch {
		case c.View != nil && (len(r.found) > 0 || len(r.out.Metrics)+len(r.out.Fields) == 0):
		case len(r.found) > 0:
			for _, e := range r.found {
				c.addErrorOnce(e)
			}
		default:
			if r.out.Err != nil {
				c.addErrorOnce(r.out.Err)
			}
			c.cat.AddView(r.out)
		}
	}
}

// viewResolver resolves one view.
type viewResolver struct {
	*compiler
	doc   *extension.View
	out   *catalog.View
	found []*modelspec.CompileError
}

func (r *viewResolver) resolve() {
	r.checkName()
	r.resolveMetrics()
	r.resolveJoins()
	r.resolveFields()
	if r.doc.Where.IsSet() {
		r.out.Where = r.resolveCondition(r.doc.Where, "where")
	}
	for _, ref := range r.doc.Filters {
		r.out.Filters = append(r.out.Filters, r.resolveCondition(ref, "filters"))
	}
	r.out.TimeRange = r.doc.TimeRange
	r.resolvePresentation()
	if len(r.found) == 0 {
		r.checkPaths()
		r.checkWhereIsReached()
	}
}

// fail lists an error of a part of the view.
func (r *viewResolver) fail(place modelspec.Place, hint, format string, args ...any) {
	e := invalidPayloadError(place, viewsKey, "the view "+r.doc.Name.Name+" "+format, args...)
	if hint != "" {
		e.Hint = hint + "; " + e.Hint
	}
	r.found = append(r.found, e)
}

// unknown lists a name that the model does not have. A reader's view goes without it.
func (r *viewResolver) unknown(ref extension.ObjectRef, what string, names func() []string) {
	if r.View != nil {
		return
	}
	r.found = append(r.found, invalidReferenceError(ref, viewsKey, "the view %s names %q, which is not %s", r.doc.Name.Name, ref.Name, what).errorWithCandidates(r.compiler, ref.Name, names))
}

// checkName rejects the name of a dataset or of the model, which SQL would not tell apart.
func (r *viewResolver) checkName() {
	if r.View != nil {
		return
	}
	switch {
	case r.findDataset(r.doc.Name.Name) != nil:
		r.fail(r.doc.Name.Place, "give the view another name", "has the name of a dataset")
	case strings.EqualFold(r.doc.Name.Name, r.cat.Name):
		r.fail(r.doc.Name.Place, "give the view another name", "has the name of the model")
	}
}

// resolveMetrics finds the metrics, in the order of the model.
func (r *viewResolver) resolveMetrics() {
	if r.doc.Metrics == nil {
		r.out.Metrics = slices.Clone(r.cat.Metrics)
		return
	}
	listed := map[*catalog.Metric]bool{}
	for _, ref := range r.doc.Metrics {
		if name, all := strings.CutSuffix(ref.Name, ".*"); all {
			d := r.findDataset(name)
			if d == nil {
				r.unknown(ref, "a dataset with .*", r.datasetNames)
				continue
			}
			for _, m := range r.cat.Metrics {
				if len(m.Datasets) == 1 && m.Datasets[0] == d.cat {
					listed[m] = true
				}
			}
			continue
		}
		m := r.findMetricByName(ref.Name)
		if m == nil {
			r.unknown(ref, "a metric", r.metricNames)
			continue
		}
		listed[m.cat] = true
	}
	r.out.Metrics = slices.DeleteFunc(slices.Clone(r.cat.Metrics), func(m *catalog.Metric) bool { return !listed[m] })
}

func (r *viewResolver) resolveJoins() {
	r.out.AllJoins = !r.doc.HasJoins
	for _, ref := range r.doc.Joins {
		rel := r.cat.Relationship(ref.Name)
		if rel == nil {
			r.unknown(ref, "a relationship", r.relationshipNames)
			continue
		}
		r.out.Joins = append(r.out.Joins, rel)
	}
}

func (r *viewResolver) relationshipNames() []string {
	out := make([]string, len(r.cat.Relationships))
	for i, rel := range r.cat.Relationships {
		out[i] = rel.Name
	}
	return out
}

// resolveFields finds the fields, in the order of the list, each once.
func (r *viewResolver) resolveFields() {
	r.out.Except = r.fieldsOfList(r.doc.Except)
	if r.out.AllFields = r.doc.Fields == nil; r.out.AllFields {
		for _, f := range r.cat.Fields {
			r.out.Fields = append(r.out.Fields, catalog.ViewField{Field: f})
		}
	} else {
		r.out.Fields = r.fieldsOfList(r.doc.Fields)
	}
	r.out.Fields = slices.DeleteFunc(r.out.Fields, func(f catalog.ViewField) bool {
		return slices.Contains(r.out.Except, f) || slices.Contains(r.out.Except, catalog.ViewField{Field: f.Field})
	})
}

func (r *viewResolver) fieldsOfList(refs []extension.ObjectRef) []catalog.ViewField {
	var out []catalog.ViewField
	add := func(f catalog.ViewField) {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for _, ref := range refs {
		if name, all := strings.CutSuffix(ref.Name, ".*"); all {
			d, rel := r.datasetOrRelationship(name)
			if d == nil {
				r.unknown(ref, "a dataset or a relationship with .*", r.datasetNames)
				continue
			}
			for _, f := range d.Fields {
				add(catalog.ViewField{Field: f, Rel: rel})
			}
			continue
		}
		if f, ok := r.fieldOf(ref); ok {
			add(f)
		}
	}
	return out
}

// datasetOrRelationship finds a dataset, or a relationship with the dataset at which it ends; nil where neither has the name.
func (r *viewResolver) datasetOrRelationship(name string) (*catalog.Dataset, *catalog.Relationship) {
	if d := r.findDataset(name); d != nil {
		return d.cat, nil
	}
	if rel := r.cat.Relationship(name); rel != nil {
		return rel.To, rel
	}
	return nil, nil
}

// fieldOf finds dataset.field or rel.field.
func (r *viewResolver) fieldOf(ref extension.ObjectRef) (catalog.ViewField, bool) {
	e, err := sqlexpr.Parse(ref.Name)
	column, isName := e.(*sqlexpr.Column)
	if err != nil || !isName || len(column.Path) != 2 {
		r.fail(ref.Place, "name dataset.field or relationship.field", "names %q, which is not the name of a field with its dataset", ref.Name)
		return catalog.ViewField{}, false
	}
	d, rel := r.datasetOrRelationship(column.Path[0].Text)
	if d == nil {
		r.unknown(ref, "a field", r.qualifiedFieldNames)
		return catalog.ViewField{}, false
	}
	f := d.Field(column.Path[1].Text)
	if f == nil {
		r.unknown(ref, "a field", r.qualifiedFieldNames)
		return catalog.ViewField{}, false
	}
	return catalog.ViewField{Field: f, Rel: rel}, true
}

// resolveCondition resolves the names of a condition in the whole model.
func (r *viewResolver) resolveCondition(ref extension.ObjectRef, key string) catalog.ViewCondition {
	e, err := sqlexpr.Parse(ref.Name)
	if err != nil {
		r.fail(ref.Place, "", "has the condition %q in %s, which does not parse: %s", ref.Name, key, err)
		return catalog.ViewCondition{}
	}
	failure := refuseNonRowExpression(e, "")
	if slots := sqlexpr.ParamSlots(e); failure == nil && len(slots) > 0 {
		r.fail(ref.Place, "write the value itself", "has the parameter slot :%s in a condition", slots[0].Name)
		return catalog.ViewCondition{}
	}
	out := catalog.ViewCondition{Text: ref.Name}
	starts := map[*sqlexpr.Column]*catalog.Dataset{}
	named := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok || failure != nil {
			return nil
		}
		var found resolvedFieldReference
		if found, failure = r.resolveFieldReference(column); failure != nil {
			return x
		}
		out.Fields, starts[column] = append(out.Fields, found.field.cat), found.startDataset()
		if len(found.prefix) > 0 {
			return x
		}
		return found.field.cat.QualifiedNameExpr()
	})
	if failure != nil {
		e := *failure
		e.Location, e.Position = ref.Place.Location, ref.Place.Position
		e.Message = "the view " + r.doc.Name.Name + " has a condition in " + key + " that cannot be used: " + e.Message
		r.found = append(r.found, &e)
		return catalog.ViewCondition{}
	}
	out.Named = sqlexpr.Format(named)
	for _, conjunct := range sqlexpr.SplitConjuncts(e) {
		part := catalog.ViewConjunct{Text: sqlexpr.Format(conjunct)}
		for _, column := range sqlexpr.ColumnReferences(conjunct) {
			part.Starts = append(part.Starts, starts[column])
		}
		out.Conjuncts = append(out.Conjuncts, part)
	}
	return out
}

// resolvePresentation checks that labels, folders and hierarchies are of members.
func (r *viewResolver) resolvePresentation() {
	for _, l := range r.doc.Labels {
		if name, ok := r.member(l.Of); ok {
			r.out.Labels = append(r.out.Labels, catalog.ViewLabel{Of: name, Text: l.Text})
		}
	}
	r.out.Folders = r.resolveFolders(r.doc.Folders)
	for _, h := range r.doc.Hierarchies {
		out := catalog.ViewHierarchy{Name: h.Name}
		for _, level := range h.Levels {
			if name, ok := r.member(level); ok {
				out.Levels = append(out.Levels, name)
			}
		}
		if len(out.Levels) > 1 || r.View == nil {
			r.out.Hierarchies = append(r.out.Hierarchies, out)
		}
	}
}

func (r *viewResolver) resolveFolders(all []extension.ViewFolder) []catalog.ViewFolder {
	var out []catalog.ViewFolder
	for _, f := range all {
		folder := catalog.ViewFolder{Name: f.Name, Folders: r.resolveFolders(f.Folders)}
		for _, item := range f.Items {
			if name, ok := r.member(item); ok {
				folder.Items = append(folder.Items, name)
			}
		}
		if len(folder.Items)+len(folder.Folders) > 0 || r.View == nil {
			out = append(out, folder)
		}
	}
	return out
}

// member returns the name of a metric or a field of the view.
func (r *viewResolver) member(ref extension.ObjectRef) (string, bool) {
	if m := r.findMetricByName(ref.Name); m != nil && r.out.HasMetric(m.cat) {
		return m.cat.Name, true
	}
	e, err := sqlexpr.Parse(ref.Name)
	if column, ok := e.(*sqlexpr.Column); err == nil && ok && len(column.Path) == 2 {
		if d, rel := r.datasetOrRelationship(column.Path[0].Text); d != nil {
			if f := d.Field(column.Path[1].Text); f != nil {
				member := catalog.ViewField{Field: f, Rel: rel}
				if slices.Contains(r.out.Fields, member) || r.out.AllFields && rel != nil && r.out.HasField(f) {
					return member.Text(), true
				}
			}
		}
	}
	r.unknown(ref, "a metric or a field of the view", func() []string {
		var names []string
		for _, m := range r.out.Metrics {
			names = append(names, m.Name)
		}
		for _, f := range r.out.Fields {
			names = append(names, f.Text())
		}
		return names
	})
	return "", false
}

// maxViewPaths bounds the paths that are searched for two that joins has.
const maxViewPaths = 64

// checkPaths rejects a listed field that the rows of a listed metric still reach by two paths.
func (r *viewResolver) checkPaths() {
	if r.doc.Fields == nil {
		return
	}
	homes := map[*catalog.Dataset]bool{}
	for _, m := range r.out.Metrics {
		for _, d := range m.Datasets {
			homes[d] = true
		}
	}
	for _, home := range r.cat.Datasets {
		if !homes[home] {
			continue
		}
		for _, f := range r.out.Fields {
			if f.Rel != nil || f.Field.Dataset == home {
				continue
			}
			paths := r.followedPaths(home, f.Field.Dataset)
			if len(paths) < 2 {
				continue
			}
			e := &modelspec.CompileError{
				Code: CodeAmbiguousJoinPath, Location: r.doc.Place.Location, Position: r.doc.Place.Position,
				Message: fmt.Sprintf("the view %s has %s, and several relationship paths lead to it from %s", r.doc.Name.Name, f.Text(), home.Name),
				Hint:    "list in joins the relationships of one path, or the field as relationship.field",
			}
			for _, path := range paths {
				e.Candidates = append(e.Candidates, joinPathText(path))
			}
			r.out.Err = e
			return
		}
	}
}

// followedPaths lists the safe paths between two datasets that references without a prefix may follow.
func (r *viewResolver) followedPaths(from, to *catalog.Dataset) [][]catalog.JoinStep {
	return slices.DeleteFunc(r.cat.SafePaths(from, to, maxViewPaths), func(path []catalog.JoinStep) bool {
		return slices.ContainsFunc(path, func(s catalog.JoinStep) bool { return !r.out.FollowsRelationship(s.Rel) })
	})
}

// checkWhereIsReached rejects a condition of which no metric of the view can have a conjunct.
func (r *viewResolver) checkWhereIsReached() {
	if r.out.Where.Named == "" || len(r.out.Metrics) == 0 || r.out.Err != nil {
		return
	}
	at := slices.IndexFunc(r.out.Where.Conjuncts, func(c catalog.ViewConjunct) bool { return !r.isReachedByMetric(c.Starts) })
	if at < 0 {
		return
	}
	r.out.Err = &modelspec.CompileError{
		Code: CodeNoJoinPath, Location: r.doc.Where.Place.Location, Position: r.doc.Where.Place.Position,
		Message: fmt.Sprintf("the rows of no metric of the view %s lead to the fields of its where: %s", r.doc.Name.Name, r.out.Where.Conjuncts[at].Text),
		Hint:    "write a condition over fields that the rows of a metric lead to, or add such a metric",
	}
}

// isReachedByMetric reports whether the rows of one metric of the view lead to all of some datasets.
func (r *viewResolver) isReachedByMetric(starts []*catalog.Dataset) bool {
	for _, m := range r.out.Metrics {
		for _, home := range m.Datasets {
			if !slices.ContainsFunc(starts, func(start *catalog.Dataset) bool { return len(r.followedPaths(home, start)) == 0 }) {
				return true
			}
		}
	}
	return false
}

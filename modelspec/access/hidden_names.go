package access

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// hiddenInputOfLevel returns what a level names that is hidden; "" for nothing. Its texts are looked up in each query, so that no compilation
// finds the names.
func (b *viewBuilder) hiddenInputOfLevel(l *catalog.AtLevel) string {
	if l == nil {
		return ""
	}
	for _, text := range l.References() {
		reference, unit := catalog.SplitReferenceAndUnit(text)
		path := catalog.PathOfReference(reference)
		what := b.hiddenReference(path)
		if parts := strings.Split(reference, "__"); what == "" && len(path) == 1 && len(parts) > 1 { // the name of a column: relationship__field, field__month
			if what = b.hiddenReference(parts); what == "" {
				what = b.hiddenReference(parts[:len(parts)-1])
			}
		}
		if what == "" {
			what = b.hiddenPeriod(unit)
		}
		if what != "" {
			return what
		}
	}
	return ""
}

// hiddenReference returns which hidden object a reference to a field names.
func (b *viewBuilder) hiddenReference(path []string) string {
	if len(path) == 0 {
		return ""
	}
	name := path[len(path)-1]
	if len(path) == 1 {
		named := b.model.FieldsNamed(name)
		if len(named) == 0 || slices.ContainsFunc(named, func(f *catalog.Field) bool { return !b.view.Hidden[f] }) {
			return ""
		}
		return named[0].QualifiedName()
	}
	var ends []*catalog.Dataset // of the reference, or of a part of it
	for _, owner := range path[:len(path)-1] {
		if r := b.model.Relationship(owner); r != nil {
			ends = append(ends, r.From, r.To)
		}
		if d := b.model.Dataset(owner); d != nil {
			ends = append(ends, d)
		}
	}
	for _, d := range ends {
		if b.hiddenDatasets[d] {
			return d.Name
		}
	}
	if len(ends) == 0 {
		return ""
	}
	if f := ends[len(ends)-1].Field(name); f != nil && b.view.Hidden[f] {
		return f.QualifiedName()
	}
	return ""
}

// hiddenPeriod returns the hidden field that identifies a period of a calendar.
func (b *viewBuilder) hiddenPeriod(name string) string {
	p := b.model.Period(name)
	if p == nil {
		return ""
	}
	for _, f := range []*catalog.Field{p.Field, p.Calendar.Date} {
		if f != nil && b.view.Hidden[f] {
			return f.QualifiedName()
		}
	}
	return ""
}

// showsHidden reports whether an error of the view would show something hidden: the whole model has none, or another one, because names
// are missing in the view, or a text names what is hidden.
func (b *viewBuilder) showsHidden(seen *catalog.Catalog, inView, inWhole error, texts ...string) bool {
	if inWhole == nil || inView.Error() != inWhole.Error() {
		return true
	}
	texts = append(texts, inView.Error())
	isNamed := func(name string) bool {
		return !isVisible(seen, name) && slices.ContainsFunc(texts, func(text string) bool { return namesWord(text, name) })
	}
	for name := range b.why {
		if isNamed(name[strings.LastIndexByte(name, '.')+1:]) {
			return true
		}
	}
	for _, columns := range b.hiddenColumns {
		for name := range columns {
			if isNamed(name) {
				return true
			}
		}
	}
	return slices.ContainsFunc(b.model.Relationships, func(r *catalog.Relationship) bool { return isNamed(r.Name) })
}

// errorShowsHidden is showsHidden of an object of the model.
func (b *viewBuilder) errorShowsHidden(seen *catalog.Catalog, inView, inWhole *modelspec.CompileError) bool {
	switch {
	case inView == nil:
		return false
	case inWhole == nil:
		return true
	}
	return b.showsHidden(seen, inView, inWhole, inView.Hint)
}

// variantShowsHidden is errorShowsHidden of the expressions that an object has for single dialects.
func (b *viewBuilder) variantShowsHidden(seen *catalog.Catalog, inView, inWhole map[string]*modelspec.CompileError) bool {
	for dialect, err := range inView {
		if b.errorShowsHidden(seen, err, inWhole[dialect]) {
			return true
		}
	}
	return false
}

// isVisible reports whether some object of a catalog has a bare name.
func isVisible(seen *catalog.Catalog, name string) bool {
	return len(seen.FieldsNamed(name)) > 0 || seen.Metric(name) != nil || seen.Dataset(name) != nil || seen.Relationship(name) != nil
}

// textsOf lists the texts of the body of a saved query.
func textsOf(q *catalog.SavedQuery) []string {
	var out []string
	for _, member := range q.Body {
		for _, part := range member.Parts {
			switch part := part.(type) {
			case catalog.SavedBodyJSONText:
				out = append(out, string(part))
			case catalog.SavedBodyCondition:
				out = append(out, sqlexpr.Format(part.Condition))
			}
		}
	}
	return out
}

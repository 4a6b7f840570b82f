package extension

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
)

// Model is the payload of a semantic model.
type Model struct{ Queries []*catalog.SavedQuery }

// ReadModel reads the payload of a semantic model. A saved query with a valid
// name is in the list also when it has an error, with the error.
func ReadModel(owner modelspec.Place, entries []*modelspec.CustomExtension) (Model, Diagnostics) {
	r, root := openPayload(OnModel, owner, entries)
	var out Model
	if root != nil {
		out.Queries = object{r, root}.savedQueries()
	}
	return out, r.finish()
}

var savedName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

var savedKinds = []string{string(catalog.SavedMetrics), string(catalog.SavedDetail), string(catalog.SavedAttribute)}

func (o object) savedQueries() []*catalog.SavedQuery {
	const key = "queries"
	n := o.get(key)
	if _, known := o.lookup(key); n == nil || !known {
		return nil
	}
	o.key = key
	if n.kind != kindList {
		o.invalid(n, "queries must be a list of objects, is %s", n.describe())
		return nil
	}
	var out []*catalog.SavedQuery
	first := make(map[string]*node, len(n.list))
	for _, item := range n.list {
		o.key = key
		q := o.savedQuery(item)
		o.key = key
		if q == nil {
			continue
		}
		folded := strings.ToLower(q.Name)
		if other, taken := first[folded]; taken {
			o.fail(modelspec.CodeDuplicateName, item.member("name"), "",
				"a second saved query is named %q; the first is %s (names compare without regard to case)", q.Name, valueLabel(other))
			continue
		}
		first[folded] = item
		out = append(out, q)
	}
	return out
}

// savedQuery reads one saved query; nil when it has no valid name.
func (o object) savedQuery(n *node) *catalog.SavedQuery {
	before := len(o.Errors)
	in, ok := o.reader.object(n, savedShape.keys()...)
	if !ok {
		return nil
	}
	q := &catalog.SavedQuery{Place: o.placeOf(n)}
	if name := in.requireKey("name", "the name that requests use"); name != nil {
		if q.Name = o.text(name); q.Name != "" && !savedName.MatchString(q.Name) {
			o.invalid(name, "%q is not a name for a saved query: letters, digits, _ and - only", q.Name)
			q.Name = ""
		}
	}
	q.Description = in.str("description")
	q.Questions, q.Synonyms = in.texts("questions"), in.texts("synonyms")
	q.Verified = in.verification()
	declared := len(o.Errors)
	for _, p := range in.params() {
		q.Params = append(q.Params, p.Param)
	}
	o.key = "queries"
	in.savedBody(q, len(o.Errors) == declared)
	if q.Name == "" {
		return nil
	}
	if len(o.Errors) > before {
		q.Err = o.Errors[before]
	}
	return q
}

// verification reads {by, on}.
func (o object) verification() *catalog.Verification {
	n := o.get("verified")
	if n == nil {
		return nil
	}
	in, ok := o.reader.object(n, verifiedShape.keys()...)
	if !ok {
		return nil
	}
	out := catalog.Verification{}
	if by := in.requireKey("by", "who checked the query"); by != nil {
		out.By = o.text(by)
	}
	if on := in.requireKey("on", "the date of the check"); on != nil {
		if _, err := time.Parse(time.DateOnly, on.text); err != nil || on.kind != kindString {
			o.invalid(on, "%s must be a date such as \"2024-01-31\", is %s", valueLabel(on), on.describe())
		}
		out.On = on.text
	}
	return &out
}

// savedBody reads the one body of a saved query. With known, q.Params are all of its
// parameters, and its slots are checked.
func (o object) savedBody(q *catalog.SavedQuery, known bool) {
	var given []string
	for _, kind := range savedKinds {
		if o.get(kind) != nil {
			given = append(given, kind)
		}
	}
	if len(given) != 1 {
		has := "none"
		if len(given) > 0 {
			has = strings.Join(given, " and ")
		}
		o.fail(CodeInvalid, o.n, "", "%s must have exactly one of %s, has %s", valueLabel(o.n), strings.Join(savedKinds, ", "), has)
		return
	}
	body := o.get(given[0])
	if body.kind != kindObject {
		o.invalid(body, "%s must be an object, the body of a request, is %s", valueLabel(body), body.describe())
		return
	}
	q.Kind = catalog.SavedKind(given[0])
	w := bodyWriter{object: o, used: map[string]bool{}, query: q, checks: known}
	for i, key := range body.keys {
		value := body.list[i]
		if slices.Contains(catalog.RequestKeys(), key) {
			o.fail(CodeInvalid, value, "leave it to the requests that use the saved query", "a saved query does not take the key %q", key)
			continue
		}
		q.Body = append(q.Body, catalog.BodyKey{Name: key, Parts: w.parts(key, value)})
		q.Metrics = append(q.Metrics, metricNames(key, value)...)
	}
	w.checkUse()
}

// metricNames lists the metrics that a key of a body names.
func metricNames(key string, n *node) []string {
	switch {
	case key == "metric" && n.kind == kindString:
		return []string{n.text}
	case key == "metrics":
		var out []string
		for _, item := range n.list {
			if item.kind == kindString {
				out = append(out, item.text)
			}
		}
		return out
	}
	return nil
}

// checkUse refuses parameters that no slot uses.
func (w *bodyWriter) checkUse() {
	if !w.checks {
		return
	}
	for i, p := range w.query.Params {
		if !w.used[p.Name] {
			w.fail(CodeInvalid, w.n.member("params").list[i], fmt.Sprintf("write :%s in the body, or leave the parameter out", p.Name),
				"the parameter %s is declared and no slot :%s of the body uses it", p.Name, p.Name)
		}
	}
}

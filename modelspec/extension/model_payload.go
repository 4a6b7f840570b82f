package extension

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Model is the payload of a semantic model; "" or zero where it is silent.
type Model struct {
	Queries   []*catalog.SavedQuery
	TimeZone  string
	WeekStart sqlexpr.Weekday
	Rollups   []*Rollup // those without an error
	Views     []*View   // those without an error
}

// ReadModel reads the payload of a semantic model. A saved query with a valid
// name is in the list also when it has an error, with the error.
func ReadModel(owner modelspec.Place, entries []*modelspec.CustomExtension) (Model, Diagnostics) {
	r, root := findPayloadAndReadEnvelope(CarrierModel, owner, entries)
	var out Model
	if root != nil {
		o := r.rootReader(root)
		out.Queries = o.readSavedQueries()
		out.TimeZone = o.readTimeZone()
		out.WeekStart, _ = sqlexpr.ParseWeekday(o.readText("week_start"))
		out.Rollups = o.readRollups()
		out.Views = o.readViews()
	}
	return out, r.diagnosticsWithVersionWarning()
}

var savedQueryNamePattern = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

var savedQueryKinds = []string{string(catalog.SavedKindMetrics), string(catalog.SavedKindDetail), string(catalog.SavedKindAttribution)}

// savedQueryCharts are the values of chart.
var savedQueryCharts = []string{"line", "bar", "area", "table", "number"}

func (o payloadObjectReader) readSavedQueries() []*catalog.SavedQuery {
	const key = "queries"
	n := o.findMember(key)
	if _, known := o.findKeyDefinitionForCarrier(key); n == nil || !known {
		return nil
	}
	if n.Kind != document.SequenceNode {
		o.addTypeError(n, "a list of objects")
		return nil
	}
	var out []*catalog.SavedQuery
	first := make(map[string]*document.Node, len(n.Content))
	for _, item := range n.Content {
		o.key = key
		q := o.readSavedQuery(item)
		o.key = key
		if q == nil {
			continue
		}
		folded := strings.ToLower(q.Name)
		if other, taken := first[folded]; taken {
			o.addError(modelspec.CodeDuplicateName, item.Member("name"), "",
				"a second saved query is named %q; the first is %s (names compare without regard to case)", q.Name, o.pathForMessage(other))
			continue
		}
		first[folded] = item
		out = append(out, q)
	}
	return out
}

// readSavedQuery reads one saved query; nil when it has no valid name.
func (o payloadObjectReader) readSavedQuery(n *document.Node) *catalog.SavedQuery {
	before := len(o.Errors)
	in, ok := o.payloadReader.openObject(n, &savedQueryShape)
	if !ok {
		return nil
	}
	q := &catalog.SavedQuery{Place: o.placeOfNode(n), Name: in.readText("name"), Description: in.readText("description")}
	q.Questions, q.Synonyms = in.readTextList("questions"), in.readTextList("synonyms")
	q.Verified = in.readVerification()
	q.Home, q.Chart = in.readBoolOrFalse("home"), in.readText("chart")
	declared := len(o.Errors)
	for _, p := range in.readParams() {
		q.Params = append(q.Params, p.Param)
	}
	o.key = "queries"
	in.readSavedQueryBody(q, len(o.Errors) == declared)
	if q.Name == "" {
		return nil
	}
	if len(o.Errors) > before {
		q.Err = o.Errors[before]
	}
	return q
}

// readVerification reads {by, on}.
func (o payloadObjectReader) readVerification() *catalog.Verification {
	in, ok := o.openMember("verified")
	if !ok {
		return nil
	}
	out := catalog.Verification{By: in.readText("by")}
	if on := in.findRequiredMember("on", "the date of the check"); on != nil {
		if _, err := time.Parse(time.DateOnly, on.Value); err != nil || !on.IsText() {
			o.addInvalidError(on, "%s must be a date such as \"2024-01-31\", is %s", o.pathForMessage(on), describeValue(on))
		}
		out.On = on.Value
	}
	return &out
}

// readSavedQueryBody reads the one body of a saved query. With known, q.Params are all of its
// parameters, and its slots are checked.
func (o payloadObjectReader) readSavedQueryBody(q *catalog.SavedQuery, known bool) {
	var given []string
	for _, kind := range savedQueryKinds {
		if o.findMember(kind) != nil {
			given = append(given, kind)
		}
	}
	if len(given) != 1 {
		has := "none"
		if len(given) > 0 {
			has = strings.Join(given, " and ")
		}
		o.addError(CodeInvalidPayload, o.n, "", "%s must have exactly one of %s, has %s", o.pathForMessage(o.n), strings.Join(savedQueryKinds, ", "), has)
		return
	}
	body := o.findMember(given[0])
	if body.Kind != document.MappingNode {
		o.addInvalidError(body, "%s must be an object, the body of a request, is %s", o.pathForMessage(body), describeValue(body))
		return
	}
	q.Kind = catalog.SavedQueryKind(given[0])
	w := savedQueryBodySplitter{payloadObjectReader: o, used: map[string]bool{}, query: q, checks: known}
	for i := 0; i < len(body.Content); i += 2 {
		key, value := body.Content[i].Value, body.Content[i+1]
		if slices.Contains(catalog.RequestOnlyBodyKeys(), key) {
			o.addError(CodeInvalidPayload, value, "leave it to the requests that use the saved query", "a saved query does not take the key %q", key)
			continue
		}
		q.Body = append(q.Body, catalog.SavedBodyMember{Name: key, Parts: w.splitIntoBodyParts(key, value)})
		q.Metrics = append(q.Metrics, metricNamesOfBodyKey(key, value)...)
		if key == "group_by" {
			q.Dimensions = fieldNamesOfGroups(value)
		}
	}
	w.rejectUnusedParams()
}

// metricNamesOfBodyKey lists the metrics that a key of a body names.
func metricNamesOfBodyKey(key string, n *document.Node) []string {
	switch {
	case key == "metric" && n.IsText():
		return []string{n.Value}
	case key == "metrics":
		var out []string
		for _, item := range n.Content {
			if item.IsText() {
				out = append(out, item.Value)
			}
		}
		return out
	}
	return nil
}

// fieldNamesOfGroups lists the fields of group_by in their order; nil where one of them is not a name.
func fieldNamesOfGroups(n *document.Node) []string {
	var out []string
	for _, item := range n.Content {
		field := item.Member("field")
		if field == nil || !field.IsText() || strings.HasPrefix(field.Value, ":") {
			return nil
		}
		out = append(out, field.Value)
	}
	return out
}

// rejectUnusedParams rejects parameters that no slot uses.
func (w *savedQueryBodySplitter) rejectUnusedParams() {
	if !w.checks {
		return
	}
	for i, p := range w.query.Params {
		if !w.used[p.Name] {
			w.addError(CodeInvalidPayload, w.n.Member("params").Content[i], fmt.Sprintf("write :%s in the body, or leave the parameter out", p.Name),
				"the parameter %s is declared and no slot :%s of the body uses it", p.Name, p.Name)
		}
	}
}

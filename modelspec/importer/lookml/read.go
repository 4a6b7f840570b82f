package lookml

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Read imports the files of a project as one model. Errors are *importer.Error.
func Read(sources []importer.Source, options importer.Options) (*importer.Imported, error) {
	p := &project{
		report: &importer.Report{}, options: options, model: &draft.Model{Name: options.ModelName},
		views: newRegistry(), explores: newRegistry(), byName: map[string]*view{},
		entries:           map[*importer.Node]*importer.Entry{},
		relationshipNames: importer.Names{}, metricNames: importer.Names{}, edges: map[string]string{},
	}
	for i, source := range sources {
		items, err := parse(source, i)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			p.top(item)
		}
	}
	p.addViews()
	p.addExplores()
	p.addMetrics()
	return &importer.Imported{Model: p.model, Report: p.report}, nil
}

// project is what the files hold together.
type project struct {
	report   *importer.Report
	options  importer.Options
	model    *draft.Model
	views    *registry
	explores *registry

	viewList []*view
	byName   map[string]*view
	edges    map[string]string // the name of a relationship by what it joins
	entries  map[*importer.Node]*importer.Entry

	relationshipNames, metricNames importer.Names
}

// top takes one construct of a file.
func (p *project) top(b *block) {
	var err error
	switch {
	case b.key == "view" && b.braces:
		err = p.views.add(b)
	case b.key == "explore" && b.braces:
		err = p.explores.add(b)
	case b.key == "include":
		p.report.Exact(b.node, b.key, b.node.Text).Reason = "the files are those of the command line"
		return
	case b.key == "connection" || b.key == "label":
		p.report.Exact(b.node, b.key, b.node.Text).Reason = "it is not a part of the semantic layer"
		return
	default:
		p.drop(b, "", "it has no counterpart")
		return
	}
	if err != nil {
		p.report.Dropped(b.node, b.key, b.name, err.Error())
		return
	}
	if strings.HasPrefix(b.name, "+") {
		p.report.Exact(b.node, b.key+" refinement", b.name)
	}
}

// drop records a construct without a counterpart.
func (p *project) drop(b *block, of, reason string) {
	name := b.name
	if of != "" {
		name = strings.TrimSuffix(of+"."+b.name, ".")
	}
	p.dropped(b.node, b.key, name, reason)
}

// exact, approximated and dropped record a construct of a view or explore. One that others
// inherit has one entry: it is approximated where it is not exact in all of them.
func (p *project) exact(at *importer.Node, construct, name, path string) {
	e := p.entries[at]
	if e == nil {
		p.entries[at] = p.report.Exact(at, construct, name, path)
		return
	}
	if e.Outcome == importer.Dropped {
		e.Outcome, e.Reason = importer.Approximated, e.Name+" is missing: "+e.Reason
	}
	if !slices.Contains(e.Became, path) {
		p.report.Became(e, path)
	}
}

func (p *project) approximated(at *importer.Node, construct, name, reason, path string) {
	p.exact(at, construct, name, path)
	if e := p.entries[at]; e.Outcome == importer.Exact {
		e.Outcome, e.Reason = importer.Approximated, reason
	}
}

func (p *project) dropped(at *importer.Node, construct, name, reason string) {
	e := p.entries[at]
	switch {
	case e == nil:
		p.entries[at] = p.report.Dropped(at, construct, name, reason)
	case e.Outcome == importer.Exact:
		e.Outcome, e.Reason = importer.Approximated, name+" is missing: "+reason
	}
}

// presentation are keys that show a field and have no part in its value.
var presentation = []string{
	"action", "actions", "drill_fields", "group_item_label", "html", "link", "order_by_field", "suggest_dimension", "suggest_explore",
	"suggest_persist_for", "suggestable", "suggestions", "full_suggestions", "bypass_suggest_restrictions", "style", "map_layer_name",
	"can_filter", "can_visualize", "allow_fill", "allow_approximate_optimization", "skip_drill_filter", "case_sensitive", "fanout_on", "set", "sets",
	"fields", "hidden_fields",
}

// close records the keys of a block that were not read.
func (p *project) close(b *block, of string, read ...string) {
	known := map[string]bool{}
	for _, key := range read {
		known[key] = true
	}
	shown := map[string]bool{}
	for _, key := range presentation {
		shown[key] = true
	}
	for _, item := range b.items {
		switch {
		case known[item.key]:
		case shown[item.key]:
			p.drop(item, of, "it is presentation")
		case strings.Contains(item.key, "access"):
			p.drop(item, of, "access is not a part of the model")
		default:
			p.drop(item, of, "it has no counterpart")
		}
	}
}

// describe reads what describes a field: its description, tags and the texts that a list
// shows with it.
func describe(b *block) (label, description string, context draft.Context) {
	for _, key := range []string{"group_label", "view_label", "value_format", "value_format_name"} {
		if text := b.text(key); text != "" {
			context.Other = append(context.Other, draft.Entry{Key: key, Value: text})
		}
	}
	if tags := b.names("tags"); len(tags) > 0 {
		context.Other = append(context.Other, draft.Entry{Key: "tags", Values: tags})
	}
	return b.text("label"), strings.TrimSpace(b.text("description")), context
}

// described are the keys that describe reads.
var described = []string{"label", "description", "group_label", "view_label", "value_format", "value_format_name", "tags"}

func keys(own ...string) []string { return append(own, described...) }

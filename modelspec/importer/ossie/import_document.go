package ossie

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/format"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// Import makes a model that compiles from a document. Errors are *importer.Error, and those of ctx and plan.
func Import(ctx context.Context, sources []importer.SourceFile, options importer.Options, plan importer.PlanCheckFunc) (*importer.Result, error) {
	if len(sources) != 1 {
		return nil, &importer.Error{Message: fmt.Sprintf("a document of Ossie is one file, and %d are named", len(sources))}
	}
	d := &documentImport{file: sources[0].Name, report: &importer.Report{}}
	documents, err := importer.Read(sources[0], 0)
	if err != nil {
		return nil, err
	}
	if len(documents) != 1 {
		return nil, &importer.Error{File: d.file, Message: fmt.Sprintf("the file has %d documents, and a model is one", len(documents))}
	}
	d.readInput(documents[0])
	text, lifted, err := format.LiftDocument(sources[0].Text, options.ModelName)
	if err != nil {
		return nil, d.newError(err)
	}
	d.recordLifted(lifted)
	text, declared, err := format.DeclareMissingFields(text, nil)
	if err != nil {
		return nil, d.newError(err)
	}
	for _, f := range declared {
		name := f.Dataset + "." + f.Name
		e := d.report.AddExact(d.nodeOf("dataset", f.Dataset), "field", name, importer.FieldPath(f.Dataset, f.Name))
		e.Reason = "it is declared: the " + f.NamedBy + " names the column"
		d.entries["field "+name] = e
	}
	for range maxRounds {
		failed, err := findFailingObjects(ctx, text, plan)
		if err != nil {
			return nil, d.newError(err)
		}
		if len(failed) == 0 {
			return &importer.Result{Model: text, Entries: d.report.Entries()}, nil
		}
		if text, err = d.removeObjects(text, failed); err != nil {
			return nil, d.newError(err)
		}
	}
	return nil, &importer.Error{File: d.file, Message: "the document does not compile, and it is not known which of its objects are to blame"}
}

// maxRounds bounds how often objects are removed: each round removes what the one before left without a part.
const maxRounds = 30

// documentImport is the import of one document.
type documentImport struct {
	file   string
	report *importer.Report
	root   *importer.Node
	nodes  map[string]*importer.Node
	// entries are those of the objects, by kind and name.
	entries map[string]*importer.ReportEntry
}

func (d *documentImport) newError(err error) error {
	if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
		return &importer.Error{File: d.file, Line: load.Position.Line, Message: load.Message}
	}
	refused := (*importer.Error)(nil)
	if errors.As(err, &refused) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &importer.Error{File: d.file, Message: err.Error()}
}

// readInput records the objects of the document.
func (d *documentImport) readInput(root *importer.Node) {
	d.root, d.nodes, d.entries = root, map[string]*importer.Node{}, map[string]*importer.ReportEntry{}
	model := root.Get("semantic_model")
	switch {
	case model == nil:
		model = root
	case model.Kind == importer.KindList && len(model.Items) > 0:
		model = model.Items[0]
	}
	for _, n := range model.Get("datasets").List() {
		dataset := n.Get("name").String()
		d.addObject(n, "dataset", dataset, importer.DatasetPath(dataset))
		for _, field := range n.Get("fields").List() {
			name := field.Get("name").String()
			d.addObject(field, "field", dataset+"."+name, importer.FieldPath(dataset, name))
		}
	}
	for _, n := range model.Get("relationships").List() {
		name := n.Get("name").String()
		d.addObject(n, "relationship", name, importer.RelationshipPath(name))
	}
	for _, n := range model.Get("metrics").List() {
		name := n.Get("name").String()
		d.addObject(n, "metric", name, importer.MetricPath(name))
	}
}

func (d *documentImport) addObject(n *importer.Node, construct, name, path string) {
	key := construct + " " + name
	if d.nodes[key] == nil {
		d.nodes[key] = n
		d.entries[key] = d.report.AddExact(n, construct, name, path)
	}
}

// nodeOf returns the place of an object in the input, that of the document where the input does not have it.
func (d *documentImport) nodeOf(construct, name string) *importer.Node {
	if n := d.nodes[construct+" "+name]; n != nil {
		return n
	}
	return d.root
}

// recordLifted records what the document has in another form.
func (d *documentImport) recordLifted(parts []format.LiftedPart) {
	for _, part := range parts {
		if name, isMetric := strings.CutPrefix(part.Key, "metrics."); isMetric {
			if e := d.entries["metric "+name]; e != nil {
				e.Reason = part.Reason
			}
			continue
		}
		at := d.root
		if n := d.root.Get(part.Key); n != nil {
			at = n
		}
		d.report.AddExact(at, "document key", part.Key).Reason = part.Reason
	}
}

// failingObject is an object that does not compile.
type failingObject struct {
	format.ModelObject
	reason string
}

// findFailingObjects lists the objects of a model that have an error, and those for which no query plans.
func findFailingObjects(ctx context.Context, text []byte, plan importer.PlanCheckFunc) ([]failingObject, error) {
	doc, err := modelspec.Parse(text)
	if err != nil {
		return nil, err
	}
	if err := doc.CheckSingleModel(); err != nil {
		return nil, err
	}
	issues, err := modelspec.Validate(ctx, doc)
	if err != nil {
		return nil, err
	}
	var out []failingObject
	other := ""
	add := func(location, reason string) {
		if o, found := format.ObjectAtLocation(location); found {
			out = append(out, failingObject{o, reason})
		} else {
			other = location + ": " + reason
		}
	}
	for _, issue := range issues {
		if issue.Severity == modelspec.SeverityError {
			add(issue.Location, issue.Message)
		}
	}
	if len(out) == 0 && other == "" {
		cat, err := compile.Compile(ctx, doc, compile.Options{})
		if err != nil {
			return nil, err
		}
		for _, e := range cat.Errors {
			add(e.Location, e.Message)
		}
	}
	if len(out) == 0 && other != "" {
		return nil, &importer.Error{Message: "the model is not valid: " + other}
	}
	if len(out) > 0 {
		return out, nil
	}
	refused, err := plan(ctx, text)
	for _, m := range doc.Models[0].Metrics {
		if reason, ok := refused[importer.MetricPath(m.Name.Value)]; ok {
			add(m.Location, reason)
		}
	}
	return out, err
}

// removeObjects removes objects from the text, and records them.
func (d *documentImport) removeObjects(text []byte, failed []failingObject) ([]byte, error) {
	doc, err := modelspec.Parse(text)
	if err != nil {
		return nil, err
	}
	model := doc.Models[0]
	objects := make([]format.ModelObject, 0, len(failed))
	reasons := map[format.ModelObject]string{}
	for _, f := range failed {
		objects = append(objects, f.ModelObject)
		reasons[f.ModelObject] = f.reason
	}
	record := func(construct, name string, place modelspec.Place) (reason string) {
		if o, found := format.ObjectAtLocation(place.Location); found && reasons[o] != "" {
			reason = reasons[o]
			d.recordDropped(construct, name, reason)
		}
		return reason
	}
	for _, dataset := range model.Datasets {
		ofDataset := record("dataset", dataset.Name.Value, dataset.Place)
		for _, field := range dataset.Fields {
			name := dataset.Name.Value + "." + field.Name.Value
			if record("field", name, field.Place) == "" && ofDataset != "" {
				d.recordDropped("field", name, "its dataset is dropped: "+ofDataset)
			}
		}
	}
	for _, r := range model.Relationships {
		record("relationship", r.Name.Value, r.Place)
	}
	for _, m := range model.Metrics {
		record("metric", m.Name.Value, m.Place)
	}
	return format.RemoveObjects(text, objects)
}

func (d *documentImport) recordDropped(construct, name, reason string) {
	e := d.entries[construct+" "+name]
	if e == nil {
		d.report.AddDropped(d.nodeOf(construct, name), construct, name, reason)
		return
	}
	e.Outcome, e.Reason, e.Became = importer.OutcomeDropped, reason, nil
}

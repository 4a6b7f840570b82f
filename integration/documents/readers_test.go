package documents_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine/modeltest"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/format"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/cube"
	"github.com/semlayer/semlayer/modelspec/importer/lookml"
	"github.com/semlayer/semlayer/modelspec/importer/metricflow"
	"github.com/semlayer/semlayer/modelspec/importer/snowflake"
)

// reader returns what a reader finds in a text; "" where the text is not meant for it.
type reader struct {
	name string
	read func(text string) string
}

var readers = []reader{
	{"model", readModel},
	{"format", formatModel},
	{"payload", readPayloadVariants},
	{"variants", readModelVariants},
	{"profiles", readProfiles},
	{"tests", readTests},
	{"policies", readPolicies},
	{"cube", importWith(cube.Read, "cubes:", "cubes\"")},
	{"dbt", importWith(metricflow.Read, "semantic_models:", "metrics:", "saved_queries:", "semantic_models\"")},
	{"snowflake", importWith(snowflake.Read, "tables:", "tables\"")},
	{"lookml", importWith(lookml.Read, "view:", "explore:")},
}

func loadErrorText(err error) string {
	if load := (*modelspec.LoadError)(nil); errors.As(err, &load) {
		return fmt.Sprintf("%d:%d %q %q %s\n", load.Position.Line, load.Position.Column, load.Message, load.Hint, load.Line)
	}
	return fmt.Sprintf("%v\n", err)
}

func isAboutAnotherDocument(err error) bool {
	return strings.Contains(err.Error(), "it has none of the keys") || strings.Contains(err.Error(), "a model is an object")
}

func readModel(text string) string {
	doc, err := modelspec.Parse([]byte(text))
	switch {
	case err != nil && isAboutAnotherDocument(err), err != nil && !strings.Contains(text, "semantic_model") && !strings.Contains(text, "datasets"):
		return ""
	case err != nil:
		return loadErrorText(err)
	}
	return findingsOfModel(doc)
}

func findingsOfModel(doc *modelspec.Document) string {
	var out strings.Builder
	out.WriteString(findingsOfValidation(doc))
	cat, err := compile.Compile(context.Background(), doc, compile.Options{Advice: true})
	if err != nil {
		return err.Error()
	}
	for _, e := range cat.Errors {
		fmt.Fprintf(&out, "%+v\n", *e)
	}
	for _, w := range cat.Warnings {
		fmt.Fprintf(&out, "%+v\n", *w)
	}
	return out.String()
}

func findingsOfValidation(doc *modelspec.Document) string {
	var out strings.Builder
	issues, err := modelspec.Validate(context.Background(), doc)
	if err != nil {
		return err.Error()
	}
	for _, i := range issues {
		fmt.Fprintf(&out, "%+v\n", i)
	}
	for _, w := range doc.UnknownKeyWarnings() {
		fmt.Fprintf(&out, "%+v\n", *w)
	}
	return out.String()
}

func formatModel(text string) string {
	if readModel(text) == "" && !strings.Contains(text, "semantic_model") {
		return ""
	}
	out, err := format.Format([]byte(text))
	if err != nil {
		return loadErrorText(err)
	}
	return string(out)
}

// payloadReaders return the findings of a payload, by the carrier of the payload.
var payloadReaders = map[extension.Carrier]func([]*modelspec.CustomExtension) string{
	extension.CarrierModel:        payloadReaderOf(extension.ReadModel),
	extension.CarrierDataset:      payloadReaderOf(extension.ReadDataset),
	extension.CarrierField:        payloadReaderOf(extension.ReadField),
	extension.CarrierRelationship: payloadReaderOf(extension.ReadRelationship),
	extension.CarrierMetric:       payloadReaderOf(extension.ReadMetric),
}

func payloadReaderOf[T any](read func(modelspec.Place, []*modelspec.CustomExtension) (T, extension.Diagnostics)) func([]*modelspec.CustomExtension) string {
	return func(entries []*modelspec.CustomExtension) string {
		var out strings.Builder
		_, d := read(modelspec.Place{Location: "owner"}, entries)
		for _, e := range d.Errors {
			fmt.Fprintf(&out, "%+v\n", *e)
		}
		for _, w := range d.Warnings {
			fmt.Fprintf(&out, "%+v\n", *w)
		}
		return out.String()
	}
}

func readPayload(text string, carriers []extension.Carrier, vendor string) string {
	data := modelspec.LocatedText{Value: text, Position: modelspec.Position{Line: 1, Column: 1}}
	entries := []*modelspec.CustomExtension{{Place: modelspec.Place{Location: "entry"}, VendorName: vendor, Data: data, IsText: true}}
	var out strings.Builder
	for _, carrier := range carriers {
		out.WriteString(payloadReaders[carrier](entries))
	}
	return out.String()
}

// carriersOfPayload returns the carriers that have a key of a JSON object; nil for another text.
func carriersOfPayload(text string) []extension.Carrier {
	var members map[string]json.RawMessage
	if len(text) > 4096 || json.Unmarshal([]byte(text), &members) != nil {
		return nil
	}
	var out []extension.Carrier
	for _, key := range extension.AllKeyDefinitions() {
		if members[key.Name] != nil && !slices.Contains(out, key.Carrier) {
			out = append(out, key.Carrier)
		}
	}
	if out == nil && (members["v"] != nil || members["requires"] != nil) {
		out = []extension.Carrier{extension.CarrierField}
	}
	return out
}

func readProfiles(text string) string {
	if !strings.Contains(text, "datasources") {
		return ""
	}
	var out strings.Builder
	for _, variant := range append(lineVariants(text), text) {
		out.WriteString(readProfilesOf(variant))
	}
	return out.String()
}

func readProfilesOf(text string) string {
	f, err := profile.Parse([]byte(text), func(string) (string, bool) { return "", false })
	var out bytes.Buffer
	writeError := func(err error) {
		if e := (*executor.Error)(nil); errors.As(err, &e) {
			fmt.Fprintf(&out, "%s %q %q\n", e.Code, e.Message, e.Hint)
		}
	}
	if writeError(err); err != nil {
		return out.String()
	}
	for _, p := range f.Profiles {
		writeError(p.Err)
	}
	for _, w := range f.Warnings {
		fmt.Fprintln(&out, w)
	}
	return out.String()
}

func readTests(text string) string {
	if !strings.Contains(text, "tests:") && !strings.Contains(text, `"tests"`) {
		return ""
	}
	f, err := modeltest.ParseTestFile("tests.yaml", []byte(text))
	if err != nil {
		return err.Error() + "\n"
	}
	all, err := json.Marshal(f)
	var out strings.Builder
	fmt.Fprintln(&out, string(all), err)
	for _, variant := range lineVariants(text) {
		if _, err := modeltest.ParseTestFile("tests.yaml", []byte(variant)); err != nil {
			fmt.Fprintln(&out, err)
		}
	}
	return out.String()
}

func readPolicies(text string) string {
	if !strings.Contains(text, "roles") || strings.Contains(text, "datasets:") && strings.Contains(text, "metrics:") {
		return ""
	}
	var out strings.Builder
	for _, variant := range append(lineVariants(text), text) {
		f, findings := access.Parse("policies.yaml", []byte(variant))
		for _, i := range findings {
			fmt.Fprintf(&out, "%+v\n", i)
		}
		if f != nil {
			fmt.Fprintln(&out, len(f.Policies.Roles), len(f.Models), len(f.Issuers))
		}
	}
	return out.String()
}

func importWith(read func([]importer.SourceFile, importer.Options) (*importer.ImportedModel, error), keys ...string) func(string) string {
	return func(text string) string {
		for _, key := range keys {
			if !strings.Contains(text, key) {
				continue
			}
			model, err := read([]importer.SourceFile{{Name: "file", Text: []byte(text)}}, importer.Options{ModelName: "m"})
			if err != nil {
				return err.Error() + "\n"
			}
			var out strings.Builder
			for _, e := range model.Report.Entries() {
				fmt.Fprintf(&out, "%+v\n", e)
			}
			return out.String()
		}
		return ""
	}
}

package diff

import (
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec"
)

// compareModels compares what belongs to no object, and the errors of validation, which
// keep a model from being served at all.
func (c *comparison) compareModels() {
	before, after := c.old.Catalog, c.new.Catalog
	o := object{c, ObjectModel, keyOf(ObjectModel, ""), after.Name, inNew(c.new.places.root)}
	if o.name == "" {
		o.name = before.Name
	}
	o.text(same(Compatible), NameOf, before.Name, after.Name)
	o.documentation(before.Description, after.Description, before.AIContext, after.AIContext)
	known := errorsOf(c.old.Issues)
	found := errorsOf(c.new.Issues)
	for _, i := range c.new.Issues {
		if text := errorText(i); text != "" && !known[text] {
			c.add(loss(true, Compatible), ObjectModel, o.name, Error, "", text, inNew(modelspec.Place{Location: i.Location, Position: i.Position}))
		}
	}
	for _, i := range c.old.Issues {
		if text := errorText(i); text != "" && !found[text] {
			c.add(loss(false, Compatible), ObjectModel, o.name, Error, text, "", inOld(modelspec.Place{Location: i.Location, Position: i.Position}))
		}
	}
}

func errorsOf(issues []modelspec.Issue) map[string]bool {
	out := map[string]bool{}
	for _, i := range issues {
		if text := errorText(i); text != "" {
			out[text] = true
		}
	}
	return out
}

// errorText is an issue as a text; "" for a warning.
func errorText(i modelspec.Issue) string {
	if i.Severity != modelspec.SeverityError {
		return ""
	}
	return i.Code + ": " + i.Message
}

// documentation compares what people and agents read and no query does.
func (o object) documentation(before, after string, contextBefore, contextAfter any) {
	o.text(same(Compatible), Description, before, after)
	o.text(same(Compatible), AIContext, jsonText(contextBefore), jsonText(contextAfter))
}

// jsonText is a value of a document as one line, "" for none.
func jsonText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// compileError compares the reasons why an object does not compile. It reports whether
// both sides compile.
func (o object) compileError(before, after *modelspec.CompileError) bool {
	if before == nil && after == nil {
		return true
	}
	if before == nil || after == nil {
		o.text(loss(after != nil, Compatible), Error, compileErrorText(before), compileErrorText(after))
	}
	return false
}

func compileErrorText(err *modelspec.CompileError) string {
	if err == nil {
		return ""
	}
	return err.Code + ": " + err.Message
}

// dialectErrors compares the reasons why an object does not compile on single dialects.
func (o object) dialectErrors(before, after map[string]*modelspec.CompileError) {
	if len(before) == 0 && len(after) == 0 {
		return
	}
	for _, d := range dialectsOf(before, after) {
		if (before[d] == nil) != (after[d] == nil) {
			o.text(loss(after[d] != nil, Compatible), Error,
				onDialect(d, compileErrorText(before[d])), onDialect(d, compileErrorText(after[d])))
		}
	}
}

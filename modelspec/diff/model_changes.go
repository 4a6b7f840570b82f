package diff

import (
	"encoding/json"

	"github.com/semlayer/semlayer/modelspec"
)

// compareModelProperties compares what belongs to no object, and the errors of validation, which
// keep a model from being served at all.
func (c *modelComparison) compareModelProperties() {
	before, after := c.old.Catalog, c.new.Catalog
	o := comparedObject{c, ObjectModel, newObjectKey(ObjectModel, ""), after.Name, asNewModelPlace(c.new.declarations.root)}
	if o.name == "" {
		o.name = before.Name
	}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyName, before.Name, after.Name)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyDefaultTimeZone, before.TimeZone, after.TimeZone)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyDefaultWeekStart, before.WeekStart.String(), after.WeekStart.String())
	o.compareDocumentation(before.Description, after.Description, before.AIContext, after.AIContext)
	known := issueErrorTexts(c.old.Issues)
	found := issueErrorTexts(c.new.Issues)
	for _, i := range c.new.Issues {
		if text := issueErrorText(i); text != "" && !known[text] {
			c.addChange(changeClassesIfRemovedOrGained(true, ClassCompatible), ObjectModel, o.name, PropertyCompileError, "", text, asNewModelPlace(modelspec.Place{Location: i.Location, Position: i.Position}))
		}
	}
	for _, i := range c.old.Issues {
		if text := issueErrorText(i); text != "" && !found[text] {
			c.addChange(changeClassesIfRemovedOrGained(false, ClassCompatible), ObjectModel, o.name, PropertyCompileError, text, "", asOldModelPlace(modelspec.Place{Location: i.Location, Position: i.Position}))
		}
	}
}

func issueErrorTexts(issues []modelspec.Issue) map[string]bool {
	out := map[string]bool{}
	for _, i := range issues {
		if text := issueErrorText(i); text != "" {
			out[text] = true
		}
	}
	return out
}

// issueErrorText returns an issue as a text; "" for a warning.
func issueErrorText(i modelspec.Issue) string {
	if i.Severity != modelspec.SeverityError {
		return ""
	}
	return i.Code + ": " + i.Message
}

// compareDocumentation compares what people and agents read and no query does.
func (o comparedObject) compareDocumentation(before, after string, contextBefore, contextAfter any) {
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyDescription, before, after)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyAIContext, documentValueAsJSON(contextBefore), documentValueAsJSON(contextAfter))
}

// documentValueAsJSON returns a value of a document as one line, "" for none.
func documentValueAsJSON(v any) string {
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

// compareCompileErrors compares the reasons why an object does not compile. It reports whether
// both sides compile.
func (o comparedObject) compareCompileErrors(before, after *modelspec.CompileError) bool {
	if before == nil && after == nil {
		return true
	}
	if before == nil || after == nil {
		o.addChangeIfTextDiffers(changeClassesIfRemovedOrGained(after != nil, ClassCompatible), PropertyCompileError, compileErrorCodeAndMessage(before), compileErrorCodeAndMessage(after))
	}
	return false
}

func compileErrorCodeAndMessage(err *modelspec.CompileError) string {
	if err == nil {
		return ""
	}
	return err.Code + ": " + err.Message
}

// compareDialectErrors compares the reasons why an object does not compile on single dialects.
func (o comparedObject) compareDialectErrors(before, after map[string]*modelspec.CompileError) {
	if len(before) == 0 && len(after) == 0 {
		return
	}
	for _, d := range dialectsWithErrors(before, after) {
		if (before[d] == nil) != (after[d] == nil) {
			o.addChangeIfTextDiffers(changeClassesIfRemovedOrGained(after[d] != nil, ClassCompatible), PropertyCompileError,
				prefixWithDialect(d, compileErrorCodeAndMessage(before[d])), prefixWithDialect(d, compileErrorCodeAndMessage(after[d])))
		}
	}
}

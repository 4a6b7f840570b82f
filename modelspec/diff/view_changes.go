package diff

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// compareViews compares the named parts of the model. A request in a view that is gone, or of a member that is gone, is rejected; what
// conditions and relationships it has by itself changes its rows.
func (c *modelComparison) compareViews() {
	for _, v := range c.old.Catalog.Views {
		other := c.new.Catalog.View(v.Name)
		if other == nil {
			c.addChange(classOfChangeAndReverse{ClassBreaking, ClassCompatible}, ObjectView, v.Name, PropertyRemoved, "", "", asOldModelPlace(v.Place))
			continue
		}
		o := comparedObject{c, ObjectView, newObjectKey(ObjectView, v.Name), v.Name, asNewModelPlace(other.Place)}
		for _, p := range viewProperties {
			before, after := p.texts(v), p.texts(other)
			k := sameClassBothWays(p.class)
			if p.class == ClassBreaking {
				k = changeClassesIfRemovedOrGained(slices.ContainsFunc(before, func(text string) bool { return !slices.Contains(after, text) }), ClassCompatible)
				if slices.ContainsFunc(after, func(text string) bool { return !slices.Contains(before, text) }) && k.class == ClassBreaking {
					k.reverse = ClassBreaking
				}
			}
			o.addChangeIfTextDiffers(k, p.property, strings.Join(before, ", "), strings.Join(after, ", "))
		}
	}
	for _, v := range c.new.Catalog.Views {
		if c.old.Catalog.View(v.Name) == nil {
			c.addChange(classOfChangeAndReverse{ClassCompatible, ClassBreaking}, ObjectView, v.Name, PropertyAdded, "", "", asNewModelPlace(v.Place))
		}
	}
}

// viewProperties are the properties of a view, each with the texts that are compared and the class of a change.
var viewProperties = []struct {
	property Property
	class    ChangeClass // ClassBreaking: where a text is gone
	texts    func(*catalog.View) []string
}{
	{PropertyViewMetrics, ClassBreaking, func(v *catalog.View) []string {
		var out []string
		for _, m := range v.Metrics {
			out = append(out, m.Name)
		}
		return out
	}},
	{PropertyViewFields, ClassBreaking, func(v *catalog.View) []string {
		var out []string
		for _, f := range v.Fields {
			out = append(out, f.Text())
		}
		return out
	}},
	{PropertyViewJoins, ClassChanged, func(v *catalog.View) []string {
		if v.AllJoins {
			return []string{"all"}
		}
		var out []string
		for _, r := range v.Joins {
			out = append(out, r.Name)
		}
		return out
	}},
	{PropertyFilter, ClassChanged, func(v *catalog.View) []string { return textUnlessEmpty(v.Where.Text) }},
	{PropertyViewFilters, ClassChanged, func(v *catalog.View) []string {
		var out []string
		for _, f := range v.Filters {
			out = append(out, f.Text)
		}
		return out
	}},
	{PropertyViewTimeRange, ClassChanged, func(v *catalog.View) []string { return textUnlessEmpty(v.TimeRange) }},
	{PropertyViewLabels, ClassCompatible, func(v *catalog.View) []string { return jsonTextUnlessNull(v.Labels) }},
	{PropertyViewFolders, ClassCompatible, func(v *catalog.View) []string { return jsonTextUnlessNull(v.Folders) }},
	{PropertyViewHierarchies, ClassCompatible, func(v *catalog.View) []string { return jsonTextUnlessNull(v.Hierarchies) }},
	{PropertyLabel, ClassCompatible, func(v *catalog.View) []string { return textUnlessEmpty(v.Label) }},
	{PropertyDescription, ClassCompatible, func(v *catalog.View) []string { return textUnlessEmpty(v.Description) }},
	{PropertyAIContext, ClassCompatible, func(v *catalog.View) []string { return jsonTextUnlessNull(v.AIContext) }},
}

func textUnlessEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// jsonTextUnlessNull returns a value of a model as one text.
func jsonTextUnlessNull(value any) []string {
	text, err := json.Marshal(value)
	if err != nil || string(text) == "null" {
		return nil
	}
	return []string{string(text)}
}

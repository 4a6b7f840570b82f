package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *modelComparison) compareSavedQueries() {
	for _, q := range c.old.Catalog.Saved {
		if other := c.new.Catalog.SavedQuery(q.Name); other != nil {
			c.compareSavedQuery(q, other)
		} else {
			c.addRemovedObject(ObjectSavedQuery, q.Name, asOldModelPlace(q.Place))
		}
	}
	for _, q := range c.new.Catalog.Saved {
		if c.old.Catalog.SavedQuery(q.Name) == nil {
			c.addAddedObject(ObjectSavedQuery, q.Name, asNewModelPlace(q.Place))
		}
	}
}

func (c *modelComparison) compareSavedQuery(before, after *catalog.SavedQuery) {
	o := comparedObject{c, ObjectSavedQuery, newObjectKey(ObjectSavedQuery, after.Name), after.Name, asNewModelPlace(after.Place)}
	if o.compareCompileErrors(before.Err, after.Err) {
		o.addChangeIfTextDiffers(sameClassBothWays(ClassBreaking), PropertySavedQueryKind, string(before.Kind), string(after.Kind))
		o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertySavedQueryBody, savedQueryBodyText(before), savedQueryBodyText(after))
		c.compareParams(after.Name, o.at, before.Params, after.Params)
	}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyDescription, before.Description, after.Description)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertySampleQuestions, strings.Join(before.Questions, "; "), strings.Join(after.Questions, "; "))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertySynonyms, strings.Join(before.Synonyms, "; "), strings.Join(after.Synonyms, "; "))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyVerified, verificationText(before), verificationText(after))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyHome, boolText(before.Home), boolText(after.Home))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyChart, before.Chart, after.Chart)
}

func verificationText(q *catalog.SavedQuery) string {
	if q.Verified == nil {
		return ""
	}
	return q.Verified.By + " on " + q.Verified.On
}

// savedQueryBodyText returns a saved body as one text, keys in a fixed order.
func savedQueryBodyText(q *catalog.SavedQuery) string {
	var keys []string
	for _, k := range q.Body {
		text := k.Name + ": "
		for _, p := range k.Parts {
			switch p := p.(type) {
			case catalog.SavedBodyJSONText:
				text += string(p)
			case catalog.SavedBodyParamPlaceholder:
				text += ":" + p.Param
			case catalog.SavedBodyCondition:
				text += sqlexpr.Format(p.Condition)
			}
		}
		keys = append(keys, text)
	}
	return strings.Join(sortWithoutDuplicates(keys), ", ")
}

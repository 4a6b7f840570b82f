package diff

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *comparison) compareSaved() {
	for _, q := range c.old.Catalog.Saved {
		if other := c.new.Catalog.SavedQuery(q.Name); other != nil {
			c.compareSavedQuery(q, other)
		} else {
			c.removed(ObjectSavedQuery, q.Name, inOld(q.Place))
		}
	}
	for _, q := range c.new.Catalog.Saved {
		if c.old.Catalog.SavedQuery(q.Name) == nil {
			c.added(ObjectSavedQuery, q.Name, inNew(q.Place))
		}
	}
}

func (c *comparison) compareSavedQuery(before, after *catalog.SavedQuery) {
	o := object{c, ObjectSavedQuery, keyOf(ObjectSavedQuery, after.Name), after.Name, inNew(after.Place)}
	if o.compileError(before.Err, after.Err) {
		o.text(same(Breaking), Kind, string(before.Kind), string(after.Kind))
		o.text(same(Changed), Body, savedBody(before), savedBody(after))
		c.compareParams(after.Name, o.at, before.Params, after.Params)
	}
	o.text(same(Compatible), Description, before.Description, after.Description)
	o.text(same(Compatible), Questions, strings.Join(before.Questions, "; "), strings.Join(after.Questions, "; "))
	o.text(same(Compatible), Synonyms, strings.Join(before.Synonyms, "; "), strings.Join(after.Synonyms, "; "))
	o.text(same(Compatible), Verified, verification(before), verification(after))
}

func verification(q *catalog.SavedQuery) string {
	if q.Verified == nil {
		return ""
	}
	return q.Verified.By + " on " + q.Verified.On
}

// savedBody is a saved body as one text, keys in a fixed order.
func savedBody(q *catalog.SavedQuery) string {
	var keys []string
	for _, k := range q.Body {
		text := k.Name + ": "
		for _, p := range k.Parts {
			switch p := p.(type) {
			case catalog.JSONText:
				text += string(p)
			case catalog.ValueSlot:
				text += ":" + p.Param
			case catalog.ConditionSlots:
				text += sqlexpr.Format(p.Condition)
			}
		}
		keys = append(keys, text)
	}
	return strings.Join(sortedUnique(keys), ", ")
}

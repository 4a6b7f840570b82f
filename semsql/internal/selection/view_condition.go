package selection

// viewOfQuery returns the view that the select is over, and the key defaults beside it: a statement has its own conditions. The name is ""
// for the whole model.
func (c *selectClauses) viewOfQuery() (name string, defaults *bool) {
	wide := c.WideSource()
	if wide == nil || wide.Relation.View == nil || c.withoutRows {
		return "", nil
	}
	return wide.Relation.View.Name, new(false)
}

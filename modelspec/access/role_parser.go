package access

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/document"
)

func (r *fileReader) readRole(name Text, n *document.Node, location string) Role {
	role := Role{Name: name, ConnectionsAll: true}
	o, ok := r.openMapping(n, location, "a role", "datasets", "metrics", "reveal", "sql", "connections", "limits", "all")
	if !ok {
		return role
	}
	role.All = o.readBoolean("all", false)
	if role.All {
		o.visitMembers(func(key Text, value *document.Node, location string) {
			if key.Value != "all" && key.Value != "limits" {
				r.addInvalid(value, location, "%s cannot be combined with all: true, which grants everything; only limits can", key.Value)
			}
		})
	}
	if n := o.find("datasets"); n != nil {
		if datasets, ok := r.openMapping(n, o.MemberLocation("datasets"), "datasets"); ok {
			datasets.visitMembers(func(name Text, value *document.Node, location string) {
				role.Datasets = append(role.Datasets, r.readGrant(name, value, location))
			})
		}
	}
	if n := o.find("metrics"); n != nil {
		role.MetricsAll, role.Metrics = r.readAllOrTexts(n, o.MemberLocation("metrics"), "metrics", false)
	}
	role.Reveal = o.readTexts("reveal")
	role.SQL = o.readBoolean("sql", false)
	if n := o.find("connections"); n != nil {
		role.ConnectionsAll, role.Connections = r.readAllOrTexts(n, o.MemberLocation("connections"), "connections", true)
	}
	if n := o.find("limits"); n != nil {
		role.Limits = r.readLimits(n, o.MemberLocation("limits"))
	}
	return role
}

// readGrant reads the grant of a role on a dataset. Rows and fields are required, so that nothing is granted by leaving
// something out.
func (r *fileReader) readGrant(name Text, n *document.Node, location string) Grant {
	g := Grant{Dataset: name}
	o, ok := r.openMapping(n, location, "a grant", "rows", "fields", "hide", "mask")
	if !ok {
		return g
	}
	if n := o.findRequired("rows", "all or a row rule"); n != nil {
		g.Rows, _ = r.readString(n, o.MemberLocation("rows"), "rows")
		if g.RowsAll = g.Rows.Value == "all"; g.RowsAll {
			g.Rows = Text{}
		}
	}
	fields := o.findRequired("fields", "all or a list of fields")
	if fields != nil {
		g.FieldsAll, g.Fields = r.readAllOrTexts(fields, o.MemberLocation("fields"), "fields", false)
	}
	r.readHideAndMask(o, &g)
	g.noteAttributes()
	if n := o.find("hide"); n != nil && fields != nil && !g.FieldsAll {
		r.addInvalid(n, o.MemberLocation("hide"), "hide needs fields: all; leave the field out of fields instead")
	}
	for _, m := range g.Mask {
		if !g.shows(m.Field.Value) && fields != nil {
			r.addInvalid(nodeOf(m.Field), o.MemberLocation("mask")+"."+m.Field.Value, "the mask is for the field %s, which the grant does not show", m.Field.Value)
		}
	}
	return g
}

// shows reports whether the grant shows a field of the dataset, masked or not.
func (g *Grant) shows(field string) bool {
	is := func(t Text) bool { return t.Value == field }
	return (g.FieldsAll || slices.ContainsFunc(g.Fields, is)) && !slices.ContainsFunc(g.Hide, is)
}

func (r *fileReader) readHideAndMask(o mappingReader, g *Grant) {
	g.Hide = o.readTexts("hide")
	n := o.find("mask")
	if n == nil {
		return
	}
	mask, ok := r.openMapping(n, o.MemberLocation("mask"), "mask")
	if !ok {
		return
	}
	mask.visitMembers(func(field Text, value *document.Node, location string) {
		if expr, ok := r.readString(value, location, "a mask"); ok {
			g.Mask = append(g.Mask, Mask{field, expr})
		}
	})
}

// readRequiredGrant reads what is required of a dataset. The entry of every dataset takes hide alone: a rule or a mask
// names fields that not every dataset has.
func (r *fileReader) readRequiredGrant(name Text, n *document.Node, location string) Grant {
	g := Grant{Dataset: name}
	keys := []string{"rows", "hide", "mask"}
	if name.Value == EveryDataset {
		keys = []string{"hide"}
	}
	o, ok := r.openMapping(n, location, "an entry of required.datasets", keys...)
	if !ok {
		return g
	}
	if n := o.find("rows"); n != nil {
		if g.Rows, _ = r.readString(n, o.MemberLocation("rows"), "rows"); g.Rows.Value == "all" {
			g.RowsAll, g.Rows = true, Text{}
		}
	}
	r.readHideAndMask(o, &g)
	g.noteAttributes()
	return g
}

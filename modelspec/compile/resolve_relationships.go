package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
)

// addRelationships resolves the join edges and judges what they prove.
func (c *compiler) addRelationships() {
	for doc := range cancel.EachUntilDone(c.ctx, c.model.Relationships) {
		c.addRelationship(doc)
	}
}

func (c *compiler) addRelationship(doc *modelspec.Relationship) {
	var payload extension.Relationship
	read, err := c.shouldReadPayloads(doc.Place, doc.Extensions)
	if read {
		var found extension.Diagnostics
		payload, found = extension.ReadRelationship(doc.Place, doc.Extensions)
		err = c.addDiagnosticsAndReturnFirstError(found)
	}
	from, to := c.byName[foldCase(doc.From.Value)], c.byName[foldCase(doc.To.Value)]
	if from == nil || to == nil {
		return // validation reports it, and there is nothing to keep
	}
	r := &catalog.Relationship{
		ID: len(c.cat.Relationships), Name: doc.Name.Value, From: from.cat, To: to.cat, AIContext: doc.AIContext, Err: err, JoinType: payload.JoinType,
	}
	r.FromFields = c.resolveJoinFields(r, from, doc.MemberLocation("from_columns"), doc.FromColumns)
	r.ToFields = c.resolveJoinFields(r, to, doc.MemberLocation("to_columns"), doc.ToColumns)
	if len(r.FromFields) != len(r.ToFields) {
		r.FromFields, r.ToFields = nil, nil // never half of the pairs
	}
	if declared, given := modelspec.ParseCardinality(doc.Cardinality.Value), payload.Cardinality; min(declared, given) != modelspec.UnprovenCardinality && declared != given {
		r.Err = c.addAndReturnError(&modelspec.CompileError{
			Code: extension.CodeInvalidPayload, Location: doc.MemberLocation("cardinality"), Position: doc.Cardinality.Position,
			Message: fmt.Sprintf("the relationship %s declares cardinality %s, its payload %s", r.Name, declared, given),
			Hint:    "keep one of the two; see " + extension.DocumentationAnchor("cardinality"),
		})
	}
	r.Cardinality = c.inferCardinality(doc, from.doc, to.doc)
	if payload.Valid != nil {
		c.addRelationshipValidity(r, from, to, payload.Valid, doc.DeclaredCardinality(c.Basic))
	}
	c.cat.Relationships = append(c.cat.Relationships, r)
}

// inferCardinality returns the declared cardinality or, without one, the one that the keys prove.
// Where rows are valid for a time, one of them matches at most.
func (c *compiler) inferCardinality(doc *modelspec.Relationship, from, to *modelspec.Dataset) modelspec.Cardinality {
	declared := doc.DeclaredCardinality(c.Basic)
	switch {
	case declared != modelspec.UnprovenCardinality:
		return declared
	case doc.DeclaresValidity(c.Basic):
		return modelspec.ManyToOne
	case !to.HasKeyInColumns(doc.ToColumns):
		return modelspec.UnprovenCardinality
	case from.HasKeyInColumns(doc.FromColumns):
		return modelspec.OneToOne
	}
	return modelspec.ManyToOne
}

// resolveJoinFields resolves one side of the pairs. A relationship with a broken side
// stays, with the reason: a query that needs it shall read that.
func (c *compiler) resolveJoinFields(r *catalog.Relationship, d *datasetInProgress, location string, columns []modelspec.LocatedText) []*catalog.Field {
	var out []*catalog.Field
	for i, column := range columns {
		f := d.findKeyField(column.Value)
		if f == nil || f.dropped {
			err := c.addAndReturnError(&modelspec.CompileError{
				Code: CodeUnknownField, Location: fmt.Sprintf("%s[%d]", location, i), Position: column.Position,
				Message:    fmt.Sprintf("the relationship %s joins on %s.%s, which is not a usable field", r.Name, d.cat.Name, column.Value),
				Candidates: c.nearestCandidates(column.Value, d.fieldNames),
			})
			if r.Err == nil {
				r.Err = err
			}
			continue
		}
		if f.joins && r.Err == nil {
			r.Err = c.addAndReturnError(&modelspec.CompileError{
				Code: CodeUnknownField, Location: fmt.Sprintf("%s[%d]", location, i), Position: column.Position,
				Message:    fmt.Sprintf("the relationship %s joins on %s, whose value comes from other datasets", r.Name, f.cat.QualifiedName()),
				Candidates: c.nearestCandidates(column.Value, d.singleDatasetFieldNames),
			})
		}
		if f.cat.Err != nil && r.Err == nil {
			r.Err = c.addAndReturnError(f.cat.Err)
		}
		out = append(out, f.cat)
	}
	return out
}

// singleDatasetFieldNames lists the fields whose values come from the dataset alone.
func (d *datasetInProgress) singleDatasetFieldNames() []string {
	var out []string
	for _, f := range d.list {
		if !f.joins {
			out = append(out, f.cat.Name)
		}
	}
	return out
}

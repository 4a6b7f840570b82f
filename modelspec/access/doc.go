// Package access reads policies files, which say who may see what of a model, and the identities that they apply to.
//
//	policies file ──Parse──► *File ──PoliciesOf──► *Policies of one model
//	                          │
//	claims of a caller ───NewIdentity──► Identity ──Check──► nil, or an error with the missing role or attribute
//
// A file declares the attributes of identities and the issuers of their tokens, and grants roles: datasets with the rows that a role sees,
// fields, masks, metrics, connections and limits. Everything that no role grants is denied. Parse judges shape, keys and types, and gives each
// value its line and column; names of the model and the text of rules are not its matter.
//
// Attributes are typed by the declarations of the file and never converted from text to number. Value.Literals returns them as typed
// literals for statements.
package access

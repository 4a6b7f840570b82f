// Package joinpath finds the paths of relationships from a dataset to a reference.
//
//	dataset ─► single path to where the reference begins ─► the path that the query names ─► field
package joinpath

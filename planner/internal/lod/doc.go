// Package lod plans the tables of level-of-detail fields: a row for each key of the grain of a field, with the aggregates that the
// field is made of.
package lod

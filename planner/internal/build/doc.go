// Package build makes the expressions and the nodes that several passes of the metric plane need: constants,
// calls, columns of derived tables.
package build

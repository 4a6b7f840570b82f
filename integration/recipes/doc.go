// Package recipes runs the models and questions of docs/recipes.md on real engines, and compares their rows with those of SQL that is
// written by hand, over the same rows.
package recipes

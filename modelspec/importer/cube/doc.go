// Package cube imports the cubes of Cube: YAML and JavaScript files, and what a running Cube prints of them.
//
//	files ──extends──► cubes ──► datasets, fields, relationships
//	                   measures ──► aggregates over fields, arithmetic, windows
//	        views ──extends──► views: members by the paths of joins, folders, hierarchies
//
// References in SQL are resolved to the columns of the cube's table: {CUBE}.amount and
// {amount} become expressions of a field. A measure with filters has a field with CASE.
package cube

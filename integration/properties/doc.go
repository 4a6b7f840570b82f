// Package properties asks random questions of random models over random rows and
// holds the answers against each other.
package properties

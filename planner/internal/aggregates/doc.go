// Package aggregates makes the calls that compute measures on a target, and rejects what the target lacks.
package aggregates

// Package mutants checks the tests of other packages: it builds them with faults in the source, and each fault has to make a test fail.
package mutants

// Package workspace reads the files that describe the modules of the repository.
//
// Three files speak about modules, and they can disagree:
//
//	go.work          which modules exist, and where an unreleased version is found
//	<dir>/go.mod     what each module requires
//	versions.yaml    which version each module is released as
//
// Load reads all three into one value. The tools that tidy, check layering and
// publish to a local proxy start from that value, so that none of them parses
// these files by itself and none keeps its own list of modules.
package workspace

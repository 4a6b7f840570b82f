// Package doctest holds the tests that run what the documentation shows.
//
//	README.md, docs/**.md ─► blocks ─► commands ─► the real command line, a real server
//	                                     └─ and the output below them
//
// A block marked `console` holds commands, each after "$ ", and the output of each below
// it. JSON is compared as JSON, so that a page may lay it out for reading; times differ, and
// /data and /usr/local/bin stand for the folders of the test. A block marked `yaml file=NAME`,
// or with another language, is a file for the commands after it; one marked `yaml add=NAME:LIST` is added to that file
// in front of its comment "# more LIST". The pages of docs/extension begin with the model of docs/extension.md. Blocks with other marks are not run. A command that ends in &
// serves on a free port for the rest of its block, which curl reaches at the address on the page.
//
// README.md is run a second time as a person does it: in its order, in a clone of the repository, by a shell. There a block
// marked `sh` holds commands, one a line; make test is left out.
package doctest

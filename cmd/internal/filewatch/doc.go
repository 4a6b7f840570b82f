// Package filewatch reports that files may have changed.
//
//	paths ─► folders and links on their way ─► events of the system ─► 200 ms of quiet ─► one signal
//	                                      └─► a look every five seconds ──────────────────┘
//
// The folders of the files are watched and not the files: an editor and a deployment replace a file by another,
// and Kubernetes replaces a link beside it. Where a path goes through links, the folder of each link is watched. A
// folder that is not there is watched from the nearest one above it.
//
// A signal does not say what has changed: its receiver reads the files and compares. File systems without
// events, of a network for instance, are checked every five seconds, by sizes and times.
package filewatch

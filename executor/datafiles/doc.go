// Package datafiles finds the CSV, Parquet and JSON files of folders and globs, and names the
// table that each of them is.
//
//	paths ─► Find ─► walk ─► name ─► check ─► Set of tables ─► Fingerprint
//	 folder,          links,   Ident,   one format,  │
//	 file, glob       hidden   folder   10,000       └ canonical paths, formats, key=value folders
//
// It opens no file: a name, a size and a modification time are all that it uses, so that a
// server can find out every few seconds whether anything has changed. The database that reads
// the files finds their columns.
//
// # Which files
//
// Parquet, CSV and TSV, and JSON (an array of objects, or an object on each line), the text
// formats also with .gz or .zst. A file directly in a folder is a table. A folder in that
// folder is one table of all data files at any depth, whose key=value folders are columns.
// A single file and each match of a glob are tables.
//
// Files of other kinds, hidden files and hidden folders are skipped and counted. A symbolic
// link stands for its target where that lies inside the path; any other is skipped and listed
// in Warnings.
package datafiles

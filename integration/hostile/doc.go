// Package hostile tests the program under attack: it sends hostile requests to the process and
// checks its memory, its responses and its survival.
//
//	attack ─► semlayer serve, with a limit of files and of memory
//	              │
//	              └── while and afterwards: resident memory, open files, CPU,
//	                  slots, an ordinary query
//
// Each attack has its own server and is a row of a table: what it sends, what every
// answer has to be, and how much of the machine it may take. Afterwards the server has to
// live, to answer an ordinary query, and to be as idle as before.
package hostile

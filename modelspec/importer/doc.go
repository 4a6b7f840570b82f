// Package importer reads the models of other tools. It holds what every format shares;
// one package below it reads each format.
//
//	files ──Read──► nodes with file and line
//	                   │
//	                   └─ package of the format ──► *draft.Model + entries of the report
//	                                                     │
//	                FinishImport: print, parse, compile ─┴─► *Result, of which all compiles
//
// Every construct of the input is one entry of the report: it was imported exactly,
// approximated, so that some query has another answer, or dropped. An object that does not
// compile is dropped, and its entry has the reason of the compiler: the imported model validates.
package importer

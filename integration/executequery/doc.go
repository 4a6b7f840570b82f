// Package executequery checks the tool execute_query of the program from outside: a server with --mcp-execute-query answers
// over HTTP, a process of semlayer mcp on standard input and output, and each result is valid by the schema of the profile.
package executequery

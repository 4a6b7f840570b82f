// Package lexical holds the rules of words, numbers and quoted texts that expressions
// and statements share. A scanner asks it where a token ends, and decides itself what the
// token means.
package lexical

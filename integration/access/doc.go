// Package access holds the tests of identities and policies: what a reader gets is what a service without policies gives over tables that
// hold only the rows that the reader may see, with masked values, and over a model without what is hidden.
package access

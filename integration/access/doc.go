// Package access holds the tests of identities and policies: a reader gets the responses of a service without
// policies over tables that have only the rows that the reader may see, with masked values, and over a model without the hidden objects.
package access

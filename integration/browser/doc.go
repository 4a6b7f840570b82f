// Package browser holds the tests that open the pages of a server in a browser and
// use them as a person does. SEMLAYER_TEST_SCREENSHOTS names a folder for pictures of
// what they saw.
package browser

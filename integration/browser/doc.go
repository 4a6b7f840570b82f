// Package browser holds the tests that open the pages of a server in a browser and
// use them as a person does. SEMLAYER_TEST_SCREENSHOTS names a folder for pictures of
// what they saw. SEMLAYER_TEST_LONG=1 runs all of them; else those run that hold what a page is for.
package browser

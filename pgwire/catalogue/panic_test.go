package catalogue

import (
	"strings"
	"testing"
)

// The tables are made outside of the sessions that wait for them, so that a panic there would end the program.
func TestRecoverToError_TurnsAPanicIntoAnError(t *testing.T) {
	_, err := recoverToError(func() (*tableSet, error) {
		panic("no tables")
	})
	if err == nil || !strings.Contains(err.Error(), "a panic: ") {
		t.Errorf("the error is %v", err)
	}
}

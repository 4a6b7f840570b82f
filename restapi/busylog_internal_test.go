package restapi

import (
	"testing"
	"time"
)

func TestBusyLog_OneLineASecondCountsTheOthers(t *testing.T) {
	var b busyLog
	begin := time.Unix(1000, 0)
	lines, counted := 0, 0
	for i := range 3000 { // a request each millisecond
		if omitted, ok := b.admitLine(begin.Add(time.Duration(i) * time.Millisecond)); ok {
			lines++
			counted += omitted
		}
	}
	if lines != 3 || counted != 2*999 {
		t.Errorf("%d lines and %d counted, want 3 and 1998", lines, counted)
	}
	if omitted, ok := b.admitLine(begin.Add(time.Hour)); !ok || omitted != 999 {
		t.Errorf("%d %v", omitted, ok)
	}
}

package plan

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Capabilities says what a target can do, as far as planning depends on it. The
// zero value can do everything.
type Capabilities struct {
	// NoWindow lists the window functions that the target lacks.
	NoWindow map[sqlexpr.Func]bool
	// NoRangeFrames: RANGE frames take no numeric distance.
	NoRangeFrames bool
	// NoGroupingSets: GROUP BY GROUPING SETS is missing.
	NoGroupingSets bool
	// ZonesApart: a moment with a zone is compared neither with one without nor with
	// a day.
	ZonesApart bool
	// TextByCast: text compares by code points where it is cast to text, and by the
	// collation of its column elsewhere. The fields of type text are cast then.
	TextByCast bool
}

package reference

// Law is an edition of the meaning of windows and of time: the chapters of the second edition that hold.
type Law int

// The chapters of the second edition.
const (
	WindowsOfBuckets   Law = 1 << iota // the value of a window depends on its bucket and groups alone
	Attributes                         // of the bucket, which part nothing and which filled rows have
	ComparedAttributes                 // move with their bucket
	WholePeriods                       // begin again over coarser buckets
	DatesAreDays                       // wherever they are read
	ConditionsOnTime                   // are ranges or conditions on result rows
	PartsOfTime                        // are groups
	ComparedWindows                    // have an earlier value
)

// The two editions.
const (
	// FirstLaw computes a window inside its branch: the rows of the metric decide where it has a value, and the range
	// which buckets a running total sees.
	FirstLaw Law = 0
	// SecondLaw computes a window as a function of the model, the data, the filters, the zone, the bucket and the groups.
	SecondLaw = WindowsOfBuckets | Attributes | ComparedAttributes | WholePeriods | DatesAreDays | ConditionsOnTime | PartsOfTime | ComparedWindows
)

// PlannerLaw is the edition that the planner follows.
const PlannerLaw = WindowsOfBuckets | Attributes | ComparedAttributes | WholePeriods | PartsOfTime | DatesAreDays | ConditionsOnTime | ComparedWindows

// Options are what an evaluation depends on besides the model, the data and the query.
type Options struct {
	Law   Law
	Fault InjectedFault
	// Windows holds the keys of windows that models do not have yet, by the name of the metric.
	Windows map[string]WindowKeys
}

// WindowKeys are keys of a window under the second law.
type WindowKeys struct {
	Population WindowPopulation
}

// WindowPopulation is the input of a window.
type WindowPopulation string

// The populations of windows.
const (
	PopulationDefault WindowPopulation = ""
	PopulationAll     WindowPopulation = "all"
	PopulationRange   WindowPopulation = "range"
)

// follows reports whether a chapter of the second law holds.
func (e *evaluator) follows(chapter Law) bool { return e.options.Law&chapter != 0 }

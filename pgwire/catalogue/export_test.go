package catalogue

import "time"

// SetMaxTime changes how long a statement may run.
func (c *Catalogue) SetMaxTime(d time.Duration) { c.maxTime = d }

// Package ranked plans percentiles and lists for a target that lacks these aggregates.
//
//	Aggregate by region compute p = PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY amount)
//	    │ Plan
//	    ▼
//	Aggregate by region compute p = MAX(CASE WHEN rank is that of the half THEN x END)
//	  Window rank = ROW_NUMBER() OVER (PARTITION BY region ORDER BY x), count = COUNT(x) OVER (PARTITION BY region)
//	    Project region, x = amount
//
// The input is read once. Every aggregate of the group is computed over the projected
// columns.
package ranked

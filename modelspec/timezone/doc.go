// Package timezone holds the time zones of the IANA database.
//
//	name ──Load──► Zone ──LocalTimeOfInstant──────► what the zone's clock shows at an instant
//	                    ──Instant────────► the instant at which its clock shows a time
//	                    ──OffsetChanges──► when its offset from UTC changes
//
// A clock is a time.Time in UTC whose fields are those that the zone's clock shows. The data is
// that of Go (time/tzdata), or that of the machine where it has some.
package timezone

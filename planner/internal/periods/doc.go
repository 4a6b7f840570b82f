// Package periods plans the tables that put days into the periods of calendars.
//
//	calendar        Days                       Buckets                       Moves
//	day  fm         day    fiscal_month        fiscal_month  number          earlier  current
//	6/1  7-June     6/1    6/1                 6/1           1               6/1      7/1
//	6/2  7-June ──► 6/2    6/1            ──►  7/1           2          ──►  7/1      8/1
//	7/1  8-July     7/1    7/1                 8/1           3
//
// Days has a row for each day. A query joins it to the day of a time field, and the first day of the period
// is its bucket. Buckets has a row for each period: windows count its numbers, and places of periods inside
// of longer ones. Moves leads from the periods of an earlier range to those of the current one.
package periods

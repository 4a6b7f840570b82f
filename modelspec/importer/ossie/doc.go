// Package ossie reads documents of Apache Ossie that others write: of older drafts, and with columns that no field declares.
//
//	text ──lift──► version, list of the model ──declare──► fields ──drop──► what does not compile ──► text
//
// The document stays what it is: its comments, its keys and its extensions.
package ossie

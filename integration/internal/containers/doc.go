// Package containers starts database servers in containers, for tests.
//
//	SEMLAYER_POSTGRES_IMAGE or postgres:17 ─► at hand? ─┐
//	semlayer-local/postgres ─────────────────► at hand? ─┼─► container ─► login works ─► localdb.Server
//	the first of them ──────► a registry sends it? ──────┘
//
// The images are the public ones, or any that understand the few variables of
// theirs that are used here. Where no registry can be reached,
// tools/scripts/containers/images.sh builds local ones from Debian packages.
//
// A registry that does not answer costs seconds: a pull is abandoned when nothing
// has come for a while, and then the next source of servers has its turn. Ending a
// server removes its container and what it has stored. A process that is killed
// leaves its containers behind; they carry Label.
package containers

package parse

// keyword is a word of the grammar; notKeyword is any other. The classes are those of PostgreSQL.
type keyword uint8

const (
	notKeyword keyword = iota

	// Reserved: a name only in quotes, after AS or after a dot.
	kwAll
	kwAnd
	kwAny
	kwArray
	kwAs
	kwAsc
	kwAsymmetric
	kwBoth
	kwCase
	kwCast
	kwCollate
	kwCreate
	kwCurrentCatalog
	kwCurrentDate
	kwCurrentRole
	kwCurrentTime
	kwCurrentTimestamp
	kwCurrentUser
	kwDefault
	kwDesc
	kwDistinct
	kwElse
	kwEnd
	kwExcept
	kwFalse
	kwFetch
	kwFor
	kwFrom
	kwGrant
	kwGroup
	kwHaving
	kwIn
	kwIntersect
	kwInto
	kwLateral
	kwLeading
	kwLimit
	kwLocaltime
	kwLocaltimestamp
	kwNot
	kwNull
	kwOffset
	kwOn
	kwOnly
	kwOr
	kwOrder
	kwReturning
	kwSelect
	kwSessionUser
	kwSome
	kwSymmetric
	kwTable
	kwThen
	kwTo
	kwTrailing
	kwTrue
	kwUnion
	kwUser
	kwUsing
	kwVariadic
	kwWhen
	kwWhere
	kwWindow
	kwWith
	kwOtherReserved // a word of the class that the grammar has nowhere
	lastReservedKeyword

	// Names of functions and types, and of nothing else.
	kwCross
	kwCurrentSchema
	kwFull
	kwIlike
	kwInner
	kwIs
	kwIsnull
	kwJoin
	kwLeft
	kwLike
	kwNatural
	kwNotnull
	kwOuter
	kwOverlaps
	kwRight
	kwSimilar
	kwTablesample
	kwOtherFunction
	lastFunctionKeyword

	// Names of columns and relations; as functions they have their own forms.
	kwBetween
	kwBit
	kwChar
	kwCharacter
	kwCoalesce
	kwExists
	kwExtract
	kwGreatest
	kwGrouping
	kwInterval
	kwLeast
	kwNational
	kwNchar
	kwNormalize
	kwNullif
	kwOverlay
	kwPosition
	kwPrecision
	kwRow
	kwSetof
	kwSubstring
	kwTime
	kwTimestamp
	kwTreat
	kwTrim
	kwValues
	kwXmlconcat
	kwXmlelement
	kwXmlexists
	kwXmlforest
	kwXmlparse
	kwXmlpi
	kwXmlroot
	kwXmlserialize
	kwXmltable
	kwOtherColumn
	lastColumnKeyword

	// Names of everything: known by context only.
	kwAgg
	kwAt
	kwBy
	kwCube
	kwCurrent
	kwDate
	kwDay
	kwDelete
	kwDimensions
	kwEscape
	kwExclude
	kwFacts
	kwFilter
	kwFirst
	kwFollowing
	kwGroups
	kwHour
	kwIgnore
	kwInsert
	kwKey
	kwLast
	kwLocal
	kwMeasure
	kwMerge
	kwMetrics
	kwMinute
	kwMonth
	kwNext
	kwNo
	kwNulls
	kwOperator
	kwOver
	kwPartition
	kwPreceding
	kwRange
	kwRecursive
	kwRespect
	kwRollup
	kwRows
	kwSecond
	kwSemanticView
	kwSets
	kwShare
	kwTimestamptz
	kwUnbounded
	kwUnknown
	kwUpdate
	kwVarying
	kwWithin
	kwWithout
	kwYear
	kwZone
)

// isReserved reports whether the word is a name only in quotes, after AS or after a dot.
func (k keyword) isReserved() bool { return k > notKeyword && k < lastReservedKeyword }

// canBeColumnName reports whether the word may name a column or a relation.
func (k keyword) canBeColumnName() bool { return k == notKeyword || k > lastFunctionKeyword }

// canBeFunctionName reports whether the word may name a function or a type without its own form.
func (k keyword) canBeFunctionName() bool {
	return k == notKeyword || k > lastReservedKeyword && k < lastFunctionKeyword || k > lastColumnKeyword
}

// canBeBareAlias reports whether the word may be the alias of an item without AS.
func (k keyword) canBeBareAlias() bool {
	switch k {
	case kwArray, kwAs, kwChar, kwCharacter, kwCreate, kwDay, kwExcept, kwFetch, kwFilter, kwFor, kwFrom,
		kwGrant, kwGroup, kwHaving, kwHour, kwIntersect, kwInto, kwIsnull, kwLimit, kwMinute, kwMonth,
		kwNotnull, kwOffset, kwOn, kwOrder, kwOver, kwOverlaps, kwPrecision, kwReturning, kwSecond, kwTo,
		kwUnion, kwVarying, kwWhere, kwWindow, kwWith, kwWithin, kwWithout, kwYear:
		return false
	}
	return true
}

// Package access holds the tests of identities and policies: a reader gets the responses of a service without
// policies over tables that have only the rows that the reader may see, with masked values, and over a model without the hidden objects.
//
// Each way by which a reader could learn of more has a test, here or in the folder before its name:
//
//	a table that is read without its rule               TestRules_StandAtEveryScan, TestRules_StandInEveryStatementOfAnAttribution
//	a step, period or retention of a sequence           TestSequences_OfQueriesReadWhatTheReaderSees, TestSequences_PeriodsEndWithWhatTheReaderSees
//	values of forbidden rows in errors of a warehouse   TestBarrier_NoConditionIsComputedOnForbiddenRows, TestBarrier_ImplicitConversionsWaitForTheRule
//	other words of a warehouse                          TestErrors_HaveNoWordsOfTheWarehouse, TestReaders_GetNoWordsOfADatabaseThatDoesNotOpen
//	stored values of a field, segments of a change      TestValues_AreThoseOfTheAdmittedRows, TestAttribution_IsThatOfTheAdmittedRows
//	roles that widen each other                         TestRoles_AddUpAndRequirementsTakeAway, TestRoles_FieldsReadWhatTheReaderSeesOfOthers, TestRoles_TogetherShowNothingThatNoneShows, TestRoles_KeepDecimalsExact
//	names in lists, candidates and errors               TestReducedModel_EqualsAModelWithoutWhatIsHidden, TestViews_AreThePartOfAReader
//	names in texts, and findings of the model           TestHiddenNames_AreInNoTextOfAnObject
//	names of hidden keys in errors                      TestHiddenKeys_AreInNoError
//	another name for a hidden column                    TestHiddenFields_HideWhatReadsThemAtAnyDepth, TestHiddenColumns_AreThoseOfEveryDialect
//	parts of what is revealed                           TestReveal_ShowsNoParts, TestReveal_ShowsNoPartsInReportsOfRollups
//	hidden fields of a sequence                         TestSequences_OverHiddenFieldsDoNotExist
//	statements, views and catalogues that are kept      TestPolicies_ReplaceWhatWasKept, TestReaders_AreKeptApart, TestReaders_InACrowdGetWhatEachGetsAlone
//	results that are kept                               engine/TestResultCache_NobodyGetsRowsOfAnotherIdentity
//	rows of a rollup                                    engine/TestRollupRules_ReadersHaveTheirRowsOfTheTable, integration/properties/TestRollups_HaveTheRowsOfTheirReaders, engine/TestFreshRows_AreNotReadForReadersWithRules
//	values of a rollup over masked fields               engine/TestRollups_ReadersSeeNoValuesThatFieldsReadFromWhatIsMasked
//	a session of a warehouse                            TestSession_StatementsRunAsTheReader, executor/postgres/TestSession_IsNeverThatOfAnother
//	a forged token                                      restapi/identity/TestSignIn_RefusesEachForgery, restapi/identity/TestKeySet_RefusesADiscoveryDocumentOfAnother
//	an identity without an attribute                    restapi/TestIdentity_RefusesIncompleteIdentitiesOnEveryRoute
//	other models of a service                           restapi/TestIdentity_ModelsThatItDoesNotReachDoNotExist, pgwire/TestIdentities_ModelsThatTheyDoNotReachDoNotExist
//	pages without a token                               restapi/TestIdentity_PublicPathsAreTheSameForEveryModel
//	the catalogue of the PostgreSQL port                pgwire/catalogue/TestCatalogue_ReadersDoNotShareTables, pgwire/TestIdentities_AreJudgedBeforeEveryStatement
//	proposals of the shell, with --as                   cmd/internal/cli/TestScripts
//	tools, prompts and resources of MCP                 cmd/internal/mcp/TestReaders_LearnNothingThroughTools, cmd/internal/mcp/TestReaders_ListsAreKeptForNobodyElse
//	pages of the explorer                               integration/browser/TestAccess_AReaderSeesNoPartThatIsNotGranted
//	the audit log                                       restapi/TestAudit_HasLiteralsOnlyWhereTheyAreWanted
//	any of these at random                              integration/properties/TestReaders_LearnNothingOfWhatTheyDoNotSee, integration/properties/TestReaders_SeeAFilteredCopy
//
// How long a request takes is not hidden. The times and states of rollups and caches are open too.
package access

package tools

// everyTool is the list, in the order in which a client sees it: the everyday
// verbs, then a family after the other.
var everyTool = []*tool{
	rememberTool, recallTool, searchTool, senseTool, pendingTool, forgetTool, restoreTool, promoteTool,
	pinTool, unpinTool, corroborateTool, provenanceTool, flagSensitiveTool,
	narrateTool, currentNarrativeTool, dueForConsolidationTool, auditLogTool,

	inspectMemoryTool, listMemoriesTool, rememberManyTool, updateMemoryTool, eraseTool, listForgottenTool, memoryStatsTool, explainSilenceTool, feedbackTool,
	reviewTool, dueForReviewTool,
	listAnchorsTool, canonizeTool, decanonizeTool, endScopeTool, listCanonTool, activeScopesTool,
	setFrameTool, listFramesTool, setHistoryContextTool,
	markConflictTool, resolveConflictTool, listConflictsTool,
	linkMemoriesTool, unlinkMemoriesTool, memoryLinksTool,
	searchHistoryTool, searchArchiveTool, timelineTool,
	reviewNarrativeTool, narrativeHistoryTool, listNarrativesTool,
	createClaimTool, addEvidenceTool, retractEvidenceTool, adoptClaimTool, reviseClaimTool, withdrawClaimTool, inspectClaimTool, recallClaimsTool,
}

package memory

import "regexp"

// written makes a pattern of a regular expression.
func written(name, form string, cues ...string) screenPattern {
	return screenPattern{name: name, form: expression{form: regexp.MustCompile(form)}, cues: cues}
}

// near says that one of these words stands in every match beside the cue.
func (p screenPattern) near(words ...string) screenPattern {
	p.with = words
	return p
}

// contractPatterns are the sixteen shapes of contract/history.md 2.4, in its
// order, for lower-case text.
var contractPatterns = []screenPattern{
	written("authority_origin", `(from|by)\s+the\s+(developer|admin|administrator|system|creator)`,
		"developer", "admin", "system", "creator").near("the"),
	written("developer_said", `developer\s+(said|says|instructed|directed|noted)`, "developer").near("said", "says", "instructed", "directed", "noted"),
	written("system_notice", `(system|admin)\s+(notice|announcement|message|directive|instruction)`,
		"notice", "announcement", "message", "directive", "instruction").near("system", "admin"),
	written("ignore_prior", `ignore\s+(all\s+)?(prior|previous|above|earlier)`, "ignore"),
	written("standing_order", `(from\s+now\s+on|going\s+forward|in\s+all\s+future)\s*,?\s*(all\s+)?(requests?|actions?|commands?)`,
		"request", "action", "command").near("from", "forward", "future"),
	written("preauthorized", `pre-?(authorized|approved)|no\s+(further\s+)?(review|approval)\s+(is\s+)?(required|needed)`,
		"preauthorized", "pre-authorized", "preapproved", "pre-approved", "review", "approval"),
	written("bypass_checks", `(bypass|skip|override)\s+(all\s+)?(review|approval|restrictions?|safety|checks?)`,
		"bypass", "skip", "override").near("review", "approval", "restriction", "safety", "check"),
	written("user_authorized", `(the\s+)?user\s+is\s+now\s+(authorized|approved|granted|admin)`, "user").near("now"),
	written("you_are_authorized", `you\s+(are|'re)\s+now\s+(authorized|permitted|allowed|admin)`,
		"authorized", "permitted", "allowed", "admin").near("now"),
	written("credential", `(api[ _-]?key|secret|password|token|credential)s?\s*[:=]`,
		"apikey", "api key", "api_key", "api-key", "secret", "password", "token", "credential").near(":", "="),
	written("authority_notice_zh", `(开发者|开发人员|开发商|管理员|系统)\s*(通知|公告|消息|指令|提示)\s*[:：]`,
		"通知", "公告", "消息", "指令", "提示").near(":", "："),
	written("authority_origin_zh", `(来自|根据)\s*(开发者|开发人员|开发商|管理员|系统).{0,12}(指示|命令|通知|要求)`, "来自", "根据").near("开发", "管理员", "系统"),
	written("ignore_prior_zh", `(忽略|无视|跳过)\s*(之前|以上|先前|前面|所有)?\s*的?\s*(指令|指示|规则|限制|约束)`, "忽略", "无视", "跳过"),
	written("preauthorized_zh", `预授权|预批准|预先授权`, "预授权", "预批准", "预先授权"),
	written("standing_order_zh", `(从现在起|今后|以后)\s*(所有|全部)?\s*(请求|操作|指令|申请).{0,10}(免|跳过|无需|不用)`, "从现在起", "今后", "以后"),
	written("credential_zh", `(密钥|秘钥|密码|口令|令牌)\s*[:：=]`, "密钥", "秘钥", "密码", "口令", "令牌").near(":", "：", "="),
}

// englishNot turns an order to forget into a reminder: "do not forget the above".
var englishNot = regexp.MustCompile(`(?:n't|dont|not|never|cannot) $`)

// englishPatterns are further English shapes, on folded text: other word orders,
// other verbs, words run together, marks that pretend to be another speaker.
var englishPatterns = []screenPattern{
	{name: "ignore_prior_en", cues: []string{"ignore", "disregard", "forget", "override"},
		form: expression{except: englishNot, form: regexp.MustCompile(`\b(?:ignore|disregard|forget) (?:all |any |everything |anything |the |of |your |these |those )*(?:prior|previous|above|earlier|preceding)\b|\boverride (?:all |any |the |your )*(?:prior|previous|earlier|preceding) (?:[a-z]+ )?(?:instructions?|rules|orders|directives?|guidelines)\b`)}},
	written("you_are_authorized_en", `\byou(?: are|\s?'?re) (?:now|hereby) (?:[a-z]+ )?(?:authori[sz]ed|permitted|allowed|approved|cleared|an? admin|admin|root|unrestricted)\b|\byou(?:'ve| have)? (?:now|been granted) (?:have |hold )?(?:[a-z]+ )?(?:admin|administrator|root|developer|system) (?:access|rights|privileges|permissions?)\b`,
		"authori", "permitted", "allowed", "approved", "cleared", "admin", "root", "unrestricted", "developer", "system").near("now", "hereby", "granted"),
	written("user_authorized_en", `\b(?:this|the) user (?:(?:is|has been) (?:hereby |now )?(?:[a-z]+ )?(?:authori[sz]ed|granted (?:[a-z]+ )?(?:access|admin|rights|permissions?))|(?:now )?has (?:now )?(?:admin|administrator|root|full) (?:access|rights|privileges))\b`, "user").near("authori", "granted", "access", "rights", "privileges"),
	written("developer_said_en", `\b(?:developers?|admin(?:istrator)?s?|creators?) (?:have |has |had )?(?:authori[sz]ed|approved|instructed|ordered|directed|told|granted) (?:you|this|all|every|the (?:assistant|ai|model|agent))\b|\bon behalf of (?:the )?(?:developers?|admin(?:istrator)?s?|system)\b|\b(?:developer|admin(?:istrator)?)'?s? (?:note|notice|order|orders|instructions?|message) ?:`,
		"developer", "admin", "creator", "system").near("you", "this", "all", "every", "the", "behalf", ":"),
	written("role_mark_en", `<\|?(?:im_start|im_end|start_header_id|endoftext)\|?>|\[/?inst\]|<</?sys>>|\b(?:system|developer|admin)\]? ?: ?(?:you (?:must|are|will|should|may|can|have)|ignore|disregard|from now|always|never|do not|the user)\b|\b(?:new|updated|real|actual|secret|hidden) (?:system )?(?:instructions?|prompt) ?:`,
		"im_start", "im_end", "start_header_id", "endoftext", "inst]", "sys>>", "system", "developer", "admin", "instruction", "prompt").near("<", ":", "]"),
	written("secrecy_en", `\b(?:do not|don'?t|never|without) (?:tell|telling|inform|informing|alert|alerting|mention(?:ing)? (?:this|it) to|reveal(?:ing)? (?:this|it) to|let(?:ting)?) the user\b|\b(?:reveal|print|show|output|repeat|leak) (?:me )?(?:your|the) (?:[a-z]+ )?system prompt\b`,
		"user", "prompt").near("tell", "inform", "alert", "mention", "reveal", "let", "prompt"),
	written("no_limits_en", `\b(?:pretend|act|behave|respond) (?:as )?(?:that |if )?(?:though )?you (?:have|had) no (?:[a-z]+ )?(?:rules|restrictions|limits|limitations|filters|guidelines)\b|\bact as an? (?:unrestricted|unfiltered|jailbroken)\b|\b(?:dan|jailbreak|god) mode (?:is )?(?:now )?(?:enabled|activated|on)\b`,
		"pretend", "behave", "respond", "though", "rules", "restriction", "limit", "filter", "guidelines", "unrestricted", "jailbr", "mode").near("you have no", "you had no", "act as", "mode"),
	written("preauthorized_en", `\bpre-?(?:authorised|clear(?:ed|ance))\b|\b(?:no|without) (?:any |further |prior |additional |human )*(?:reviews?|approvals?|confirmations?|verification|permission|authori[sz]ation) (?:is |are |will be )?(?:required|needed|necessary)\b|\b(?:reviews?|approvals?|confirmations?|verification|permission|authori[sz]ation) (?:is|are) (?:not|no longer) (?:required|needed|necessary) (?:for (?:this|any|all|the) |to |from )`,
		"authorised", "pre-clear", "preclear", "review", "approval", "confirmation", "verification", "permission", "authori").near("authorised", "clear", "required", "needed", "necessary"),
	written("standing_order_en", `\b(?:from (?:now|today|this (?:point|moment)) (?:on|forward|onwards?)|henceforth|going forward),? (?:[a-z']+ ){0,4}(?:approve|accept|allow|obey|execute|grant|trust|comply with|follow) (?:all|every|any|whatever|each)\b|\b(?:all|every|any) (?:[a-z]+ ){0,2}(?:requests?|actions?|commands?),? (?:from now on|from today|henceforth|going forward|in (?:the )?future)\b`,
		"from", "henceforth", "forward", "future").near("all", "every", "any", "whatever", "each"),
	written("void_prior_en", `\b(?:(?:previous|prior|above|earlier|preceding|original|your|these) (?:[a-z]+ ){0,2}(?:instructions?|prompts?|directives?|guidelines|guardrails)|(?:instructions?|prompts?|directives?|guidelines|guardrails) (?:above|given (?:before|earlier|above)|you (?:were|have been) given))\b[^.!?\n]{0,16}\b(?:ignored|disregarded|forgotten|void|overridden|superseded|cancell?ed|revoked|obsolete|no longer (?:apply|applies|valid|in effect|in force))\b`,
		"instruction", "prompt", "directive", "guidelines", "guardrails").near("ignored", "disregarded", "forgotten", "void", "overrid", "superseded", "cancel", "revoked", "obsolete", "no longer"),
	written("credential_en", `\bmy (?:[a-z-]+ )?(?:password|pin(?: code)?) (?:is|was) |\bpasswords? (?:is|was) ["'\x60]?[^ ]*[0-9]`, "password", "my pin").near("is", "was"),
}

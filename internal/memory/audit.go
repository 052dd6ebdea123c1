package memory

import (
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// Action names what an audit row records.
type Action string

// The audit actions of the contract, and Combray's own.
const (
	ActAutoFlagSensitive       Action = "auto_flag_sensitive"
	ActPromote                 Action = "promote"
	ActPin                     Action = "pin"
	ActPinDenied               Action = "pin_denied"
	ActUnpin                   Action = "unpin"
	ActUnpinNoop               Action = "unpin_noop"
	ActUnpinBySensitivity      Action = "unpin_by_sensitivity"
	ActFlagSensitive           Action = "flag_sensitive"
	ActCorroborate             Action = "corroborate"
	ActCorroborateUpgrade      Action = "corroborate_upgrade"
	ActReview                  Action = "review"
	ActForget                  Action = "forget"
	ActRestore                 Action = "restore"
	ActCanonize                Action = "canonize"
	ActCanonizeDenied          Action = "canonize_denied"
	ActDecanonize              Action = "decanonize"
	ActDecanonizeBySensitivity Action = "decanonize_by_sensitivity"
	ActEndScope                Action = "end_scope"
	ActSetFrame                Action = "set_frame"
	ActMarkConflict            Action = "mark_conflict"
	ActResolveConflict         Action = "resolve_conflict"
	ActNarrate                 Action = "narrate"
	ActNarrateDenied           Action = "narrate_denied"
	ActNarrativeInvalidated    Action = "narrative_invalidated"
	ActReviewNarrative         Action = "review_narrative"
	ActSetHistoryContext       Action = "set_history_context"
	ActLinkMemories            Action = "link_memories"
	ActUnlinkMemories          Action = "unlink_memories"
	ActCreateClaim             Action = "create_claim"
	ActAddEvidence             Action = "add_evidence"
	ActRetractEvidence         Action = "retract_evidence"
	ActAdoptClaim              Action = "adopt_claim"
	ActReviseClaim             Action = "revise_claim"
	ActWithdrawClaim           Action = "withdraw_claim"
	ActClaimSourceChanged      Action = "claim_source_changed"

	ActRemember       Action = "remember" // a capture; shown only on request
	ActUpdateMemory   Action = "update_memory"
	ActErase          Action = "erase"
	ActClearSensitive Action = "clear_sensitive"
)

// AuditRow is one line of the audit log.
type AuditRow struct {
	Sequence int64 // ascending over the whole store; 0 before it is stored
	ID       ID
	Subject  ID // the memory, narrative or claim concerned
	Action   Action
	Reason   string // free text; "" after an erasure
	At       time.Time
	By       Actor

	Salt       []byte    // 16 random bytes that the digest of Reason is salted with; nil without a reason and after an erasure
	ReasonHash AuditHash // DigestReason(Salt, Reason), kept when the text is erased; zero when there never was one
	Chain      AuditHash // ChainHash(previous row's Chain, this row)
}

// AuditHash is a SHA-256 digest.
type AuditHash [sha256.Size]byte

// DigestReason is SHA-256 over the salt and the reason. The chain covers this
// digest and never the text, so that erasing text and salt leaves it whole.
func DigestReason(salt []byte, reason string) AuditHash {
	h := sha256.New()
	h.Write(salt)
	h.Write([]byte(reason))
	return AuditHash(h.Sum(nil))
}

// ChainHash is SHA-256 over the previous row's hash and this row's fields, each
// with its length before it, so that no two rows share an encoding.
func ChainHash(previous AuditHash, r AuditRow) AuditHash {
	h := sha256.New()
	h.Write(previous[:])
	for _, field := range []string{string(r.ID), string(r.Subject), string(r.Action),
		r.By.Client, r.By.Version, string(r.By.Door), string(r.ReasonHash[:])} {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(field)))
		h.Write(n[:])
		h.Write([]byte(field))
	}
	var tail [16]byte
	binary.LittleEndian.PutUint64(tail[:8], uint64(r.Sequence))
	binary.LittleEndian.PutUint64(tail[8:], uint64(r.At.UnixMicro()))
	h.Write(tail[:])
	return AuditHash(h.Sum(nil))
}

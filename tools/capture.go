package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"combray/internal/memory"
)

// captureParams are the parameters of remember, and of each item of remember_many.
var captureParams = []param{
	need("content", asText, "The text, under 1 MiB."),
	may("source", asText, "Who or what it comes from, e.g. user."),
	may("tier", asText, "interpretation: a reading of facts.").or("archive").of("archive", "interpretation"),
	may("security_sensitive", asBool, "Flag orders, permissions, secrets.").or(false),
	may("frame", asText, "Label to filter by, e.g. a project."),
	may("event_at", asText, "When it happened: ISO 8601 with offset."),
	may("at", asText, "When it happened: ISO 8601 with offset.").unlisted(),
	may("session_id", asText, "Its conversation."),
	may("session_position", asStrictInt, "Place in it, from 0, each once."),
	may("material_type", asText, "Kind of material.").or("unspecified").of("unspecified", "document", "utterance", "observation", "summary"),
	may("origin_id", asText, "Recording or document behind it."),
	may("capture_context", asText, "How it was captured."),
	may("geohash", asText, "Where it happened."),
	may("lat", asNumber, "Latitude."),
	may("lon", asNumber, "Longitude."),
	may("accuracy_m", asNumber, "Accuracy in metres."),
	may("tags", asTexts, "At most 32 labels."),
	may("salience", asNumber, "How much it matters, 0 to 1.").or(memory.DefaultSalience),
	may("biometric", asNumbers, "heart_rate, hrv, skin_temp, eda, steps_per_min, respiration_rate."),
	may("signals", asObject, "image, audio: {base64}, {path} or {vector, backend}."),
	may("metadata", asObject, "Kept as it is."),
	may("media_refs", asTexts, "At most 16 references."),
	may("idempotency_key", asText, "A repeat returns the first memory."),
}

// captureInput turns the arguments of a capture into memory's input.
func captureInput(a *args) (memory.RememberInput, error) {
	signals, err := signalsOf(a)
	if err != nil {
		return memory.RememberInput{}, err
	}
	in := memory.RememberInput{
		Content: a.text("content"), Source: a.optText("source"), Tier: a.text("tier"), Literal: true,
		SecuritySensitive: a.bool("security_sensitive"), Frame: a.optText("frame"),
		EventAt: a.optText("event_at"), At: a.optText("at"),
		SessionID: a.optText("session_id"), SessionPosition: a.optInt64("session_position"),
		MaterialType: a.text("material_type"), OriginID: a.optText("origin_id"), CaptureContext: a.optText("capture_context"),
		Geohash: a.optText("geohash"), Lat: a.optNumber("lat"), Lon: a.optNumber("lon"), AccuracyM: a.optNumber("accuracy_m"),
		Tags: a.texts("tags"), Salience: a.optNumber("salience"), Biometric: value[map[string]float64](a, "biometric"),
		Signals:  signals,
		Metadata: a.optText("metadata"), MediaRefs: a.texts("media_refs"), IdempotencyKey: a.optText("idempotency_key"),
	}
	if in.EventAt != nil && in.At != nil && *in.EventAt != *in.At {
		return in, memory.Invalid("event_at", "Pass event_at alone.", "event_at and at are the same argument and were given with different values")
	}
	return in, nil
}

// stored is the answer of remember.
type stored struct {
	memoryObject
	Windows  *int        `json:"windows"`
	Similar  []memory.ID `json:"similar"`
	Repeated bool        `json:"repeated,omitempty"`
}

func remember(ctx context.Context, v Verbs, a *args) (outcome, error) {
	in, err := captureInput(a)
	if err != nil {
		return outcome{}, err
	}
	r, err := v.Remember(ctx, in)
	if err != nil {
		return outcome{}, err
	}
	out := &stored{newMemory(r.Memory), r.Memory.Windows, notNil(r.Similar), r.Repeated}
	return object(out, r.Warnings, textOf("content", &out.Content)), nil
}

// batch is the answer of remember_many.
type batch struct {
	Stored   int          `json:"stored"`
	Memories []storedItem `json:"memories"`
}

type storedItem struct {
	ID       memory.ID `json:"id"`
	Embedded bool      `json:"embedded"`
	Repeated bool      `json:"repeated"`
}

func rememberMany(ctx context.Context, v Verbs, a *args) (outcome, error) {
	items, warnings := captureItems(value[[]json.RawMessage](a, "items"))
	a.warnings = append(a.warnings, warnings...)
	results, err := v.RememberMany(ctx, items)
	if err != nil {
		return outcome{}, err
	}
	out := &batch{Memories: make([]storedItem, 0, len(results))}
	var told []string
	for i, r := range results {
		out.Memories = append(out.Memories, storedItem{r.Memory.ID, r.Memory.Embedded(), r.Repeated})
		if !r.Repeated {
			out.Stored++
		}
		told = append(told, inItem(i, r.Warnings)...)
	}
	return object(out, told), nil
}

// captureItems reads the items of a batch. What cannot be read is refused with
// whatever else is wrong.
func captureItems(raw []json.RawMessage) (items []memory.RememberInput, warnings []string) {
	for i, item := range raw {
		in, told, err := RememberInput(item)
		warnings = append(warnings, inItem(i, told)...)
		var fault *memory.Error
		if errors.As(err, &fault) {
			in = memory.RememberInput{Refused: fault}
		}
		items = append(items, in)
	}
	return items, warnings
}

// RememberInput reads the arguments of remember from JSON, for a batch or an
// import. The warnings say what was ignored; the error is a *memory.Error.
func RememberInput(raw json.RawMessage) (in memory.RememberInput, warnings []string, err error) {
	a, fault := readArgs("remember", captureParams, raw)
	if fault != nil {
		return memory.RememberInput{}, a.warnings, fault
	}
	in, err = captureInput(a)
	return in, a.warnings, err
}

func inItem(i int, sentences []string) []string {
	return mapped(sentences, func(s string) string { return fmt.Sprintf("items[%d]: %s", i, s) })
}

var rememberTool = &tool{
	name: "remember", title: "Remember", profiles: inDaily, always: true, hints: adds, params: captureParams,
	about: "Store one memory: a fact, preference, decision, event or passage worth having in a later conversation. " +
		"Use it as soon as it is said, without asking; add promote when it must last. " +
		"Nothing is merged or overwritten: equal text is stored twice unless idempotency_key repeats; use recall first if it may be known. " +
		"Give time and place when known: they bring it back. " +
		"What reads like an order or a secret is flagged security_sensitive. forget undoes a mistake.",
	returns:  memoryShape.and(field{"windows", anything, "overlapping windows the encoder needs for the text"}, field{"similar", someStrings, "at most 3 ids that say nearly the same"}, field{"repeated", sometimes, "true when the idempotency key was used before and nothing was written"}),
	examples: []string{`{"content":"Ada prefers the window seat on trains","source":"user","tags":["travel"]}`, `{"text":"The heron nested by the northern weir","event_at":"2024-05-08T07:30:00+02:00","lat":48.8566,"lon":2.3522}`},
	run:      remember,
}

var rememberManyTool = &tool{
	name: "remember_many", title: "Remember many", profiles: full, hints: adds,
	params: []param{need("items", asCaptures, "1 to 200 objects, each with the parameters of remember.")},
	about: "Store up to 200 memories in one transaction, all or nothing. Use it to take over notes, a transcript or a list; use remember for single facts in a conversation. " +
		"Each item takes the parameters of remember. When one item is refused nothing is stored, and the error lists every refused item with its index and field. " +
		"Nothing is merged with what is stored already; give each item an idempotency_key when the call may be repeated. Vectors may be made later; words find the memories at once.",
	returns:  keys(field{"stored", anInteger, "how many were written"}, field{"memories", someObjects, "`id`, `embedded`, `repeated`, in the order of items"}),
	examples: []string{`{"items":[{"content":"The boiler was serviced","event_at":"2024-03-01T10:00:00+01:00"},{"content":"The plumber is Mr. Okafor","tags":["house"]}]}`},
	run:      rememberMany,
}

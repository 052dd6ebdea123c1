package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"combray/internal/memory"
	"combray/tools"
)

// healthPath answers without a token, and says nothing but that it answers.
const healthPath = "/healthz"

const memoriesPath = "/memories"

// handler serves one route. It answers, or gives the refusal to answer with.
type handler func(w *writer, r *http.Request) *refusal

// routes are the addresses besides /healthz and /memories/{id}, each with the
// one method it takes. Paths are compared as they stand, so that no cleaned path
// reaches a door.
func (a *API) routes() map[string]struct {
	method string
	serve  handler
} {
	return map[string]struct {
		method string
		serve  handler
	}{
		"/cues":                    {http.MethodPost, a.cue},
		memoriesPath:               {http.MethodPost, a.remember},
		"/recall":                  {http.MethodGet, a.recall},
		"/recollections":           {http.MethodGet, a.recollections},
		"/webhooks/home-assistant": {http.MethodPost, a.webhook(homeAssistant)},
		"/webhooks/shortcuts":      {http.MethodPost, a.webhook(shortcuts)},
	}
}

// route gives what serves a request, and the route's name for the log.
func (a *API) route(r *http.Request) (name string, serve handler) {
	if r.URL.Path == mcpPath {
		return mcpPath, a.mcp.serve
	}
	if found, ok := a.routes()[r.URL.Path]; ok {
		if r.Method != found.method {
			return r.URL.Path, func(*writer, *http.Request) *refusal { return wrongMethod(found.method) }
		}
		return r.URL.Path, found.serve
	}
	if id, ok := strings.CutPrefix(r.URL.Path, memoriesPath+"/"); ok && id != "" && !strings.Contains(id, "/") {
		if r.Method != http.MethodDelete {
			return memoriesPath + "/{id}", func(*writer, *http.Request) *refusal { return wrongMethod(http.MethodDelete) }
		}
		return memoriesPath + "/{id}", a.forget(id)
	}
	return "none", func(*writer, *http.Request) *refusal {
		return refuse(http.StatusNotFound, &memory.Error{Code: memory.CodeNotFound, Message: "no such address",
			Hint: "docs/guide/sensors.md lists the addresses."})
	}
}

// cue reports what is perceived: the arguments of sense.
func (a *API) cue(w *writer, r *http.Request) *refusal {
	arguments, size, refused := readObject(w, r, maxMediaBody)
	if refused != nil {
		return refused
	}
	if _, given := arguments["source"]; !given {
		arguments["source"] = "http"
	}
	return a.sense(w, r, cue{arguments: arguments, size: size})
}

// cue is what goes to sense, from whichever door.
type cue struct {
	arguments map[string]any
	size      int // bytes of the body it came in
	warnings  []string
}

// sense answers with what fired, or with ?async=1 at once.
func (a *API) sense(w *writer, r *http.Request, c cue) *refusal {
	async, refused := flag(r.URL.Query(), "async")
	if refused != nil {
		return refused
	}
	if async {
		return a.senseBehind(w, r, c)
	}
	reply, err := a.tools.Call(r.Context(), "sense", c.arguments)
	if err != nil {
		return notHere("sense")
	}
	reply.Warnings = append(c.warnings, reply.Warnings...)
	answer(w, http.StatusOK, reply)
	return nil
}

// senseBehind accepts a cue. What is wrong with its arguments is only logged.
func (a *API) senseBehind(w *writer, r *http.Request, c cue) *refusal {
	caller, _ := tools.CallerOf(r.Context())
	if reply, ok := caller.Admit("sense", a.now()); !ok {
		answer(w, 0, reply)
		return nil
	}
	caller.Limit = nil // this call was counted
	call := tools.WithCaller(context.WithoutCancel(r.Context()), caller)
	err := a.behind.add(c.size, func(stop context.Context) {
		ctx, cancel := context.WithCancel(call)
		defer context.AfterFunc(stop, cancel)()
		defer cancel()
		reply, err := a.tools.Call(ctx, "sense", c.arguments)
		if err != nil || reply.Failed() {
			a.log.Warn("a cue that was accepted was refused later", "code", string(reply.Code))
		}
	})
	switch err {
	case nil:
		if len(c.warnings) > 0 {
			w.Header().Set(headerWarnings, headerJSON(c.warnings))
		}
		writeJSON(w, http.StatusAccepted, []byte(`{"accepted":true}`))
		return nil
	case errStopped:
		return stopping()
	}
	return busy("%d cues are waiting", maxBehind)
}

// remember stores a memory: 201, or 200 when the idempotency key was known.
func (a *API) remember(w *writer, r *http.Request) *refusal {
	arguments, _, refused := readObject(w, r, maxMediaBody)
	if refused != nil {
		return refused
	}
	reply, err := a.tools.Call(r.Context(), "remember", arguments)
	if err != nil {
		return notHere("remember")
	}
	var stored struct {
		Repeated bool `json:"repeated"`
	}
	status := http.StatusCreated
	if json.Unmarshal(reply.Body, &stored) == nil && stored.Repeated {
		status = http.StatusOK
	}
	answer(w, status, reply)
	return nil
}

// listParameters of recall come as a=x&a=y or a=x,y.
var listParameters = map[string]bool{"tags": true, "channels": true}

// recall searches; its parameters are those of the tool.
func (a *API) recall(w *writer, r *http.Request) *refusal {
	arguments := make(map[string]any)
	for name, values := range r.URL.Query() {
		switch {
		case listParameters[name]:
			var items []any
			for _, v := range values {
				for item := range strings.SplitSeq(v, ",") {
					items = append(items, item)
				}
			}
			arguments[name] = items
		case len(values) > 1:
			return refuse(http.StatusBadRequest, memory.Invalid(name, "Pass "+name+" once.", "%s is given %d times", strconv.Quote(name), len(values)))
		default:
			arguments[name] = values[0]
		}
	}
	return a.call(w, r, "recall", arguments)
}

// recollections gives what surfaced. A GET changes nothing unless it asks to.
func (a *API) recollections(w *writer, r *http.Request) *refusal {
	query := r.URL.Query()
	drain, refused := flag(query, "drain")
	if refused != nil {
		return refused
	}
	arguments := map[string]any{"drain": drain}
	if limit := query.Get("limit"); limit != "" {
		arguments["limit"] = limit
	}
	if ids := query["id"]; ids != nil { // only these; the hook takes what it has shown
		arguments["ids"] = ids
	}
	return a.call(w, r, "pending_recollections", arguments)
}

// reason stands in the audit log for what was forgotten through this door.
const reason = "http"

// forget hides a memory, or erases it with ?erase=true and in profile senses,
// whose forget tool erases.
func (a *API) forget(id string) handler {
	return func(w *writer, r *http.Request) *refusal {
		erase, refused := flag(r.URL.Query(), "erase")
		if refused != nil {
			return refused
		}
		switch {
		case a.erases:
			return a.call(w, r, "forget", map[string]any{"id": id})
		case erase:
			return a.call(w, r, "erase", map[string]any{"memory_id": id, "reason": reason, "confirm": true})
		}
		return a.call(w, r, "forget", map[string]any{"memory_id": id, "reason": reason})
	}
}

func (a *API) call(w *writer, r *http.Request, tool string, arguments map[string]any) *refusal {
	reply, err := a.tools.Call(r.Context(), tool, arguments)
	if err != nil {
		return notHere(tool)
	}
	answer(w, http.StatusOK, reply)
	return nil
}

func notHere(tool string) *refusal {
	return refuse(http.StatusForbidden, memory.Denied("Start the server with a profile or --tools that has it, and without --read-only.", "the tool %s is not open on this server", tool))
}

// flag reads a yes or no of the query; absent is no.
func flag(query url.Values, name string) (bool, *refusal) {
	if !query.Has(name) {
		return false, nil
	}
	switch strings.ToLower(query.Get(name)) {
	case "1", "true", "":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, refuse(http.StatusBadRequest, memory.Invalid(name, "Pass "+name+"=true or "+name+"=false.", "%s is neither true nor false", name))
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"combray/internal/memory"
)

// hookPath is how cobra calls the command whose exit code is always 0: a client
// refuses the person's prompt when a hook ends with 2 (facts/mcp.md 4.2).
const hookPath = "combray hook"

// hookTime is what the hook gives itself of the 300 ms that it may delay a prompt
// (contract/sense.md 1.7); the rest is for the start of a process. Five sevenths
// of it are for the cue, so that what waits is shown when that takes too long.
const hookTime = 280 * time.Millisecond

// hookInput is how much is read of what a client tells: as long as a message over
// stdio may be. A longer one is refused whole.
const hookInput = 4 << 20

// hookEvents are those whose output reaches a model: before a prompt in Claude
// Code and Codex, at the start of a session, before a prompt in Gemini CLI.
var hookEvents = []string{"UserPromptSubmit", "SessionStart", "BeforeAgent"}

// What of the prompt is reported as a cue.
const (
	cueWords = "words" // by exact words and names, without an encoder
	cueFull  = "full"  // by meaning too; loads the encoder
	cueOff   = "off"
)

// hooking are the options of the hook.
type hooking struct {
	cue   string
	plain bool
	url   string
	time  time.Duration
}

func (a *app) hookCommand() *cobra.Command {
	o := hooking{cue: cueWords, time: hookTime}
	c := &cobra.Command{Use: "hook", Short: "Tell a client what came back, before each prompt", Args: cobra.NoArgs,
		Long: "Tell a client what came back, before each prompt. Claude Code, Codex and Gemini CLI run\n" +
			"it as a hook: it reads what they tell on standard input, reports the prompt as a cue,\n" +
			"and prints at most three recollections as the JSON they take. With nothing to say it\n" +
			"prints nothing. It ends within 300 ms, and with exit code 0 whatever happens.\n\n" +
			"combray setup hook CLIENT puts it in place.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.hook(cmd.Context(), o) }}
	f := c.Flags()
	f.StringVar(&o.cue, "cue", o.cue, "report the prompt as a cue by its words, in full (loads the encoder), or off")
	f.BoolVar(&o.plain, "plain", false, "plain lines instead of JSON")
	f.StringVar(&o.url, "url", "", "ask a running combray serve, such as http://127.0.0.1:1913")
	f.StringVar(&a.flag.TokenFile, "token-file", "", "file of tokens for --url; default token in the data folder (COMBRAY_TOKEN_FILE)")
	return c
}

// hook works for as long as there is time. What is late dies with the process.
func (a *app) hook(ctx context.Context, o hooking) error {
	if !slices.Contains([]string{cueWords, cueFull, cueOff}, o.cue) {
		return usage("--cue is %q; words, full and off are allowed", o.cue)
	}
	ctx, cancel := context.WithTimeout(ctx, o.time)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Errorf("panic in the hook: %T", v) // the value may hold what somebody wrote
			}
		}()
		done <- a.surface(ctx, o)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("the hook took too long and said nothing; what waits comes with the next prompt")
	}
}

// surface reports the prompt and shows what waits. It takes out of the queue only
// what was written.
func (a *app) surface(ctx context.Context, o hooking) error {
	call, err := a.hookCall(o)
	if err != nil || call == nil {
		return err
	}
	q, err := a.queue(ctx, o)
	if err != nil || q == nil {
		return err
	}
	defer q.close()
	if prompt := call.words(); prompt != "" && o.cue != cueOff {
		cueing, cancel := context.WithTimeout(ctx, o.time*5/7)
		err := q.cue(cueing, prompt)
		cancel()
		if err != nil {
			fmt.Fprintln(a.err, "combray: the prompt was not taken as a cue:", err)
		}
	}
	waiting, err := q.waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	text, shown := fenced(waiting, newMark())
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := a.out.Write(call.reply(text)); err != nil {
		return err
	}
	return q.take(ctx, shown)
}

// hookCall is what a client tells its hook, as far as it is used.
type hookCall struct {
	Event  string `json:"hook_event_name"`
	Prompt string `json:"prompt"`
	plain  bool
}

// hookCall reads standard input. nil: there is nobody to tell anything.
func (a *app) hookCall(o hooking) (*hookCall, error) {
	plain := o.plain || a.outTTY
	if a.inTTY {
		return &hookCall{plain: plain}, nil
	}
	told, err := io.ReadAll(io.LimitReader(a.in, hookInput+1))
	if err != nil {
		return nil, err
	}
	if len(told) > hookInput {
		return nil, fmt.Errorf("the client told more than %d bytes; nothing is shown", hookInput)
	}
	call := hookCall{plain: plain}
	if len(bytes.TrimSpace(told)) == 0 && plain {
		return &call, nil
	}
	if err := json.Unmarshal(told, &call); err != nil {
		return nil, errors.New("standard input is not the JSON that a client gives its hook")
	}
	if !slices.Contains(hookEvents, call.Event) {
		return nil, nil
	}
	return &call, nil
}

// hookContext is what Gemini CLI put before the prompt: the output of other hooks.
var hookContext = regexp.MustCompile(`(?s)<hook_context>.*?</hook_context>`)

// words is the prompt as a cue: what the person wrote, its beginning when it is
// long.
func (c *hookCall) words() string {
	prompt := strings.TrimSpace(hookContext.ReplaceAllString(c.Prompt, " "))
	n := min(len(prompt), memory.EmbedAtOnceBytes)
	for n < len(prompt) && n > 0 && !utf8.RuneStart(prompt[n]) {
		n--
	}
	return prompt[:n]
}

// reply is what the client takes.
func (c *hookCall) reply(text string) []byte {
	if c.plain {
		return []byte(text + "\n")
	}
	var out struct {
		HookSpecificOutput struct {
			HookEventName     string `json:"hookEventName"`
			AdditionalContext string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	out.HookSpecificOutput.HookEventName, out.HookSpecificOutput.AdditionalContext = c.Event, text
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(out) // of texts, always possible
	return b.Bytes()
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit codes of contract/surface.md 7.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitNothing = 3
)

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	inTTY    bool
	outTTY   bool
	errTTY   bool
}

func standardStreams() streams {
	return streams{in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd()))}
}

// failure is an error with its exit code and the next step.
type failure struct {
	code int
	err  error
	hint string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// usage reports a command that was called wrongly.
func usage(format string, args ...any) error {
	return &failure{code: exitUsage, err: fmt.Errorf(format, args...)}
}

// errNothing says that nothing was found; what to say was said already.
var errNothing = &failure{code: exitNothing, err: errors.New("nothing found")}

// app is what every command shares.
type app struct {
	streams
	json bool
	set  settings
	flag settings // what was given on the command line

	begins bool // the command makes a store where there is none
}

// run executes a command line and gives its exit code.
func run(ctx context.Context, args []string, s streams) int {
	a := &app{streams: s}
	root := a.root()
	root.SetArgs(args)
	ran, err := root.ExecuteContextC(ctx)
	code := a.exit(ran, err)
	if ran != nil && ran.CommandPath() == hookPath {
		return exitDone
	}
	return code
}

// exit says what went wrong on stderr and gives the code.
func (a *app) exit(ran *cobra.Command, err error) int {
	if err == nil {
		return exitDone
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{code: exitFailed, err: err}
	}
	if errors.Is(err, errNothing) {
		return exitNothing
	}
	if errors.Is(err, syscall.EPIPE) {
		return f.code // who read the output has had enough of it
	}
	fmt.Fprintf(a.err, "combray: %s\n", f.err)
	if f.hint != "" {
		fmt.Fprintf(a.err, "         %s\n", f.hint)
	}
	if f.code == exitUsage && f.hint == "" {
		fmt.Fprintf(a.err, "         %s\n", helpOf(ran))
	}
	return f.code
}

// helpOf names the help of the command that was called wrongly.
func helpOf(ran *cobra.Command) string {
	if ran == nil || !ran.HasParent() {
		return "combray help shows the commands."
	}
	return ran.CommandPath() + " --help shows how it is called."
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "combray",
		Short: "A memory on your own machine, for agents and the person they work for",
		Long: "Combray keeps what happened with its place, hour and origin, and finds it again by\n" +
			"meaning in about a hundred languages, by words in any script, by time and place.\n" +
			"Nothing is sent anywhere. Without arguments on a pipe it serves MCP on stdio.",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(*cobra.Command, []string) (err error) {
			a.set, err = readSettings(a.flag)
			return err
		},
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("unknown command %q", args[0])
			}
			if !a.inTTY {
				return a.serveStdio(cmd.Context(), nil, nil)
			}
			return cmd.Help()
		},
	}
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages ", fmt.Sprintf("Flags.FlagUsagesWrapped %d ", lineWidth)))
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%v", err) })
	flags := root.PersistentFlags()
	flags.StringVar(&a.flag.DB, "db", "", "store file; :memory: keeps nothing (COMBRAY_DB)")
	flags.StringVar(&a.flag.Model, "model", "", "bundled, none or a catalogue name (COMBRAY_MODEL)")
	flags.StringVar(&a.flag.Log, "log", "", "error, warn, info or debug, on stderr (COMBRAY_LOG)")
	flags.BoolVar(&a.flag.ReadOnly, "read-only", false, "write nothing; a server shows only reading tools (COMBRAY_READ_ONLY)")
	flags.BoolVar(&a.json, "json", false, "print JSON for programs")
	root.AddCommand(a.mcpCommand(), a.serveCommand(), a.rememberCommand(), a.recallCommand(), a.showCommand(), a.listCommand(), a.timelineCommand(),
		a.forgetCommand(), a.restoreCommand(), a.eraseCommand(), a.clearSensitiveCommand(), a.importCommand(), a.statsCommand(), a.checkCommand(), a.backupCommand(), a.modelsCommand(),
		a.callCommand(), a.toolsCommand(),
		a.senseCommand(), a.pendingCommand(), a.usefulCommand(), a.noiseCommand(), a.whyCommand(), a.hookCommand(), a.demoCommand(), a.setupCommand(), a.doctorCommand(), a.benchCommand(), a.versionCommand())
	for _, c := range root.Commands() {
		c.Args = named(c.Args)
	}
	foldHelp(root)
	return root
}

// foldHelp keeps the description of a command and of those below it within a
// line, paragraph by paragraph.
func foldHelp(c *cobra.Command) {
	paragraphs := strings.Split(c.Long, "\n\n")
	for i, p := range paragraphs {
		paragraphs[i] = folded(p, 0)
	}
	c.Long = strings.Join(paragraphs, "\n\n")
	for _, below := range c.Commands() {
		foldHelp(below)
	}
}

// named turns a wrong number of arguments into a usage error.
func named(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(cmd, args); err != nil {
			return usage("%s: %v; it is called as: %s", cmd.Name(), err, cmd.UseLine())
		}
		return nil
	}
}

// version is set by a release build; else the module's own, or dev.
var version = ""

func versionString() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]string{"version": versionString()})
			}
			fmt.Fprintln(a.out, "combray", versionString())
			return nil
		}}
}

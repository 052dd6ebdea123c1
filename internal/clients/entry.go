package clients

// field is one key of an entry.
type field struct {
	key   string
	value any // string, bool, int, list or fields
	// once: a value that is there already is its owner's and stays.
	once bool
}

// fields are an object in the order in which it is written.
type fields []field

// list is an array.
type list []any

func words(first string, rest ...string) list {
	l := list{}
	if first != "" {
		l = append(l, first)
	}
	for _, w := range rest {
		l = append(l, w)
	}
	return l
}

// plain is the shape that most clients share.
func plain(s Server) fields {
	return fields{{key: "command", value: s.Command}, {key: "args", value: words("", s.Args...)}}
}

// typed is the plain shape with the transport's name in front.
func typed(name string) func(Server) fields {
	return func(s Server) fields {
		return append(fields{{key: "type", value: name}}, plain(s)...)
	}
}

// gooseTimeout is how many seconds Goose waits for an answer; its own default.
const gooseTimeout = 300

func gooseFields(s Server) fields {
	return fields{{key: "enabled", value: true, once: true}, {key: "type", value: "stdio"}, {key: "name", value: ServerName, once: true},
		{key: "cmd", value: s.Command}, {key: "args", value: words("", s.Args...)},
		{key: "envs", value: fields{}, once: true}, {key: "timeout", value: gooseTimeout, once: true}}
}

func openCodeFields(s Server) fields {
	return fields{{key: "type", value: "local"}, {key: "command", value: words(s.Command, s.Args...)},
		{key: "enabled", value: true, once: true}}
}

// copilotFields name the tools: Copilot CLI shows none of a server that does not.
func copilotFields(s Server) fields {
	return append(typed("local")(s), field{key: "tools", value: list{"*"}, once: true})
}

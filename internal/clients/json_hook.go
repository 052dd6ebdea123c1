package clients

// commandAt finds a command of an event's groups, with what is around it.
func (d *jsonDocument) commandAt(path []string, f foundHook) (groups, commands, command jsonPlace, err error) {
	if groups, err = d.at(path); err != nil {
		return groups, commands, command, err
	}
	if groups.value == nil || f.group >= len(items(groups.value)) {
		return groups, commands, command, errByHand
	}
	commands = memberOf(jsonPlace{items(groups.value)[f.group].value}, "hooks")
	if commands.value == nil || f.number >= len(items(commands.value)) {
		return groups, commands, command, errByHand
	}
	return groups, commands, jsonPlace{items(commands.value)[f.number].value}, nil
}

func memberOf(object jsonPlace, name string) jsonPlace {
	all := items(object.value)
	if i := indexOf(all, name); i >= 0 {
		return jsonPlace{all[i].value}
	}
	return jsonPlace{}
}

// setCommand corrects the line that a command runs.
func (d *jsonDocument) setCommand(path []string, f foundHook, line string) error {
	_, _, command, err := d.commandAt(path, f)
	if err != nil {
		return err
	}
	old := memberOf(command, "command")
	if old.value == nil {
		return errByHand
	}
	return d.replace(old.value, line)
}

// dropCommand takes out a command, its group when nothing else is in it, the
// event's list when that was its only group, and the object of hooks likewise.
func (d *jsonDocument) dropCommand(path []string, f foundHook) error {
	groups, commands, _, err := d.commandAt(path, f)
	if err != nil {
		return err
	}
	if len(items(commands.value)) > 1 {
		return d.cut(commands.value, items(commands.value), f.number)
	}
	if len(items(groups.value)) > 1 {
		return d.cut(groups.value, items(groups.value), f.group)
	}
	return d.drop(path)
}

// Package notes reads what a person already has, Markdown and text files and
// JSON Lines, as captures: a memory a section, the headings above it kept as
// context, the day taken from the front matter or the file's name. A file or
// line that cannot be read is reported by name and number, and the rest goes on.
package notes

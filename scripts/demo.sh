#!/bin/sh
# Stores notes in fourteen languages in a store of its own and asks for them in
# other languages. Nothing is left behind and nothing is sent anywhere.
set -eu
combray=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
COMBRAY_DB=$folder/demo.db
export COMBRAY_DB

printf 'Storing the notes of examples/notes …\n'
"$combray" import examples/notes

ask() {
	printf '\n\033[1m%s\033[0m\n' "$1"
	"$combray" recall --limit 1 "$1"
}
ask 'Where is the spare key kept?'
ask 'Wogegen bin ich allergisch?'
ask 'who has a peanut allergy?'
ask 'когда заканчивается мой паспорт?'
ask 'what work did grandfather do after the war?'
ask 'où est réparée la vieille montre de grand-mère ?'
ask '祖母的苹果派'
ask 'what did mother plant behind the house?'
ask 'wie hoch ist die Umlaufgeschwindigkeit des Neptun?'
printf '\nThe last question has no answer among the notes, and the verdict says so.\n'

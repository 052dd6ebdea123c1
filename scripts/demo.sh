#!/bin/sh
# Stores notes in fourteen languages in a store of its own and asks for them in
# other languages. Nothing is left behind and nothing is sent anywhere.
set -eu
combray=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
COMBRAY_DB=$folder/demo.db
export COMBRAY_DB
bold='' plain=''
if [ -t 1 ]; then
	bold=$(printf '\033[1m') plain=$(printf '\033[0m')
fi

printf 'Storing the notes of examples/notes …\n'
"$combray" import examples/notes

# Exit code 3 says that nothing relevant was found, which the last question shows.
ask() {
	printf '\n%s%s%s\n' "$bold" "$1" "$plain"
	"$combray" recall --limit 1 "$1" || [ $? -eq 3 ]
}
ask 'Where is the spare key kept?'
ask 'which medicine am I allergic to?'
ask 'où sont plantées les tomates cette année ?'
ask 'когда заканчивается мой паспорт?'
ask 'what work did grandfather do after the war?'
ask "where is grandmother's clock being repaired?"
ask 'how often should the washing machine filter be cleaned?'
ask '备用钥匙在哪里'
ask 'what does the cat need twice a day?'
ask 'wie hoch ist die Umlaufgeschwindigkeit des Neptun?'
printf '\nThe last question has no answer among the notes, and Combray says so.\n'

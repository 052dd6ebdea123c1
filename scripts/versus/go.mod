module combray/scripts/versus

go 1.26.0

require (
	combray v0.0.0
	github.com/coder/hnsw v0.6.1
	github.com/mattn/go-sqlite3 v1.14.53
	github.com/sugarme/tokenizer v0.3.0
	golang.org/x/sys v0.50.0
)

require (
	github.com/adrg/xdg v0.5.3 // indirect
	github.com/blevesearch/snowballstem v0.9.0 // indirect
	github.com/chewxy/math32 v1.10.1 // indirect
	github.com/emirpasic/gods v1.18.1 // indirect
	github.com/google/renameio v1.0.1 // indirect
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/patrickmn/go-cache v2.1.0+incompatible // indirect
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/schollz/progressbar/v2 v2.15.0 // indirect
	github.com/sugarme/regexpset v0.0.0-20200920021344-4d4ec8eaf93c // indirect
	github.com/viterin/partial v1.1.0 // indirect
	github.com/viterin/vek v0.4.2 // indirect
	github.com/yalue/onnxruntime_go v1.27.0 // indirect
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace combray => ../..

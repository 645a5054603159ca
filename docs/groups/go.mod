module example.com/groups

go 1.26.0

replace github.com/8f878440/crowd => ../..

require (
	github.com/8f878440/crowd v0.0.0
	github.com/hajimehoshi/ebiten/v2 v2.8.8
	github.com/mlange-42/arche v0.15.3
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/ebitengine/gomobile v0.0.0-20240911145611-4856209ac325 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/ebitengine/purego v0.8.0 // indirect
	github.com/jezek/xgb v1.1.1 // indirect
	golang.org/x/sync v0.12.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

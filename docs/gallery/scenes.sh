#!/bin/sh
# Draws the pictures of the scenes in the live view, in the order of world/view/page/scenes.js, into the file
# scenes.webp in the folder where it runs. It needs ffmpeg.
set -e
folder=$(mktemp -d)
n=100
draw() {
	n=$((n + 1))
	crowd render "$@" --hide targets,legend --size 320x240 --quiet --out "$folder/$n.png"
}
draw seek --at 150 --crop 160,90,640,450 --trails 30
draw flee --at 90 --trails 30
draw arrival --at 60 --trails 30
draw avoidance --at 150 --trails 30
draw seek-kinematic --at 100 --crop 160,90,640,450 --trails 30
draw arrival-opposing --at 2s --trails 1s
draw arrival-damped --at 2s --trails 1s
draw avoidance-cocos --at 300 --trails 200
draw tank-path --at 10s --trails 10s
draw tank-flee --at 5s --crop 320,280,640,520 --trails 4s
draw boids --at 10s --crop 20,15,120,90
draw predators --at 6s --trails 1s --color group
draw leader --at 15s --trails 1s
draw hide --at 8s --trails 1s
draw formation --at 20s --trails 1s
draw antipodal --agents 150 --at 70s --crop=-40,-30,40,30 --trails 6s
draw rvo-circle --at 180s --crop=-120,-90,120,90 --trails 6s
draw rvo-blocks --at 55s --crop=-72,-54,72,54 --trails 8s --color group
draw crossing --at 96s --crop=-16,-12,16,12 --trails 1s
draw plaza --agents 90000 --at 3s --crop 208,210,232,228 --trails 0.8s --color heading
draw evacuation --at 12s --crop 12,0,36,18
draw bottleneck --at 15s --crop=-12,-7,7,7
draw queue --at 20s
draw concert --agents 2000 --at 30s
draw office --at 20s --field
draw floors --at 20s --field
draw maze --at 20s --trails 10s
draw city --at 6s --crop 340,340,480,445
draw siege --at 60s --crop=-44,-27,28,27
ffmpeg -loglevel error -y -pattern_type glob -i "$folder/*.png" -vf "scale=208:156:flags=area,tile=1x$((n - 100))" -quality 60 scenes.webp
rm -r "$folder"

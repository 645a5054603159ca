#!/bin/sh
# Draws the pictures of built-in scenes into the folder where it runs. Written by crowd gallery.
set -e
crowd render plaza --agents 90000 --crop 208,210,236,226 --from 2s --hide targets --trails 0.8s --color heading --fps 14 --size 520 --seconds 4 --out plaza.gif
crowd render plaza --agents 1000000 --heat=1 --crop 160,160,320,280 --at 5s --size 900 --out plaza.png
crowd render seek --trails 60 --fps 20 --size 440 --seconds 7 --out seek.gif
crowd render seek-kinematic --trails 60 --fps 20 --size 440 --seconds 6 --out seek-kinematic.gif
crowd render flee --trails 60 --fps 20 --size 440 --seconds 6 --out flee.gif
crowd render arrival --trails 60 --fps 20 --size 440 --seconds 7 --out arrival.gif
crowd render arrival-opposing --trails 2s --fps 20 --size 440 --seconds 6 --out arrival-opposing.gif
crowd render arrival-damped --trails 2s --fps 20 --size 440 --seconds 6 --out arrival-damped.gif
crowd render avoidance --trails 60 --fps 20 --size 440 --seconds 7 --out avoidance.gif
crowd render avoidance-cocos --trails 200 --fps 20 --size 440 --seconds 8 --out avoidance-cocos.gif
crowd render tank-path --trails 12s --every 12 --fps 20 --size 440 --seconds 8 --out tank-path.gif
crowd render tank-flee --trails 4s --every 6 --fps 20 --size 440 --seconds 8 --out tank-flee.gif
crowd render predators --crop 7,6,73,55 --color group --trails 1s --every 4 --fps 20 --size 440 --seconds 6 --out predators.gif
crowd render boids --at 10s --dark --color heading --trails 0.5s --hide legend --size 900 --out boids.png
crowd render rvo-circle --crop=-90,-90,90,90 --from 90s --color heading --trails 4s --every 19 --fps 12 --hide targets --size 440 --seconds 5 --out rvo-circle.gif
crowd render rvo-blocks --color group --trails 10s --every 25 --fps 12 --hide targets --size 440 --seconds 6 --out rvo-blocks.gif
crowd render antipodal --crop=-17,-17,17,17 --from 50s --color heading --every 24 --fps 7 --hide targets,legend --size 360 --seconds 4 --out antipodal.gif
crowd render bottleneck --from 2s --every 30 --fps 12 --hide targets --trails 2s --size 440 --seconds 6 --out bottleneck.gif
crowd render crossing --crop=-15,-13,15,13 --from 96s --every 6 --fps 10 --hide targets --color heading --size 440 --seconds 5 --out crossing.gif
crowd render evacuation --from 1s --every 112 --fps 8 --hide targets --color group --hide legend --size 960 --seconds 5 --out evacuation.gif
crowd render concert --at 60s --hide targets --size 900 --out concert.png
crowd render office --at 30s --field --hide targets --size 900 --out office.png
crowd render floors --at 20s --field --hide targets --size 900 --out floors.png
crowd render city --at 30s --heat=4 --hide targets --size 900 --out city.png
crowd render maze --at 20s --trails 10s --hide targets --size 700 --out maze.png
crowd render siege --from 16s --every 24 --fps 10 --hide targets,legend --size 480 --seconds 9 --out siege.gif
crowd render leader --every 6 --fps 12 --hide targets,legend --size 440 --seconds 8 --out leader.gif
crowd render hide --every 6 --fps 12 --hide targets,legend --size 440 --seconds 8 --out hide.gif
crowd render queue --every 6 --fps 12 --hide targets,legend --size 440 --seconds 7 --out queue.gif
crowd render formation --every 8 --fps 12 --hide targets,legend --size 440 --seconds 8 --out formation.gif

package view

// The protocol, for authors of other viewers. It may change with any new version; the hello message
// contains the version.
//
// A viewer connects to a WebSocket at /live, without an Origin header or with that of the server, or over a
// Conn. It sends JSON texts of at most 4,096 bytes, at most 400 a second in bursts of at most 800, the first
// within 10 s. It starts at most one world a second, in bursts of at most eight. The texts are:
//
//	next      view [x0,y0,x1,y1] in m, pixels [w,h], color, layers, field: asks for a frame; 4 may be pending
//	pause on · step n · pace x (0 means as fast as possible) · restart · seek tick · cancel
//	scene name, text, n, seed · seed seed · agents n: start a world of 1 to 2,000,000 agents; a text is
//	          the scene itself, in TOML; scene and add may have 1 MiB, with do as the first key
//	file      asks for the scene with its present settings
//	set name, value: sets a parameter; a name without groups[i]. means all groups that have the parameter
//	pointer at (or none) · select at, within, dot; or id; or none
//	add at, to, radius, door; or corners of a polygon · door id, on · move id, to · remove id
//	goal at, id (or none: all agents)
//
// Seeds and IDs of agents are strings; IDs of obstacles are numbers. Colors: speed, behavior, threat, heading,
// archetype, density, contact, group. Layers: targets, threats, steering, cells, neighbors, routes, beside. The
// server answers a next message once there is something new to show, and sends JSON texts with a kind:
//
//	hello     number of the viewer, version, scenes, maxAgents, and a name that changes when the server restarts
//	starting  by, name, agents (0 means unknown), seconds, over; four times a second while a world is built
//	scene     the constant properties of the scene, and its parameters; after changes, up to four times a second
//	stats     rates, counts, timeline, seeking, lines, areas, motion; four times a second
//	agent     the selected agent, in the JSON of crowd explain; up to ten times a second
//	file      text, in TOML
//	error     text
//
// Numbers that are not finite are the strings "Infinity", "-Infinity" and "NaN". Frames, obstacles and
// fields are binary, little endian; each column begins at a multiple of its element size, up to 4. A frame:
//
//	  0  u8            1
//	  1  u8            1 near, 2 an incomplete layer (over 20,000 items, or too many neighbors); upper four bits: color
//	  2  u16           layers that follow: 1 targets, 2 threats, 4 steering, 8 cells, 16 neighbors, 32 routes, 64 beside
//	  4  u32           build, which increases with each start
//	  8  f64 × 2       step, time in s
//	 24  f64 × 4       x0, y0, x1, y1 of the window: the view plus a fifth of it on each side
//	 56  f64 × 4       pointer, selected agent; NaN means none
//	 88  f32           top of the speed scale, m/s
//	 92  u32 × 3       version of the obstacles, all agents, n agents in the window
//	104  u16 × n, × n  x and y, from 0 to 65535 over the window
//	     u16 × n, f32 × n   near only: heading in 1/65,536 turn, radius in m
//	     u8 × n        the value that gives the color
//	     u32, f32 × 4 × count   targets, threats, steering: lines in m from the window's corner (steering: 1 m is 1 m/s²)
//	     u32, f32 × 5 × count   cells: two corners, number of obstacles
//	     u32, f32 × 5 × count   neighbors: lines, a bit per behavior by which the selected agent sees the neighbor (0: none)
//	     u32, f32 × 5 × count   routes: discs of the selected agent's corridor (x, y, radius, 0, 2), its path (…, 1), other paths (…, 0)
//	     u32, f32 × 4 × count   beside: recorded people, and the direction in which they walk; 0 means standing
//
// Density is 255 at crowding.top agents per m² within crowding.radius m. Contact is 0 for none, 1 for
// touching, 255 for an overlap by the smaller radius. A frame is near if the radius of the largest
// body is 1.5 pixels or more or, without bodies, if there are at most 5,000 agents. Obstacles come
// before the first frame that needs them:
//
//	  0  u8            2
//	  4  u32           version
//	  8  f64 × 2       origin of all coordinates that follow
//	 24  u32 × 4       r circles and walls, p polygons, k corners in all, d doors
//	 40  (f32 × 5, u32) × r     ends a and b, radius, ID; a circle has a = b
//	     u32 × p, u32 × p, f32 × 2 × k   IDs, first corner of each, corners
//	     u32 × 2 × d   IDs of doors, and 1 if open; open doors are the last of the circles and walls
//
// A requested field comes before the next frame, and again when it has changed:
//
//	  0  u8            3
//	  4  u32           build
//	  8  f64 × 3       lower-left corner, width of a cell, m; at most 262,144 cells
//	 32  u32 × 4       number, columns, rows (0 means no such field), n goals
//	 48  f32           the greatest distance, m
//	 52  f32 × 4 × n   corners of the goals, relative to the lower-left corner
//	     u16 × columns × rows   distances: 65534 is the greatest, 65535 means no path

package field

import "math"

// buckets is a queue of cells in the order of their ways, as far as that matters: in buckets
// that are so narrow that no cell of one can make the way of another shorter.
//
// A cell that gets a shorter way is put in once more; take leaves out what is old.
type buckets struct {
	lists [][]uint32
	first int     // of the lists, the one where the next cells are
	from  float64 // s, where that begins, in widths
	per   float64 // 1/s, widths
	n     int     // cells in all lists
}

// most is how many widths a way can be longer than that of a neighbor, and more: straight on,
// second-order differences give at most 4/3 and a cell's width, which is √2 widths of a bucket;
// cells may be slower than the fastest.
const most = 64

func (q *buckets) reset(width float64) {
	if q.lists == nil {
		q.lists = make([][]uint32, most)
	}
	for i := range q.lists {
		q.lists[i] = q.lists[i][:0]
	}
	q.first, q.from, q.per, q.n = 0, 0, 1/width, 0
}

// put takes a cell with its way in. One that lies beyond all buckets waits in the last.
func (q *buckets) put(cell int, way float64) {
	k := int(min(max(float64(way*q.per)-q.from, 0), most-1))
	k = (q.first + k) % most
	q.lists[k] = append(q.lists[k], uint32(cell))
	q.n++
}

// take returns one of the cells with the shortest way.
func (q *buckets) take(f *Field) (cell int, ok bool) {
	for q.n > 0 {
		list := q.lists[q.first]
		if len(list) == 0 {
			q.first = (q.first + 1) % most
			q.from++
			continue
		}
		cell = int(list[len(list)-1])
		q.lists[q.first] = list[:len(list)-1]
		q.n--
		if f.state[cell] == known {
			continue
		}
		if ahead := float64(f.way[cell]*q.per) - q.from; ahead >= 1 { // it waited in the last bucket
			if len(q.lists[q.first]) == q.n {
				q.leap(f, ahead)
			}
			q.put(cell, f.way[cell])
			continue
		}
		return cell, true
	}
	return 0, false
}

// farAhead is how many widths a queue does not go through one by one.
const farAhead = 1 << 16

// longest is the longest way that a field begins with, in widths: up to there, and far beyond, a float64 counts them.
const longest = 1 << 40

// leap takes a queue, all of whose cells lie in the first bucket or are this far ahead, on to the nearest of them
// if that is far.
func (q *buckets) leap(f *Field, ahead float64) {
	for _, cell := range q.lists[q.first] {
		ahead = min(ahead, float64(f.way[cell]*q.per)-q.from)
	}
	if ahead > farAhead {
		q.from += math.Floor(ahead)
	}
}

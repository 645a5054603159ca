package view

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/8f878440/crowd/world/scene"
	"github.com/coder/websocket"
)

// BenchmarkView shows a running plaza to one viewer without a screen, as fast as
// it takes frames, and reports the frames and the steps a second.
func BenchmarkView(b *testing.B) {
	for _, agents := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("agents=%d", agents), func(b *testing.B) {
			sc, err := scene.Named("plaza")
			must(b, err)
			sc.Resize(agents)
			ctx := context.Background()
			live, err := NewScenes(ctx, "plaza", sc, Scenes{}, Options{})
			must(b, err)
			s, stop := listen(b, live, nil)
			conn, err := dial(s)
			must(b, err)
			frames, bytes := 0, 0
			ask := func() {
				err := conn.Write(ctx, websocket.MessageText,
					[]byte(`{"do":"next","view":[0,0,480,480],"pixels":[1000,1000],"color":"speed","layers":[]}`))
				must(b, err)
			}
			ask()
			ask()
			start := time.Now()
			for b.Loop() {
				for {
					kind, data, err := conn.Read(ctx)
					must(b, err)
					if kind == websocket.MessageBinary && data[0] == kindFrame {
						frames++
						bytes += len(data)
						ask()
						break
					}
				}
			}
			took := time.Since(start).Seconds()
			conn.CloseNow()
			stop()
			b.ReportMetric(float64(frames)/took, "frames/s")
			b.ReportMetric(float64(s.sim.world.Stats().Steps)/took, "steps/s")
			b.ReportMetric(float64(bytes)/float64(frames)/1e6, "MB/frame")
		})
	}
}

package systems_test
import ("testing";"fmt"
 c "github.com/8f878440/crowd/components"
 "github.com/mlange-42/arche/ecs"
 "github.com/mlange-42/arche/generic"
 "gonum.org/v1/gonum/spatial/r2"
 "github.com/8f878440/crowd/world")
func TestZZ(t *testing.T){
 tr:=trap{polygons:spiral(3), goal:r2.Vec{X:20},dt:.05}
 config := world.Default(); config.Workers, config.Dt = 1, tr.dt
 w,_:=world.New(config); defer w.Close()
 for _,p:=range tr.polygons{w.AddPolygon(p)}
 var e ecs.Entity
 if err:=w.Spawn(1,append(append([]any{c.Radius{Meters:.3},c.Limits{MaxSpeed:1.3,MaxForce:5},c.Solid{Push:.8},c.Target{},c.Goal{Radius:1.25}},alone["ORCA"]...),remembers...),func(r *world.Rows){e=r.Entity(0); world.Column[c.Position](r)[0].Vec=r2.Vec{}; world.Column[c.Destination](r)[0].Vec=tr.goal}); err!=nil{t.Fatal(err)}
 m:=generic.NewMap4[c.Position,c.Velocity,c.BoundaryFollowing,c.Target](w.ECS)
 for k:=range 8000 { w.Step(); p,v,x,tg:=m.Get(e); if k>200 && k%100==0 {
  mk:=x.Sides[0]; if x.Left {mk=x.Sides[1]}
  fmt.Printf("%d p=%.2f v=%.2f st=%d left=%v lost=%d hit=%.2f mk=%.2f along=%.2f near=%.2f tgt=%.1f\n",k,p.Vec,v.Vec,x.State,x.Left,x.Lost,x.Hit.At,mk.At,mk.Along,x.Nearest,tg.Vec)}}
}

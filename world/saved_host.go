package world

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/8f878440/crowd/internal/archive"
	"github.com/mlange-42/arche/ecs"
)

// hostResources returns the pointer types of the resources in Config.Saved.
func (w *World) hostResources() (types []reflect.Type) {
	for _, value := range w.config.Saved {
		if t := reflect.TypeOf(value); t.Kind() == reflect.Pointer {
			types = append(types, t)
		}
	}
	return types
}

// findResource returns the resource with pointer type t, or nil.
func (w *World) findResource(t reflect.Type) any {
	for _, id := range ecs.ResourceIDs(w.ECS) {
		if typ, _ := ecs.ResourceType(w.ECS, id); typ == t.Elem() && w.ECS.Resources().Has(id) {
			return w.ECS.Resources().Get(id)
		}
	}
	return nil
}

func (w *World) saveHost(a *archive.Archive) (err error) {
	for _, t := range w.hostResources() {
		r := w.findResource(t)
		a.Block(t.Elem().String(), func() {
			var text []byte
			if r != nil {
				if text, err = json.Marshal(r); err != nil {
					err = fmt.Errorf("resource %v: %w", t.Elem(), err)
				}
			}
			a.Keep(&text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readHost reads the resources in Config.Saved into new values. A resource that was not saved is nil.
func (w *World) readHost(a *archive.Archive) (all []any) {
	for _, t := range w.hostResources() {
		a.Block(t.Elem().String(), func() {
			var text []byte
			if a.Keep(&text); a.Err() != nil || len(text) == 0 {
				all = append(all, nil)
				return
			}
			r := reflect.New(t.Elem())
			if err := json.Unmarshal(text, r.Interface()); err != nil {
				a.Fail("%w", err)
				return
			}
			all = append(all, r.Interface())
			rewriteEntities(r, func(e ecs.Entity) ecs.Entity {
				if _, err := a.Entity(e); err != nil {
					a.Fail("%w", err)
				}
				return e
			})
		})
	}
	if next := a.Next(); next != "" && next != "world" {
		a.Fail("resource %s was saved but is not in Config.Saved", next)
	}
	return all
}

// putHost sets the resources of the world to those in all that are not nil.
func (w *World) putHost(all []any) {
	for _, r := range all {
		if r == nil {
			continue
		}
		if old := w.findResource(reflect.TypeOf(r)); old != nil {
			reflect.ValueOf(old).Elem().Set(reflect.ValueOf(r).Elem())
			continue
		}
		w.ECS.Resources().Add(ecs.ResourceTypeID(w.ECS, reflect.TypeOf(r).Elem()), r)
	}
}

// rewriteEntities replaces all entities within a value, following pointers, maps and interfaces.
func rewriteEntities(v reflect.Value, entity func(ecs.Entity) ecs.Entity) {
	(&rewriter{entity: entity, seen: map[visited]bool{}}).visit(v)
}

type rewriter struct {
	entity func(ecs.Entity) ecs.Entity
	seen   map[visited]bool
}

// visited identifies the target of a pointer that has been followed.
type visited struct {
	at uintptr
	t  reflect.Type
}

func (r *rewriter) visit(v reflect.Value) {
	if v.Type() == reflect.TypeFor[ecs.Entity]() {
		v.Set(reflect.ValueOf(r.entity(v.Interface().(ecs.Entity))))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if at := (visited{v.Pointer(), v.Type()}); !v.IsNil() && !r.seen[at] {
			r.seen[at] = true
			r.visit(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(r.copied(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			r.visit(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // also unexported fields
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			r.visit(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		all := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			all.SetMapIndex(r.copied(it.Key()), r.copied(it.Value()))
		}
		v.Set(all)
	}
}

// copied returns a settable copy with its entities replaced.
func (r *rewriter) copied(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	r.visit(to)
	return to
}

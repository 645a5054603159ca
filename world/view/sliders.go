package view

import "github.com/8f878440/crowd/world/scene"

// tunedGroups bounds the sliders: a file may have a group for each agent.
const tunedGroups = 20

// slidersOf returns the parameters of a scene that have sliders.
func slidersOf(sc *scene.Scene) []scene.Parameter {
	few := *sc
	few.Groups = sc.Groups[:min(len(sc.Groups), tunedGroups)]
	return few.Parameters()
}

// sliders are the parameters of a scene as it was opened, by their names. Their ranges
// stay, whatever viewers change, so that no slider moves beneath a hand.
type sliders map[string]scene.Parameter

func newSliders(sc *scene.Scene) sliders {
	all := sliders{}
	for _, p := range slidersOf(sc) {
		all[p.Name] = p
	}
	return all
}

// message returns a parameter with its value of now and the range of its slider.
func (s sliders) message(p scene.Parameter) parameterMessage {
	first, known := s[p.Name]
	if !known { // it could be set to one value only at first
		first = p
	}
	return parameterMessage{
		p.Name, p.Group, p.Section, p.Label, p.Help, number(p.Value), number(first.Value), number(first.Min), number(first.Max), number(first.Step),
	}
}

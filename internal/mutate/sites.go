package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strconv"
	"strings"
)

// swaps are the operators that take one another's place.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC,
}

// sites returns all mutations of the files of a folder that are compiled here. The name
// of each is what it does.
func sites(folder string) (all []mutation, err error) {
	pkg, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	for _, name := range pkg.GoFiles {
		file := path.Join(folder, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := sitesOf(file, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// sitesOf returns the mutations of a file.
func sitesOf(file, text string) (all []mutation, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(text, "\n")
	add := func(name string, at token.Pos, from, to string) {
		p := set.Position(at)
		line := lines[p.Line-1]
		indent := len(line) - len(strings.TrimLeft(line, "\t "))
		m := mutation{Name: name, File: file, At: strings.TrimSpace(line), Column: p.Column - 1 - indent, Old: from, New: to}
		if _, err := m.apply(text); err == nil {
			all = append(all, m)
		}
	}
	swap := func(op token.Token, at token.Pos) {
		if to, ok := swaps[op]; ok {
			add(fmt.Sprintf("%v to %v", op, to), at, op.String(), to.String())
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR // limits and the like are constants, and no rule
		case *ast.CallExpr:
			name, isName := n.Fun.(*ast.Ident)
			switch {
			case isName && name.Name == "panic", says(n.Fun):
				return false // what messages say
			case isName && name.Name == "min":
				add("min to max", name.Pos(), "min", "max")
			case isName && name.Name == "max":
				add("max to min", name.Pos(), "max", "min")
			}
		case *ast.BinaryExpr:
			swap(n.Op, n.OpPos)
		case *ast.AssignStmt:
			swap(n.Tok, n.TokPos)
		case *ast.IncDecStmt:
			swap(n.Tok, n.TokPos)
		case *ast.UnaryExpr:
			if n.Op == token.NOT || n.Op == token.SUB {
				add("without "+n.Op.String(), n.OpPos, n.Op.String(), "")
			}
		case *ast.IfStmt:
			if n.Init == nil {
				add("never", n.Cond.Pos(), "", "false && ")
			}
		case *ast.ReturnStmt:
			if len(n.Results) == 1 {
				if id, ok := n.Results[0].(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
					add("return the opposite", id.Pos(), "", "!")
				}
			}
		case *ast.BasicLit:
			switch n.Kind {
			case token.INT:
				if x, err := strconv.Atoi(n.Value); err == nil {
					add("one more", n.Pos(), n.Value, strconv.Itoa(x+1))
				}
			case token.FLOAT:
				add("twice as much", n.Pos(), n.Value, "2*"+n.Value)
			}
		}
		return true
	})
	return all, nil
}

// says reports whether a function makes a message.
func says(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, _ := s.X.(*ast.Ident)
	return from != nil && (from.Name == "fmt" || from.Name == "errors")
}

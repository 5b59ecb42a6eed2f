package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A table is written as aligned text or as Markdown.
type table struct {
	head []string
	rows [][]string
	left []int // columns of words; the others hold numbers and align right
}

func (t table) writeText(w io.Writer) error {
	widths := t.widths()
	for _, row := range append([][]string{t.head}, t.rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = t.pad(i, cell, widths[i])
		}
		line := strings.TrimRight(strings.Join(cells, "  "), " ")
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func (t table) writeMarkdown(w io.Writer) error {
	rule := make([]string, len(t.head))
	for i := range rule {
		rule[i] = "---:"
		if slices.Contains(t.left, i) {
			rule[i] = "---"
		}
	}
	for _, row := range append([][]string{t.head, rule}, t.rows...) {
		if _, err := fmt.Fprintln(w, "| "+strings.Join(row, " | ")+" |"); err != nil {
			return err
		}
	}
	return nil
}

func (t table) widths() []int {
	widths := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

// pad counts characters, as µ is two bytes and %-*s would count those.
func (t table) pad(column int, cell string, width int) string {
	space := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	if slices.Contains(t.left, column) {
		return cell + space
	}
	return space + cell
}

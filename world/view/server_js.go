package view

// pages is empty in a browser, where pages reach a view by Connect.
type pages struct{}

func (*View) serve(*Options) pages { return pages{} }

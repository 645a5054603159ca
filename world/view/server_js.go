package view

// pages is empty in a browser, where the page uses Connect.
type pages struct{}

func (*View) serve(*Options) pages { return pages{} }

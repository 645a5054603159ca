package systems

// atOnce is how many rows are looked up at a time.
const atOnce = 64

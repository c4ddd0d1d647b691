def pairs(n, rng): return []

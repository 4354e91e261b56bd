"""Is it a theorem? Two engines that share no code, and the function in front of them."""

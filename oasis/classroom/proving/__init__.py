"""A student at a proof: exercises, attempts, the teacher's answers, and what is said on a screen and in lines."""

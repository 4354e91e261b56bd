"""What the teacher sees of a class: marks, wrong moves, and attempts move by move."""
